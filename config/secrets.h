/*
 * The tokens and passwords of the accounts, kept apart from the configuration,
 * which is copied, printed and compared.
 *
 * A secret is read from the file or the environment variable that its account
 * names.  A file must be nobody else's to read; a line feed at its end is none
 * of the secret.  A variable is taken out of the environment, and its value is
 * wiped there, so that neither /proc nor a child has it; what was taken is kept
 * for later readings, since a variable can be read once only.
 */
#ifndef CONFIG_SECRETS_H
#define CONFIG_SECRETS_H

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "config/config.h"

enum {
    SECRET_MAX = 4095 /* bytes */
};

/* Begins zeroed. */
struct secrets {
    struct secret *list;
};

/*
 * Read the secret of every account of a configuration, which MAY be another one
 * than the last time.  ERR_CONFIG with a line for each that can't be had, as
 * conf_load says mistakes; `secrets` has then what it had.
 */
enum err secrets_load(struct secrets *secrets, const struct conf *conf,
                      struct buf *why) MUST_USE;

/* The secret of an account that secrets_load was given; borrowed until the next
 * secrets_load. */
const char *secrets_find(const struct secrets *secrets,
                         const struct account *account);

/* Wipe and free them all. */
void secrets_release(struct secrets *secrets);

#endif
