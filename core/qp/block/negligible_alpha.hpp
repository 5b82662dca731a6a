// negligible_alpha.hpp - what the QP takes to be rounding of alpha.
//
// Read by every step that ends with alpha near 0, and by verify, as such steps may move w far where
// planes are long.
#pragma once

namespace sculpt::core {

// An alpha below this part of the block's mass is rounding: it is set to 0, or moves on to another
// plane. Of the mass without plane 0: long planes may carry 1e-16 of a cap, and all of D.
constexpr double negligible_alpha = 1e-14;

}  // namespace sculpt::core
