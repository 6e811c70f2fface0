/*
 * The calendar below civil time and time zones: dates as counts of days.
 */
#ifndef BOT_BASE_CALENDAR_H
#define BOT_BASE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

/* Divide, rounding down, also below zero; b > 0. */
int64_t floor_divide(int64_t a, int64_t b);
int64_t floor_modulo(int64_t a, int64_t b);

bool is_leap_year(int64_t year);

/* The number of days of a month, 1 … 12. */
int month_days(int64_t year, int month);

/* The number of days from 1970-01-01 to a date of the Gregorian calendar;
 * months outside 1 … 12 and any day are carried over. */
int64_t days_before(int64_t year, int64_t month, int64_t day);

/* The year of such a day. */
int64_t year_of_day(int64_t days);

/* Read a decimal number from min to max and step over it; false: there is
 * none. */
bool read_in_range(const char **text, int min, int max, int *number);

#endif
