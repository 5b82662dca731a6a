// sum_service.hpp - the service "sum" of the host (sculpt/ext/draft/host_sum.h).
//
// Found by services.cpp.
#pragma once

#include <sculpt/ext/draft/host_sum.h>

namespace sculpt::core {

const sculpt_host_sum& sum_service();

}  // namespace sculpt::core
