#include "solver/frank_wolfe/frank_wolfe.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "solver/cutting_plane/cutting_plane_policy.hpp"
#include "solver/cutting_plane/cutting_plane_run.hpp"
#include "solver/frank_wolfe/block_steps.hpp"
#include "solver/frank_wolfe/frank_wolfe_passes.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t steps_between_polls = 64;

// Work limit of a QP over all planes, in scorings of all planes.
constexpr double max_qp_sweeps = 300;

class FrankWolfePolicy : public BlockPerExamplePolicy {
 public:
  static constexpr double max_first_qp_sweeps = max_qp_sweeps;

  FrankWolfePolicy(const FrankWolfeOptions& options, CuttingPlaneContext& context)
      : BlockPerExamplePolicy(context),
        options_(options),
        steps_(options, working_set_, pass_controller_),
        pass_choice_(options, working_set_, pass_controller_, steps_.gaps()) {
    context.resume_points.add_state(
        [this](StateWriter& out) { out.write(recorded_state_.bytes()); },
        [this](StateReader& in) { load_state(in); });
    record_state();
  }

  // The last pass before a limit is at one w; otherwise it may be in batches.
  bool next_pass_depends_on_limit() const {
    return pass_controller_.limit_after_next_pass().has_value();
  }
  void find_planes();
  std::optional<StoppedBy> stop_rule() const;
  void improve();

 private:
  void find_planes_at_one_w();
  void find_planes_by_steps();
  Pass begin_pass_at_one_w();
  void add_answer(std::int64_t example, const Separation& answer, MeanSlack& mean);
  double known_slack_of(std::int64_t example) const;
  void step_in_each_block();
  void make_fully_corrective_step();
  void record_state();
  void load_state(StateReader& in);

  const FrankWolfeOptions& options_;
  BlockSteps steps_;
  FrankWolfePasses pass_choice_;
  StateBuffer recorded_state_;          // of steps_ and pass_choice_, as at the last resume point
  std::vector<std::int64_t> examples_;  // the examples asked about last
  std::vector<Separation> answers_;     // [examples_]
};

void FrankWolfePolicy::find_planes() {
  if (pass_choice_.next_is_at_one_w()) {
    find_planes_at_one_w();
  } else {
    find_planes_by_steps();
  }
  record_state();
}

// A pass of steps proves nothing, because its w differ. Single steps may stall although a step of
// all blocks would gain. So is_exhausted() ends the run only after a fully corrective step, if that
// step is allowed.
std::optional<StoppedBy> FrankWolfePolicy::stop_rule() const {
  if (!pass_controller_.findings.at_one_w) return std::nullopt;
  if (const auto rule = pass_controller_.reached_target()) return rule;
  const bool has_tried_all_steps =
      pass_choice_.did_fully_corrective_step() || !pass_choice_.may_make_fully_corrective_step();
  if (!pass_choice_.is_at_mean && has_tried_all_steps && pass_controller_.is_exhausted()) {
    return StoppedBy::oracle_exhausted;
  }
  return pass_controller_.limit_after_pass();
}

// After a pass at one w: a step of each block by its answer, or all blocks at once. Other passes
// have made their steps already.
void FrankWolfePolicy::improve() {
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::sweeps);
  const bool at_one_w = pass_controller_.findings.at_one_w;
  const bool was_fully_corrective = pass_choice_.did_fully_corrective_step();
  pass_choice_.record_step(false);
  if (at_one_w && pass_choice_.should_make_fully_corrective_step(was_fully_corrective)) {
    make_fully_corrective_step();
  } else if (at_one_w) {
    step_in_each_block();
  }
  const bool was_restored =
      pass_controller_.evaluate_and_drop(options_.cache, pass_choice_.did_fully_corrective_step());
  if (was_restored) steps_.restart_mean();
  if (!at_one_w) pass_controller_.report_batches();
  record_state();
}

