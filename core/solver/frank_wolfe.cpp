#include "solver/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/block_steps.hpp"
#include "solver/cutting_plane_run.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"
#include "solver/slack_of_each.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t poll_every = 64;  // steps

// Work bound of a QP over all planes, in scorings of them.
constexpr double sweeps_at_most = 300;

// Steps stall where the gap of a pass at one w is more than this part of that of the one before.
constexpr double stalled_gap = 0.5;

class FrankWolfePolicy : public BlockOfEach {
 public:
  static constexpr double first_qp_sweeps = sweeps_at_most;

  FrankWolfePolicy(const FrankWolfeOptions& options, CuttingPlaneParts& parts)
      : options_(options),
        source_(parts.source),
        count_(source_.example_count()),
        working_set_(parts.working_set),
        sweeps_(parts.sweeps),
        progress_(parts.progress),
        parts_(parts),
        steps_(options, working_set_, progress_) {
    parts.marks.add_part([this](StateWriter& out) { out.write(own_.bytes()); },
                         [this](StateReader& in) { load_own(in); });
    note_own();
  }

  // The last pass that a limit allows is at one w for its sake.
  bool next_pass_depends_on_limit() const { return progress_.limit(true).has_value(); }
  void find_planes();
  std::optional<StoppedBy> stop_rule() const;
  void improve();

 private:
  void find_planes_at_one_w();
  void find_planes_by_steps();
  bool next_pass_is_frozen() const;
  bool target_in_sight() const;
  Pass begin_frozen_pass();
  void prove(std::int64_t example, const Separation& answer, MeanSlack& mean);
  double seen_slack(std::int64_t example) const;
  bool draw_batch();
  void step_each();
  bool may_correct() const;
  bool stalls(bool was_corrected);
  void correct();
  void note_own();
  void load_own(StateReader& in);

  const FrankWolfeOptions& options_;
  PlaneSource& source_;
  std::int64_t count_;  // n
  WorkingSet& working_set_;
  Sweeps& sweeps_;
  Progress& progress_;
  CuttingPlaneParts& parts_;
  BlockSteps steps_;
  bool at_mean_ = false;    // the pass at one w under way asks there
  bool corrected_ = false;  // behind the last pass
  double last_gap_ = std::numeric_limits<double>::infinity();  // of the last pass at one w
  StateBuffer own_;  // gaps, mean and the three above, as they were at the last mark
  std::vector<std::int64_t> asked_;  // about these examples last
  std::vector<Separation> answers_;  // [asked_]
};

void FrankWolfePolicy::find_planes() {
  if (next_pass_is_frozen()) {
    find_planes_at_one_w();
  } else {
    find_planes_by_steps();
  }
  note_own();
}

// Steps at different w prove nothing. Single steps may stand still where all blocks at once would
// not: only behind a correction is nothing left to gain.
std::optional<StoppedBy> FrankWolfePolicy::stop_rule() const {
  if (!progress_.found.at_one_w) return std::nullopt;
  if (const auto rule = progress_.target()) return rule;
  const bool all_tried = corrected_ || !may_correct();
  if (!at_mean_ && all_tried && progress_.exhausted()) return StoppedBy::oracle_exhausted;
  return progress_.limit_behind();
}

// Behind a pass at one w: a step of each block by its answer, or all blocks at once. The other
// passes have made their steps.
void FrankWolfePolicy::improve() {
  const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
  const bool frozen = progress_.found.at_one_w;
  const bool was_corrected = std::exchange(corrected_, false);
  if (frozen && stalls(was_corrected)) {
    correct();
  } else if (frozen) {
    step_each();
  }
  const bool goes_back = progress_.take_stock(options_.cache, corrected_);
  if (goes_back) steps_.restart_mean();
  if (!frozen) progress_.report_batches();
  note_own();
}

