/* In a file of its own, so that a test program can have other services. */
#include "adapters/service.h"

const struct service_kind *const service_kinds[] = {
#define SERVICE(name) &service_##name,
#include "adapters/service_list.h"
    NULL};
