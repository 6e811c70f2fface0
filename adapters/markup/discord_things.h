/*
 * Reads things in brackets in a Discord post (mentions, emoji, times, links),
 * and addresses.
 */
#ifndef ADAPTERS_MARKUP_DISCORD_THINGS_H
#define ADAPTERS_MARKUP_DISCORD_THINGS_H

#include "adapters/markup/discord_scan.h"

/* Read the thing that begins here with "h", "<", "@" or "[", and show it; if
 * there is none, go on to the next byte. */
void discord_scan_address(struct discord_scanner *scanner);
void discord_scan_angle(struct discord_scanner *scanner);
void discord_scan_at(struct discord_scanner *scanner);
void discord_scan_bracket(struct discord_scanner *scanner);

#endif
