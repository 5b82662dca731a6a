// best_point.hpp - chooses the best point of a sweep.
//
// Called by the command sweep for --best METRIC, and by train for --tune.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sweep/plan/criterion.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"
#include "sweep/results/sweep_row.hpp"

namespace sculpt::core {

// True if there is a point without failed cells.
bool has_complete_point(const std::vector<SweepRow>& rows);

// The point with the best mean on held-out data, among the points without failed cells. Of several
// equal ones, that with the smallest C, then the first. `traits`: [points]. Requires
// has_complete_point(). Throws Failure(Exit::usage) with the known metrics if no point has this
// metric.
std::size_t best_point(const Criterion& criterion, const std::vector<SweepRow>& rows,
                       const std::vector<PointTraits>& traits);

// Warnings about cells that missed their target. If they belong to the chosen point, its metrics
// are those of unfinished models. If they belong to other points, those may turn out better. One
// sentence for each entry; empty if all cells reached the target.
std::vector<std::string> missed_targets(const std::vector<SweepRow>& rows, std::size_t chosen);

// A key whose value at the best point is its smallest or largest: the best value may be outside the
// grid.
struct GridEdge {
  std::string key;            // "solver.C"
  std::string value;          // of the best point
  bool is_largest = false;    // else the smallest
  std::string further_value;  // the next one in steps of the same factor; "" if there is no factor

  std::string text() const;  // "solver.C=100 is the largest tried"
};

// The edges of the keys with three or more numbers. A value is no edge if its neighbour inside the
// grid is as good by the criterion. `rows`: [points].
std::vector<GridEdge> grid_edges(const Criterion& criterion, const Grid& grid,
                                 const std::vector<SweepRow>& rows, std::size_t point);

}  // namespace sculpt::core
