#include "tests/live/party.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"

static const struct phrases *
phrases_of(const struct party *party)
{
    return party->phrases == NULL ? &phrases_english : party->phrases;
}

/* In private. */
static const struct phrases *
phrases_for(const struct party *party, unsigned player)
{
    bool other = (party->others >> player & 1U) != 0;

    return other ? party->other : phrases_of(party);
}

/* ---- writing ------------------------------------------------------------- */

/* Append a message's content, with a relation to another event ("" none). */
static void
write_content(struct buf *content, const char *type, const char *body,
              const char *html, const char *relation)
{
    buf_add_char(content, '{');
    jtext_key(content, "msgtype");
    jtext_string(content, type);
    jtext_key(content, "body");
    jtext_string(content, body);
    if (html != NULL) {
        jtext_key(content, "format");
        jtext_string(content, "org.matrix.custom.html");
        jtext_key(content, "formatted_body");
        jtext_string(content, html);
    }
    if (*relation != '\0') {
        jtext_key(content, "m.relates_to");
        buf_add_text(content, relation);
    }
    buf_add_char(content, '}');
}

static void
post(const struct party *party, const struct account *account, const char *type,
     const char *body, const char *html, const char *relation, char *id)
{
    struct buf content = BUF_INIT;

    write_content(&content, type, body, html, relation);
    account_send(account, party->room, "m.room.message", buf_text(&content),
                 id);
    buf_release(&content);
}

void
party_say(const struct party *party, const struct account *account,
          const char *body, const char *html, char *id)
{
    post(party, account, "m.text", body, html, "", id);
}

static void
relate(struct buf *relation, const char *kind, const char *id)
{
    if (strcmp(kind, "m.in_reply_to") == 0) {
        buf_addf(relation, "{\"m.in_reply_to\":{\"event_id\":\"%s\"}}", id);
    } else {
        buf_addf(relation,
                 "{\"rel_type\":\"m.thread\",\"event_id\":\"%s\","
                 "\"is_falling_back\":true,\"m.in_reply_to\":"
                 "{\"event_id\":\"%s\"}}",
                 id, id);
    }
}

/* Edit somebody's message. */
static void
edit(const struct party *party, const struct account *account, const char *id,
     const char *body, const char *html)
{
    struct buf content = BUF_INIT;
    struct buf inner = BUF_INIT;

    write_content(&inner, "m.text", body, html, "");
    buf_addf(&content,
             "{\"msgtype\":\"m.text\",\"body\":\"* %s\",\"m.new_content\":%s,"
             "\"m.relates_to\":{\"rel_type\":\"m.replace\",\"event_id\":"
             "\"%s\"}}",
             body, buf_text(&inner), id);
    account_send(account, party->room, "m.room.message", buf_text(&content),
                 NULL);
    buf_release(&content);
    buf_release(&inner);
}

/* Answer in the DM. */
static void
answer(const struct account *account, const char *room, const char *text)
{
    struct buf content = BUF_INIT;

    write_content(&content, "m.text", text, NULL, "");
    account_send(account, room, "m.room.message", buf_text(&content), NULL);
    buf_release(&content);
}

/* A vote in the way of each app: Markdown in Element; without Markdown; as a
 * reply with the old fallback; in a paragraph of several; in a thread; in HTML;
 * with a pill before it. */
void
party_vote(struct party *party, unsigned player, bool ja)
{
    const struct account *account = party->players[player];
    const struct phrases *phrases = phrases_of(party);
    const char *word = (ja ? phrases->ja : phrases->nein)[player % 3];
    const char *not_so = (ja ? phrases->nein : phrases->ja)[player % 3];
    struct vote_sent *vote = &party->votes[party->vote_count];
    struct buf body = BUF_INIT;
    struct buf html = BUF_INIT;
    struct buf relation = BUF_INIT;
    unsigned way = player % 7;

    ck_assert_uint_lt(party->vote_count, PARTY_VOTES_MAX);
    buf_addf(&html, "<strong>%s</strong>", word);
    if (way == 2) {
        relate(&relation, "m.in_reply_to", party->call);
        buf_addf(&body, "> <%s> **%s**?\n\n", party->bot, not_so);
        buf_clear(&html);
        buf_addf(&html,
                 "<mx-reply><blockquote><a href=\"https://matrix.to/#/%s\">In "
                 "reply to</a><br><strong>%s</strong></blockquote></mx-reply>"
                 "<strong>%s</strong>",
                 party->call, not_so, word);
    } else if (way == 3) {
        buf_clear(&html);
        buf_addf(&html, "<p>Well, then.</p>\n<p><strong>%s</strong></p>\n",
                 word);
    } else if (way == 4) {
        relate(&relation, "m.thread", party->call);
    } else if (way == 5) {
        buf_clear(&html);
        buf_addf(&html, "<b>%s</b>", word);
    } else if (way == 6) {
        buf_clear(&html);
        buf_addf(&html,
                 "<a href=\"https://matrix.to/#/%s\">Host</a>: "
                 "<strong>%s</strong>",
                 party->bot, word);
    }
    buf_addf(&body, "**%s**", word);
    vote->sent = live_now();
    post(party, account, "m.text", buf_text(&body),
         way == 1 ? NULL : buf_text(&html), buf_text(&relation), vote->id);
    party->vote_count++;
    buf_release(&body);
    buf_release(&html);
    buf_release(&relation);
}

