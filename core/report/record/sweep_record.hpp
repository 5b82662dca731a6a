// sweep_record.hpp - what the folder of a sweep tells, whether it has ended or not.
//
// plan.json names the points; each cell is a run folder of its own. The table sweep.json is not
// needed: it exists only after the end. Called by the command report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/record/run_record.hpp"

namespace sculpt::core {

// A run of a sweep: one fold of a point.
struct SweepCell {
  std::string name;  // "003.fold1"
  std::int64_t fold = 0;
  nlohmann::ordered_json finished;  // the event; null: not trained, or failed
};

struct SweepPoint {
  std::vector<std::string> values;  // [keys]
  std::vector<SweepCell> cells;     // by fold
};

struct SweepRecord {
  std::filesystem::path folder;
  std::string name;
  std::vector<std::string> keys;  // "solver.C"
  std::vector<SweepPoint> points;
  bool has_folds = false;
  std::vector<std::string> faults;
};

// A metric over the folds of a point.
struct SweepValue {
  double mean = unknown;
  double standard_error = unknown;  // NaN for fewer than two folds
  std::vector<double> folds;
};

bool is_sweep_folder(const std::filesystem::path& folder);

// Throws Failure(Exit::data) if plan.json is damaged, Exit::missing if it cannot be opened.
SweepRecord read_sweep_record(const std::filesystem::path& folder);

// The values of a metric of a split, such as "validation" and "loss"; split "": of the event
// itself.
SweepValue sweep_value(const SweepPoint& point, const std::string& split,
                       const std::string& metric);

}  // namespace sculpt::core
