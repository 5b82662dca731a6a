#include "solver/n_slack.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "solver/answers_at_a_time.hpp"
#include "solver/arrivals.hpp"
#include "solver/block_proof.hpp"
#include "solver/cutting_plane_run.hpp"
#include "solver/example_order.hpp"
#include "solver/inseparable.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"
#include "solver/slack_of_each.hpp"

namespace sculpt::core {
namespace {

// Work bounds of one QP, in scorings of the working set: past the first, a new pass helps more.
constexpr double sweeps_per_pass = 300;
constexpr double sweeps_when_exhausted = 5000;

// Planes that an answer may bring beside the one that is violated most: of 1 to 8, two to four took
// the least time on texts of 58 classes. Only where more than this part of the planes that are
// known carry alpha: on letter and scene a third does, and further ones would mostly lie idle.
constexpr std::int64_t most_further = 3;
constexpr double busy_part = 0.5;

// Batches stall where D rises by less than this part of itself and of the gap.
constexpr double stalled_rise = 0.01;

class NSlackPolicy : public BlockOfEach {
 public:
  static constexpr double first_qp_sweeps = sweeps_per_pass;

  NSlackPolicy(const NSlackOptions& options, CuttingPlaneParts& parts)
      : options_(options),
        source_(parts.source),
        count_(source_.example_count()),
        working_set_(parts.working_set),
        sweeps_(parts.sweeps),
        progress_(parts.progress),
        parts_(parts),
        arrivals_(progress_, working_set_, source_.workers()) {}

  // The last pass that a limit allows is at one w for its sake; with another limit it may not be.
  bool next_pass_depends_on_limit() const { return progress_.limit(true).has_value(); }
  void find_planes();
  std::optional<StoppedBy> stop_rule() const;
  void improve();

  void refuse() const;
  ProofPlanes planes_of_standstill() const { return all_planes(working_set_); }

 private:
  bool next_pass_is_frozen() const;
  std::int64_t further_planes() const;
  void find_planes_at_one_w();
  void find_planes_in_batches();
  void take(std::int64_t example, const Separation& answer, Arrival& arrival, MeanSlack& mean);
  void improve_batch(std::span<const std::int64_t> batch);
  void order(ExampleOrder order);
  std::span<const std::int64_t> in_order(std::int64_t begin, std::int64_t count) const;
  double allowed_slack(std::int64_t example) const;