/* Name a player: a bold pill, or bold and red as `/html` sends it. */
static void
name(const struct party *party, const struct account *account, unsigned player)
{
    const struct account *named = party->players[player];
    struct buf html = BUF_INIT;

    if (player % 2 == 0) {
        buf_addf(&html,
                 "<strong><a href=\"https://matrix.to/#/%s\">%s</a></strong>",
                 named->user, named->name);
    } else {
        buf_addf(&html, "<b><font color=\"red\">%s</font></b>", named->name);
    }
    party_say(party, account, named->name, buf_text(&html), NULL);
    buf_release(&html);
}

/* ---- reading ------------------------------------------------------------- */

unsigned
party_find(const struct party *party, const char *name)
{
    unsigned player = 0;

    while (player < party->count &&
           strcmp(party->players[player]->name, name) != 0) {
        player++;
    }
    return player;
}

/* How gladly somebody is named.  Those who don't answer come first where that
 * is to be seen, and else last; Hitler behind all. */
static unsigned
worth(const void *context, const char *name)
{
    const struct party *party = context;
    unsigned player = party_find(party, name);
    unsigned away = party->gone | (party->defers ? party->deaf : 0);

    if (player == party->count) {
        return 0;
    }
    if (player == party->hitler) {
        return 1;
    }
    return away >> player & 1U ? 4 : party->deaf >> player & 1U ? 2 : 3;
}

/* ---- what the room sees -------------------------------------------------- */

/* All that must not count, before anybody votes. */
static void
do_mischief(struct party *party)
{
    struct account *const *players = party->players;
    struct buf relation = BUF_INIT;
    char id[128];

    /* By an edit of one's own, and of somebody else's. */
    party_say(party, players[0], "Let me think.", NULL, id);
    edit(party, players[0], id, "**Ja!**", "<strong>Ja!</strong>");
    party_say(party, players[1], "And me.", NULL, id);
    edit(party, players[2], id, "**Ja!**", "<strong>Ja!</strong>");
    /* In quotes: a reply's fallback, a block, and without HTML. */
    relate(&relation, "m.in_reply_to", party->call);
    post(party, players[3], "m.text", "> <x> **Ja!**\n\nhm",
         "<mx-reply><blockquote><strong>Ja!</strong></blockquote></mx-reply>hm",
         buf_text(&relation), NULL);
    party_say(party, players[4], "> **Ja!**",
              "<blockquote><strong>Ja!</strong></blockquote>", NULL);
    party_say(party, players[5], "> **Ja!**\n\nreally?", NULL, NULL);
    /* As a notice, struck out, in code, and by a stranger. */
    post(party, players[6], "m.notice", "**Ja!**", "<strong>Ja!</strong>", "",
         NULL);
    party_say(party, players[6], "~~**Ja!**~~",
              "<del><strong>Ja!</strong></del>", NULL);
    party_say(party, players[6], "`**Ja!**`", "<code>**Ja!**</code>", NULL);
    party_say(party, party->stranger, "**Ja!**", "<strong>Ja!</strong>", NULL);
    /* A reaction is none either. */
    buf_clear(&relation);
    buf_addf(&relation,
             "{\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":"
             "\"%s\",\"key\":\"Ja!\"}}",
             party->call);
    account_send(players[6], party->room, "m.reaction", buf_text(&relation),
                 NULL);
    party->waits = true;
    party_say(party, players[0], "!status", NULL, NULL);
    buf_release(&relation);
}

static void
vote_all(struct party *party, bool ja)
{
    for (unsigned i = 0; i < party->count; i++) {
        if (party->executed >> i & 1U) {
            /* The dead have no vote. */
            party_say(party, party->players[i], "**Ja!**",
                      "<strong>Ja!</strong>", NULL);
        } else if (!((party->silent | party->gone) >> i & 1U)) {
            party_vote(party, i, ja && !(party->averse >> i & 1U));
        }
    }
}

static void
judge_vote(struct party *party, const struct task *task)
{
    memcpy(party->president, task->president, sizeof(party->president));
    memcpy(party->chancellor, task->chancellor, sizeof(party->chancellor));
    party->rounds++;
    if (party->mischief && party->rounds == 1) {
        do_mischief(party);
    } else if (task->kind == TASK_VOTE) {
        vote_all(party, !party->all_nein);
    }
}

