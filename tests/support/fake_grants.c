#include "tests/support/fake_grants.h"

#include <stdio.h>
#include <string.h>

#include <check.h>
#include <json-c/json.h>

#define METADATA "/_matrix/client/v1/auth_metadata"
#define DEVICE   "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
#define SCOPE                                                                  \
    "scope=urn%3Amatrix%3Aclient%3Aapi%3A%2A%20urn%3Amatrix%3Aclient%3Adevice" \
    "%3A"

static bool
has(const struct httpd_request *from, const char *words)
{
    return strstr(buf_text(&from->body), words) != NULL;
}

/* Is a field of the form exactly that? */
static bool
has_field(const struct httpd_request *from, const char *name, const char *value)
{
    char field[160];
    struct buf body = BUF_INIT;

    buf_addf(&body, "&%s&", buf_text(&from->body));
    (void)snprintf(field, sizeof(field), "&%s=%s&", name, value);
    bool found = strstr(buf_text(&body), field) != NULL;

    buf_release(&body);
    return found;
}

static void
tell(struct httpd_request *from)
{
    struct buf text = BUF_INIT;
    const char *base = httpd_url(from->httpd);

    buf_addf(&text,
             "{\"issuer\":\"%s/\",\"token_endpoint\":\"%s/oauth2/token\","
             "\"registration_endpoint\":\"%s/oauth2/registration\","
             "\"device_authorization_endpoint\":\"%s/oauth2/device\","
             "\"grant_types_supported\":[\"authorization_code\","
             "\"refresh_token\",\"urn:ietf:params:oauth:grant-type:"
             "device_code\"]}",
             base, base, base, base);
    httpd_answer(from, 200, "", buf_text(&text));
    buf_release(&text);
}

static void
refuse_by(struct httpd_request *from, const char *error)
{
    struct buf text = BUF_INIT;

    buf_addf(&text, "{\"error\":\"%s\"}", error);
    httpd_answer(from, 400, "", buf_text(&text));
    buf_release(&text);
}

static void
register_client(struct fake_grants *grants, struct httpd_request *from)
{
    struct buf text = BUF_INIT;
    json_object *sent = json_tokener_parse(buf_text(&from->body));

    ck_assert_ptr_nonnull(json_object_object_get(sent, "client_uri"));
    json_object_put(sent);
    (void)snprintf(grants->client, sizeof(grants->client), "client-%u",
                   ++grants->clients);
    buf_addf(&text, "{\"client_id\":\"%s\"}", grants->client);
    httpd_answer(from, 201, "", buf_text(&text));
    buf_release(&text);
}

static void
give_code(struct fake_grants *grants, struct httpd_request *from)
{
    struct buf text = BUF_INIT;
    const char *base = httpd_url(from->httpd);
    const char *scope = strstr(buf_text(&from->body), SCOPE);

    ck_assert(has_field(from, "client_id", grants->client));
    ck_assert_ptr_nonnull(scope);
    scope += strlen(SCOPE);
    (void)snprintf(grants->device, sizeof(grants->device), "%.*s",
                   (int)strcspn(scope, "&%"), scope);
    ck_assert_uint_ge(strlen(grants->device), 10);
    buf_addf(&text,
             "{\"device_code\":\"code-of-%s\",\"user_code\":\"" GRANTS_CODE
             "\",\"verification_uri\":\"%s/link\","
             "\"verification_uri_complete\":\"%s/link?code=" GRANTS_CODE "\","
             "\"expires_in\":1800,\"interval\":1}",
             grants->client, base, base);
    httpd_answer(from, 200, "", buf_text(&text));
    buf_release(&text);
}

static void
give_tokens(struct fake_grants *grants, struct httpd_request *from)
{
    struct buf text = BUF_INIT;

    memcpy(grants->previous, grants->refresh, sizeof(grants->previous));
    grants->used = false;
    (void)snprintf(grants->access, sizeof(grants->access), "mat_%u",
                   ++grants->tokens);
    (void)snprintf(grants->refresh, sizeof(grants->refresh), "mar_%u",
                   grants->tokens);
    buf_addf(&text,
             "{\"access_token\":\"%s\",\"token_type\":\"Bearer\","
             "\"expires_in\":299,\"refresh_token\":\"%s\","
             "\"scope\":\"urn:matrix:client:api:* "
             "urn:matrix:client:device:%s\"}",
             grants->access, grants->refresh, grants->device);
    httpd_answer(from, 200, "", buf_text(&text));
    buf_release(&text);
}

static void
take_form(struct fake_grants *grants, struct httpd_request *from)
{
    char code[64];

    (void)snprintf(code, sizeof(code), "code-of-%s", grants->client);
    if (has_field(from, "grant_type", DEVICE)) {
        ck_assert(has_field(from, "client_id", grants->client));
        ck_assert(has_field(from, "device_code", code));
        if (!grants->allowed) {
            refuse_by(from, "authorization_pending");
            return;
        }
        grants->allowed = false;
        grants->ended = false;
        give_tokens(grants, from);
        return;
    }
    ck_assert(has_field(from, "grant_type", "refresh_token"));
    bool newest = has_field(from, "refresh_token", grants->refresh);
    bool before = !grants->used && grants->previous[0] != '\0' &&
                  has_field(from, "refresh_token", grants->previous);

    grants->ended = grants->ended || !(newest || before);
    if (grants->ended || !has(from, grants->client)) {
        refuse_by(from, "invalid_grant");
        return;
    }
    grants->renewals++;
    give_tokens(grants, from);
}

bool
fake_grants_serve(struct fake_grants *grants, struct httpd_request *from)
{
    const char *path = buf_text(&from->target);
    static const struct {
        const char *path;
        void (*answer)(struct fake_grants *, struct httpd_request *);
    } endpoints[] = {{"/oauth2/registration", register_client},
                     {"/oauth2/device", give_code},
                     {"/oauth2/token", take_form}};

    if (strcmp(path, METADATA) == 0) {
        tell(from);
        return true;
    }
    for (size_t i = 0; i < sizeof(endpoints) / sizeof(endpoints[0]); i++) {
        if (strcmp(path, endpoints[i].path) == 0) {
            ck_assert_str_eq(from->method, "POST");
            endpoints[i].answer(grants, from);
            return true;
        }
    }
    return false;
}

bool
fake_grants_know(struct fake_grants *grants, const char *token)
{
    bool known = grants->access[0] != '\0' && !grants->ended &&
                 strcmp(token, grants->access) == 0;

    grants->used = grants->used || known;
    return known;
}

void
fake_grants_expire(struct fake_grants *grants)
{
    grants->access[0] = '\0';
}
