/*
 * Posts: how fast each dialect is read, whether the time grows as the length
 * does, and what the judgement costs beside the reading.
 *
 * A dialect is a row of the table, which may have rows for more than there are.
 * Growth is the time of a byte in a post of 64 kB, the longest that is
 * read (READING.md R0), beside that of a byte in a post of 1 kB: about 1 where
 * the time is linear, 64 where it is the square.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "bot/base/err.h"
#include "bot/host/reading/intent.h"
#include "tests/bench/bench.h"

enum {
    SHORT = 1024,
    PASSES = 4,    /* over a long post, a run */
    SCANS = 20000, /* of memchr, which is too fast for fewer */
    DEPTH = 90,    /* of what is nested: R0 ends at 100 */
};

/* How people write at a service: what is repeated to fill a post. */
struct maker {
    const char *dialect;
    const char *ordinary; /* a post as it may come */
    const char *open, *close;
    const char *crossing;
};

static const struct maker makers[] = {
    {
        .dialect = "bbcode",
        .ordinary =
            "[quote=\"[GM] Bob\"]What is it to be? [b]Ja![/b] or what?[/quote]\n"
            "I don't [i]know[/i], [url=https://example.org/a?b=c]this[/url] "
            "was a bad hand; Carl said so on page 3, and nobody listened.\n"
            "[spoiler]three F[/spoiler] [size=80]or so he says[/size]\n"
            "[b][color=#c00]Anna[/color][/b]\n",
        .open = "[b]",
        .close = "[/b]",
        .crossing = "[b][i]x[/b][color=red]y[/i]z[/color] ",
    },
    {
        .dialect = "board",
        .ordinary = "> What is it to be? **Ja!** or what?\n"
                    "I don't *know*, [url=https://example.org]this[/url] was "
                    "a bad hand; Carl said so yesterday, nobody listened.\n"
                    "||three F|| ~~or so he says~~ `and` 2 * 3 | 4\n"
                    "[b]Anna[/b]\n",
        .open = "**[b]",
        .close = "[/b]**",
        .crossing = "**[i]x**~~y[/i]z~~ ",
    },
    {
        .dialect = "html",
        .ordinary =
            "<blockquote class=\"uncited\"><div>What is it to be? "
            "<strong class=\"text-strong\">Ja!</strong> or what?</div>"
            "</blockquote>\nI don&rsquo;t <em>know</em>, <a "
            "href=\"https://example.org/a?b=c&amp;d=e\">this</a> was a bad "
            "hand; Carl said so on page 3, and nobody listened.<br>\n"
            "<span style=\"font-size: 80%; color: #333\">or so he "
            "says</span><br>\n<b><span style=\"color:#cc0000\">Anna</span>"
            "</b><br>\n",
        .open = "<b>",
        .close = "</b>",
        .crossing = "<b><i>x</b><u>y</i>z</u> ",
    },
    {
        .dialect = "matrix",
        .ordinary =
            "<mx-reply><blockquote><a href=\"https://matrix.to/#/@bob:x.org\">"
            "@bob:x.org</a><br>What is it to be?</blockquote></mx-reply>"
            "<p>I don't <em>know</em>, this was a bad hand; Carl said so on "
            "Monday, and nobody listened.</p>\n"
            "<span data-mx-spoiler>three F</span> <del>or so he says</del>"
            "<p><strong><font color=\"#cc0000\">Anna</font></strong></p>\n",
        .open = "<strong>",
        .close = "</strong>",
        .crossing = "<b><i>x</b><u>y</i>z</u> ",
    },
    {
        .dialect = "discord",
        .ordinary = "> What is it to be? **Ja!** or what?\n"
                    "I don't *know*, __this__ was a bad hand <:sad:123456789>;"
                    " <@80351110224678912> said so, and nobody listened.\n"
                    "||three F|| ~~or so he says~~ `and` 2 * 3 | 4\n"
                    "**Anna**\n",
        .open = "**_",
        .close = "_**",
        .crossing = "**_x**~~y_z~~ ",
    },
    {
        .dialect = "plain",
        .ordinary = "> What is it to be? **Ja!** or what?\n"
                    "I don't *know*, this was a bad hand; Carl said so on page "
                    "3, and nobody listened. 2 ** 3 = 8, as we all know.\n"
                    "**Anna**\n",
        .open = "**x ",
        .close = "**",
        .crossing = "**x *y** z* ",
    },
};

enum {
    MAKERS = sizeof makers / sizeof makers[0]
};

/* ---- posts --------------------------------------------------------------- */

enum shape {
    SHAPE_ORDINARY,
    SHAPE_NESTED,
    SHAPE_UNCLOSED,
    SHAPE_CROSSING,
    SHAPES,
};