/* The answer to `!status`: what was no vote was not counted.  Now all vote. */
static void
parse_status(struct party *party, const char *text)
{
    char id[128];

    party->waits = false;
    snprintf(party->status, sizeof(party->status), "%s", text);
    vote_all(party, false);
    /* And a change of mind comes too late. */
    snprintf(id, sizeof(id), "%s", party->votes[party->vote_count - 1].id);
    edit(party, party->players[party->count - 1], id, "**Ja!**",
         "<strong>Ja!</strong>");
}

/* Somebody is asked to name a player. */
static void
parse_choice(struct party *party, const struct task *task)
{
    unsigned player = party_find(party, task->who);

    ck_assert_msg(player < party->count, "%s", task->who);
    /* After seats were vacated there may be nobody to name. */
    bool nobody = strncmp(task->list, "nobody", strlen("nobody")) == 0;

    if (!(party->gone >> player & 1U) && !nobody) {
        char chosen[64];

        player_choose(task->list, worth, party, chosen);
        name(party, party->players[player], party_find(party, chosen));
    }
}

/* A post that asks for something, or tells that nothing is asked in public. */
static void
note_call(struct party *party, const char *text, json_object *event)
{
    snprintf(party->call, sizeof(party->call), "%s",
             jdoc_string(event, "event_id"));
    snprintf(party->last, sizeof(party->last), "%s", text);
    ck_assert(jdoc_integer(event, "origin_server_ts", &party->called));
    party->calls++;
}

static void
say_bold(const struct party *party, const struct account *account,
         const char *word)
{
    struct buf body = BUF_INIT;
    struct buf html = BUF_INIT;

    buf_addf(&body, "**%s**", word);
    buf_addf(&html, "<strong>%s</strong>", word);
    party_say(party, account, buf_text(&body), buf_text(&html), NULL);
    buf_release(&body);
    buf_release(&html);
}

/* The president declines the veto, unless gone. */
static void
decline(const struct party *party)
{
    unsigned president = party_find(party, party->president);

    if (!(party->gone >> president & 1U)) {
        say_bold(party, party->players[president], phrases_of(party)->declined);
    }
}

/* Answer a call in public. */
static void
parse_call(struct party *party, const struct task *task, const char *text,
           json_object *event)
{
    if (strstr(text, "(the seat is vacant)") != NULL) {
        note_call(party, text, event);
        return; /* nobody can answer, unless somebody takes the seat */
    }
    if (task->kind != TASK_NOTHING) {
        note_call(party, text, event);
    }
    switch (task->kind) {
    case TASK_NOMINEE:
        party->opened = party->called;
        parse_choice(party, task);
        break;
    case TASK_TARGET:
        parse_choice(party, task);
        break;
    case TASK_VOTE:
    case TASK_SECRETLY:
        judge_vote(party, task);
        break;
    case TASK_VETO:
        decline(party);
        break;
    case TASK_NOTHING:
    case TASK_SESSION:
    case TASK_OVER:
    case TASK_WORD:
    case TASK_DISCARD:
    case TASK_ENACT:
    case TASK_BALLOT:
        break;
    }
}

/* Who was too late, too often, comes back, but for those who are gone. */
static void
parse_vacant(const struct party *party, const char *text)
{
    const char *end = strstr(text, " missed ");
    const char *from = end;

    if (end == NULL || strstr(end, "vacant from now on") == NULL) {
        return;
    }
    while (from > text && from[-1] != '\n') {
        from--;
    }
    for (unsigned i = 0; i < party->count; i++) {
        const char *at = strstr(from, party->players[i]->name);

        if (at != NULL && at < end && !(party->gone >> i & 1U)) {
            party_say(party, party->players[i], "!join", NULL, NULL);
        }
    }
}

static void
parse_public(struct party *party, const char *text, json_object *event)
{
    const struct phrases *phrases = phrases_of(party);
    struct task task;

    player_read(text, phrases, &task);
    party->heard++;
    parse_vacant(party, text);
    if (task.executed[0] != '\0') {
        party->executed |= 1U << party_find(party, task.executed);
    }
    if (party->waits && strstr(text, phrases->voted) != NULL) {
        parse_status(party, text);
    } else if (task.kind == TASK_OVER) {
        party->over = true;
        party->games++;
    } else if (!party->tired) {
        parse_call(party, &task, text, event);
    }
}

/* ---- what one player sees ------------------------------------------------ */

