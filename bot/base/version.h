/*
 * What the program calls itself, to people and to services.
 */
#ifndef BOT_BASE_VERSION_H
#define BOT_BASE_VERSION_H

#ifndef PLACARD_VERSION
#    define PLACARD_VERSION "0.1"
#endif

/* Where somebody who meets it on their service can read what it is. */
#ifndef PLACARD_URL
#    define PLACARD_URL "https://www.secrethitler.com"
#endif

#endif
