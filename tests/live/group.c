#include "tests/live/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"

static const struct phrases *
phrases_of(const struct group *group)
{
    return group->phrases == NULL ? &phrases_english : group->phrases;
}

/* In private. */
static const struct phrases *
phrases_for(const struct group *group, unsigned player)
{
    bool other = (group->others >> player & 1U) != 0;

    return other ? group->other : phrases_of(group);
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
post(const struct group *group, const struct account *account, const char *type,
     const char *body, const char *html, const char *relation, char *id)
{
    struct buf content = BUF_INIT;

    write_content(&content, type, body, html, relation);
    account_send(account, group->room, "m.room.message", buf_text(&content),
                 id);
    buf_release(&content);
}

void
group_say(const struct group *group, const struct account *account,
          const char *body, const char *html, char *id)
{
    post(group, account, "m.text", body, html, "", id);
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
edit(const struct group *group, const struct account *account, const char *id,
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
    account_send(account, group->room, "m.room.message", buf_text(&content),
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
group_vote(struct group *group, unsigned player, bool ja)
{
    const struct account *account = group->players[player];
    const struct phrases *phrases = phrases_of(group);
    const char *word = (ja ? phrases->ja : phrases->nein)[player % 3];
    const char *not_so = (ja ? phrases->nein : phrases->ja)[player % 3];
    struct vote_sent *vote = &group->votes[group->vote_count];
    struct buf body = BUF_INIT;
    struct buf html = BUF_INIT;
    struct buf relation = BUF_INIT;
    unsigned way = player % 7;

    ck_assert_uint_lt(group->vote_count, GROUP_VOTES_MAX);
    buf_addf(&html, "<strong>%s</strong>", word);
    if (way == 2) {
        relate(&relation, "m.in_reply_to", group->call);
        buf_addf(&body, "> <%s> **%s**?\n\n", group->bot, not_so);
        buf_clear(&html);
        buf_addf(&html,
                 "<mx-reply><blockquote><a href=\"https://matrix.to/#/%s\">In "
                 "reply to</a><br><strong>%s</strong></blockquote></mx-reply>"
                 "<strong>%s</strong>",
                 group->call, not_so, word);
    } else if (way == 3) {
        buf_clear(&html);
        buf_addf(&html, "<p>Well, then.</p>\n<p><strong>%s</strong></p>\n",
                 word);
    } else if (way == 4) {
        relate(&relation, "m.thread", group->call);
    } else if (way == 5) {
        buf_clear(&html);
        buf_addf(&html, "<b>%s</b>", word);
    } else if (way == 6) {
        buf_clear(&html);
        buf_addf(&html,
                 "<a href=\"https://matrix.to/#/%s\">Host</a>: "
                 "<strong>%s</strong>",
                 group->bot, word);
    }
    buf_addf(&body, "**%s**", word);
    vote->sent = live_now();
    post(group, account, "m.text", buf_text(&body),
         way == 1 ? NULL : buf_text(&html), buf_text(&relation), vote->id);
    group->vote_count++;
    buf_release(&body);
    buf_release(&html);
    buf_release(&relation);
}

/* Name a player: a bold pill, or bold and red as `/html` sends it. */
static void
name(const struct group *group, const struct account *account, unsigned player)
{
    const struct account *named = group->players[player];
    struct buf html = BUF_INIT;

    if (player % 2 == 0) {
        buf_addf(&html,
                 "<strong><a href=\"https://matrix.to/#/%s\">%s</a></strong>",
                 named->user, named->name);
    } else {
        buf_addf(&html, "<b><font color=\"red\">%s</font></b>", named->name);
    }
    group_say(group, account, named->name, buf_text(&html), NULL);
    buf_release(&html);
}

/* ---- reading ------------------------------------------------------------- */

unsigned
group_find(const struct group *group, const char *name)
{
    unsigned player = 0;

    while (player < group->count &&
           strcmp(group->players[player]->name, name) != 0) {
        player++;
    }
    return player;
}

/* How gladly somebody is named.  Those who don't answer come first where that
 * is to be seen, and else last; Hitler behind all. */
static unsigned
worth(const void *context, const char *name)
{
    const struct group *group = context;
    unsigned player = group_find(group, name);
    unsigned away = group->gone | (group->defers ? group->deaf : 0);

    if (player == group->count) {
        return 0;
    }
    if (player == group->hitler) {
        return 1;
    }
    return away >> player & 1U ? 4 : group->deaf >> player & 1U ? 2 : 3;
}

/* ---- what the room sees -------------------------------------------------- */

/* Post all that must not count as a vote, before anybody votes. */
static void
do_mischief(struct group *group)
{
    struct account *const *players = group->players;
    struct buf relation = BUF_INIT;
    char id[128];

    /* By an edit of one's own, and of somebody else's. */
    group_say(group, players[0], "Let me think.", NULL, id);
    edit(group, players[0], id, "**Ja!**", "<strong>Ja!</strong>");
    group_say(group, players[1], "And me.", NULL, id);
    edit(group, players[2], id, "**Ja!**", "<strong>Ja!</strong>");
    /* In quotes: a reply's fallback, a block, and without HTML. */
    relate(&relation, "m.in_reply_to", group->call);
    post(group, players[3], "m.text", "> <x> **Ja!**\n\nhm",
         "<mx-reply><blockquote><strong>Ja!</strong></blockquote></mx-reply>hm",
         buf_text(&relation), NULL);
    group_say(group, players[4], "> **Ja!**",
              "<blockquote><strong>Ja!</strong></blockquote>", NULL);
    group_say(group, players[5], "> **Ja!**\n\nreally?", NULL, NULL);
    /* As a notice, struck out, in code, and by a stranger. */
    post(group, players[6], "m.notice", "**Ja!**", "<strong>Ja!</strong>", "",
         NULL);
    group_say(group, players[6], "~~**Ja!**~~",
              "<del><strong>Ja!</strong></del>", NULL);
    group_say(group, players[6], "`**Ja!**`", "<code>**Ja!**</code>", NULL);
    group_say(group, group->stranger, "**Ja!**", "<strong>Ja!</strong>", NULL);
    /* A reaction is none either. */
    buf_clear(&relation);
    buf_addf(&relation,
             "{\"m.relates_to\":{\"rel_type\":\"m.annotation\",\"event_id\":"
             "\"%s\",\"key\":\"Ja!\"}}",
             group->call);
    account_send(players[6], group->room, "m.reaction", buf_text(&relation),
                 NULL);
    group->waits = true;
    group_say(group, players[0], "!status", NULL, NULL);
    buf_release(&relation);
}

static void
vote_all(struct group *group, bool ja)
{
    for (unsigned i = 0; i < group->count; i++) {
        if (group->executed >> i & 1U) {
            /* The dead have no vote. */
            group_say(group, group->players[i], "**Ja!**",
                      "<strong>Ja!</strong>", NULL);
        } else if (!((group->silent | group->gone) >> i & 1U)) {
            group_vote(group, i, ja && !(group->averse >> i & 1U));
        }
    }
}

static void
judge_vote(struct group *group, const struct task *task)
{
    memcpy(group->president, task->president, sizeof(group->president));
    memcpy(group->chancellor, task->chancellor, sizeof(group->chancellor));
    group->rounds++;
    if (group->mischief && group->rounds == 1) {
        do_mischief(group);
    } else if (task->kind == TASK_VOTE) {
        vote_all(group, !group->all_nein);
    }
}

/* The answer to `!status`: what was no vote was not counted.  Now all vote. */
static void
parse_status(struct group *group, const char *text)
{
    char id[128];

    group->waits = false;
    snprintf(group->status, sizeof(group->status), "%s", text);
    vote_all(group, false);
    /* An edit changes nothing. */
    snprintf(id, sizeof(id), "%s", group->votes[group->vote_count - 1].id);
    edit(group, group->players[group->count - 1], id, "**Ja!**",
         "<strong>Ja!</strong>");
}

/* Somebody is asked to name a player. */
static void
parse_choice(struct group *group, const struct task *task)
{
    unsigned player = group_find(group, task->who);

    ck_assert_msg(player < group->count, "%s", task->who);
    if (!(group->gone >> player & 1U)) {
        char chosen[64];

        player_choose(task->list, worth, group, chosen);
        name(group, group->players[player], group_find(group, chosen));
    }
}

/* A post that asks for something, or tells that nothing is asked in public. */
static void
keep_call(struct group *group, const char *text, json_object *event)
{
    snprintf(group->call, sizeof(group->call), "%s",
             jdoc_string(event, "event_id"));
    snprintf(group->last, sizeof(group->last), "%s", text);
    ck_assert(jdoc_integer(event, "origin_server_ts", &group->called));
    group->calls++;
}

static void
say_bold(const struct group *group, const struct account *account,
         const char *word)
{
    struct buf body = BUF_INIT;
    struct buf html = BUF_INIT;

    buf_addf(&body, "**%s**", word);
    buf_addf(&html, "<strong>%s</strong>", word);
    group_say(group, account, buf_text(&body), buf_text(&html), NULL);
    buf_release(&body);
    buf_release(&html);
}

/* The president declines the veto, unless gone. */
static void
decline(const struct group *group)
{
    unsigned president = group_find(group, group->president);

    if (!(group->gone >> president & 1U)) {
        say_bold(group, group->players[president], phrases_of(group)->declined);
    }
}

/* Answer a call in public. */
static void
parse_call(struct group *group, const struct task *task, const char *text,
           json_object *event)
{
    if (strstr(text, "Whoever takes ") != NULL) {
        keep_call(group, text, event);
        return; /* nobody can answer, unless somebody takes the seat */
    }
    if (task->kind != TASK_NOTHING) {
        keep_call(group, text, event);
    }
    switch (task->kind) {
    case TASK_NOMINEE:
        group->opened = group->called;
        parse_choice(group, task);
        break;
    case TASK_TARGET:
        parse_choice(group, task);
        break;
    case TASK_VOTE:
    case TASK_SECRETLY:
        judge_vote(group, task);
        break;
    case TASK_VETO:
        decline(group);
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

/* Players whose seats were vacated take them again, unless they are gone. */
static void
parse_vacant(const struct group *group, const char *text)
{
    const char *end = strstr(text, " missed ");
    const char *from = end;

    if (end == NULL || strstr(end, " empty now") == NULL) {
        return;
    }
    while (from > text && from[-1] != '\n') {
        from--;
    }
    for (unsigned i = 0; i < group->count; i++) {
        const char *at = strstr(from, group->players[i]->name);

        if (at != NULL && at < end && !(group->gone >> i & 1U)) {
            group_say(group, group->players[i], "!join", NULL, NULL);
        }
    }
}

static void
parse_public(struct group *group, const char *text, json_object *event)
{
    const struct phrases *phrases = phrases_of(group);
    struct task task;

    player_read(text, phrases, &task);
    group->posts++;
    parse_vacant(group, text);
    if (task.executed[0] != '\0') {
        group->executed |= 1U << group_find(group, task.executed);
    }
    if (group->waits && strstr(text, phrases->voted) != NULL) {
        parse_status(group, text);
    } else if (task.kind == TASK_OVER) {
        group->over = true;
        group->games++;
    } else if (!group->stopped) {
        parse_call(group, &task, text, event);
    }
}

/* ---- what one player sees ------------------------------------------------ */

static void
parse_private(struct group *group, unsigned player, const char *room,
              const char *text)
{
    const struct account *account = group->players[player];
    const struct phrases *phrases = phrases_for(group, player);
    bool gone = (group->gone >> player & 1U) != 0;
    struct task task;

    player_read_private(text, phrases, &task);
    if (strstr(text, phrases->hitler) != NULL) {
        group->hitler = player;
    }
    if (group->deaf >> player & 1U) {
        return;
    }
    if (task.kind == TASK_WORD) {
        if (group->others >> player & 1U) {
            answer(account, room, group->asks);
        }
        say_bold(group, account, task.answer);
    } else if (task.answer[0] != '\0' && !gone) {
        answer(account, room, task.answer);
    } else if (task.kind == TASK_BALLOT && !gone &&
               !(group->silent >> player & 1U)) {
        answer(account, room,
               group->all_nein ? phrases->nein[0] : phrases->ja[0]);
    }
}

/* ---- the group ----------------------------------------------------------- */

static void
parse_reaction(struct group *group, json_object *content)
{
    const char *id = jdoc_string(jdoc_get(content, "m.relates_to"), "event_id");

    for (unsigned i = 0; id != NULL && i < group->vote_count; i++) {
        if (strcmp(group->votes[i].id, id) == 0 && group->votes[i].seen == 0) {
            group->votes[i].seen = live_now();
        }
    }
}

static void
parse_bot(struct group *group, struct account *account, const char *room,
          json_object *event)
{
    json_object *content = jdoc_get(event, "content");
    const char *type = jdoc_string(event, "type");
    const char *text = jdoc_string(content, "body");
    const char *how = jdoc_string(content, "msgtype");
    const char *kind =
        jdoc_string(jdoc_get(content, "m.relates_to"), "rel_type");
    bool in_room = strcmp(room, group->room) == 0;

    if (strcmp(type, "m.reaction") == 0 && account == group->mo) {
        parse_reaction(group, content);
    }
    if (text == NULL || kind != NULL || how == NULL ||
        strcmp(how, "m.image") == 0) {
        return; /* an edit pings nobody, and a picture repeats what was said */
    }
    group->watched +=
        group->watch != NULL && strstr(text, group->watch) != NULL &&
        (account == group->mo || (!in_room && account->context == group));
    if (in_room && account == group->mo) {
        parse_public(group, text, event);
    } else if (!in_room && account->context == group) {
        unsigned player = group_find(group, account->name);

        if (player < group->count) {
            parse_private(group, player, room, text);
        }
    }
}

bool
group_take_event(struct group *group, struct account *account, const char *room,
                 json_object *event)
{
    const char *sender = jdoc_string(event, "sender");
    bool ours = account == group->mo ? strcmp(room, group->room) == 0
                                     : account->context == group;

    if (ours && sender != NULL && strcmp(sender, group->bot) == 0) {
        parse_bot(group, account, room, event);
    }
    return ours;
}

void
group_meet(struct group *group)
{
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{\"preset\":\"public_chat\",\"invite\":[");
    jtext_string(&body, group->bot);
    buf_add_char(&body, ']');
    if (group->moderated) {
        buf_addf(&body,
                 ",\"power_level_content_override\":{\"users\":{\"%s\":100,"
                 "\"%s\":50}}",
                 group->mo->user, group->bot);
    }
    buf_add_char(&body, '}');
    json_object *made =
        account_ask(group->mo, "POST", "/createRoom", buf_text(&body), NULL);

    snprintf(group->room, sizeof(group->room), "%s",
             jdoc_string(made, "room_id"));
    json_object_put(made);
    buf_release(&body);
    for (unsigned i = 0; i < group->count; i++) {
        struct account *player = group->players[i];

        player->context = group;
        snprintf(player->ignored_room, sizeof(player->ignored_room), "%s",
                 group->room);
        account_join(player, group->room);
        account_listen(player);
    }
    if (group->stranger != NULL) {
        account_join(group->stranger, group->room);
    }
    group->hitler = group->count;
}

bool
group_is_open(struct group *group)
{
    struct buf path = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, group->room);
    buf_add_text(&path, "/joined_members");
    json_object *members =
        account_ask(group->mo, "GET", buf_text(&path), NULL, NULL);
    bool there = jdoc_get(jdoc_get(members, "joined"), group->bot) != NULL;

    json_object_put(members);
    buf_release(&path);
    if (there && group->came == 0) {
        group->came = live_now();
    }
    /* It counts only what is posted after its first look. */
    return there && live_now() - group->came >= FIRST_LOOK_MS;
}

void
group_begin(struct group *group)
{
    struct buf text = BUF_INIT;

    group->over = false;
    group->executed = 0;
    group->rounds = 0;
    group->hitler = group->count;
    buf_addf(&text, "!new players=%u%s%s", group->count,
             *group->options == '\0' ? "" : " ", group->options);
    group_say(group, group->mo, buf_text(&text), NULL, NULL);
    for (unsigned i = 0; i < group->count; i++) {
        group_say(group, group->players[i], "!join", NULL, NULL);
    }
    buf_release(&text);
}
