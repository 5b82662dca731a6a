// infinity.hpp - the infinite double, for values without a bound and for unknown values.
//
// Used everywhere in core/.
#pragma once

#include <limits>

namespace sculpt::core {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace sculpt::core
