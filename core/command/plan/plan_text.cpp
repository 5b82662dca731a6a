#include "command/plan/plan_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

// Three digits, or a whole number.
std::string rounded(double value) {
  return value < 1000 ? number_text(value, 3) : std::to_string(std::lround(value));
}

// Two digits, or whole seconds.
std::string about(double seconds) {
  return "about " +
         (seconds < 100 ? number_text(seconds, 2) : std::to_string(std::lround(seconds))) + " s";
}

// "16 ranks of 2 threads"
std::string ranks_text(std::int64_t ranks, std::int64_t threads) {
  return count_text(ranks, "rank") + (threads > 1 ? " of " + count_text(threads, "thread") : "");
}

std::string network_text(const Network& network) {
  const bool is_default = network.latency_seconds == Network().latency_seconds &&
                          network.bytes_per_second == Network().bytes_per_second;
  return "latency " + rounded(1e6 * network.latency_seconds) + " us, " +
         rounded(1e-6 * network.bytes_per_second) + " MB/s" +
         (is_default ? ", as 10 Gbit Ethernet" : "");
}

// The cells of a row, right aligned but for the last one.
std::string table_row(const std::array<std::string, 6>& cells) {
  constexpr std::array<std::size_t, 5> widths = {7, 9, 10, 9, 10};
  std::string row;
  for (std::size_t k = 0; k < widths.size(); ++k) {
    row.append(widths[k] - std::min(widths[k], cells[k].size()), ' ').append(cells[k]);
  }
  return row + "  " + cells.back() + "\n";
}

// How many ranks are worth it, and why no more.
std::string end_text(const RunCosts& costs, const PlanQuestion& question) {
  const PlanEnd end = plan_end(costs, question.threads, question.network);
  const Plan one = plan_run(costs, 1, question.threads, question.network);
  std::string text;
  if (end.useful == 1) {
    text =
        "Ranks do not help: 2 would save less than a tenth of the time, because " + end.cause + ".";
  } else if (end.useful == most_doubled_ranks) {
    return "All of up to " + std::to_string(most_doubled_ranks) +
           " ranks help: each doubling saves at least a tenth of the time.";
  } else {
    text = "Up to " + std::to_string(end.useful) +
           " ranks are worth it: " + std::to_string(2 * end.useful) +
           " would save less than a tenth of the time, because " + end.cause + ".";
  }
  if (end.gets_slower) {
    text += " With more than " + std::to_string(end.fastest) + " the run gets slower.";
  }
  if (one.serial > 0) {
    text += " Every rank does " + percent(one.serial / one.seconds()) +
            " of the work, so no number of them is more than " +
            number_text(one.seconds() / one.serial, 2) + " times as fast as one.";
  }
  return text;
}

}  // namespace

std::string plan_text(const RunCosts& costs, const PlanQuestion& question) {
  std::string text =
      "measured  " + ranks_text(costs.ranks, costs.threads) + ", " + rounded(costs.seconds) +
      " s\nnetwork   " + network_text(question.network) + "\n\n" +
      table_row({"ranks", "threads", "seconds", "speedup", "messages", "limited by"});
  const double one = plan_run(costs, 1, question.threads, question.network).seconds();
  for (const std::int64_t ranks : question.ranks) {
    const Plan plan = plan_run(costs, ranks, question.threads, question.network);
    text +=
        table_row({std::to_string(ranks), std::to_string(question.threads), rounded(plan.seconds()),
                   rounded(one / plan.seconds()), percent(plan.messages / plan.seconds()),
                   plan.limited_by + " (" + percent(plan.limit / plan.seconds()) + ")"});
  }
  return text + "\n" + end_text(costs, question) + "\n";
}

Json plan_json(const RunCosts& costs, const PlanQuestion& question) {
  Json plans = Json::array();
  for (const std::int64_t ranks : question.ranks) {
    const Plan plan = plan_run(costs, ranks, question.threads, question.network);
    plans.push_back({{"ranks", plan.ranks},
                     {"threads", plan.threads},
                     {"seconds", plan.seconds()},
                     {"serial_seconds", plan.serial},
                     {"oracle_seconds", plan.oracle},
                     {"small_steps_seconds", plan.small_steps},
                     {"sums_seconds", plan.sums},
                     {"messages_seconds", plan.messages},
                     {"limited_by", plan.limited_by}});
  }
  const PlanEnd end = plan_end(costs, question.threads, question.network);
  return {{"measured", run_costs_json(costs)},
          {"network",
           {{"latency_microseconds", 1e6 * question.network.latency_seconds},
            {"megabytes_per_second", 1e-6 * question.network.bytes_per_second}}},
          {"plans", std::move(plans)},
          {"useful_ranks", end.useful},
          {"fastest_ranks", end.fastest},
          {"why", end_text(costs, question)}};
}

std::string more_cores_text(const RunCosts& costs) {
  if (!costs.obstacle.empty()) return "of no use: the solver " + costs.obstacle;
  const Network network;
  const Plan now = plan_run(costs, costs.ranks, costs.threads, network);
  const Plan threads = plan_run(costs, costs.ranks, 4L * costs.threads, network);
  const std::int64_t useful = plan_end(costs, costs.threads, network).useful;
  const Plan ranks = plan_run(costs, std::max<std::int64_t>(useful, 2), costs.threads, network);
  const bool threads_help =
      !costs.is_serial && threads.seconds() <= (1 - worthwhile_saving) * now.seconds();
  const bool ranks_help = useful > costs.ranks;
  if (!threads_help && !ranks_help) {
    const Plan& more = costs.is_serial ? ranks : threads;
    return "of little use: limited by " + more.limited_by;
  }
  std::string text;
  if (threads_help) {
    text = count_text(threads.threads, "thread") + (costs.ranks > 1 ? " of each rank: " : ": ") +
           about(threads.seconds());
  }
  if (ranks_help) {
    text += (text.empty() ? "" : "; ") + ranks_text(ranks.ranks, ranks.threads) + ": " +
            about(ranks.seconds());
  }
  return text + ", then limited by " + (ranks_help ? ranks : threads).limited_by;
}

}  // namespace sculpt::core
