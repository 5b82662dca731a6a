// separation_stream.hpp - answers of the oracle as bytes, for the other ranks.
//
// Called by ProblemPlanes. Sender and receiver are the same host on machines of one kind.
#pragma once

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "objective/plane.hpp"

namespace sculpt::core {

void save(const SparseVector& vector, StateWriter& out);
void load(StateReader& in, SparseVector& vector);

void save(const Separation& answer, StateWriter& out);
void load(StateReader& in, Separation& answer);

}  // namespace sculpt::core
