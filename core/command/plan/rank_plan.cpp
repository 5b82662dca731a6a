#include "command/plan/rank_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "base/text/message_text.hpp"
#include "parallel/sum_tree.hpp"

namespace sculpt::core {
namespace {

// What a rank needs to send a message to another one and to receive one, apart from its bytes.
constexpr double handling_seconds = 1e-6;

// Measured on planes of 20 to 600 entries: 1 ns to write a byte, 0.5 to 0.7 ns to read one, and the
// bytes of others are copied once.
constexpr double packing_seconds_per_byte = 1e-9;

// "61 % of the time"
std::string percent_of(double seconds, const Plan& plan) {
  return std::to_string(std::lround(100 * seconds / plan.seconds())) + " % of the time";
}

double ceil_of_ratio(double a, double b) {
  return std::ceil(a / b - 1e-9);
}

// ceil(log2 N)
double hops(std::int64_t ranks) {
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(ranks - 1)));
}

// A message of each rank to all others, in seconds. `bytes`: that a rank receives.
double message_seconds(std::int64_t ranks, double bytes, const Network& network) {
  if (ranks == 1) return 0;
  return hops(ranks) * network.latency_seconds + bytes / network.bytes_per_second +
         static_cast<double>(ranks - 1) * handling_seconds;
}

// The parts of a step of this group.
double parts_of_step(const StepGroup& group) {
  return static_cast<double>(group.parts) / static_cast<double>(group.steps);
}

// The rounds of all ranks together, in a step whose parts are divided evenly. If they take
// different time, ranks have more or fewer of them, but about the same time.
double rounds_of_all(const StepGroup& group, int ranks, int threads) {
  const std::int64_t parts = std::llround(parts_of_step(group));
  const std::int64_t least = parts / ranks;
  const std::int64_t with_one_more = parts - least * ranks;
  const auto rounds = [&](std::int64_t own) {
    return ceil_of_ratio(static_cast<double>(own), threads);
  };
  return static_cast<double>(ranks - with_one_more) * rounds(least) +
         static_cast<double>(with_one_more) * rounds(least + 1);
}

// The seconds of one part on one thread.
double seconds_of_part(const RunCosts& costs, const StepGroup& group) {
  const double rounds =
      static_cast<double>(group.steps) * rounds_of_all(group, costs.ranks, costs.threads);
  return rounds > 0 ? group.seconds / rounds : 0;
}

// The nodes of the tree of sums over so many parts that the ranks have.
struct Nodes {
  std::int64_t count = 0;  // of all ranks
  std::int64_t least = 0;  // of the rank with the fewest
};

Nodes nodes_of(std::int64_t parts, std::int64_t ranks) {
  if (ranks == 1) return {};
  Nodes nodes{0, parts};
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::int64_t own = 0;
    for_each_node_within(begin_of_part(parts, ranks, rank), begin_of_part(parts, ranks, rank + 1),
                         0, parts, [&](std::int64_t, std::int64_t) { ++own; });
    nodes.count += own;
    nodes.least = std::min(nodes.least, own);
  }
  return nodes;
}

// How many vectors a rank adds for a sum, as at the top of the header.
double added_vectors(const StepGroup& group, std::int64_t ranks) {
  const std::int64_t parts = std::llround(parts_of_step(group));
  const auto nodes = static_cast<double>(nodes_of(parts, ranks).count);
  return (static_cast<double>(parts) + nodes) / static_cast<double>(ranks) + 1;
}

// The seconds that a rank copies its nodes to send them, in all steps of a group.
double copying_of(const StepGroup& group, std::int64_t ranks) {
  if (ranks == 1) return 0;
  const std::int64_t parts = std::llround(parts_of_step(group));
  const auto nodes = static_cast<double>(nodes_of(parts, ranks).count) / static_cast<double>(ranks);
  return static_cast<double>(group.steps) * nodes * static_cast<double>(group.vector_bytes) *
         packing_seconds_per_byte;
}

double sum_seconds(const RunCosts& costs, const StepGroup& group, std::int64_t ranks,
                   std::int64_t threads) {
  const double adding =
      std::max(group.adding_seconds / costs.ranks - copying_of(group, costs.ranks), 0.0);
  return adding * costs.threads * added_vectors(group, ranks) / added_vectors(group, costs.ranks) /
             static_cast<double>(threads) +
         copying_of(group, ranks);
}

// The seconds of all messages of the steps of a group.
double messages_of(const StepGroup& group, std::int64_t ranks, const Network& network) {
  if (ranks == 1) return 0;
  const auto steps = static_cast<double>(group.steps);
  const auto others = static_cast<double>(ranks - 1);
  const double share_of_others = others / static_cast<double>(ranks);
  const double answers = group.bytes / steps;
  double seconds = message_seconds(ranks, others * static_cast<double>(step_header_bytes), network);
  if (answers > 0) seconds += message_seconds(ranks, answers * share_of_others, network);
  if (group.vector_bytes > 0) {
    const auto vector = static_cast<double>(group.vector_bytes);
    const Nodes nodes = nodes_of(std::llround(parts_of_step(group)), ranks);
    const double segment = vector / static_cast<double>(ranks);
    seconds +=
        message_seconds(ranks, static_cast<double>(nodes.count - nodes.least) * segment, network) +
        message_seconds(ranks, vector * share_of_others, network);
  }
  return steps * seconds;
}

