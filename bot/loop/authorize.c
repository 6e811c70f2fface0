#include "bot/loop/authorize.h"

#include "bot/tables/places/services.h"

void
service_authorize(const struct service *service, const struct conf *conf,
                  const struct secrets *secrets, struct dispatch *dispatch)
{
    const struct account *account = conf_account(conf, service->name);
    if (account != NULL && service->password == NULL) {
        dispatch_set_token(dispatch, service->name,
                           secrets_find(secrets, account));
    }
}

/* In which file the secret is to be put right. */
static void
advise_secret(const struct service *service, const struct account *account,
              struct buf *why)
{
    const char *secret = service->password == NULL ? "token" : "password";
    if (account->token_env[0] != '\0') {
        buf_addf(why,
                 "; set the variable %s to the right %s and start placard "
                 "again",
                 account->token_env, secret);
    } else {
        buf_addf(why, "; put the right %s into %s", secret,
                 account->token_file);
    }
}

bool
service_doubts_secret(enum refused refused)
{
    return refused != REFUSED_LOGIN && refused != REFUSED_LOCKED;
}

void
service_advise(const struct service *service, const struct conf *conf,
               enum err err, struct buf *why)
{
    const struct account *account = conf_account(conf, service->name);
    if (account == NULL) {
        return;
    }
    switch (err) {
    case ERR_DENIED:
        advise_secret(service, account, why);
        break;
    case ERR_GONE:
    case ERR_GARBLED:
        buf_addf(why, "; look whether %s is its address", service->base);
        break;
    case ERR_LATER:
    case ERR_LIMITED:
        buf_add_text(why, "; try again later");
        break;
    case ERR_NONE:
    case ERR_FULL:
    case ERR_CONFIG:
        break;
    }
}

void
service_authorize_by(const struct service *service,
                     const struct adapter_states *states,
                     struct dispatch *dispatch)
{
    const char *token =
        adapter_states_find(states->list, states->count, STATE_TOKEN);
    if (service->password != NULL && token[0] != '\0') {
        dispatch_set_token(dispatch, service->name, token);
    }
}