// Algorithm 4 of Lacoste-Julien et al. 2013, lines 4 to 9, n times: draw i, find y that maximizes
// H_i(y), step towards it. A batch of draws is asked about together, then the steps follow.
void FrankWolfePolicy::find_planes_by_steps() {
  Pass pass = context_.begin_pass(false);
  pass_controller_.skip_costlier_oracles(
      pass, [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  steps_.begin_draws(source_.seed(), pass.number);
  while (steps_.draw_batch(examples_)) {
    context_.separate(working_set_.complete_w(), examples_, pass, answers_);
    const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::sweeps);
    for (std::size_t k = 0; k < examples_.size(); ++k) {
      steps_.step_by_answer(examples_[k], answers_[k]);
    }
  }
  pass_controller_.findings.gap = steps_.gaps().total();
  pass_controller_.end_pass();
}

// Asks about all examples at the query point, and proves a gap.
void FrankWolfePolicy::find_planes_at_one_w() {
  Pass pass = begin_pass_at_one_w();
  pass_controller_.skip_costlier_oracles(pass,
                                         [this](std::int64_t i) { return known_slack_of(i); });
  MeanSlack mean;
  context_.ask_all(pass, answers_, [&](std::span<const std::int64_t> examples) {
    for (std::size_t k = 0; k < examples.size(); ++k) add_answer(examples[k], answers_[k], mean);
  });
  pass_controller_.end_pass();
  pass_controller_.certify(mean.divided_by(static_cast<double>(count_)));
  steps_.gaps().proved_pass = pass_controller_.passes();
  steps_.gaps().proved_gap =
      std::clamp(pass_controller_.findings.gap, 0.0, std::numeric_limits<double>::max());
}

// Adds what an answer at the query point proves of its example, and its plane to the working set.
void FrankWolfePolicy::add_answer(std::int64_t example, const Separation& answer, MeanSlack& mean) {
  if (answer.no_output) return;
  const double known_slack = known_slack_of(example);
  const SlackBounds slack = context_.prove_slack(example, answer, known_slack, mean);
  pass_controller_.record_violation(example, slack.high - known_slack);
  pass_controller_.add_if_violated(example, answer, known_slack);
}

Pass FrankWolfePolicy::begin_pass_at_one_w() {
  pass_choice_.is_at_mean = pass_choice_.next_is_at_mean();
  if (pass_choice_.is_at_mean) return context_.begin_pass_at(steps_.mean());
  return context_.begin_pass(true);
}

// xi_i of the working set at the query point.
double FrankWolfePolicy::known_slack_of(std::int64_t example) const {
  if (!pass_choice_.is_at_mean) return qp_solver_.slack()[static_cast<std::size_t>(example)];
  return working_set_.slack_of(example, pass_controller_.query_point());
}

void FrankWolfePolicy::step_in_each_block() {
  for (std::int64_t i = 0; i < count_; ++i) {
    if (i % steps_between_polls == 0) context_.poll();
    steps_.step_by_planes(i);
  }
}

// The fully corrective step: all blocks at once, over the stored planes. The next pass measures its
// success.
void FrankWolfePolicy::make_fully_corrective_step() {
  context_.solve_qp(max_qp_sweeps);
  for (std::int64_t i = 0; i < count_; ++i) steps_.measure(i);
  pass_choice_.record_step(true);
}

void FrankWolfePolicy::record_state() {
  recorded_state_.clear();
  steps_.save(recorded_state_);
  pass_choice_.save(recorded_state_);
}

void FrankWolfePolicy::load_state(StateReader& in) {
  steps_.load(in);
  pass_choice_.load(in);
  record_state();
}

}  // namespace

Result FrankWolfe::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                         Checkpoints& checkpoints) {
  return CuttingPlaneRun<FrankWolfePolicy>(options_, *ports.planes, listener, stop, checkpoints)
      .solve();
}

std::optional<WorkingSet> FrankWolfe::load_working_set(PlaneSource& source, StateReader& state) {
  return CuttingPlaneRun<FrankWolfePolicy>::load_working_set(options_, source, state);
}

}  // namespace sculpt::core
