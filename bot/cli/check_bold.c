#include "bot/cli/check_bold.h"

#include <string.h>

#include "adapters/markup/rich.h"

/* What the name of a class for bold is likely to hold. */
static const char *const likely[] = {"bold", "strong"};

static bool
has_bold(const struct service *service, const struct post *post)
{
    struct rich rich = {0};
    bool unread = false;
    bool bold = false;
    post_read(service, post, &rich, &unread);
    for (size_t i = 0; i < rich.count && !unread; i++) {
        unsigned marks = rich.runs[i].marks;
        bold = bold || ((marks & MARK_BOLD) && !(marks & MARKS_EXCLUDED));
    }
    rich_release(&rich);
    return bold;
}

/* Append a class, unless it is there. */
static void
add_class(const char *name, size_t len, struct buf *classes)
{
    struct buf all = BUF_INIT;
    struct buf one = BUF_INIT;
    buf_addf(&all, " %s ", buf_text(classes));
    buf_addf(&one, " %.*s ", (int)len, name);
    for (size_t i = 0; i < sizeof likely / sizeof likely[0]; i++) {
        if (strstr(buf_text(&one), likely[i]) != NULL &&
            strstr(buf_text(&all), buf_text(&one)) == NULL) {
            buf_add_text(classes, classes->len > 0 ? " " : "");
            buf_add(classes, name, len);
            break;
        }
    }
    buf_release(&one);
    buf_release(&all);
}

/* The classes of a post's elements that may be how the forum shows bold. */
static void
find_classes(const char *body, struct buf *classes)
{
    static const char key[] = "class=\"";
    for (; (body = strstr(body, key)) != NULL;) {
        body += strlen(key);
        while (*body != '"' && *body != '\0') {
            size_t len = strcspn(body, " \"");
            add_class(body, len, classes);
            body += len + (body[len] == ' ');
        }
    }
}

void
check_bold_say(const struct service *service, const struct page *page,
               struct buf *said, struct buf *advice)
{
    struct buf classes = BUF_INIT;
    for (size_t i = page->count; i > 0; i--) {
        const struct post *post = &page->posts[i - 1];
        if (post->kind == POST_WRITTEN && has_bold(service, post)) {
            buf_addf(said, "is read, as in post %s", post->id);
            buf_release(&classes);
            return;
        }
        find_classes(post->body, &classes);
    }
    buf_add_text(said, "not seen in the last posts");
    if (classes.len > 0) {
        buf_addf(advice,
                 "If that forum shows bold by the class %s, name it: "
                 "bold_classes = \"%s\" in the service.\n",
                 buf_text(&classes), buf_text(&classes));
    } else {
        buf_add_text(advice, "Post a word in bold there, and run check again: "
                             "it says whether the bot reads it as bold.\n");
    }
    buf_release(&classes);
}
