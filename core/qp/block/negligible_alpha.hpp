// negligible_alpha.hpp - the alpha that the QP treats as rounding.
//
// Used by every step that ends with alpha near 0, and by verify. Such steps may move w far if
// planes are long.
#pragma once

namespace sculpt::core {

// An alpha below this fraction of the block's sum of alpha is rounding. It is set to 0, or moves to
// another plane. The sum does not include plane 0: long planes may have 1e-16 of a cap, and all of
// D.
constexpr double negligible_alpha = 1e-14;

}  // namespace sculpt::core
