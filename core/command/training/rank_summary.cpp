#include "command/training/rank_summary.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/memory/process_memory.hpp"
#include "base/text/message_text.hpp"
#include "command/plan/plan_text.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

std::string obstacle_to_ranks(const SolverTraits& traits) {
  const bool needs_counts =
      std::find(traits.needs.begin(), traits.needs.end(), Port::groups) != traits.needs.end();
  if (needs_counts) return "counts each example once";
  return traits.asks_one_by_one ? "asks one example at a time" : "";
}

void require_use_of_ranks(const Ranks* ranks, const SolverTraits& traits, const std::string& solver,
                          const Json& parameters) {
  const std::string obstacle = obstacle_to_ranks(traits);
  if (ranks == nullptr || obstacle.empty()) return;
  std::string advice;
  for (const char* const batch : {"batch", "sgd_batch"}) {
    if (traits.asks_one_by_one && parameters.contains(batch)) {
      advice = std::string(", or set \"") + batch + "\" of the solver to 64 or more";
    }
  }
  throw Failure(Exit::config, "the solver " + solver + " " + obstacle +
                                  ", so several ranks do not make it faster; start it without "
                                  "mpirun" +
                                  advice);
}

Json common_identity(Json identity, const Problem& problem) {
  for (const Problem::State& state : problem.states()) {
    identity["states"][state.kind] = hash_text(state.bytes);
  }
  return identity;
}

RunCosts costs_of_run(Ranks* ranks, Problem& problem, const SolverTraits& traits, double seconds) {
  RunCosts costs = run_costs(ranks, problem.divided_work(), seconds);
  costs.threads = problem.workers().threads();
  costs.updates = updates_text(traits.updated_by);
  costs.obstacle = obstacle_to_ranks(traits);
  costs.is_serial = !problem.serial_warning().empty();
  return costs;
}

std::string more_cores_row(const Json& finished, const RunTimes& times) {
  if (times.total < min_seconds_for_advice) return "";
  const auto costs = run_costs_in(finished, "events.jsonl");
  return costs ? more_cores_text(*costs) : "";
}

RankSummary rank_summary(const Ranks& ranks, const RunCosts& costs) {
  const std::set<std::string> hosts(ranks.hosts().begin(), ranks.hosts().end());
  const double seconds = std::max(costs.seconds, 1e-9);
  return {costs.ranks,
          {hosts.begin(), hosts.end()},
          costs.sent_bytes,
          costs.waiting_seconds / seconds,
          costs.transfer_seconds / seconds};
}

Json rank_summary_json(const RankSummary& summary) {
  return {{"count", summary.ranks},
          {"hosts", summary.hosts},
          {"sent_bytes", summary.sent_bytes},
          {"waiting_share", summary.waiting_share},
          {"transfer_share", summary.transfer_share}};
}

std::string rank_summary_text(const RankSummary& summary) {
  const auto percent = [](double share) { return std::to_string(std::lround(100 * share)) + " %"; };
  return std::to_string(summary.ranks) + " on " + count_text(std::ssize(summary.hosts), "host") +
         ", " + memory_text(summary.sent_bytes) + " moved; " + percent(summary.waiting_share) +
         " of their time waiting for each other, " + percent(summary.transfer_share) +
         " for messages";
}

}  // namespace sculpt::core
