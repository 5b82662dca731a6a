// source_service.hpp - the service "source" of the host (sculpt/ext/draft/host_source.h).
//
// Found by services.cpp.
#pragma once

#include <sculpt/ext/draft/host_source.h>

namespace sculpt::core {

// Opens sources with the `cancelled` of the component's services.
const sculpt_host_source& source_service();

}  // namespace sculpt::core
