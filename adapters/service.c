#include "adapters/service.h"

#include <string.h>

#include "adapters/adapter.h"

struct measure
capabilities_measure(const struct capabilities *capabilities, bool dm)
{
    bool other = dm && capabilities->longest_private != 0;

    return (struct measure){
        .unit = capabilities->unit,
        .longest =
            other ? capabilities->longest_private : capabilities->longest,
        .mentions = capabilities->mentions,
    };
}

bool
capabilities_require_red(const struct capabilities *capabilities,
                         const char *red)
{
    return capabilities->red && (*red == '\0' || strcmp(red, "required") == 0);
}

const struct service_kind *
service_find(const char *name)
{
    for (size_t i = 0; service_kinds[i] != NULL; i++) {
        if (strcmp(service_kinds[i]->adapter->name, name) == 0) {
            return service_kinds[i];
        }
    }
    return NULL;
}

const struct adapter *
adapter_find(const char *name)
{
    const struct service_kind *kind = service_find(name);

    return kind == NULL ? NULL : kind->adapter;
}
