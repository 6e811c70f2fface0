/*
 * What the log says of games, a row each: SAID(KIND, word, words …).
 *
 *   KIND   an event that everybody sees (AUDIENCE_ALL); MOVED(a move) that
 *          everybody is told of; TIME_IS_UP, of the clock
 *   word   the same in a line of JSON: of an event, the record's
 *   words  printf's.  They may use what say (game_log.c) has.
 *
 * What has no row is not logged.  Include it with SAID defined.
 */
SAID(TIME_IS_UP, "deadline", "time is up")
SAID(EVENT_ROUND, "round", "round %u%s, the candidate is Player %u",
     event->round, event->yes ? " by special election" : "", seat)
SAID(EVENT_NOMINATED, "nominated", "Player %u nominates Player %u", seat,
     target)
SAID(EVENT_ELECTION, "election", "%s, %u Ja and %u Nein",
     event->yes ? "elected" : "no government", event->ja, event->nein)
SAID(EVENT_VETO_ASKED, "veto_asked", "Player %u asks for a veto", seat)
SAID(EVENT_VETO_ANSWERED, "veto_answered", "Player %u %s the veto", seat,
     event->yes ? "agrees to" : "declines")
SAID(EVENT_ENACTED, "enacted", "a %s policy%s, now %u Liberal and %u Fascist",
     event->is_liberal ? "Liberal" : "Fascist",
     event->by_chaos ? " after three failed governments" : "", event->liberal,
     event->fascist)
SAID(EVENT_POWER, "power", "Player %u has a power: %s", seat,
     record_power_name((enum power)event->power))
SAID(EVENT_INVESTIGATED, "investigated", "Player %u investigates Player %u",
     seat, target)
SAID(EVENT_SPECIAL_CALLED, "special_called",
     "Player %u makes Player %u the next candidate", seat, target)
SAID(EVENT_PEEKED, "peeked", "Player %u looks at the next policies", seat)
SAID(EVENT_EXECUTED, "executed", "Player %u executes Player %u", seat, target)
SAID(EVENT_FORFEITED, "forfeited", "Player %u loses the power", seat)
SAID(EVENT_LOTS, "lots", "lots choose for Player %u", seat)
SAID(EVENT_VACATED, "vacated", "the seat of Player %u is vacant", seat)
SAID(EVENT_ENDED, "ended", "over, %s", endings[event->reason])
SAID(MOVED(MOVE_OPEN), "opened", "opened at \"%s\"", table->place)
SAID(MOVED(MOVE_START), "started", "the game starts with %u players",
     table->seated)
SAID(MOVED(MOVE_CLOSE), "closed", "closed without a game")
SAID(MOVED(MOVE_RING), "deadline",
     "time is up for the power, and begins once more")
SAID(MOVED(MOVE_EXTEND), "extended", "the deadline moves%s",
     event->reason == EXTENDED_FOR_PLAYER
         ? ", waiting for a player whom no private message reaches"
         : "")
SAID(MOVED(MOVE_PAUSE), "paused", "paused")
SAID(MOVED(MOVE_RESUME), "resumed", "goes on")
SAID(MOVED(MOVE_REWIND), "rewound", "taken back to round %u", table->game.round)
SAID(MOVED(MOVE_REPLACE), "replaced", "somebody takes the seat of Player %u",
     seat)
