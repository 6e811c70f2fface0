/*
 * What the program calls itself, to people and to services.
 */
#ifndef BOT_BASE_VERSION_H
#define BOT_BASE_VERSION_H

/* "0.9.0"; the Makefile reads it from version.c. */
extern const char placard_version[];

/* Where somebody who meets it at their service can read what it is.  Whoever
 * publishes the program sets it, with CPPFLAGS='-DPLACARD_URL="https://…"'. */
extern const char placard_url[];

#endif
