#include <string.h>

#include "bot/tables/hosted.h"
#include "bot/tables/turns/turns_inner.h"

/* A number that stands for all that decides what becomes of a post; 0: it is
 * always looked at. */
static uint64_t
number_of(const struct tables *tables, const struct service *service,
          const struct post *post, struct buf *text)
{
    const char *const parts[] = {post->id, post->place, post->author,
                                 post->reply_to};
    if (post->kind != POST_WRITTEN || post->pending || posts_is_own(post)) {
        return 0;
    }
    buf_clear(text);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        buf_add(text, parts[i], strlen(parts[i]) + 1);
    }
    buf_add(text, &post->stamp, sizeof post->stamp);
    buf_add(text, &post->edited, sizeof post->edited);
    buf_add_char(text, posts_is_watched(tables, service, post) ? 'w' : '-');
    buf_add(text, post->body, post->body_len);
    return store_number(tables->store, text);
}

void
repeats_leave_out(struct tables *tables, struct feed *feed,
                  const struct page *page, struct page *fresh)
{
    struct buf text = BUF_INIT;
    uint64_t *numbers = NULL;
    *fresh = (struct page){NULL, 0};
    if (page->count > 0) {
        fresh->posts = must_alloc(page->count * sizeof *fresh->posts);
        numbers = must_alloc(page->count * sizeof *numbers);
    }
    for (size_t i = 0; i < page->count; i++) {
        numbers[i] = number_of(tables, feed->service, &page->posts[i], &text);
        if (numbers[i] == 0 || !feed_had(feed, numbers[i])) {
            fresh->posts[fresh->count++] = page->posts[i];
        }
    }
    feed_set_page(feed, numbers, page->count);
    buf_wipe(&text);
}
