// plan_record.hpp - plan.json: what a sweep is of, so that --resume goes on with the same alone.
//
//   options   ["--set solver.C=1,10", "--folds 5"], as the user wrote them
//   holding   "--folds 5"
//   cold      whether no cell begins with planes
//   points    [{"name": "000", "settings": ["solver.C=1"], "identity": what is trained there}]
//
// A sweep that goes on may have further values, and other limits of its runs (max_passes,
// max_oracle_calls, max_seconds). Made by the command sweep, kept by SweepFolder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sweep/plan/grid.hpp"
#include "sweep/plan/sweep_plan.hpp"

namespace sculpt::core {

class PlanRecord {
 public:
  // `identities`: SweepPoints.
  PlanRecord(const Grid& grid, const HoldOutOptions& hold_out_options, bool cold,
             std::vector<nlohmann::ordered_json> identities);

  // Goes on with the sweep that wrote `then`: its points keep their names, further ones take the
  // next numbers. `place`: where `then` was found. Throws Failure(Exit::config), which says what
  // differs, when that was another sweep.
  void go_on_with(const nlohmann::ordered_json& then, const std::string& place);

  // `header`: of a model that a cell of this point has left at `place`. Throws Failure(Exit::data)
  // when it was trained on other data than the sweep began with.
  void require_same_data(std::size_t point, const nlohmann::ordered_json& header,
                         const std::string& place) const;

  nlohmann::ordered_json json() const;
  // [points] "000", what the names of their cells begin with
  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Point {
    std::vector<std::string> settings;  // "KEY=VALUE" of all keys but fixed limits
    nlohmann::ordered_json identity;
  };
  std::size_t find_point(const nlohmann::ordered_json& then, const std::string& place) const;

  std::vector<std::string> options_;
  std::string holding_;
  bool cold_;
  std::vector<Point> points_;
  std::vector<std::string> names_;
};

}  // namespace sculpt::core
