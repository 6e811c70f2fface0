#include "adapters/service.h"

const struct service_kind service_board = {
    .adapter = &adapter_board,
    .label = "Here, without a network: to try it out",
    .guide = "adapters/board/GUIDE.md",
    .embedded = true,
    .base = "board:",
};
