/* Times in messages that may change until they are sent. */
#include <check.h>

#include "bot/base/civil.h"
#include "bot/host/table/slot.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define WAS (1795341600 * SECOND_MS)
#define IS  (1795345200 * SECOND_MS)

#define SLOT(time) SLOT_BEGIN time SLOT_END

static const struct {
    const char *text, *same, *moved;
} cases[] = {
    {"", "", ""},
    {"nothing to fill", "nothing to fill", "nothing to fill"},
    {"until " SLOT("10:00") ".", "until 10:00.", "until 11:00."},
    {SLOT("10:00") SLOT("10:00"), "10:0010:00", "11:0011:00"},
    {SLOT("10:00 (<t:1795341600:F>, <t:1795341600:R>)") " x",
     "10:00 (<t:1795341600:F>, <t:1795341600:R>) x", "11:00 x"},
    {SLOT("10:00") " (<t:1795341600:F>, <t:1795341600:R>)",
     "10:00 (<t:1795341600:F>, <t:1795341600:R>)",
     "11:00 (<t:1795345200:F>, <t:1795345200:R>)"},
    {"another <t:1795341601:F>", "another <t:1795341601:F>",
     "another <t:1795341601:F>"},
    {"Vote!" SLOT_VOTES " Anna: Ja", "Vote! Anna: Ja", "Vote! Anna: Ja"},
    {"no end " SLOT_BEGIN "10:00", "no end 10:00", "no end 10:00"},
};

START_TEST(a_slot_is_filled_with_what_is_named)
{
    struct buf out = BUF_INIT;
    slot_fill(cases[_i].text, WAS, WAS, "11:00", &out);
    ck_assert_str_eq(buf_text(&out), cases[_i].same);
    buf_clear(&out);
    slot_fill(cases[_i].text, WAS, IS, "11:00", &out);
    ck_assert_str_eq(buf_text(&out), cases[_i].moved);
    buf_release(&out);
}
END_TEST

/* Whatever a service's marks are, slots go through its writer whole. */
START_TEST(every_dialect_writes_a_slot_as_it_is)
{
    for (size_t i = 0; service_kinds[i] != NULL; i++) {
        const struct adapter *adapter = service_kinds[i]->adapter;
        struct buf time = BUF_INIT;
        struct buf out = BUF_INIT;
        struct buf filled = BUF_INIT;
        struct rich text = {.count = 0};
        buf_add_text(&time, "Sun 22 Nov, 10:00 UTC");
        slot_put(&time);
        rich_add_text(&text, "until ", 0);
        rich_add_text(&text, buf_text(&time), 0);
        rich_add_text(&text, ".", 0);
        adapter->dialect->write(&text, &out);
        assert_holds(buf_text(&out), SLOT_BEGIN);
        assert_holds(buf_text(&out), SLOT_END);
        slot_fill(buf_text(&out), WAS, IS, "later", &filled);
        assert_holds(buf_text(&filled), "until later");
        assert_lacks(buf_text(&filled), SLOT_BEGIN);
        rich_release(&text);
        buf_release(&time);
        buf_release(&out);
        buf_release(&filled);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/slot");
    TCase *tcase = tcase_create("slot");
    tcase_add_loop_test(tcase, a_slot_is_filled_with_what_is_named, 0,
                        sizeof cases / sizeof cases[0]);
    tcase_add_test(tcase, every_dialect_writes_a_slot_as_it_is);
    suite_add_tcase(suite, tcase);
    return suite;
}
