// sweep_row.hpp - what the cells of one point of a sweep say together.
//
// Made by SweepTable. Over the K folds of a point, figures are means, with the standard error
// s / sqrt(K), s being the standard deviation with K - 1. Without folds the loss alone has one,
// over the examples.
#pragma once

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

// The figures of a split.
using Measurements = std::vector<Measurement>;

// What a split has come to, predicted with the oracle of the training or with another one.
struct SplitFigures {
  Measurements own;
  std::vector<std::pair<std::string, Measurements>> by;  // [oracles of predict_with], by their text
};

struct SweepRow {
  std::vector<std::size_t> cells;
  std::vector<std::size_t> failed;         // of them; if there are any, there are no figures
  std::optional<Estimate> seconds_to_gap;  // nothing: a cell never got there
  Estimate passes;
  Estimate oracle_calls;
  std::optional<Estimate> primal;  // nothing: of a cell only a lower bound is known
  Estimate primal_low;
  double relative_gap = 0;  // the largest; infinite when one has none
  std::size_t certified = 0;
  // Cells whose solver proves a gap, and those of them that have not reached their target.
  std::size_t targets = 0;
  std::size_t missed = 0;
  // The largest of the true relative gap by an audit; nothing: there was none.
  std::optional<double> true_gap;
  // How that is to be read: "exactly", "at least", "at most"; "unclear": the audits differ in it.
  std::string true_gap_known = "exactly";
  std::string stopped_by;  // "relative_gap", or "2 relative_gap, 1 max_passes"
  SplitFigures validation;
  SplitFigures test;
};

// [points] of `count` points. `records`: [cells].
std::vector<SweepRow> rows_of(std::size_t count, const Plan& plan,
                              const std::vector<CellRecord>& records);

// The figure with that name; nullptr: there is none.
const Measurement* find(const Measurements& figures, const std::string& name);
// The same by another oracle; nullptr: nothing was predicted with it either.
const Measurement* find(const SplitFigures& split, const std::string& oracle,
                        const std::string& name);

// The names of the figures of a split, &SweepRow::validation, by the oracles of the training: of
// all rows, in the order they come up.
std::vector<std::string> names_in(const std::vector<SweepRow>& rows, SplitFigures SweepRow::*split);
// The other oracles, likewise.
std::vector<std::string> oracles_in(const std::vector<SweepRow>& rows,
                                    SplitFigures SweepRow::*split);

}  // namespace sculpt::core
