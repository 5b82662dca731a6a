#include "sweep/results/sweep_table.hpp"

#include <nlohmann/json.hpp>

#include "launch/run_events.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(const Estimate& estimate) {
  Json json = {{"mean", number_json(estimate.mean)}};
  if (estimate.standard_error) json["standard_error"] = number_json(*estimate.standard_error);
  return json;
}

Json measurements_json(const Measurements& measurements) {
  Json json = Json::object();
  for (const Measurement& measurement : measurements) {
    json[measurement.name] = estimate_json(measurement.value);
  }
  return json;
}

void add_predicted_with(const SweepRow& row, Json& json) {
  for (const auto& [oracle, measurements] : row.validation.by_other_oracle) {
    json["predict_with"][oracle]["validation"] = measurements_json(measurements);
  }
  for (const auto& [oracle, measurements] : row.test.by_other_oracle) {
    json["predict_with"][oracle]["test"] = measurements_json(measurements);
  }
}

Json cell_json(const Cell& cell, const CellRecord& record) {
  Json json = {{"name", cell.name}, {"fold", cell.fold}};
  if (record.has_ended) json["exit"] = record.exit_code;
  if (!record.has_model()) {
    json["reason"] = record.reason;
    return json;
  }
  if (record.seconds_to_gap) json["seconds_to_gap"] = *record.seconds_to_gap;
  for (const auto& [key, value] : record.finished.items()) {
    const bool is_of_run =
        key == "event" || key == "checkpoint_written" || key == "all_measured" || key == "division";
    if (!is_of_run) json[key] = value;
  }
  return json;
}

}  // namespace

SweepTable::SweepTable(const Grid& grid, const SweepPlan& plan,
                       const std::vector<CellRecord>& records)
    : grid_(grid), plan_(plan), records_(records), rows_(rows_of(grid.size(), plan, records)) {}

Json SweepTable::json() const {
  Json list = Json::array();
  for (std::size_t point = 0; point < rows_.size(); ++point) {
    const SweepRow& row = rows_[point];
    Json json = {{"settings", grid_.settings(point)}};
    if (row.failed_cells.empty()) {
      json["seconds_to_gap"] = row.seconds_to_gap ? estimate_json(*row.seconds_to_gap) : Json();
      json["passes"] = estimate_json(row.passes);
      json["oracle_calls"] = estimate_json(row.oracle_calls);
      json["primal"] = row.primal ? estimate_json(*row.primal) : Json();
      json["primal_low"] = estimate_json(row.primal_low);
      if (!row.minimizes.empty()) json["minimizes"] = row.minimizes;
      if (row.hinge_primal) json["hinge_primal"] = estimate_json(*row.hinge_primal);
      json["relative_gap"] = number_json(row.relative_gap);
      json["certified"] = row.certified_count;
      json["target_missed"] = row.missed_count;
      if (row.true_gap) {
        json["true_relative_gap"] = number_json(*row.true_gap);
        json["true_relative_gap_known"] = row.true_gap_kind;
      }
      json["validation"] = measurements_json(row.validation.by_training_oracle);
      json["test"] = measurements_json(row.test.by_training_oracle);
      add_predicted_with(row, json);
    }
    json["failed"] = row.failed_cells.size() - row.missing_count;
    if (row.missing_count > 0) json["missing"] = row.missing_count;
    json["cells"] = Json::array();
    for (const std::size_t k : row.cells) {
      json["cells"].push_back(cell_json(plan_.cells[k], records_[k]));
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace sculpt::core
