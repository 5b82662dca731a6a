// sweep_row.hpp - the results of all cells of one point of a sweep.
//
// Made by SweepTable. Over the K folds of a point, values are means. Their standard error is s /
// sqrt(K), where s is the standard deviation with K - 1. Without folds only the loss has a standard
// error, over the examples.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sweep/plan/sweep_plan.hpp"
#include "sweep/runs/cell_record.hpp"

namespace sculpt::core {

struct Estimate {
  double mean = 0;
  std::optional<double> standard_error;
};

struct Measurement {
  std::string name;  // "loss"
  Estimate value;
};

// The metrics of a split.
using Measurements = std::vector<Measurement>;

// The metrics of a split, predicted with the oracle of the training and with others.
struct SplitMeasurements {
  Measurements by_training_oracle;
  // [oracles of predict_with] The text of the oracle, and what was measured with it.
  std::vector<std::pair<std::string, Measurements>> by_other_oracle;
};

struct SweepRow {
  std::vector<std::size_t> cells;
  std::vector<std::size_t> failed_cells;   // without a model; if there are any, no metrics
  std::size_t missing_count = 0;           // of failed_cells: those that have not ended
  std::optional<Estimate> seconds_to_gap;  // nothing: some cell never reached it
  Estimate passes;
  Estimate oracle_calls;
  std::optional<Estimate> primal;  // nothing: some cell has only a lower bound
  Estimate primal_low;
  bool primal_is_approximate = false;  // `primal` is no bound, as with an approximate log Z
  std::string minimizes;  // the kind of the objective of `primal`: "hinge"; or "nothing"
  std::optional<Estimate> hinge_primal;  // of solvers that minimize something else and report it
  double relative_gap = 0;               // the largest; infinite if a cell has none
  std::size_t certified_count = 0;       // cells with a proved gap, also if above the target
  // The number of cells with a solver that proves a gap, and how many of them missed their target.
  std::size_t target_count = 0;
  std::size_t missed_count = 0;
  // The largest true relative gap of the audits. Nothing: there was no audit.
  std::optional<double> true_gap;
  // How to read it: "exactly", "at least", "at most"; "unclear": the audits differ in it.
  std::string true_gap_kind = "exactly";
  std::string stopped_by;                     // "relative_gap", or "2 relative_gap, 1 max_passes"
  std::map<std::string, std::string> better;  // metric: "higher" or "lower", as its cells say
  SplitMeasurements validation;
  SplitMeasurements test;
};

// [points] with `count` points. `records`: [cells].
std::vector<SweepRow> rows_of(std::size_t count, const SweepPlan& plan,
                              const std::vector<CellRecord>& records);

// The metric with that name; nullptr if there is none.
const Measurement* find_measurement(const Measurements& measurements, const std::string& name);
// The same for another oracle; nullptr also if nothing was predicted with it.
const Measurement* find_measurement(const SplitMeasurements& split, const std::string& oracle,
                                    const std::string& name);

// The names of the metrics of a split, such as &SweepRow::validation, by the oracles of the
// training. Of all rows, in order of appearance.
std::vector<std::string> metric_names_in(const std::vector<SweepRow>& rows,
                                         SplitMeasurements SweepRow::*split);
// The other oracles, in the same order.
std::vector<std::string> other_oracles_in(const std::vector<SweepRow>& rows,
                                          SplitMeasurements SweepRow::*split);

}  // namespace sculpt::core
