// run_costs.hpp - what a training run cost, as far as more ranks or threads would change it.
//
// Made by train for the event "finished", under "division". Read from there by describe --plan.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "parallel/ranks/divided_work.hpp"
#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {

// Work that every rank does alike, on one thread: more of them do not make it faster.
struct SerialPart {
  std::string name;  // for people: "the QP"
  double seconds = 0;
};

// Seconds of wall clock.
struct RunCosts {
  int ranks = 1;
  int threads = 1;     // of each rank
  double seconds = 0;  // of the run
  // Divided work. `seconds` and `adding_seconds` are those of all ranks together.
  std::vector<StepGroup> groups;
  std::int64_t sent_bytes = 0;     // of all ranks
  double waiting_seconds = 0;      // for other ranks, mean of the ranks
  double transfer_seconds = 0;     // likewise for messages
  std::string updates = "the QP";  // what changes w
  std::string obstacle;            // why mpirun refuses the solver; "": it does not
  bool is_serial = false;          // a component can be called from one thread only
  std::vector<SerialPart> serial;  // all other time; set by run_costs_in()
};

// The costs of all ranks, which all call it; nullptr: of this process. Without `serial`.
RunCosts run_costs(Ranks* ranks, const DividedWork& work, double seconds);

// What becomes "division" of the event "finished".
nlohmann::ordered_json run_costs_json(const RunCosts& costs);

// Reads the event "finished" with add_run_times() and "division". Those of a run that was resumed
// are of the part since then; its phases have the shares that they have in the whole run. Nothing
// if there is no "division": an earlier sculpt wrote it. Throws Failure(Exit::data) if it is
// damaged. `place`: the file.
std::optional<RunCosts> run_costs_in(const nlohmann::ordered_json& finished,
                                     const std::string& place);

// True if threads and ranks share most calls of the oracle. `finished`: as above; true without
// "division".
bool shares_most_calls(const nlohmann::ordered_json& finished);

}  // namespace sculpt::core
