// sweep_plan.hpp - the cells of a sweep, and which of them start with the planes of another cell.
//
// A cell is one training run: a point of the grid with one fold held out. Cells that differ in
// solver.C only are a chain. They run one after the other with C ascending, and each starts with
// the planes of the previous one. Chains are independent and may run at the same time.
//
// Called by the command sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweep/plan/grid.hpp"

namespace sculpt::core {

// What every cell holds out: one fold each, a fraction, or what the experiment says.
struct HoldOutOptions {
  std::int64_t folds = 0;  // 0: no folds
  double fraction = 0;     // 0: no fraction
  std::int64_t seed = 0;
  std::string groups;  // a path relative to the working directory, or ""

  bool is_set() const { return folds > 0 || fraction > 0; }
  std::int64_t cells_per_point() const { return folds > 0 ? folds : 1; }
  // "hold_out={...}", which holds out this fold. Requires is_set().
  std::string setting(std::int64_t fold) const;
  // The options as text: "--folds 5 --seed 2"; "" for none.
  std::string text() const;
};

struct Cell {
  std::string name;  // of its run folder, "012.fold3"
  std::size_t point = 0;
  std::int64_t fold = 0;              // 0 if there are no folds
  std::vector<std::string> settings;  // "KEY=VALUE"
  bool is_cold_start = true;  // does not start with planes of the previous cell in its chain
};

// The cells of a sweep, and the order in which they run.
struct SweepPlan {
  std::vector<Cell> cells;                       // point by point, fold by fold
  std::vector<std::vector<std::size_t>> chains;  // of cells, in running order

  // The cell whose planes this one starts with: the previous one in its chain. Nothing: it starts
  // without planes.
  std::optional<std::size_t> previous(std::size_t cell) const;
  // The cell with this name; nothing if there is none.
  std::optional<std::size_t> find(const std::string& name) const;
};

// Facts about a point: the value of C of its cells, and whether its solver can start with planes.
struct PointTraits {
  double C = 0;
  bool can_start_with_planes = false;
};

// The first part of the names of the cells of this point: "012".
std::string point_name(std::size_t number);

// `traits`: [points]. `names`: [points], the first part of the names of their cells; empty:
// point_name().
SweepPlan plan_of(const Grid& grid, const HoldOutOptions& hold_out_options,
                  const std::vector<PointTraits>& traits,
                  const std::vector<std::string>& names = {});

}  // namespace sculpt::core
