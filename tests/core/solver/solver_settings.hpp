// solver_settings.hpp - solvers with many formulations and options, each with a small problem.
//
// For tests of what every run of these solvers must do.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/solver/listed_problem.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

namespace sculpt::core::test {

struct Setting {
  std::string name;
  Formulation formulation;
  bool joint = false;      // one_slack
  std::int64_t batch = 0;  // for one_slack: the size of its cache
  bool bounds = false;     // half of the weights must not be negative
  double relative_gap = 1e-4;
  bool fractions = false;  // features that are not counts
  std::optional<double> max_planes_megabytes = {};
  std::optional<FrankWolfeOptions> frank_wolfe = {};  // set: the solver is frank_wolfe
};

inline std::vector<Setting> frank_wolfe_settings() {
  const auto setting = [](const std::string& name, const Formulation& formulation) {
    Setting made{"frank_wolfe" + name, formulation, false, 4};
    made.frank_wolfe = FrankWolfeOptions();
    made.frank_wolfe->gap_check = 5;
    made.frank_wolfe->cache = 2;
    return made;
  };
  const Formulation plain{Rescaling::margin, 1, 20};
  std::vector<Setting> list = {
      setting("", plain),         setting(", paper of 2013", plain), setting(", shuffled", plain),
      setting(", bounds", plain), setting(", mean, bounds", plain),  setting(", fractions", plain)};
  FrankWolfeOptions& paper = *list[1].frank_wolfe;
  paper.step = FrankWolfeStep::toward;
  paper.averaging = true;
  paper.samples_by_gaps = false;
  paper.cache = 0;
  list[1].batch = 1;
  list[1].relative_gap = 0.02;
  list[2].frank_wolfe->samples_by_gaps = false;
  list[3].bounds = list[4].bounds = true;
  list[4].frank_wolfe->averaging = true;
  list[5].relative_gap = 1e-7;
  list[5].fractions = true;
  list.push_back(setting(", few planes", plain));
  list.back().fractions = true;
  list.back().max_planes_megabytes = 0.006;
  list.push_back(setting(", slack", {Rescaling::slack, 1, 20}));
  list.push_back(setting(", norm 2", {Rescaling::margin, 2, 20}));
  list.push_back(setting(", slack, norm 2", {Rescaling::slack, 2, 20}));
  return list;
}

inline std::vector<Setting> settings() {
  std::vector<Setting> list;
  for (const bool joint : {false, true}) {
    for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
      for (const auto& [norm, C] : {std::pair{1, 20.0}, std::pair{2, 20.0},
                                    std::pair{1, std::numeric_limits<double>::infinity()}}) {
        for (const std::int64_t batch : {0, 4}) {
          Setting made{"", {rescaling, norm, C}, joint, batch};
          made.name = std::string(joint ? "one_slack" : "n_slack") +
                      (rescaling == Rescaling::slack ? ", slack" : ", margin") + ", norm " +
                      std::to_string(norm) + ", C " + std::to_string(C) + ", batch " +
                      std::to_string(batch);
          list.push_back(made);
        }
      }
    }
    Setting bounded{joint ? "one_slack, bounds" : "n_slack, bounds", {}, joint, 5, true};
    bounded.formulation.C = 20;
    list.push_back(bounded);
    bounded.formulation.slack_norm = 2;
    bounded.name += ", norm 2";
    list.push_back(bounded);
    Setting exhausted{joint ? "one_slack, to the end" : "n_slack, to the end", {}, joint, 5};
    exhausted.relative_gap = 0;
    exhausted.fractions = true;
    list.push_back(exhausted);
    Setting limited{joint ? "one_slack, few planes" : "n_slack, few planes", {}, joint, 5};
    limited.formulation.C = 20;
    limited.fractions = true;
    limited.max_planes_megabytes = joint ? 0.004 : 0.006;
    list.push_back(limited);
  }
  for (Setting& setting : frank_wolfe_settings()) list.push_back(setting);
  return list;
}

// Under hard margin: rows that some w separates. Else sequences, or rows with `fractions`.
inline ListedProblem problem_of(const Setting& setting) {
  ListedProblem problem =
      setting.fractions ? random_multiclass(8, 14, 3, 4) : random_chain(12, 14, 3, 3, 4);
  if (setting.formulation.is_hard_margin()) {
    problem = random_multiclass(5, 8, 6, 3);
  }
  problem = problem.under(setting.formulation);
  if (setting.bounds) {
    problem.bounds.assign(static_cast<std::size_t>(problem.dimension()), 0);
    for (std::size_t j = 0; j < problem.bounds.size(); j += 2) problem.bounds[j] = 1;
  }
  return problem;
}

inline std::unique_ptr<Solver> solver_of(const Setting& setting, const StopOptions& stop) {
  if (setting.joint) {
    OneSlackOptions options;
    options.formulation = setting.formulation;
    options.stop = stop;
    options.drop_after = 3;
    options.cache = setting.batch;
    options.max_planes_megabytes = setting.max_planes_megabytes;
    return std::make_unique<OneSlack>(options);
  }
  if (setting.frank_wolfe) {
    FrankWolfeOptions options = *setting.frank_wolfe;
    options.formulation = setting.formulation;
    options.stop = stop;
    options.batch = setting.batch;
    options.max_planes_megabytes = setting.max_planes_megabytes;
    return std::make_unique<FrankWolfe>(options);
  }
  NSlackOptions options;
  options.formulation = setting.formulation;
  options.stop = stop;
  options.batch = setting.batch;
  options.drop_after = 2;
  options.max_planes_megabytes = setting.max_planes_megabytes;
  return std::make_unique<NSlack>(options);
}

inline StopOptions until(const Setting& setting) {
  StopOptions stop;
  stop.relative_gap = setting.relative_gap;
  stop.max_passes = setting.frank_wolfe ? 5000 : 400;
  return stop;
}

// A stop request that comes after `polls` calls.
inline StopRequest after_polls(std::int64_t polls) {
  return [left = std::make_shared<std::atomic<std::int64_t>>(polls)] { return (*left)-- <= 0; };
}

}  // namespace sculpt::core::test
