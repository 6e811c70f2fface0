#include <assert.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/record/record_fields.h"

static void
line_begin(struct buf *out, struct record_head head, int kind)
{
    buf_add_char(out, '{');
    jtext_add_number(out, "seq", head.seq);
    jtext_key(out, "at");
    buf_add_char(out, '"');
    instant_write(head.at, out);
    buf_add_char(out, '"');
    jtext_add_text(out, "event", record_kind_name(kind));
}

static void
line_end(struct buf *out)
{
    buf_add_text(out, "}\n");
}

static void
write_text(struct buf *out, const char *text)
{
    if (text == NULL) {
        buf_add_text(out, "null");
    } else {
        jtext_string(out, text);
    }
}

static void
write_seats(struct buf *out, seat_set seats, const char *const *names,
            unsigned players)
{
    buf_add_char(out, '[');
    for (unsigned seat = 0; seat < players; seat++) {
        if (seat_in(seat, seats)) {
            jtext_comma(out);
            jtext_string(out, names[seat]);
        }
    }
    buf_add_char(out, ']');
}

static void
write_roles(struct buf *out, const struct event *event,
            const char *const *names, unsigned players)
{
    if (event->target == NO_SEAT) {
        buf_add_text(out, "null");
        return;
    }
    buf_add_char(out, '{');
    for (unsigned seat = 0; seat < players; seat++) {
        enum role role = seat == event->target         ? ROLE_HITLER
                         : seat_in(seat, event->seats) ? ROLE_FASCIST
                                                       : ROLE_LIBERAL;
        jtext_add_text(out, names[seat], record_role_name(role));
    }
    buf_add_char(out, '}');
}

static void
write_tiles(struct buf *out, struct pile pile)
{
    buf_add_char(out, '[');
    for (unsigned i = 0; i < pile.count; i++) {
        jtext_comma(out);
        jtext_string(out,
                     record_word_name(record_tiles, pile_is_liberal(pile, i)));
    }
    buf_add_char(out, ']');
}

static bool
is_left_out(const struct record_field *field, const struct record_line *line)
{
    return (field->form == FORM_BY && line->by != field->words->value) ||
           (field->form == FORM_OF && line->event.power == POWER_NONE) ||
           (field->form == FORM_TARGET &&
            line->event.power != POWER_INVESTIGATE);
}

static void
write_field(struct buf *out, const struct record_field *field,
            const struct record_line *line, const char *const *names,
            unsigned players)
{
    const void *member = (const char *)line + field->offset;
    if (is_left_out(field, line)) {
        return;
    }
    jtext_key(out, field->key);
    switch (field->form) {
    case FORM_SEAT:
    case FORM_TARGET:
        assert(*(const uint8_t *)member < players);
        jtext_string(out, names[*(const uint8_t *)member]);
        break;
    case FORM_SEATS:
    case FORM_PLAYERS:
        write_seats(out, *(const seat_set *)member, names, players);
        break;
    case FORM_ROLES:
    case FORM_REVEAL:
        write_roles(out, &line->event, names, players);
        break;
    case FORM_FLAG:
        buf_add_text(out, *(const bool *)member ? "true" : "false");
        break;
    case FORM_SMALL:
        buf_add_number(out, *(const uint8_t *)member);
        break;
    case FORM_NUMBER:
        buf_add_number(out, *(const uint32_t *)member);
        break;
    case FORM_WORD:
    case FORM_OF:
        jtext_string(out,
                     record_word_name(field->words, *(const uint8_t *)member));
        break;
    case FORM_WINNER:
        write_text(out,
                   line->event.reason == ENDING_ABANDONED
                       ? NULL
                       : record_word_name(field->words, line->event.party));
        break;
    case FORM_LOTS:
        jtext_string(
            out, record_word_name(field->words, line->event.power << 1 |
                                                    line->event.discarding));
        break;
    case FORM_TILES:
        write_tiles(out, *(const struct pile *)member);
        break;
    case FORM_TIME:
        jtext_instant(out, *(const int64_t *)member);
        break;
    case FORM_TEXT:
    case FORM_REASON:
        write_text(out, *(const char *const *)member);
        break;
    case FORM_BY:
        jtext_string(out, field->words->name);
        break;
    }
}

static void
write_fields(struct buf *out, const struct record_line *line,
             const char *const *names, unsigned players)
{
    const struct record_field *field = record_fields(line->kind);
    for (; field->key != NULL; field++) {
        write_field(out, field, line, names, players);
    }
}

void
record_write_line(struct buf *out, const struct record_line *line,
                  const char *const *names, unsigned players)
{
    assert(line->kind != RECORD_OPENED && line->kind != RECORD_SEATED &&
           line->kind != RECORD_REVEALED);
    struct record_head head = {line->seq, line->at};
    line_begin(out, head, line->kind);
    write_fields(out, line, names, players);
    line_end(out);
}

void
record_write_rules(struct buf *out, const char *preset,
                   const struct rules *rules)
{
    jtext_begin_object(out, "rules");
    jtext_add_text(out, "preset", preset);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        if (rules_is_named(rules, &rules_options[i])) {
            jtext_add_text(out, rules_options[i].name,
                           rules_get(rules, &rules_options[i]));
        }
    }
    buf_add_char(out, '}');
}

void
record_write_opened(struct buf *out, struct record_head head, const char *game,
                    const char *preset, const struct rules *rules,
                    const char *commitment)
{
    line_begin(out, head, RECORD_OPENED);
    jtext_add_text(out, "format", RECORD_FORMAT);
    jtext_add_text(out, "game", game);
    record_write_rules(out, preset, rules);
    jtext_key(out, "commitment");
    write_text(out, commitment);
    line_end(out);
}

void
record_write_seated(struct buf *out, struct record_head head,
                    const char *const *names, unsigned players,
                    const char *transcript, const char *key)
{
    line_begin(out, head, RECORD_SEATED);
    jtext_key(out, "players");
    write_seats(out, (seat_set)((1U << players) - 1), names, players);
    jtext_key(out, "transcript");
    write_text(out, transcript);
    if (key != NULL) {
        jtext_add_text(out, "key", key);
    }
    line_end(out);
}

void
record_write_event_by(struct buf *out, struct record_head head,
                      const struct event *event, const struct game *game,
                      const char *const *names, enum record_by by)
{
    assert(event->kind != EVENT_FILLED);
    struct record_line line = {.seq = head.seq,
                               .at = head.at,
                               .kind = event->kind,
                               .event = *event,
                               .by = (uint8_t)by};
    record_write_line(out, &line, names, game->players);
}

void
record_write_event(struct buf *out, struct record_head head,
                   const struct event *event, const struct game *game,
                   const char *const *names)
{
    record_write_event_by(out, head, event, game, names, RECORD_BY_POST);
}

void
record_write_revealed(struct buf *out, struct record_head head,
                      const char *seed, const struct game *game,
                      const char *const *names)
{
    struct record_line line = {
        .kind = RECORD_REVEALED,
        .event = {.target = game->round == 0 ? NO_SEAT : game->hitler,
                  .seats = game->fascists}};
    line_begin(out, head, line.kind);
    jtext_key(out, "seed");
    write_text(out, seed);
    write_fields(out, &line, names, game->players);
    line_end(out);
}

void
record_add(struct buf *record, const char *lines, size_t len)
{
    static const char first[] = "{\"seq\":0,"; /* as all are written */
    if (len >= sizeof first && memcmp(lines, first, sizeof first - 1) == 0) {
        buf_clear(record);
    }
    buf_add(record, lines, len);
}
