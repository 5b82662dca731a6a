// moment_symmetry.hpp - random vectors near the w of a model, and whether A is symmetric there.
//
// Called by MomentVerification and ConstrainedMomentVerification, to find an oracle whose Cov[psi]
// is not symmetric. Vectors are [dimension].
#pragma once

#include <cstdint>
#include <string>

#include "linalg/vector.hpp"

namespace sculpt::core {

// The vector number `number`: w, and in every entry a normal number of the mean size of w.
Vector random_vector_near(const Vector& w, std::int64_t number, std::uint64_t seed);

// Compares <u, A w> with <w, A u>. Returns what is wrong, or "". `name` is that of u.
std::string asymmetry_of(const Vector& w, const Vector& product_of_w, const Vector& u,
                         const Vector& product_of_u, const std::string& name);

}  // namespace sculpt::core
