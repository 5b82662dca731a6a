// plane_memory.hpp - the bytes that parts of a run will come to, before its first pass.
//
// Called by the solvers' expected_bytes() and least_bytes(). Sizes are those of the code; how many
// planes a run keeps is a guess from the runs of tests/bench/README.md: where the data is harder, C
// larger or the target nearer than there, it needs more.
#pragma once

#include <cstdint>

#include "objective/formulation.hpp"
#include "solver/options.hpp"
#include "solver/problem_shape.hpp"

namespace sculpt::core {

// Planes of an example where y is one label that is easily told.
constexpr double fewest_planes = 3;

// Where planes that lie idle are dropped sooner than by default there are fewer: half after a
// quarter of the passes. 0 keeps all.
double share_kept(std::int64_t drop_after, std::int64_t by_default);

double columns_of(const ProblemShape& shape);
// Of a vector without its zeros, where these are many.
double sparse_bytes(const ProblemShape& shape);

bool has_few_columns(const ProblemShape& shape);
bool differ_in_size(const ProblemShape& shape);
// Whether Newton steps may take over in the QP, whatever they cost: columns differ in size.
bool may_take_newton_steps(const ProblemShape& shape);

// w and scratch; beta under bounds; the best w, and the place where it is not w.
// `place_differs`: Newton steps or a mean say where, whatever the formulation.
double bytes_of_vectors(const ProblemShape& shape, const Formulation& formulation,
                        bool place_differs);

// Those of them that are written to from the beginning on: w and scratch, and beta under bounds.
double least_bytes_of_vectors(const ProblemShape& shape);

// Planes of an example, if none are dropped early.
double planes_of_example(const ProblemShape& shape);

// Of an example with so many planes beside plane 0.
double bytes_of_block(const ProblemShape& shape, double planes);

// Those that are cached come from all passes: in early ones more labels are wrong.
double bytes_of_cached_plane(const ProblemShape& shape);

double entries_of_plane(const ProblemShape& shape);
// What Newton steps need beside so many planes with so many entries each, of which the first steps
// read all: the matrix, the planes as rows of doubles with their indices, vectors of a number for
// each plane, and the squares that are summed at a time: sparse ones in vectors that have doubled,
// and some dense ones.
double bytes_of_newton(const ProblemShape& shape, double planes, double entries_of_each);

double bytes_of_answers(const ProblemShape& shape, std::int64_t held);
// Where a batch of 0 is all examples.
std::int64_t batch_of(const ProblemShape& shape, std::int64_t batch);

// What a pass adds comes on top of what planes may take behind a QP.
double within_limit(double bytes, const SolverOptions& options, double bytes_of_pass);

// Of a solver that keeps no planes: the running sum is two vectors, its mean and the w that is
// judged one each.
double expected_bytes_of_online(const ProblemShape& shape, const OnlineOptions& options);
double least_bytes_of_online(const ProblemShape& shape);  // the running sum

}  // namespace sculpt::core
