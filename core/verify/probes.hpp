// probes.hpp - weights at which planes are held against fresh answers, beside those of the run.
//
// Called by Verification. A plane that is no output's may pass at one w; it shows most where w lies
// to the side that its a points away from. Two ways take turns:
//
//   planes drawn anew    w = sum u alpha a,  each u 0 or 2: half of the planes are missing from w
//   weights drawn anew   w_j times a normal number
#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "linalg/vector.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// The probe of that number, 0, 1, ...; `w` is what weights are drawn from. [dimension], at least 0
// where `nonnegative` is 1.
Vector random_probe(std::int64_t number, const WorkingSet& planes, const Vector& w,
                    std::span<const std::uint8_t> nonnegative, Random& random);

}  // namespace sculpt::core