double packing_of(const RunCosts& costs, std::int64_t ranks) {
  if (ranks == 1) return 0;
  double bytes = 0;
  for (const StepGroup& group : costs.groups) bytes += group.bytes;
  return bytes * packing_seconds_per_byte;
}

void find_limit(Plan& plan, const std::vector<SerialPart>& serial) {
  std::vector<SerialPart> parts = {{"the oracle", plan.oracle},
                                   {"steps of too few examples", plan.small_steps},
                                   {"sums over the examples", plan.sums},
                                   {"messages", plan.messages}};
  parts.insert(parts.end(), serial.begin(), serial.end());
  const auto largest = std::max_element(
      parts.begin(), parts.end(),
      [](const SerialPart& a, const SerialPart& b) { return a.seconds < b.seconds; });
  plan.limited_by = largest->name;
  plan.limit = largest->seconds;
}

// The seconds of the steps of a group beyond those of steps that any number of threads share.
double small_steps_of(const RunCosts& costs, const StepGroup& group, double workers) {
  const double part = static_cast<double>(group.steps) * seconds_of_part(costs, group);
  const double all = parts_of_step(group);
  return part * (ceil_of_ratio(all, workers) - all / workers);
}

// "sums over the examples have 4 parts only": of the group that loses most by its small steps.
std::string small_steps_text(const RunCosts& costs, const Plan& plan) {
  const auto loss = [&](const StepGroup& group) {
    return small_steps_of(costs, group, static_cast<double>(plan.ranks * plan.threads));
  };
  const auto most =
      std::max_element(costs.groups.begin(), costs.groups.end(),
                       [&](const StepGroup& a, const StepGroup& b) { return loss(a) < loss(b); });
  const std::int64_t parts = std::llround(parts_of_step(*most));
  const bool is_sum = most->vector_bytes > 0;
  return (is_sum ? "sums over the examples have " : "steps have ") +
         count_text(parts, is_sum ? "part" : "example") + " only";
}

// Why a plan is not worth it beside one with half of the ranks.
std::string cause_of(const RunCosts& costs, const Plan& half, const Plan& plan) {
  const double aim = (1 - worthwhile_saving) * half.seconds();
  if (plan.seconds() - plan.small_steps + half.small_steps <= aim) {
    return small_steps_text(costs, plan);
  }
  if (plan.seconds() - plan.messages + half.messages <= aim) {
    return "messages take " + percent_of(plan.messages, plan);
  }
  const bool is_plural = plan.limited_by.ends_with("s") || plan.limited_by.starts_with("calls") ||
                         plan.limited_by.starts_with("steps");
  return plan.limited_by + (is_plural ? " take " : " takes ") + percent_of(plan.limit, plan);
}

}  // namespace

double packing_seconds(const RunCosts& costs) {
  return packing_of(costs, costs.ranks);
}

Plan plan_run(const RunCosts& costs, std::int64_t ranks, std::int64_t threads,
              const Network& network) {
  Plan plan;
  plan.ranks = ranks;
  plan.threads = threads;
  for (const SerialPart& part : costs.serial) plan.serial += part.seconds;
  const auto workers = static_cast<double>(ranks * threads);
  for (const StepGroup& group : costs.groups) {
    const double part = static_cast<double>(group.steps) * seconds_of_part(costs, group);
    const double all = parts_of_step(group);
    plan.oracle += part * all / workers;
    plan.small_steps += small_steps_of(costs, group, workers);
    if (group.vector_bytes > 0) plan.sums += sum_seconds(costs, group, ranks, threads);
    plan.messages += messages_of(group, ranks, network);
  }
  plan.messages += packing_of(costs, ranks);
  find_limit(plan, costs.serial);
  return plan;
}

PlanEnd plan_end(const RunCosts& costs, std::int64_t threads, const Network& network) {
  PlanEnd end;
  bool is_worthwhile = true;
  double least = plan_run(costs, 1, threads, network).seconds();
  double previous = least;
  for (std::int64_t ranks = 2; ranks <= most_doubled_ranks; ranks *= 2) {
    const double seconds = plan_run(costs, ranks, threads, network).seconds();
    is_worthwhile = is_worthwhile && seconds <= (1 - worthwhile_saving) * previous;
    if (is_worthwhile) end.useful = ranks;
    if (seconds < least) {
      least = seconds;
      end.fastest = ranks;
      end.gets_slower = false;
    }
    if (seconds > 1.05 * least) end.gets_slower = true;
    previous = seconds;
  }
  if (end.useful < most_doubled_ranks) {
    end.cause = cause_of(costs, plan_run(costs, end.useful, threads, network),
                         plan_run(costs, 2 * end.useful, threads, network));
  }
  return end;
}

}  // namespace sculpt::core
