// plan_record.hpp - plan.json: what a sweep runs, so that --resume continues only the same sweep.
//
//   options   ["--set solver.C=1,10", "--folds 5"], as the user wrote them
//   holding   "--folds 5"
//   cold      true if no cell starts with planes
//   points    [{"name": "000", "settings": ["solver.C=1"], "identity": what is trained there}]
//
// A resumed sweep may have more values, and other limits of its runs (max_passes, max_oracle_calls,
// max_seconds). Made by the command sweep, stored by SweepFolder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"

namespace sculpt::core {

class PlanRecord {
 public:
  // `is_cold`: no cell starts with planes. `identities`: SweepPoints.
  PlanRecord(const Grid& grid, const HoldOutOptions& hold_out_options, bool is_cold,
             std::vector<nlohmann::ordered_json> identities);

  // Resumes the sweep that wrote `earlier_plan` to `plan_path`. Its points keep their names; new
  // ones get the next numbers. Throws Failure: Exit::config with the difference if that was another
  // sweep, Exit::data if the plan is damaged.
  void resume(const nlohmann::ordered_json& earlier_plan, const std::string& plan_path);

  // Takes part in the sweep that wrote `earlier_plan`: a task that trains one of its cells, or the
  // one that collects them. The data may be out of reach. So the hashes of the plan are taken, and
  // the identities of this record may be without them. Throws as resume(), and Exit::config if this
  // one has values that the sweep does not have.
  void join(const nlohmann::ordered_json& earlier_plan, const std::string& plan_path);

  // What is trained at a point (SweepPoints).
  const nlohmann::ordered_json& identity(std::size_t point) const {
    return points_[point].identity;
  }

  // `header`: of the model of a cell of this point. `model_name`: for messages. Throws
  // Failure(Exit::data) if it was trained on other data than the sweep started with.
  void require_same_data(std::size_t point, const nlohmann::ordered_json& header,
                         const std::string& model_name) const;

  nlohmann::ordered_json json() const;
  // [points] "000", the first part of the names of their cells.
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Point {
    std::vector<std::string> settings;  // "KEY=VALUE" of all keys but fixed limits
    nlohmann::ordered_json identity;
  };
  // The point with the settings of a point of an earlier plan; the number of points if there is
  // none. Throws Failure(Exit::config) if the identities differ.
  std::size_t find_point(const nlohmann::ordered_json& earlier_point,
                         const std::string& plan_path) const;

  std::vector<std::string> options_;
  std::string hold_out_text_;  // "--folds 5"
  bool is_cold_;
  std::vector<Point> points_;
  std::vector<std::string> names_;
};

}  // namespace sculpt::core
