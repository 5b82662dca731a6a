// rank_summary.hpp - a run on several ranks: what it needs, and what the ranks cost.
//
// Called by Training.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "command/plan/run_costs.hpp"
#include "command/training/run_times.hpp"
#include "parallel/ranks/ranks.hpp"
#include "problem/problem.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

// Why ranks do not make the solver faster: "asks one example at a time". "": they may.
std::string obstacle_to_ranks(const SolverTraits& traits);

// Throws Failure(Exit::config) if the solver would leave all ranks but one without work. `ranks`
// may be nullptr. `parameters`: those of the solver.
void require_use_of_ranks(const Ranks* ranks, const SolverTraits& traits, const std::string& solver,
                          const nlohmann::ordered_json& parameters);

// What all ranks must have in common before the first pass (require_one_run), from the identity of
// the run: the states of the components in addition.
nlohmann::ordered_json common_identity(nlohmann::ordered_json identity, const Problem& problem);

// The costs of all ranks, which all call it. `seconds`: of this process.
RunCosts costs_of_run(Ranks* ranks, Problem& problem, const SolverTraits& traits, double seconds);

// more_cores_text() by the event "finished". "" for a run that is too short for advice.
std::string more_cores_row(const nlohmann::ordered_json& finished, const RunTimes& times);

struct RankSummary {
  int ranks = 1;
  std::vector<std::string> hosts;  // each once
  std::int64_t sent_bytes = 0;     // of all ranks
  double waiting_share = 0;        // of the time of all ranks
  double transfer_share = 0;       // likewise
};

// `costs`: of all ranks.
RankSummary rank_summary(const Ranks& ranks, const RunCosts& costs);

nlohmann::ordered_json rank_summary_json(const RankSummary& summary);
// "4 on 2 hosts, 12.3 MB moved, 8 % of the time waiting for others and 2 % for messages".
std::string rank_summary_text(const RankSummary& summary);

}  // namespace sculpt::core
