// run_times.hpp - where the time of a whole run goes, and how to make it shorter.
//
// Made by train for the event "finished" and for the summary.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/phase_times.hpp"
#include "command/data/column_scales.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Wall-clock seconds. After --resume they include the earlier runs, except `evaluation` and the
// time to write the model.
struct RunTimes {
  double total = 0;  // since the command started
  double reading = 0;
  PhaseTimes solver;      // PhaseTimes::rest and all other time count in rest()
  double evaluation = 0;  // prediction on the splits
  double writing = 0;     // files of the solver, the run folder and the model

  // The total without reading, evaluation, writing and the phases of the solver.
  double rest() const;
};

// Adds "seconds" and the parts that sum up to it: reading_seconds, ..., rest_seconds.
void add_run_times(nlohmann::ordered_json& event, const RunTimes& times);

// What changes w, for people: "the QP".
std::string updates_text(UpdateKind updated_by);

// Runs below this many seconds get no advice.
inline constexpr double min_seconds_for_advice = 1;

// "3.02 s: sweeps 64 %, oracle 21 %": the parts of at least 1 %, the largest first.
std::string time_text(const RunTimes& times);

// The facts that the advice depends on. SolverTraits::shares_slack is only true here if there is
// more than one example.
struct AdviceFacts : SolverTraits {
  bool has_idle_cores = false;            // Cores are left that do not call the oracle.
  bool has_relative_gap = true;           // The solver has the parameter relative_gap.
  bool has_target = true;                 // It has this or another target.
  bool has_batch = true;                  // It has the parameter batch.
  bool has_sgd_batch = false;             // It has the parameter sgd_batch.
  bool calls_are_divided = true;          // Most calls are asked in steps that threads share.
  bool has_c = true;                      // The solver has the parameter C.
  bool is_hinge = true;                   // It minimizes the objective of n_slack and one_slack.
  bool escalates = false;                 // Several oracles were asked one after the other.
  bool columns_differ = false;            // column_scales.hpp warns of their scales.
  bool slacks_vanish = false;             // slacks_vanish() of bottleneck.hpp.
  bool oracle_is_cheap = false;           // The oracle takes much less time than the steps.
  bool suits_one_slack = false;           // suits_one_slack() of bottleneck.hpp.
  double C = 1;                           // Infinite: hard margin.
  ColumnAdvice column_advice = {};        // For columns of different scale.
  bool has_factor_graph = true;           // The features offer a factor graph.
  std::int64_t asked_examples = 0;        // Training examples that the oracle is asked about.
  bool searches_loss_weight = false;      // SeparationStrategy::loss_weight_search.
  bool lists_k_best = false;              // The oracle can list more outputs in the search.
  bool rescales_slack = false;            // Rescaling::slack.
  bool relaxes = false;                   // The oracle gives relaxed answers.
  std::string obstacle_to_frontier = {};  // Why the oracle has no frontier for the loss.
  std::string target = "target 0.1 %";    // The target of the run.
  bool ended_early = false;               // A signal, or a limit before the target, ended the run.
  std::string oracle = {};                // Short name of the last one in the list; or "".
  std::string features = {};              // Short name; or "".
};

// "the solver n_slack, a smaller cache, or a larger relative_gap". Requires at least one.
std::string alternatives(std::vector<std::string> advice);

// The part that took most of the time, and how to make it shorter. No advice for runs shorter than
// a second.
std::string bottleneck_text(const RunTimes& times, const AdviceFacts& facts);

}  // namespace sculpt::core
