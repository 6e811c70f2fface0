#include <stdio.h>
#include <string.h>

#include "bot/base/json.h"
#include "tests/support/plays_inner.h"

/* Tell what is there instead, indented. */
static bool
fault_lines(struct play *play, const char *what, const char *wanted,
            const char *lines)
{
    struct buf shown = BUF_INIT;
    for (const char *at = lines; *at != '\0';) {
        size_t len = strcspn(at, "\n");
        buf_addf(&shown, "\n  | %.*s", (int)len, at);
        at += len + (at[len] == '\n');
    }
    play_fault(play, "%s “%s”; there is%s%s", what, wanted,
               shown.len == 0 ? " nothing" : ":", buf_text(&shown));
    buf_release(&shown);
    return false;
}

bool
play_check_answers(struct play *play, const char *place, bool wanted,
                   const char *text)
{
    struct answers *answers = play_answers(play, place);
    if (answers == NULL) {
        return play_fault(play, "too many people talk to the host");
    }
    const char *said = buf_text(&answers->said);
    const char *at = strstr(said + (wanted ? answers->found : 0), text);
    if (wanted && at == NULL) {
        return fault_lines(play, "the host has not said", text,
                           said + answers->found);
    }
    if (!wanted && at != NULL) {
        return fault_lines(play, "the host has said", text, said);
    }
    answers->found =
        wanted ? (size_t)(at - said) + strlen(text) : answers->found;
    return true;
}

struct status {
    int64_t id;
    struct buf text;
};

static void
read_status(void *context, const struct board_post *seen)
{
    struct status *status = context;
    if (seen->id == status->id) {
        play_add_visible(seen->text, &status->text);
    }
}

bool
play_check_status(struct play *play, bool wanted, const char *text)
{
    struct status status = {play->status, BUF_INIT};
    struct buf why = BUF_INIT;
    enum err err = board_read(play->stage->board, play->status - 1, NULL,
                              read_status, &status, &why);
    bool good = play_works(play, err, &why);
    if (good && (strstr(buf_text(&status.text), text) != NULL) != wanted) {
        good = fault_lines(
            play, wanted ? "the status post has not" : "the status post has",
            text, buf_text(&status.text));
    }
    buf_release(&status.text);
    return good;
}

static void
read_place(void *context, const struct board_post *seen)
{
    struct buf *text = context;
    if (strcmp(seen->place, PLAY_PLACE) == 0 &&
        strcmp(seen->author, BOARD_HOST) == 0) {
        play_add_visible(seen->text, text);
        buf_add_char(text, '\n');
    }
}

bool
play_check_place(struct play *play, bool wanted, const char *text)
{
    struct buf said = BUF_INIT;
    struct buf why = BUF_INIT;
    enum err err =
        board_read(play->stage->board, 0, NULL, read_place, &said, &why);
    bool good = play_works(play, err, &why);
    if (good && (strstr(buf_text(&said), text) != NULL) != wanted) {
        good = fault_lines(play, wanted ? "the place has not" : "the place has",
                           text, buf_text(&said));
    }
    buf_release(&said);
    return good;
}

/* Append a record's value as plays write it: names with commas between them,
 * cards one beside the other. */
static void
write_value(json_object *value, struct buf *out)
{
    if (json_object_is_type(value, json_type_string)) {
        buf_add_text(out, json_object_get_string(value));
    } else if (json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++) {
            const char *part =
                json_object_get_string(json_object_array_get_idx(value, i));
            buf_addf(out, "%s%s", i > 0 && part[1] != '\0' ? "," : "", part);
        }
    } else {
        buf_add_text(out, json_object_to_json_string(value));
    }
}

/* Has a line of the record this value, told as key=value? */
static bool
value_is(json_object *line, const char *told)
{
    char key[WORD_MAX];
    size_t len = strcspn(told, "=");
    json_object *value = NULL;
    struct buf text = BUF_INIT;
    if (told[len] == '\0' || len >= sizeof key) {
        return false;
    }
    memcpy(key, told, len);
    key[len] = '\0';
    if (!json_object_object_get_ex(line, key, &value)) {
        return false;
    }
    write_value(value, &text);
    bool same = buf_equals(&text, told + len + 1);
    buf_release(&text);
    return same;
}

/* Is this line of the record what is told, "event key=value …"? */
static bool
line_is(const char *text, size_t len, char *const *words, unsigned count)
{
    json_object *line = NULL;
    struct buf why = BUF_INIT;
    if (jdoc_parse(text, len, true, &line, &why) != ERR_NONE) {
        buf_release(&why);
        return false;
    }
    const char *event = jdoc_string(line, "event");
    bool same = event != NULL && strcmp(event, words[0]) == 0;
    for (unsigned i = 1; same && i < count; i++) {
        same = value_is(line, words[i]);
    }
    json_object_put(line);
    return same;
}

/* Where the first line of the record from `at` on ends that is what is told;
 * 0: there is none. */
static size_t
find_line(const struct play *play, size_t at, char *const *words,
          unsigned count)
{
    const char *text = buf_text(&play->record);
    while (at < play->record.len) {
        size_t len = strcspn(text + at, "\n");
        if (line_is(text + at, len, words, count)) {
            return at + len + 1;
        }
        at += len + 1;
    }
    return 0;
}

static bool
is_event(const char *word)
{
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        if (strcmp(record_kind_name(kind), word) == 0) {
            return true;
        }
    }
    return false;
}

static bool
check_line(struct play *play, bool wanted, const char *told, char *const *words,
           unsigned count)
{
    size_t from = wanted ? play->record_found : play->record_act;
    if (count == 0 || !is_event(words[0])) {
        return play_fault(play, "“%s” is no line of a record", told);
    }
    size_t found = find_line(play, from, words, count);
    if ((found != 0) != wanted) {
        return fault_lines(play,
                           wanted ? "the record has not" : "the record has",
                           told, buf_text(&play->record) + from);
    }
    play->record_found = wanted ? found : play->record_found;
    return true;
}

bool
play_check_record(struct play *play, bool wanted, const char *told)
{
    struct buf text = BUF_INIT;
    char *words[WORDS_MAX];
    buf_add_text(&text, told);
    unsigned count = play_split(text.data, words);
    bool good = check_line(play, wanted, told, words, count);
    buf_release(&text);
    return good;
}

bool
play_check_end(struct play *play, const char *winner, const char *reason)
{
    struct buf told = BUF_INIT;
    buf_addf(&told, "ended winner=%s reason=%s", winner, reason);
    play->record_found = play->record_act;
    bool good = play_check_record(play, true, buf_text(&told));
    buf_release(&told);
    return good;
}
