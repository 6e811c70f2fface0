/*
 * Why a command is refused, a row each: REFUSAL(KIND, key).  The key is that
 * of the catalogue's sentence.  Include with REFUSAL defined.
 *
 * Where several apply the order of the checks decides: no such command, the
 * game is over, lots, who acts (seat, executed, vacant), not now, not your
 * turn, and only then what is named.
 */
REFUSAL(NOT_NOW, "not_now")             /* nothing like it is awaited */
REFUSAL(GAME_OVER, "game_over")         /* nothing happens after the end */
REFUSAL(NOT_YOUR_TURN, "not_your_turn") /* another seat is awaited */
REFUSAL(NO_SUCH_SEAT, "no_such_seat")   /* not a seat of this game */
REFUSAL(EXECUTED, "executed")           /* who acts or is named was */
REFUSAL(VACANT, "vacant")               /* who acts or is named is */
REFUSAL(NOT_VACANT, "not_vacant")       /* nothing to fill */
REFUSAL(SELF, "self")                   /* nobody may name themselves */
REFUSAL(TERM_LIMITED, "term_limited")   /* was in the last government */
REFUSAL(VOTED_ALREADY, "voted_already") /* a vote can't be changed */
REFUSAL(NO_SUCH_CARD, "no_such_card")   /* not in the hand */
REFUSAL(VETO_NOT_DUE, "veto_not_due")   /* the session began with fewer than
                                           five fascist policies */
REFUSAL(VETO_DECLINED, "veto_declined") /* asked already in this session */
REFUSAL(INVESTIGATED, "investigated")   /* never twice in a game */
REFUSAL(LAST_PRESENT, "last_present")   /* somebody must be left */
REFUSAL(WRONG_TILES, "wrong_tiles")     /* chance: not the tiles due */
REFUSAL(WRONG_ROLES, "wrong_roles")     /* chance: not as many as are due */
REFUSAL(NO_LOTS, "no_lots")             /* lots never decide this */
REFUSAL(MALFORMED, "malformed")         /* no such command */
