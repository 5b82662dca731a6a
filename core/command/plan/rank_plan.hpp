// rank_plan.hpp - how long a run would take on N ranks of T threads, from what it cost.
//
//   seconds = serial + oracle + sums + messages
//
//   serial     what every rank does alike: reading, the QP, writing. It does not become shorter.
//   oracle     A step of k parts has ceil(k / (N T)) rounds, and each round takes as long as one
//              part. Parts are examples; for sums over all examples they are at most 64 ranges.
//   sums       The ranges of a rank are added on it, and then the nodes of all ranks in its segment
//              (rank_sum.hpp): (c + m) / N + 1 vectors, c ranges, m nodes. A rank copies m / N
//              vectors to send them.
//   messages   A message of all ranks to all takes
//                 ceil(log2 N) latency + bytes that a rank receives / bandwidth + (N - 1) handling
//              A step has one of a header from each rank. If it has answers of B bytes in all,
//              another one with B (N - 1) / N bytes. If it has a sum of a vector of V bytes, one
//              with the nodes of other ranks in the own segment, and one with V (N - 1) / N bytes.
//              Answers are also packed and unpacked, B bytes on every rank.
//
// Three things are not in it. Examples may take longer than others. The borders between the ranks
// follow that (part_balance.hpp), but only as far as whole parts allow. Threads or ranks may share
// a core, memory or a cache. Serial work may use several threads.
//
// Pure functions. Called by train and describe.
#pragma once

#include <cstdint>
#include <string>

#include "command/plan/run_costs.hpp"

namespace sculpt::core {

// The defaults are those of Ethernet with 10 Gbit/s.
struct Network {
  double latency_seconds = 30e-6;
  double bytes_per_second = 1.1e9;
};

// Ranks that a plan looks at.
inline constexpr std::int64_t most_planned_ranks = 65536;
// Doubling ends here.
inline constexpr std::int64_t most_doubled_ranks = 1024;
// Doubling the ranks is worth it if it saves this share of the time.
inline constexpr double worthwhile_saving = 0.1;

struct Plan {
  std::int64_t ranks = 1;
  std::int64_t threads = 1;
  double serial = 0;
  double oracle = 0;       // if its steps could be divided among any number of threads
  double small_steps = 0;  // more than that, because a part is not divided
  double sums = 0;
  double messages = 0;
  std::string limited_by;  // the largest part, or the largest one of `serial`
  double limit = 0;        // its seconds

  double seconds() const { return serial + oracle + small_steps + sums + messages; }
};

// Requires 1 <= ranks <= most_planned_ranks, threads >= 1, and a network of positive numbers.
Plan plan_run(const RunCosts& costs, std::int64_t ranks, std::int64_t threads,
              const Network& network);

struct PlanEnd {
  std::int64_t useful = 1;   // ranks: the largest power of two that is still worth doubling up to
  std::int64_t fastest = 1;  // ranks: the power of two with the shortest time
  // True if a larger one, up to most_doubled_ranks, takes a twentieth longer.
  bool gets_slower = false;
  // Why twice as many ranks as `useful` are not worth it: "the QP takes 61 % of the time".
  std::string cause;
};

PlanEnd plan_end(const RunCosts& costs, std::int64_t threads, const Network& network);

// The seconds that a rank packs and unpacks answers in all steps of the run that was measured; 0
// for one process.
double packing_seconds(const RunCosts& costs);

}  // namespace sculpt::core