// Algorithm 4 of 2013, lines 4 to 9, n times: draw i, find y that maximizes H_i(y), step towards
// it. Those drawn next are asked about together, and the steps follow.
void FrankWolfePolicy::find_planes_by_steps() {
  Pass pass = parts_.marks.watched(progress_.begin_pass(false));
  progress_.spare(pass,
                  [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  steps_.begin_draws(source_.seed(), pass.number);
  while (draw_batch()) {
    parts_.separate(working_set_.w(), asked_, pass, answers_);
    const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
    for (std::size_t k = 0; k < asked_.size(); ++k) steps_.step_by_answer(asked_[k], answers_[k]);
  }
  progress_.found.gap = steps_.gaps().total();
  progress_.end_pass();
}

// As many answers at a time as are worth their memory.
void FrankWolfePolicy::find_planes_at_one_w() {
  Pass pass = begin_frozen_pass();
  progress_.spare(pass, [this](std::int64_t i) { return seen_slack(i); });
  MeanSlack mean;
  for (std::int64_t begin = 0; begin < count_; begin += answers_at_a_time) {
    asked_.resize(static_cast<std::size_t>(std::min(answers_at_a_time, count_ - begin)));
    std::iota(asked_.begin(), asked_.end(), begin);
    parts_.separate(progress_.place(), asked_, pass, answers_);
    const InPhase phase(progress_.clock(), &TimeSplit::reduction);
    for (std::size_t k = 0; k < asked_.size(); ++k) prove(asked_[k], answers_[k], mean);
  }
  progress_.end_pass();
  progress_.certify(mean.over(static_cast<double>(count_)));
  steps_.gaps().checked = progress_.passes();
  steps_.gaps().proved = std::clamp(progress_.found.gap, 0.0, std::numeric_limits<double>::max());
}

// What an answer at the place proves of its example, and its plane for the working set.
void FrankWolfePolicy::prove(std::int64_t example, const Separation& answer, MeanSlack& mean) {
  if (answer.no_output) return;
  const double seen = seen_slack(example);
  const SlackBounds slack = parts_.prove_slack(example, answer, seen, mean);
  progress_.found.excess = std::max(progress_.found.excess, slack.high - seen);
  progress_.add_if_violated(example, answer, seen);
}

bool FrankWolfePolicy::next_pass_is_frozen() const {
  if (progress_.limit(true) || corrected_) return true;
  if (progress_.passes() == 0) return progress_.is_first_with_planes();
  return progress_.passes() - steps_.gaps().checked >= options_.gap_check ||
         progress_.qp_is_exact() || target_in_sight();
}

// As far as gaps of different w can tell.
bool FrankWolfePolicy::target_in_sight() const {
  const Stopping& stopping = progress_.stopping();
  const double gap = steps_.gaps().total();
  return gap <= stopping.relative_gap() * std::abs(working_set_.dual() + gap) ||
         (stopping.epsilon() && progress_.found.excess <= *stopping.epsilon());
}

Pass FrankWolfePolicy::begin_frozen_pass() {
  at_mean_ = options_.averaging && !progress_.qp_is_exact() && !target_in_sight();
  return parts_.marks.watched(at_mean_ ? progress_.begin_pass_at(steps_.mean())
                                       : progress_.begin_pass(true));
}

// xi_i of the working set at the place.
double FrankWolfePolicy::seen_slack(std::int64_t example) const {
  if (!at_mean_) return sweeps_.slack()[static_cast<std::size_t>(example)];
  return working_set_.slack_of(example, progress_.place());
}

bool FrankWolfePolicy::draw_batch() {
  const InPhase phase(progress_.clock(), &TimeSplit::sweeps);
  return steps_.draw_batch(asked_);
}

void FrankWolfePolicy::step_each() {
  for (std::int64_t i = 0; i < count_; ++i) {
    if (i % poll_every == 0) {
      parts_.marks.poll();
      if (progress_.stopping().interrupted()) throw Cancelled();
    }
    steps_.step_by_planes(i);
  }
}

// A mean of all w has no planes of its own, and what a limit has dropped or merged may be missed.
bool FrankWolfePolicy::may_correct() const {
  return !options_.averaging && !options_.max_planes_megabytes;
}

// Whether the steps since the last pass at one w have gained too little, as told by the present
// one, or stand still. Where that came right behind a correction, planes were missing: steps find
// them sooner, unless the next pass is at one w anyway.
bool FrankWolfePolicy::stalls(bool was_corrected) {
  const double gap = std::max(0.0, progress_.found.gap);
  const bool too_little = gap > stalled_gap * std::exchange(last_gap_, gap);
  if (!may_correct()) return false;
  const bool planes_missed = was_corrected && progress_.found.new_planes > 0;
  const bool goes_on = was_corrected && !planes_missed;  // single steps would undo it
  return progress_.qp_is_exact() || goes_on ||
         (too_little && (!planes_missed || target_in_sight()));
}

// The fully corrective step: all blocks at once, over the planes that are kept. The next pass tells
// what it was worth.
void FrankWolfePolicy::correct() {
  parts_.solve_qp(sweeps_at_most);
  for (std::int64_t i = 0; i < count_; ++i) steps_.measure(i);
  corrected_ = true;
}

void FrankWolfePolicy::note_own() {
  own_.clear();
  steps_.save(own_);
  own_.put(at_mean_);
  own_.put(corrected_);
  own_.put(last_gap_);
}

void FrankWolfePolicy::load_own(StateReader& in) {
  steps_.load(in);
  at_mean_ = in.get_flag();
  corrected_ = in.get_flag();
  last_gap_ = in.get<double>();
  in.require(last_gap_ >= 0, "a gap that is negative or no number");
  note_own();
}

}  // namespace

Result FrankWolfe::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                         Checkpoints& checkpoints) {
  return CuttingPlaneRun<FrankWolfePolicy>(options_, *ports.planes, listener, stop, checkpoints)
      .solve();
}