static void
parse_private(struct party *party, unsigned player, const char *room,
              const char *text)
{
    const struct account *account = party->players[player];
    const struct phrases *phrases = phrases_for(party, player);
    bool gone = (party->gone >> player & 1U) != 0;
    struct task task;

    player_read_private(text, phrases, &task);
    if (strstr(text, phrases->hitler) != NULL) {
        party->hitler = player;
    }
    if (party->deaf >> player & 1U) {
        return;
    }
    if (task.kind == TASK_WORD) {
        if (party->others >> player & 1U) {
            answer(account, room, party->asks);
        }
        say_bold(party, account, task.answer);
    } else if (task.answer[0] != '\0' && !gone) {
        answer(account, room, task.answer);
    } else if (task.kind == TASK_BALLOT && !gone &&
               !(party->silent >> player & 1U)) {
        answer(account, room,
               party->all_nein ? phrases->nein[0] : phrases->ja[0]);
    }
}

/* ---- the party ----------------------------------------------------------- */

static void
parse_reaction(struct party *party, json_object *content)
{
    const char *id = jdoc_string(jdoc_get(content, "m.relates_to"), "event_id");

    for (unsigned i = 0; id != NULL && i < party->vote_count; i++) {
        if (strcmp(party->votes[i].id, id) == 0 && party->votes[i].seen == 0) {
            party->votes[i].seen = live_now();
        }
    }
}

static void
parse_bot(struct party *party, struct account *account, const char *room,
          json_object *event)
{
    json_object *content = jdoc_get(event, "content");
    const char *type = jdoc_string(event, "type");
    const char *text = jdoc_string(content, "body");
    const char *how = jdoc_string(content, "msgtype");
    const char *kind =
        jdoc_string(jdoc_get(content, "m.relates_to"), "rel_type");
    bool in_room = strcmp(room, party->room) == 0;

    if (strcmp(type, "m.reaction") == 0 && account == party->mo) {
        parse_reaction(party, content);
    }
    if (text == NULL || kind != NULL || how == NULL ||
        strcmp(how, "m.image") == 0) {
        return; /* an edit pings nobody, and a picture repeats what was said */
    }
    party->watched +=
        party->watch != NULL && strstr(text, party->watch) != NULL &&
        (account == party->mo || (!in_room && account->context == party));
    if (in_room && account == party->mo) {
        parse_public(party, text, event);
    } else if (!in_room && account->context == party) {
        unsigned player = party_find(party, account->name);

        if (player < party->count) {
            parse_private(party, player, room, text);
        }
    }
}

bool
party_hear(struct party *party, struct account *account, const char *room,
           json_object *event)
{
    const char *sender = jdoc_string(event, "sender");
    bool ours = account == party->mo ? strcmp(room, party->room) == 0
                                     : account->context == party;

    if (ours && sender != NULL && strcmp(sender, party->bot) == 0) {
        parse_bot(party, account, room, event);
    }
    return ours;
}

void
party_meet(struct party *party)
{
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{\"preset\":\"public_chat\",\"invite\":[");
    jtext_string(&body, party->bot);
    buf_add_char(&body, ']');
    if (party->moderated) {
        buf_addf(&body,
                 ",\"power_level_content_override\":{\"users\":{\"%s\":100,"
                 "\"%s\":50}}",
                 party->mo->user, party->bot);
    }
    buf_add_char(&body, '}');
    json_object *made =
        account_ask(party->mo, "POST", "/createRoom", buf_text(&body), NULL);

    snprintf(party->room, sizeof(party->room), "%s",
             jdoc_string(made, "room_id"));
    json_object_put(made);
    buf_release(&body);
    for (unsigned i = 0; i < party->count; i++) {
        struct account *player = party->players[i];

        player->context = party;
        snprintf(player->deaf_to, sizeof(player->deaf_to), "%s", party->room);
        account_join(player, party->room);
        account_listen(player);
    }
    if (party->stranger != NULL) {
        account_join(party->stranger, party->room);
    }
    party->hitler = party->count;
}

bool
party_is_open(struct party *party)
{
    struct buf path = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, party->room);
    buf_add_text(&path, "/joined_members");
    json_object *members =
        account_ask(party->mo, "GET", buf_text(&path), NULL, NULL);
    bool there = jdoc_get(jdoc_get(members, "joined"), party->bot) != NULL;

    json_object_put(members);
    buf_release(&path);
    if (there && party->came == 0) {
        party->came = live_now();
    }
    /* It reads what is posted once it has looked for the first time. */
    return there && live_now() - party->came >= FIRST_LOOK_MS;
}

void
party_begin(struct party *party)
{
    struct buf text = BUF_INIT;

    party->over = false;
    party->executed = 0;
    party->rounds = 0;
    party->hitler = party->count;
    buf_addf(&text, "!new players=%u%s%s", party->count,
             *party->options == '\0' ? "" : " ", party->options);
    party_say(party, party->mo, buf_text(&text), NULL, NULL);
    for (unsigned i = 0; i < party->count; i++) {
        party_say(party, party->players[i], "!join", NULL, NULL);
    }
    buf_release(&text);
}
