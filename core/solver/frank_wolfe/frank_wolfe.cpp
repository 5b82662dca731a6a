#include "solver/frank_wolfe/frank_wolfe.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "solver/cutting_plane/cutting_plane_policy.hpp"
#include "solver/cutting_plane/cutting_plane_run.hpp"
#include "solver/frank_wolfe/block_steps.hpp"
#include "solver/frank_wolfe/frank_wolfe_passes.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t poll_every = 64;  // steps

// Work limit of a QP over all planes, in scorings of all planes.
constexpr double sweeps_at_most = 300;

class FrankWolfePolicy : public BlockPerExamplePolicy {
 public:
  static constexpr double first_qp_sweeps = sweeps_at_most;

  FrankWolfePolicy(const FrankWolfeOptions& options, CuttingPlaneContext& parts)
      : BlockPerExamplePolicy(parts),
        options_(options),
        steps_(options, working_set_, pass_controller_),
        passes_(options, working_set_, pass_controller_, steps_.gaps()) {
    parts.resume_points.add_state([this](StateWriter& out) { out.write(own_.bytes()); },
                                  [this](StateReader& in) { load_own(in); });
    note_own();
  }

  // A limit makes its last pass one at one w, so this pass depends on the limit.
  bool next_pass_depends_on_limit() const { return pass_controller_.limit(true).has_value(); }
  void find_planes();
  std::optional<StoppedBy> stop_rule() const;
  void improve();

 private:
  void find_planes_at_one_w();
  void find_planes_by_steps();
  Pass begin_frozen_pass();
  void prove(std::int64_t example, const Separation& answer, MeanSlack& mean);
  double seen_slack(std::int64_t example) const;
  void step_each();
  void correct();
  void note_own();
  void load_own(StateReader& in);

  const FrankWolfeOptions& options_;
  BlockSteps steps_;
  FrankWolfePasses passes_;
  StateBuffer own_;                  // of steps_ and passes_, as at the last resume point
  std::vector<std::int64_t> asked_;  // the examples asked about last
  std::vector<Separation> answers_;  // [asked_]
};

void FrankWolfePolicy::find_planes() {
  if (passes_.next_is_at_one_w()) {
    find_planes_at_one_w();
  } else {
    find_planes_by_steps();
  }
  note_own();
}

// Steps at different w prove nothing. Single steps may stall although a step of all blocks would
// gain. So only after the fully corrective step is nothing left to gain.
std::optional<StoppedBy> FrankWolfePolicy::stop_rule() const {
  if (!pass_controller_.found.at_one_w) return std::nullopt;
  if (const auto rule = pass_controller_.target()) return rule;
  const bool all_tried = passes_.did_full_step || !passes_.may_make_full_step();
  if (!passes_.at_mean && all_tried && pass_controller_.exhausted())
    return StoppedBy::oracle_exhausted;
  return pass_controller_.limit_after_pass();
}

// After a pass at one w: a step of each block by its answer, or all blocks at once. Other passes
// have made their steps already.
void FrankWolfePolicy::improve() {
  const InPhase phase(pass_controller_.clock(), &TimeSplit::sweeps);
  const bool frozen = pass_controller_.found.at_one_w;
  const bool was_corrected = std::exchange(passes_.did_full_step, false);
  if (frozen && passes_.stalls(was_corrected)) {
    correct();
  } else if (frozen) {
    step_each();
  }
  const bool goes_back = pass_controller_.evaluate_and_drop(options_.cache, passes_.did_full_step);
  if (goes_back) steps_.restart_mean();
  if (!frozen) pass_controller_.report_batches();
  note_own();
}

// Algorithm 4 of Lacoste-Julien et al. 2013, lines 4 to 9, n times: draw i, find y that maximizes
// H_i(y), step towards it. A batch of draws is asked about together, then the steps follow.
void FrankWolfePolicy::find_planes_by_steps() {
  Pass pass = context_.begin_pass(false);
  pass_controller_.skip_costlier_oracles(
      pass, [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  steps_.begin_draws(source_.seed(), pass.number);
  while (steps_.draw_batch(asked_)) {
    context_.separate(working_set_.w(), asked_, pass, answers_);
    const InPhase phase(pass_controller_.clock(), &TimeSplit::sweeps);
    for (std::size_t k = 0; k < asked_.size(); ++k) steps_.step_by_answer(asked_[k], answers_[k]);
  }
  pass_controller_.found.gap = steps_.gaps().total();
  pass_controller_.end_pass();
}

void FrankWolfePolicy::find_planes_at_one_w() {
  Pass pass = begin_frozen_pass();
  pass_controller_.skip_costlier_oracles(pass, [this](std::int64_t i) { return seen_slack(i); });
  MeanSlack mean;
  context_.ask_all(pass, answers_, [&](std::span<const std::int64_t> examples) {
    for (std::size_t k = 0; k < examples.size(); ++k) prove(examples[k], answers_[k], mean);
  });
  pass_controller_.end_pass();
  pass_controller_.certify(mean.over(static_cast<double>(count_)));
  steps_.gaps().checked = pass_controller_.passes();
  steps_.gaps().proved =
      std::clamp(pass_controller_.found.gap, 0.0, std::numeric_limits<double>::max());
}

// Adds what an answer at the place proves of its example, and its plane to the working set.
void FrankWolfePolicy::prove(std::int64_t example, const Separation& answer, MeanSlack& mean) {
  if (answer.no_output) return;
  const double seen = seen_slack(example);
  const SlackBounds slack = context_.prove_slack(example, answer, seen, mean);
  pass_controller_.found.excess = std::max(pass_controller_.found.excess, slack.high - seen);
  pass_controller_.add_if_violated(example, answer, seen);
}

Pass FrankWolfePolicy::begin_frozen_pass() {
  passes_.at_mean = passes_.next_is_at_mean();
  return passes_.at_mean ? context_.begin_pass_at(steps_.mean()) : context_.begin_pass(true);
}

// xi_i of the working set at the place.
double FrankWolfePolicy::seen_slack(std::int64_t example) const {
  if (!passes_.at_mean) return qp_solver_.slack()[static_cast<std::size_t>(example)];
  return working_set_.slack_of(example, pass_controller_.place());
}

void FrankWolfePolicy::step_each() {
  for (std::int64_t i = 0; i < count_; ++i) {
    if (i % poll_every == 0) context_.poll();
    steps_.step_by_planes(i);
  }
}

// The fully corrective step: all blocks at once, over the stored planes. The next pass measures its
// success.
void FrankWolfePolicy::correct() {
  context_.solve_qp(sweeps_at_most);
  for (std::int64_t i = 0; i < count_; ++i) steps_.measure(i);
  passes_.did_full_step = true;
}

void FrankWolfePolicy::note_own() {
  own_.clear();
  steps_.save(own_);
  passes_.save(own_);
}

void FrankWolfePolicy::load_own(StateReader& in) {
  steps_.load(in);
  passes_.load(in);
  note_own();
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