std::optional<WorkingSet> FrankWolfe::recall(PlaneSource& source, StateReader& state) {
  return CuttingPlaneRun<FrankWolfePolicy>::recall(options_, source, state);
}

SolverTraits FrankWolfe::traits() const {
  return {.asks_one_by_one = options_.batch == 1,
          .solves_qp = false,
          .limits_planes = options_.max_planes_megabytes.has_value()};
}

double FrankWolfe::expected_bytes(const ProblemShape& shape) const {
  const double mean = options_.averaging ? shape.vector_bytes() : 0;
  const double planes =
      std::min(planes_of_example(shape), fewest_planes + static_cast<double>(options_.cache));
  const auto n = static_cast<double>(shape.examples);
  const double newton = bytes_of_newton(shape, n * planes, entries_of_plane(shape));
  return bytes_of_vectors(shape, options_.formulation, newton > 0 || options_.averaging) + mean +
         bytes_of_answers(shape, answers_held(batch_of(shape, options_.batch))) + newton +
         within_limit(n * bytes_of_block(shape, planes), options_, n * bytes_of_block(shape, 1));
}

double FrankWolfe::least_bytes(const ProblemShape& shape) const {
  return least_bytes_of_vectors(shape);
}

namespace {

[[noreturn]] void refuse_norm_2(const std::string& what, const std::string& advice) {
  throw Failure(Exit::config, "frank_wolfe knows no " + what +
                                  " under \"slack_norm\": 2, where alpha has no cap; " + advice);
}

std::span<const sculpt_parameter> frank_wolfe_parameters() {
  static const ParameterTable table =
      formulation_parameters(price_of_slacks) + target_parameters() + limit_parameters("null") +
      ParameterTable{
          {SCULPT_PARAMETER_CHOICE, "step", "\"pairwise\"", 0, 0, "pairwise|toward", nullptr,
           "Which alpha a step takes from: pairwise from one plane, toward (the paper of 2013) "
           "from "
           "all in proportion."},
          {SCULPT_PARAMETER_CHOICE, "sampling", "\"gap\"", 0, 0, "gap|shuffled", nullptr,
           "Draw examples in proportion to their gaps, or each once a pass in random order."},
          integer_parameter(
              "gap_check", "10", 1, most_calls, "passes",
              "Ask about all examples at one w every so many passes: that alone proves a gap."),
          integer_parameter(
              "cache", "10", 0, 1e9, "planes",
              "Planes with alpha = 0 kept for each example, to step to in place of oracle "
              "calls; 0 always asks."),
          {SCULPT_PARAMETER_BOOL, "averaging", "false", 0, 0, nullptr, nullptr,
           "Prove the primal of the weighted mean of all w, which early on is better than the "
           "last."},
          batch_parameter(),
          max_planes_parameter(),
          warm_start_parameter(),
      };
  return table;
}

}  // namespace

FrankWolfeOptions frank_wolfe_options(std::span<const sculpt_value> values) {
  const ParameterValues named(frank_wolfe_parameters(), values);
  FrankWolfeOptions options;
  options.formulation = formulation_of(named);
  fill_limits(named, options.stop);
  fill_targets(named, options.stop);
  options.max_planes_megabytes = named.optional_real("max_planes_megabytes");
  options.step = named.at("step").integer == 1 ? FrankWolfeStep::toward : FrankWolfeStep::pairwise;
  options.samples_gaps = named.at("sampling").integer == 0;
  options.gap_check = named.at("gap_check").integer;
  options.cache = static_cast<std::size_t>(named.at("cache").integer);
  options.averaging = named.at("averaging").integer == 1;
  options.batch = named.at("batch").integer;
  require_slacks(options.formulation, "frank_wolfe", "its steps are as long as slacks are dear");
  if (options.formulation.slack_norm == 2 && options.step == FrankWolfeStep::toward) {
    refuse_norm_2("\"step\": \"toward\"", "use \"pairwise\"");
  }
  if (options.formulation.slack_norm == 2 && options.averaging) {
    refuse_norm_2("\"averaging\"", "leave it out");
  }
  return options;
}

const SolverDescriptor& frank_wolfe_descriptor() {
  static const SolverDescriptor descriptor{
      "frank_wolfe",
      "Block-coordinate Frank-Wolfe (Lacoste-Julien et al. 2013, Osokin et al. 2016): a step of "
      "one example's block at a time, no QP.",
      frank_wolfe_parameters(),
      [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<FrankWolfe>(frank_wolfe_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
