// sweep_plan.hpp - the cells of a sweep, and which of them begin with the planes of another.
//
// A cell is one training run: a point of the grid with one fold held out. Cells that differ in
// solver.C alone make a chain: they run one after the other, C ascending, and each begins with the
// planes of the one before. Chains have nothing to do with each other and may run side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/plan/grid.hpp"

namespace sculpt::core {

// What every cell holds out: folds one by one, a part, or what the experiment says itself.
struct HoldOutOptions {
  std::int64_t folds = 0;  // 0: no folds
  double fraction = 0;     // 0: no part either
  std::int64_t seed = 0;
  std::string groups;  // a path against the working directory, or ""

  bool is_set() const { return folds > 0 || fraction > 0; }
  std::int64_t count() const { return folds > 0 ? folds : 1; }
  // "hold_out={...}", which holds out the fold with this number. Requires is_set().
  std::string set(std::int64_t fold) const;
  // The options that say so: "--folds 5 --seed 2"; "" for none.
  std::string text() const;
};

struct Cell {
  std::string name;  // of its run folder, "012.fold3"
  std::size_t point = 0;
  std::int64_t fold = 0;          // 0 where there are no folds
  std::vector<std::string> sets;  // "KEY=VALUE"
  bool begins_cold = true;        // takes no planes from the cell before it in its chain
};

struct Plan {
  std::vector<Cell> cells;                       // point by point, fold by fold
  std::vector<std::vector<std::size_t>> chains;  // of cells, in the order they run
};

// What is known of a point: the value of C that its cells have, and whether its solver can begin
// with planes.
struct PointTraits {
  double C = 0;
  bool takes_planes = false;
};

// What the names of the cells of the point with this number begin with: "012".
std::string point_name(std::size_t number);

// `traits`: [points]. `names`: [points], what the names of their cells begin with; empty:
// point_name().
Plan plan_of(const Grid& grid, const HoldOutOptions& hold_out_options,
             const std::vector<PointTraits>& traits, const std::vector<std::string>& names = {});

}  // namespace sculpt::core
