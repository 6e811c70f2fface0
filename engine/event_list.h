/*
 * Every kind of event, a row each: EVENT(KIND, name, line, secret, notice).
 *
 *   name    the record's word for it (`event` of its line)
 *   line    who may see that it happened: AUDIENCE_ALL, AUDIENCE_HOST,
 *           AUDIENCE_SEAT (event.seat alone), AUDIENCE_BALLOT (all in an open
 *           ballot; in a sealed one the host until the election closes)
 *   secret  who may see its cards, party or roles: AUDIENCE_NONE (it has none),
 *           AUDIENCE_HOST, AUDIENCE_SEAT, AUDIENCE_GOVERNMENT (event.seat all
 *           of it, event.target the two cards handed on)
 *   notice  the catalogue's key of what the host says, "" for nothing
 *
 * Secrecy is decided here and nowhere else.  Include with EVENT defined.
 */
EVENT(DEALT, "dealt", HOST, HOST, "dealt")
EVENT(ROUND, "round", ALL, NONE, "round")
EVENT(NOMINATED, "nominated", ALL, NONE, "nominated")
EVENT(VOTED, "voted", BALLOT, NONE, "")
EVENT(ELECTION, "election", ALL, NONE, "election")
EVENT(CLEARED, "cleared", ALL, NONE, "cleared")
EVENT(HAND, "hand", SEAT, SEAT, "hand")
EVENT(PASSED, "passed", SEAT, GOVERNMENT, "passed")
EVENT(VETO_ASKED, "veto_asked", ALL, NONE, "veto_asked")
EVENT(VETO_ANSWERED, "veto_answered", ALL, NONE, "veto_answered")
EVENT(ENACTED, "enacted", ALL, NONE, "enacted")
EVENT(RESHUFFLED, "reshuffled", ALL, HOST, "reshuffled")
EVENT(POWER, "power", ALL, NONE, "power")
EVENT(INVESTIGATED, "investigated", ALL, SEAT, "investigated")
EVENT(SPECIAL_CALLED, "special_called", ALL, NONE, "special_called")
EVENT(PEEKED, "peeked", ALL, SEAT, "peeked")
EVENT(EXECUTED, "executed", ALL, NONE, "executed")
EVENT(FORFEITED, "forfeited", ALL, NONE, "forfeited")
EVENT(LOTS, "lots", ALL, NONE, "lots")
EVENT(VACATED, "vacated", ALL, NONE, "vacated")
EVENT(FILLED, "replaced", ALL, NONE, "replaced")
EVENT(ENDED, "ended", ALL, NONE, "ended")
