// sweep_table.hpp - the results of a sweep: one row for each point of the grid.
//
// Made by the command sweep, for people (Markdown, CSV) and programs (JSON).
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"
#include "sweep/results/sweep_row.hpp"
#include "sweep/runs/cell_record.hpp"

namespace sculpt::core {

// A column for Markdown and CSV: its heading, and the text of a row.
struct SweepColumn {
  std::string heading;
  std::function<std::string(const SweepRow&)> text;
};

class SweepTable {
 public:
  // `records`: [cells], complete. All arguments outlive the table.
  SweepTable(const Grid& grid, const SweepPlan& plan, const std::vector<CellRecord>& records);

  const std::vector<SweepRow>& rows() const { return rows_; }

  // [{"settings", means, "validation", "test", "failed", "cells"}]
  nlohmann::ordered_json json() const;
  std::string csv() const;
  std::string markdown() const;

 private:
  std::string markdown_rows(const std::vector<SweepColumn>& columns) const;

  const Grid& grid_;
  const SweepPlan& plan_;
  const std::vector<CellRecord>& records_;
  std::vector<SweepRow> rows_;
};

}  // namespace sculpt::core