static const char *const shapes[SHAPES] = {
    [SHAPE_ORDINARY] = "ordinary",
    [SHAPE_NESTED] = "nested",
    [SHAPE_UNCLOSED] = "unclosed",
    [SHAPE_CROSSING] = "crossing",
};

static void
add_nested(const struct maker *maker, struct buf *unit)
{
    for (unsigned i = 0; i < DEPTH; i++) {
        buf_add_text(unit, maker->open);
    }
    buf_add_char(unit, 'x');
    for (unsigned i = 0; i < DEPTH; i++) {
        buf_add_text(unit, maker->close);
    }
    buf_add_char(unit, '\n');
}

/* What posts of a shape are filled with. */
static void
add_unit(const struct maker *maker, enum shape shape, struct buf *unit)
{
    switch (shape) {
    case SHAPE_ORDINARY:
        buf_add_text(unit, maker->ordinary);
        break;
    case SHAPE_NESTED:
        add_nested(maker, unit);
        break;
    case SHAPE_UNCLOSED:
        buf_addf(unit, "%sx ", maker->open);
        break;
    case SHAPE_CROSSING:
        buf_add_text(unit, maker->crossing);
        break;
    case SHAPES:
        break;
    }
}

/* Fill a post up to `len` bytes, at least one unit, the rest with dots. */
static void
fill(struct buf *post, const struct buf *unit, size_t len)
{
    do {
        buf_add_buf(post, unit);
    } while (post->len + unit->len <= len);
    while (post->len < len) {
        buf_add_char(post, '.');
    }
}

/* A short and a long one of the same kind, and room to read them. */
struct posts {
    const struct dialect *dialect;
    struct buf shorter, longer;
    struct rich rich;
    bool unread;
    struct reading reading;
};

static void
posts_init(struct posts *posts, const struct maker *maker, enum shape shape)
{
    struct buf unit = BUF_INIT;
    memset(posts, 0, sizeof *posts);
    posts->dialect = dialects_find(maker->dialect);
    add_unit(maker, shape, &unit);
    fill(&posts->shorter, &unit, SHORT);
    fill(&posts->longer, &unit, POST_MAX);
    buf_release(&unit);
}

static void
posts_release(struct posts *posts)
{
    buf_release(&posts->shorter);
    buf_release(&posts->longer);
    rich_release(&posts->rich);
}

static void
read_post(struct posts *posts, const struct buf *post)
{
    posts->dialect->read(buf_text(post), post->len, &posts->rich,
                         &posts->unread);
}

/* ---- speed --------------------------------------------------------------- */

/* Bytes a second, in millions. */
static double
read_longer(void *context)
{
    struct posts *posts = context;
    double begun = bench_seconds();
    for (unsigned i = 0; i < PASSES; i++) {
        read_post(posts, &posts->longer);
    }
    return 1e-6 * PASSES * (double)posts->longer.len /
           (bench_seconds() - begun);
}

static double
scan_longer(void *context)
{
    /* Through a pointer of which the compiler may assume nothing: it would not
     * look a second time. */
    static void *(*const volatile scan)(const void *, int, size_t) = memchr;
    const struct posts *posts = context;
    double begun = bench_seconds();
    for (unsigned i = 0; i < SCANS; i++) {
        if (scan(buf_text(&posts->longer), '\0', posts->longer.len) != NULL) {
            die("there is a NUL in a post of the bench");
        }
    }
    return 1e-6 * SCANS * (double)posts->longer.len / (bench_seconds() - begun);
}

/* ---- growth -------------------------------------------------------------- */

/* Nanoseconds a byte, of as many bytes either way. */
static double
read_bytes(struct posts *posts, const struct buf *post)
{
    size_t bytes = 0;
    double begun = bench_seconds();
    while (bytes < (size_t)PASSES * POST_MAX) {
        read_post(posts, post);
        bytes += post->len;
    }
    return 1e9 * (bench_seconds() - begun) / (double)bytes;
}

static double
read_bytes_of_longer(void *posts)
{
    return read_bytes(posts, &((struct posts *)posts)->longer);
}

static double
read_bytes_of_shorter(void *posts)
{
    return read_bytes(posts, &((struct posts *)posts)->shorter);
}

/* The same of the judgement, the reading left out. */
static double
judge_bytes(struct posts *posts, const struct buf *post)
{
    struct intent intent;
    size_t bytes = 0;
    read_post(posts, post);
    double begun = bench_seconds();
    while (bytes < (size_t)PASSES * POST_MAX) {
        struct buf why = BUF_INIT;
        intent_read(&posts->rich, &posts->reading, &intent, &why);
        buf_release(&why);
        bytes += post->len;
    }
    return 1e9 * (bench_seconds() - begun) / (double)bytes;
}

static double
judge_bytes_of_longer(void *posts)
{
    return judge_bytes(posts, &((struct posts *)posts)->longer);
}

