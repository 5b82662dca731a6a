// best_point.hpp - which point of a sweep is the best.
//
// Called by the command sweep for --best METRIC.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep/plan/criterion.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"
#include "sweep/results/sweep_row.hpp"

namespace sculpt::core {

// Whether there is a point of which no cell failed.
bool has_complete_point(const std::vector<SweepRow>& rows);

// By the mean on held-out data, among the points of which no cell failed; of equal ones that with
// the smaller C, then the first. `traits`: [points]. Requires has_complete_point(). Throws
// Failure(Exit::usage) when no point has such a metric, naming those there are.
std::size_t best_point(const Criterion& criterion, const std::vector<SweepRow>& rows,
                       const std::vector<PointTraits>& traits);

// That cells of the chosen point have missed their target, so that its figures are those of
// unfinished models, or that those of other points have, which may turn out better. Lines of a
// sentence each; none: all have reached it.
std::vector<std::string> missed_targets(const std::vector<SweepRow>& rows, std::size_t chosen);

// Of the keys of the point that have three numbers or more as values those that have the least or
// the largest there: "solver.C=100 is the largest tried". What is best may lie beyond.
std::vector<std::string> boundary_warnings(const Grid& grid, std::size_t point);

}  // namespace sculpt::core
