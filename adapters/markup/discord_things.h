/*
 * What stands in brackets in a post of Discord's, and addresses: mentions,
 * emoji, times, links.
 */
#ifndef ADAPTERS_MARKUP_DISCORD_THINGS_H
#define ADAPTERS_MARKUP_DISCORD_THINGS_H

#include "adapters/markup/discord_scan.h"

/* Read what begins here with "h", "<", "@" or "[", and show it; if it is no
 * such thing, go on to the next byte. */
void discord_scan_address(struct discord_scanner *scanner);
void discord_scan_angle(struct discord_scanner *scanner);
void discord_scan_at(struct discord_scanner *scanner);
void discord_scan_bracket(struct discord_scanner *scanner);

#endif
