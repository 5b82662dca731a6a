// infinity.hpp - the double above all others: values that are not bounded, or not known.
#pragma once

#include <limits>

namespace sculpt::core {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace sculpt::core
