#include "config/sample.h"

#include <string.h>

#include "config/settings.h"

enum {
    HELP_WIDTH = 76
};

/* A sentence as lines of a comment. */
static void
add_comment(struct buf *out, const char *indent, const char *text)
{
    size_t column = 0; /* none yet */

    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column == 0 || column + 1 + len > HELP_WIDTH) {
            buf_addf(out, "%s%s#", column == 0 ? "" : "\n", indent);
            column = strlen(indent) + 1;
        }
        buf_add_char(out, ' ');
        buf_add(out, text, len);
        column += 1 + len;
        text += len + strspn(text + len, " ");
    }
    buf_add_char(out, '\n');
}

static void
add_choices(struct buf *out, const char *indent, const struct setting *setting)
{
    struct buf right = BUF_INIT;

    if (setting->choices[0] != NULL) {
        setting_say_right(setting, &right);
        add_comment(out, indent, buf_text(&right));
        buf_release(&right);
    }
}

/* A setting: what it is for, and its line with the value, in a comment where
 * that would only say the default again (NULL). */
static void
add_setting(struct buf *out, const char *indent, const struct setting *setting,
            const char *value)
{
    bool bare = setting->type == SETTING_NUMBER;

    buf_add_char(out, '\n');
    add_comment(out, indent, setting->help);
    add_choices(out, indent, setting);
    if (value != NULL) {
        buf_addf(out, "%s%s = %s;\n", indent, setting->key, value);
    } else if (setting->normal[0] == '\0' && setting->choices[0] != NULL) {
        buf_addf(out, "%s#%s = \"%s\";\n", indent, setting->key,
                 setting->choices[0]);
    } else {
        buf_addf(out, bare ? "%s#%s = %s;\n" : "%s#%s = \"%s\";\n", indent,
                 setting->key, setting->normal);
    }
}

static void
add_scope(struct buf *out, const char *indent, enum setting_scope scope)
{
    const struct setting *setting = setting_at(0);

    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        if (setting->scope == scope && !setting_is_groups(setting)) {
            add_setting(out, indent, setting, setting->sample);
        }
    }
}

static const char *
value_of(const struct conf_value *values, const char *key)
{
    while (values->key != NULL && strcmp(values->key, key) != 0) {
        values++;
    }
    return values->key == NULL ? NULL : values->value;
}

void
conf_add_group(struct buf *out, enum setting_scope scope,
               const struct conf_value *values)
{
    const struct setting *setting = setting_at(0);

    buf_add_text(out, "    {");
    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        if (setting->scope == scope && !setting_is_groups(setting)) {
            add_setting(out, "        ", setting,
                        value_of(values, setting->key));
        }
    }
    setting = setting_at(0);
    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        const char *value = value_of(values, setting->key);

        if (setting->scope == SCOPE_GAME && value != NULL) {
            add_setting(out, "        ", setting, value);
        }
    }
    buf_add_text(out, "    }");
}

void
conf_quote(struct buf *out, const char *text)
{
    buf_add_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, *text);
    }
    buf_add_char(out, '"');
}

/* A service, all of it in a comment. */
static void
add_services(struct buf *out)
{
    struct buf block = BUF_INIT;
    const char *line = NULL;

    buf_add_text(&block, "{");
    add_scope(&block, "    ", SCOPE_SERVICE);
    buf_add_text(&block, "}\n");
    buf_add_text(out, "services = (\n");
    for (line = buf_text(&block); *line != '\0';
         line += strcspn(line, "\n") + 1) {
        size_t len = strcspn(line, "\n");
        buf_add_text(out, len == 0 ? "    #" : "    # ");
        buf_add(out, line, len);
        buf_add_char(out, '\n');
    }
    buf_add_text(out, ");\n");
    buf_release(&block);
}

void
conf_sample(struct buf *out)
{
    buf_add_text(
        out, "# The configuration of placard. It works as it stands, for a "
             "place on the\n"
             "# embedded board. A line that begins with # is a comment; the "
             "settings in\n"
             "# comments have the value that holds without them. Times are "
             "written \"90m\",\n"
             "# \"24h\", \"2d\" or \"1d 12h\". `placard check` reads this file "
             "and says what is\n"
             "# wrong in it.\n");
    add_scope(out, "", SCOPE_TOP);
    buf_add_text(out,
                 "\n# ---- the games "
                 "---------------------------------------------------------"
                 "---\n");
    add_scope(out, "", SCOPE_GAME);
    buf_add_text(out,
                 "\n# ---- the services "
                 "---------------------------------------------------------"
                 "\n\n");
    add_comment(out, "", setting_find("services", SCOPE_TOP)->help);
    add_services(out);
    buf_add_text(out,
                 "\n# ---- the places "
                 "---------------------------------------------------------"
                 "--\n\n");
    add_comment(out, "", setting_find("places", SCOPE_PLACE)->help);
    buf_add_text(out, "places = (\n    {");
    add_scope(out, "        ", SCOPE_PLACE);
    add_setting(out, "        ", setting_find("vote_min", SCOPE_GAME),
                "\"8h\"");
    buf_add_text(out, "    }\n);\n");
}
