/*
 * The signs in a board picture, drawn by this project: each about a middle,
 * `reach` from it on all sides, in the canvas's colour.
 */
#ifndef BOT_PICTURE_ICONS_H
#define BOT_PICTURE_ICONS_H

#include "bot/picture/canvas.h"
#include "engine/game.h"

/* A magnifying glass; a placard handed on; an eye; a target.  POWER_NONE has
 * no sign. */
void icon_power(struct canvas *canvas, enum power power, double x, double y,
                double reach);

/* A crossed-out sheet of paper: the veto. */
void icon_veto(struct canvas *canvas, double x, double y, double reach);

/* A zigzag: the chaos that the third failed government brings. */
void icon_chaos(struct canvas *canvas, double x, double y, double reach);

#endif