  const NSlackOptions& options_;
  PlaneSource& source_;
  std::int64_t count_;  // n
  WorkingSet& working_set_;
  Sweeps& sweeps_;
  Progress& progress_;
  CuttingPlaneParts& parts_;
  Arrivals arrivals_;
  std::vector<std::int64_t> order_;  // [n] of the examples in the pass under way
  std::vector<Separation> answers_;  // [examples asked last]
};

// Algorithm 1, lines 3 to 9: for i = 1, ..., n, find y that maximizes H(y), and add it to S_i if
// H(y) > xi_i + epsilon. Line 8, the QP, follows every batch for its S_i alone, or the pass.
void NSlackPolicy::find_planes() {
  if (next_pass_is_frozen()) {
    find_planes_at_one_w();
  } else {
    find_planes_in_batches();
  }
}

// Line 10: until no S_i has changed. Batches prove nothing.
std::optional<StoppedBy> NSlackPolicy::stop_rule() const {
  if (!progress_.found.at_one_w) return std::nullopt;
  if (const auto rule = progress_.target()) return rule;
  if (progress_.exhausted()) return StoppedBy::oracle_exhausted;
  return progress_.limit_behind();
}

// Line 8: alpha <- argmax D over all S_i.
void NSlackPolicy::improve() {
  const PassFindings& found = progress_.found;
  const QpEnd end =
      parts_.solve_qp(found.new_planes == 0 ? sweeps_when_exhausted : sweeps_per_pass);
  if (end == QpEnd::inseparable) refuse();
  progress_.reduce();
  if (!found.at_one_w) progress_.report_batches();
}

// In batches the answers belong to different w and prove nothing: all are asked at one w when they
// say that the gap is small, when nothing new was found, when D hardly rose (where columns differ
// in size, steps in single blocks change w too much), and in the last pass that a limit allows; in
// the first pass when there are planes already, which are those of an earlier run.
bool NSlackPolicy::next_pass_is_frozen() const {
  if (options_.batch == 0 || options_.batch >= count_) return true;
  if (progress_.limit(true)) return true;
  if (progress_.passes() == 0) return progress_.is_first_with_planes();
  const Stopping& stopping = progress_.stopping();
  const PassFindings& found = progress_.found;
  const double small = std::max(options_.frozen_below, stopping.relative_gap());
  const double primal = working_set_.dual() + found.gap;
  const double rise = working_set_.dual() - found.dual_before;
  const bool stalls = rise < stalled_rise * std::min(found.gap, working_set_.dual());
  return stalls || found.new_planes == 0 || found.gap <= small * std::abs(primal) ||
         (stopping.epsilon() && found.excess <= *stopping.epsilon());
}

std::int64_t NSlackPolicy::further_planes() const {
  const auto known = static_cast<double>(working_set_.plane_count());
  const auto active = static_cast<double>(working_set_.active_count());
  return active > busy_part * known ? most_further : 0;
}

// As many answers at a time as are worth their memory.
void NSlackPolicy::find_planes_at_one_w() {
  Pass pass = parts_.marks.watched(progress_.begin_pass(true));
  pass.further = further_planes();
  progress_.spare(pass, [this](std::int64_t i) { return allowed_slack(i); });
  MeanSlack mean;
  order(ExampleOrder::sequential);
  for (std::int64_t begin = 0; begin < count_; begin += answers_at_a_time) {
    const auto examples = in_order(begin, answers_at_a_time);
    parts_.separate(progress_.place(), examples, pass, answers_);
    const InPhase phase(progress_.clock(), &TimeSplit::reduction);
    const auto look = [this](std::int64_t i, auto&) { return BlockGap{0, allowed_slack(i), 0}; };
    const std::span<Arrival> arrivals = arrivals_.receive(examples, answers_, look);
    for (std::size_t k = 0; k < arrivals.size(); ++k) {
      take(examples[k], answers_[k], arrivals[k], mean);
    }
  }
  progress_.end_pass();
  progress_.certify(mean.over(static_cast<double>(count_)));
}

// What an answer proves of its example, and its planes for S_i.
void NSlackPolicy::take(std::int64_t example, const Separation& answer, Arrival& arrival,
                        MeanSlack& mean) {
  if (answer.no_output) return;
  const double seen = sweeps_.slack()[static_cast<std::size_t>(example)];
  const SlackBounds slack = parts_.prove_slack(example, answer, seen, mean);
  PassFindings& found = progress_.found;
  found.excess = std::max(found.excess, slack.high - arrival.seen.slack);
  for (auto& plane : arrival.planes) progress_.add(example, std::move(plane));
}

void NSlackPolicy::find_planes_in_batches() {
  Pass pass = parts_.marks.watched(progress_.begin_pass(false));
  pass.further = further_planes();
  progress_.spare(pass,
                  [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  order(ExampleOrder::shuffled);  // files are often sorted: by class, by length
  for (std::int64_t begin = 0; begin < count_; begin += options_.batch) {
    const auto batch = in_order(begin, options_.batch);
    parts_.separate(working_set_.w(), batch, pass, answers_);
    improve_batch(batch);
  }
  progress_.end_pass();
}

// Adds what is violated of the batch, and moves w by its blocks.
void NSlackPolicy::improve_batch(std::span<const std::int64_t> batch) {
  const InPhase phase(progress_.clock(), &TimeSplit::reduction);
  PassFindings& found = progress_.found;
  const auto look = [this](std::int64_t i, auto& room) { return sweeps_.measure(i, room); };
  const std::span<Arrival> arrivals = arrivals_.receive(batch, answers_, look);
  for (std::size_t k = 0; k < arrivals.size(); ++k) {
    const Separation& answer = answers_[k];
    const BlockGap& seen = arrivals[k].seen;
    const double excess = answer.no_output ? 0 : likely_slack(answer) - seen.slack;
    const SlackTerm& term = working_set_.slack_term();
    const double gap = seen.gap + term.rise(seen.slack, std::max(0.0, excess));
    // Under hard margin the worst example alone says how much longer w must become.
    found.gap = term.is_forbidden() ? std::max(found.gap, gap) : found.gap + gap;
    found.excess = std::max(found.excess, excess);
    for (auto& plane : arrivals[k].planes) progress_.add(batch[k], std::move(plane));
  }
  const InPhase then(progress_.clock(), &TimeSplit::sweeps);
  for (std::size_t k = 0; k < batch.size(); ++k) {
    working_set_.prefetch_next(batch, k);
    sweeps_.improve(batch[k]);
  }
}

void NSlackPolicy::order(ExampleOrder order) {
  const auto passes = static_cast<std::uint64_t>(progress_.passes());
  order_examples(order, count_, source_.seed(), passes, order_);
}

// Up to `count` examples from a place of the order on.
std::span<const std::int64_t> NSlackPolicy::in_order(std::int64_t begin, std::int64_t count) const {
  return std::span(order_).subspan(static_cast<std::size_t>(begin),
                                   static_cast<std::size_t>(std::min(count, count_ - begin)));
}

// xi_i of the working set, where the answers belong to the place that it was evaluated at.
double NSlackPolicy::allowed_slack(std::int64_t example) const {
  if (options_.formulation.hard_margin()) return 0;
  return sweeps_.slack()[static_cast<std::size_t>(example)];
}

void NSlackPolicy::refuse() const {
  refuse_inseparable(
      source_, working_set_, options_.separation_floor, carried_by_blocks(working_set_),
      [this](std::span<const std::int64_t> some) { return active_planes(working_set_, some); });
}

}  // namespace

Result NSlack::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                     Checkpoints& checkpoints) {
  return CuttingPlaneRun<NSlackPolicy>(options_, *ports.planes, listener, stop, checkpoints)
      .solve();
}

std::optional<WorkingSet> NSlack::recall(PlaneSource& source, StateReader& state) {
  return CuttingPlaneRun<NSlackPolicy>::recall(options_, source, state);
}

SolverTraits NSlack::traits() const {
  return {.asks_one_by_one = options_.batch == 1,
          .limits_planes = options_.max_planes_megabytes.has_value()};
}

double NSlack::expected_bytes(const ProblemShape& shape) const {
  const auto n = static_cast<double>(shape.examples);
  const double planes =
      planes_of_example(shape) * share_kept(options_.drop_after, NSlackOptions().drop_after);
  const double blocks = n * bytes_of_block(shape, planes);
  const double newton = bytes_of_newton(shape, n * planes, entries_of_plane(shape));
  return bytes_of_vectors(shape, options_.formulation, newton > 0) +
         bytes_of_answers(shape, answers_held(options_.batch)) + newton +
         within_limit(blocks, options_, n * bytes_of_block(shape, 1));
}

double NSlack::least_bytes(const ProblemShape& shape) const {
  return least_bytes_of_vectors(shape);
}

namespace {

std::span<const sculpt_parameter> n_slack_parameters() {
  static const ParameterTable table =
      cutting_plane_parameters() +
      ParameterTable{
          batch_parameter(),
          real_parameter(
              "frozen_below", "0.3", 0, 1, nullptr,
              "Ask whole passes at one w once the gap is below this fraction of the primal."),
          drop_after_parameter("20"),
          warm_start_parameter(),
      };
  return table;
}

}  // namespace

NSlackOptions n_slack_options(std::span<const sculpt_value> values) {
  const ParameterValues named(n_slack_parameters(), values);
  NSlackOptions options;
  fill_cutting_plane(named, options);
  options.batch = named.at("batch").integer;
  options.frozen_below = named.at("frozen_below").real;
  return options;
}

const SolverDescriptor& n_slack_descriptor() {
  static const SolverDescriptor descriptor{
      "n_slack",
      "Cutting planes, one slack for each example (Tsochantaridis et al. 2005): few oracle calls, "
      "keeps the planes it finds as long as they are of use.",
      n_slack_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<NSlack>(n_slack_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
