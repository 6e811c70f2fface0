#include "bot/base/version.h"

#ifndef PLACARD_VERSION
#    define PLACARD_VERSION "0.9.0"
#endif
#ifndef PLACARD_URL
#    define PLACARD_URL "https://placard.invalid"
#endif

const char placard_version[] = PLACARD_VERSION;
const char placard_url[] = PLACARD_URL;
