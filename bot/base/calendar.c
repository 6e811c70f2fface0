#include "bot/base/calendar.h"

#include <ctype.h>

int64_t
floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

int64_t
floor_modulo(int64_t a, int64_t b)
{
    return a - floor_divide(a, b) * b;
}

bool
is_leap_year(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int
month_days(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap_year(year));
}

/* Years begin in March here, so that the odd day is a year's last. */
int64_t
days_before(int64_t year, int64_t month, int64_t day)
{
    int64_t months = year * 12 + (month - 1) - 2;
    int64_t march_year = floor_divide(months, 12);
    int64_t march_month = floor_modulo(months, 12);
    int64_t era = floor_divide(march_year, 400);
    int64_t of_era = march_year - era * 400;
    int64_t of_year = (153 * march_month + 2) / 5;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year +
           (day - 1) - 719468;
}

int64_t
year_of_day(int64_t days)
{
    int64_t year = 1970 + floor_divide(days * 400, 146097);

    while (days < days_before(year, 1, 1)) {
        year--;
    }
    while (days >= days_before(year + 1, 1, 1)) {
        year++;
    }
    return year;
}

bool
read_in_range(const char **text, int min, int max, int *number)
{
    int sum = 0;

    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    while (isdigit((unsigned char)**text)) {
        sum = sum * 10 + (*(*text)++ - '0');
        if (sum > max) {
            return false;
        }
    }
    *number = sum;
    return sum >= min;
}
