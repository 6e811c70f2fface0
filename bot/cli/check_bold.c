#include "bot/cli/check_bold.h"

#include <string.h>

#include "adapters/markup/html/html_mention.h"
#include "adapters/markup/html/html_tokens.h"
#include "adapters/markup/rich.h"

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

/* Append the words of a class attribute that may be how the forum shows bold,
 * each once. */
static void
add_classes(const char *text, size_t len, struct buf *classes)
{
    for (size_t at = 0; at < len;) {
        struct buf word = BUF_INIT;
        while (at < len && !html_is_space(text[at])) {
            buf_add_char(&word, text[at++]);
        }
        at++;
        bool bold = strstr(buf_text(&word), "bold") != NULL ||
                    strstr(buf_text(&word), "strong") != NULL;
        if (bold && !html_class_has(classes, buf_text(&word))) {
            buf_add_text(classes, classes->len > 0 ? " " : "");
            buf_add_buf(classes, &word);
        }
        buf_release(&word);
    }
}

/* Append those of a post's elements. */
static void
find_classes(const struct post *post, struct buf *classes)
{
    for (size_t at = 0; at < post->body_len; at++) {
        struct html_tag tag;
        struct html_attribute attribute;
        if (!html_read_tag(post->body + at, post->body_len - at, &tag)) {
            continue;
        }
        while (html_next_attribute(&tag, &attribute)) {
            if (html_is(attribute.name, "class")) {
                add_classes(attribute.value.text, attribute.value.len, classes);
            }
        }
        at += tag.len - 1;
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
        find_classes(post, &classes);
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
