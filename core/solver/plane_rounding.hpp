// plane_rounding.hpp - planes that are kept, once more from their entries, with what rounding may
// make of b - <w, a>.
//
// Asked for where a kept plane contradicts an answer, and by verify: it costs more than the
// product.
#pragma once

#include "linalg/rounding.hpp"
#include "linalg/vector.hpp"
#include "qp/plane_vector.hpp"
#include "qp/working_set.hpp"
#include "solver/certificate.hpp"

namespace sculpt::core {

// By how much rounding may move b - <w, a>. `zeros`: [dimension] zeros, before and after.
double rounding_of(const PlaneVector& a, double b, const Vector& w, Vector& zeros);

// Takes the plane into `seen`.
void look_again(const PlaneVector& a, double b, const Vector& w, Vector& zeros, SeenAgain& seen);

// At all planes of a block.
SeenAgain look_again(const Block& block, const Vector& w);

}  // namespace sculpt::core
