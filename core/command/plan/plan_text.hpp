// plan_text.hpp - what more ranks or threads would gain, for people and programs.
//
// Called by train for its summary, and by describe --plan.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "command/plan/rank_plan.hpp"
#include "command/plan/run_costs.hpp"

namespace sculpt::core {

// What is asked about: each of `ranks`, with `threads` threads each.
struct PlanQuestion {
  std::vector<std::int64_t> ranks;
  std::int64_t threads = 1;
  Network network;
};

// The table, and then how many ranks are worth it, and why no more. Lines with their ends.
std::string plan_text(const RunCosts& costs, const PlanQuestion& question);
nlohmann::ordered_json plan_json(const RunCosts& costs, const PlanQuestion& question);

// One line: "8 threads: about 14 s; 16 ranks of 2 threads: about 9.1 s, then limited by the QP".
std::string more_cores_text(const RunCosts& costs);

}  // namespace sculpt::core
