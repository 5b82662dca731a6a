#include "command/plan_option.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "base/text/text_out.hpp"
#include "command/plan/plan_text.hpp"
#include "experiment/experiment_keys.hpp"
#include "run/past_events.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

std::vector<std::int64_t> rank_counts(const std::string& text) {
  std::vector<std::int64_t> counts;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
    const bool is_number = error == std::errc() && end == word.data() + word.size();
    if (!is_number || count < 1 || count > most_planned_ranks) {
      throw Failure(Exit::usage, "--plan needs numbers of ranks from 1 to " +
                                     std::to_string(most_planned_ranks) + ", such as 1,2,4; '" +
                                     word + "' is none");
    }
    counts.push_back(count);
  }
  if (counts.empty()) throw Failure(Exit::usage, "--plan needs numbers of ranks, such as 1,2,4");
  return counts;
}

double positive_option(const CommandLine& line, const std::string& option) {
  const auto value = line.get<double>(option);
  if (value > 0 && value < 1e12) return value;
  throw Failure(Exit::usage, "--" + option + " must be a number above 0");
}

RunCosts costs_of(const fs::path& run) {
  const fs::path folder = fs::is_directory(run) ? run : run.parent_path();
  const fs::path events = folder / "events.jsonl";
  const nlohmann::ordered_json event = last_event(events);
  if (!event.is_object() || event.value("event", "") != "finished") {
    throw Failure(Exit::missing, events.string() +
                                     ": has no event \"finished\", so there is nothing to plan "
                                     "by; finish the run with train --resume");
  }
  if (const auto costs = run_costs_in(event, events.string())) return *costs;
  throw Failure(Exit::missing, events.string() +
                                   ": was written by a sculpt that did not measure what a plan "
                                   "needs; train again");
}

}  // namespace

void add_plan_options(CommandLine& line) {
  namespace po = boost::program_options;
  line.add()("plan", po::value<std::string>()->value_name("N[,N...]"),
             "how long a run would take on N ranks (processes of mpirun), and where it ends")(
      "threads", po::value<std::int64_t>()->value_name("T"),
      "with --plan: threads of each rank; by default those of the run")(
      "latency", po::value<double>()->value_name("MICROSECONDS"),
      "with --plan: of the network; 30 by default, as 10 Gbit Ethernet")(
      "bandwidth", po::value<double>()->value_name("MB_PER_S"),
      "with --plan: of the network; 1100 by default");
}

void require_plan(const CommandLine& line) {
  if (line.has("plan")) return;
  for (const char* const option : {"threads", "latency", "bandwidth"}) {
    if (!line.has(option)) continue;
    throw Failure(Exit::usage, std::string("--") + option + " needs --plan N");
  }
}

void print_plan(const CommandLine& line, const fs::path& run) {
  PlanQuestion question;
  question.ranks = rank_counts(line.get<std::string>("plan"));
  if (line.has("latency"))
    question.network.latency_seconds = 1e-6 * positive_option(line, "latency");
  if (line.has("bandwidth")) {
    question.network.bytes_per_second = 1e6 * positive_option(line, "bandwidth");
  }
  const RunCosts costs = costs_of(run);
  question.threads = costs.threads;
  if (line.has("threads")) {
    question.threads = line.get<std::int64_t>("threads");
    if (question.threads < 1 || question.threads > max_threads) {
      throw Failure(Exit::usage,
                    "--threads must be a number from 1 to " + std::to_string(max_threads));
    }
    if (costs.is_serial && question.threads > 1) {
      throw Failure(Exit::usage,
                    "--threads: a component of this run can be called from one thread only");
    }
  }
  if (!costs.obstacle.empty()) {
    throw Failure(Exit::config, run.string() + ": the solver " + costs.obstacle +
                                    ", so several ranks do not make it faster");
  }
  if (line.has("json")) {
    print_json(plan_json(costs, question));
  } else {
    report_out().lines(plan_text(costs, question));
  }
}

}  // namespace sculpt::core
