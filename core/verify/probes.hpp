// probes.hpp - further w at which planes are compared with new answers.
//
// Called by Verification. A plane that belongs to no output may pass at one w. It is found most
// easily if w has a large product with -a. Two kinds of probes alternate. They are coefficients v,
// which are the same as w without an InnerProduct:
//
//   random planes    v = sum u alpha a,  each u is 0 or 2: half of the planes are missing from v
//   random weights   v_j times a normal random number
#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "linalg/vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// The probe with this number, 0, 1, ... [dimension]. `v`: the basis of random weights. Weights are
// at least 0 where `nonnegative` is 1.
Vector random_probe(std::int64_t number, const WorkingSet& planes, const Vector& v,
                    std::span<const std::uint8_t> nonnegative, Random& random);

}  // namespace sculpt::core
