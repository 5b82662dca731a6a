// plane_memory.hpp - estimates of the bytes that parts of a run will need, before its first pass.
//
// Called by the solvers' expected_bytes() and min_bytes(). The sizes of objects are exact. The
// number of planes is an estimate from the runs of tests/bench/README.md. A run needs more if its
// data is harder, C larger or the target nearer.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/formulation.hpp"
#include "solver/memory_part.hpp"
#include "solver/options.hpp"
#include "solver/problem_statistics.hpp"

namespace sculpt::core {

// Planes of an example if y is one label that is easy to predict.
constexpr double min_planes_of_example = 3;

// The factor for the number of planes if drop_after is not its default:
//
//   clamp(sqrt(drop_after / default_drop_after), 0.25, 2),   2 for drop_after = 0, which drops none
double kept_planes_factor(std::int64_t drop_after, std::int64_t default_drop_after);

// The columns that planes may touch; all weights if that is not known.
double columns_of(const ProblemStatistics& statistics);
// Bytes of a vector that is stored without its zeros.
double sparse_bytes(const ProblemStatistics& statistics);

bool has_few_columns(const ProblemStatistics& statistics);
// True if the largest column is so much larger than the smallest that ascent is slow.
bool columns_differ_in_size(const ProblemStatistics& statistics);
// True if Newton steps may be used in the QP, whatever they cost. This needs columns that differ in
// size.
bool may_use_newton_steps(const ProblemStatistics& statistics);

// Bytes of w and scratch, of beta under bounds, of the best w, and of the query point if it is not
// w. `query_point_is_not_w`: Newton steps or a mean set the query point. Otherwise the formulation
// decides: it is s w under hard margin and norm 2.
double bytes_of_vectors(const ProblemStatistics& statistics, const Formulation& formulation,
                        bool query_point_is_not_w);

// The part that is written to from the beginning: w and scratch, and beta under bounds.
double min_bytes_of_vectors(const ProblemStatistics& statistics);

// Planes of an example, if none are dropped early.
double planes_of_example(const ProblemStatistics& statistics);

// Bytes of an example with this many planes, without plane 0.
double bytes_of_block(const ProblemStatistics& statistics, double planes);

// Bytes of a plane in the cache. It may come from any pass, and in early ones more labels are
// wrong.
double bytes_of_cached_plane(const ProblemStatistics& statistics);

// Entries of a plane that are not 0.
double entries_of_plane(const ProblemStatistics& statistics);
// Bytes of Newton steps for this many planes with this many entries each. The first steps read all
// of them. The sum is: the matrix, the planes as rows of doubles with indices, and vectors with a
// number for each plane. The rank updates that are summed at a time come on top. Sparse updates lie
// in vectors that have doubled their capacity.
double bytes_of_newton(const ProblemStatistics& statistics, double planes, double entries_of_each);

// Bytes of the rows of a kernel in memory, of its values between the atoms of each example, and of
// the vectors v and w = M v. 0 without a kernel.
double bytes_of_kernel(const ProblemStatistics& statistics, double kernel_megabytes);

// Bytes of this many answers of the oracle, but of at most one for each example.
double bytes_of_answers(const ProblemStatistics& statistics, std::int64_t answer_count);
// The number of examples in a batch. A batch of 0 is all examples.
std::int64_t batch_of(const ProblemStatistics& statistics, std::int64_t batch);

// Returns this number of planes, but no more than there are passes: a pass adds one to a block.
double planes_in_passes(double planes, const StopOptions& stop);
// True if an answer may add several planes (NSlack).
bool adds_several_planes(const ProblemStatistics& statistics);
// The parts of a working set with a block for each example, and this many planes in each.
std::vector<MemoryPart> parts_of_blocks(const ProblemStatistics& statistics,
                                        const SolverOptions& options, double planes);

// Returns `bytes`, but at most max_planes_megabytes. What a pass adds comes on top of that limit.
double bytes_within_plane_limit(double bytes, const SolverOptions& options, double bytes_of_pass);

// For a solver that keeps no planes: two vectors for the running sum, one for its mean and one for
// the w that is evaluated.
double expected_bytes_of_online(const ProblemStatistics& statistics, const OnlineOptions& options);
double min_bytes_of_online(const ProblemStatistics& statistics);  // the running sum

}  // namespace sculpt::core
