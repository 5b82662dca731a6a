// storage_service.hpp - the service "storage" of the host (sculpt/ext/draft/host_storage.h).
//
// Found by services.cpp.
#pragma once

#include <sculpt/ext/draft/host_storage.h>

namespace sculpt::core {

// Takes memory from the storage of the component's services, if they have one.
const sculpt_host_storage& storage_service();

}  // namespace sculpt::core
