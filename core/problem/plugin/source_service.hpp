// source_service.hpp - the service "source" of the host (sculpt/ext/draft/host_source.h).
//
// Found by services.cpp. Component asks for the advice.
#pragma once

#include <sculpt/ext/draft/host_source.h>

#include <string>

namespace sculpt::core {

// Opens sources with the `cancelled` of the component's services.
const sculpt_host_source& source_service();

// Returns the advice of the last failure of this thread that had the status SCULPT_E_MEMORY, such
// as too many open files, and forgets it. "": none. An error of the C interface has no room for it.
std::string take_memory_advice();

}  // namespace sculpt::core
