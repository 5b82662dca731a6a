// plane_memory.hpp - estimates of the bytes that parts of a run will need, before its first pass.
//
// Called by the solvers' expected_bytes() and min_bytes(). The sizes of objects are exact. The
// number of planes is a guess from the runs of tests/bench/README.md. A run needs more if its data
// is harder, C larger or the target nearer.
#pragma once

#include <cstdint>

#include "objective/formulation.hpp"
#include "solver/options.hpp"
#include "solver/problem_shape.hpp"

namespace sculpt::core {

// Planes of an example if y is one label that is easy to predict.
constexpr double fewest_planes = 3;

// The factor for the number of planes at another drop_after: half the planes at a quarter of the
// passes. 0 drops none, factor 2.
double share_kept(std::int64_t drop_after, std::int64_t by_default);

double columns_of(const ProblemShape& shape);
// Bytes of a vector that is stored without its zeros.
double sparse_bytes(const ProblemShape& shape);

bool has_few_columns(const ProblemShape& shape);
bool differ_in_size(const ProblemShape& shape);
// True if Newton steps may be used in the QP, whatever they cost. This needs columns that differ in
// size.
bool may_take_newton_steps(const ProblemShape& shape);

// Bytes of w and scratch, of beta under bounds, of the best w, and of the place if it is not w.
// `place_differs`: Newton steps or a mean set the place, in every formulation.
double bytes_of_vectors(const ProblemShape& shape, const Formulation& formulation,
                        bool place_differs);

// The part that is written to from the beginning: w and scratch, and beta under bounds.
double min_bytes_of_vectors(const ProblemShape& shape);

// Planes of an example, if none are dropped early.
double planes_of_example(const ProblemShape& shape);

// Bytes of an example with this many planes, without plane 0.
double bytes_of_block(const ProblemShape& shape, double planes);

// Bytes of a plane in the cache. It may come from any pass, and in early ones more labels are
// wrong.
double bytes_of_cached_plane(const ProblemShape& shape);

double entries_of_plane(const ProblemShape& shape);
// Bytes of Newton steps for this many planes with this many entries each. The first steps read all
// of them. The sum is: the matrix, the planes as rows of doubles with indices, and vectors with a
// number for each plane. The rank updates that are summed at a time come on top. Sparse updates lie
// in vectors that have doubled their capacity.
double bytes_of_newton(const ProblemShape& shape, double planes, double entries_of_each);

double bytes_of_answers(const ProblemShape& shape, std::int64_t held);
// The number of examples in a batch. A batch of 0 is all examples.
std::int64_t batch_of(const ProblemShape& shape, std::int64_t batch);

// `bytes` within the limit on planes. What a pass adds comes on top of that limit.
double within_limit(double bytes, const SolverOptions& options, double bytes_of_pass);

// For a solver that keeps no planes: two vectors for the running sum, one for its mean and one for
// the w that is evaluated.
double expected_bytes_of_online(const ProblemShape& shape, const OnlineOptions& options);
double min_bytes_of_online(const ProblemShape& shape);  // the running sum

}  // namespace sculpt::core