static double
judge_bytes_of_shorter(void *posts)
{
    return judge_bytes(posts, &((struct posts *)posts)->shorter);
}

/* ---- the judgement ------------------------------------------------------- */

static void
set_reading(struct reading *reading, enum phase phase)
{
    static const char *const names[] = {"Anna", "Bob",   "Carl", "Dora",
                                        "Emil", "Frida", "Gert", "Hanna"};
    memset(reading, 0, sizeof *reading);
    reading->phase = phase;
    reading->player_count = sizeof names / sizeof names[0];
    for (unsigned i = 0; i < reading->player_count; i++) {
        reading->players[i].name = names[i];
    }
}

enum {
    POSTS = 2000 /* a run */
};

/* Posts of 1 kB a second. */
static double
read_posts(void *context)
{
    struct posts *posts = context;
    double begun = bench_seconds();
    for (unsigned i = 0; i < POSTS; i++) {
        read_post(posts, &posts->shorter);
    }
    return POSTS / (bench_seconds() - begun);
}

static double
read_and_judge_posts(void *context)
{
    struct posts *posts = context;
    struct intent intent;
    double begun = bench_seconds();
    for (unsigned i = 0; i < POSTS; i++) {
        struct buf why = BUF_INIT;
        read_post(posts, &posts->shorter);
        intent_read(&posts->rich, &posts->reading, &intent, &why);
        buf_release(&why);
    }
    return POSTS / (bench_seconds() - begun);
}

/* ---- rows ---------------------------------------------------------------- */

static void
print_speed(const struct maker *maker, void *unused)
{
    struct posts posts;
    (void)unused;
    posts_init(&posts, maker, SHAPE_ORDINARY);
    bench_compare(maker->dialect, read_longer, scan_longer, &posts, "memchr");
    posts_release(&posts);
}

static void
print_growth(const struct maker *maker, void *unused)
{
    (void)unused;
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        struct posts posts;
        char what[64];
        posts_init(&posts, maker, (enum shape)shape);
        (void)snprintf(what, sizeof what, "%s, %s", maker->dialect,
                       shapes[shape]);
        read_post(&posts, &posts.longer);
        bench_compare(what, read_bytes_of_longer, read_bytes_of_shorter, &posts,
                      posts.unread ? "1 kB; the 64 kB are refused (R0)"
                                   : "1 kB");
        posts_release(&posts);
    }
}

static void
print_judgement(const struct maker *maker, void *phase)
{
    struct posts posts;
    posts_init(&posts, maker, SHAPE_ORDINARY);
    set_reading(&posts.reading, *(enum phase *)phase);
    bench_compare(maker->dialect, read_and_judge_posts, read_posts, &posts,
                  "reading alone");
    posts_release(&posts);
}

/* Judging is the same whatever the dialect was. */
static void
print_judgement_growth(void)
{
    static const struct maker maker = {
        .dialect = "bbcode",
        .ordinary = "[b]Ja![/b] or [b]Ann[/b]? [b]Never in my life[/b]\n"};
    static const struct {
        const char *name;
        enum phase phase;
    } phases[] = {{"votes", PHASE_VOTING}, {"names", PHASE_NOMINATION}};
    for (unsigned i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        struct posts posts;
        posts_init(&posts, &maker, SHAPE_ORDINARY);
        set_reading(&posts.reading, phases[i].phase);
        posts.reading.bold_names = true;
        bench_compare(phases[i].name, judge_bytes_of_longer,
                      judge_bytes_of_shorter, &posts, "1 kB");
        posts_release(&posts);
    }
}

static const struct maker *
maker_of(const struct dialect *dialect)
{
    for (unsigned i = 0; i < MAKERS; i++) {
        if (strcmp(makers[i].dialect, dialect->name) == 0) {
            return &makers[i];
        }
    }
    die("the bench has no posts of the dialect %s: it is to be a row of makers "
        "in tests/bench/posts.c",
        dialect->name);
}

static void
print_each(void (*print)(const struct maker *maker, void *context),
           void *context)
{
    const struct dialect *dialect = NULL;
    for (size_t i = 0; (dialect = dialects_at(i)) != NULL; i++) {
        print(maker_of(dialect), context);
    }
}

void
bench_posts(void *unused)
{
    enum phase voting = PHASE_VOTING;
    (void)unused;
    bench_heading("Reading posts, MB a second");
    print_each(print_speed, NULL);
    bench_heading("Growth: ns a byte in posts of 64 kB");
    print_each(print_growth, NULL);
    bench_heading("Posts of 1 kB read and judged, a second");
    print_each(print_judgement, &voting);
    bench_heading("Growth of the judgement: ns a byte in posts of 64 kB");
    print_judgement_growth();
}
