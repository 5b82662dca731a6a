// run_times.hpp - where the time of a whole run goes, and what would make it shorter.
//
// Put together by train for the finished event and the summary.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/time_split.hpp"
#include "command/data/column_scales.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Seconds of wall clock. Those of earlier runs that this one went on from are part of all of them
// but of `evaluation`, and of `writing` as far as it was the model.
struct RunTimes {
  double total = 0;  // since the command began
  double reading = 0;
  TimeSplit solver;       // its rest counts as the rest of the run, as does all that is not here
  double evaluation = 0;  // prediction on the splits
  double writing = 0;     // of the solver, the run folder and the model

  double rest() const;
};

// "seconds", and the parts that they are the sum of: reading_seconds, ..., rest_seconds.
void add_run_times(nlohmann::ordered_json& event, const RunTimes& times);

// "3.02 s: sweeps 64 %, oracle 21 %": the parts that are worth telling, the largest first.
std::string time_text(const RunTimes& times);

// What the advice depends on.
struct AdviceFacts : SolverTraits {     // shares_slack: of more than one example
  bool more_threads = false;            // the machine has cores that the oracle was not asked on
  bool takes_gap = true;                // the solver has the parameter relative_gap
  bool takes_C = true;                  // and C
  bool is_hinge = true;                 // minimizes what n_slack and one_slack do
  bool escalates = false;               // several oracles were asked one after the other
  bool columns_differ = false;          // as far in size as column_sizes.hpp warns of
  bool slacks_vanish = false;           // as slacks_vanish() of limits.hpp
  bool oracle_is_cheap = false;         // its time is a small part of that of the steps
  bool suits_one_slack = false;         // as suits_one_slack() of limits.hpp
  double C = 1;                         // infinite: hard margin
  ColumnRemedy columns = {};            // for columns that differ in size
  bool needs_one_argmax = true;         // as Formulation::needs_one_argmax()
  bool factor_graph = true;             // the features offer one
  std::string target = "target 0.1 %";  // that of the run
};

// "scaling of the columns, n_slack, or a larger relative_gap". Requires one.
std::string alternatives(std::vector<std::string> advice);

// The part that took most of the time, and what would make it shorter, but for runs that are over
// in a moment.
std::string bottleneck_text(const RunTimes& times, const AdviceFacts& shape);

}  // namespace sculpt::core
