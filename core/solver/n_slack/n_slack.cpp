#include "solver/n_slack/n_slack.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "solver/cutting_plane/cutting_plane_policy.hpp"
#include "solver/cutting_plane/cutting_plane_run.hpp"
#include "solver/cutting_plane/inseparable.hpp"
#include "solver/example_order.hpp"
#include "solver/n_slack/answer_preparation.hpp"
#include "solver/n_slack/infeasible_blocks.hpp"
#include "solver/n_slack/n_slack_passes.hpp"

namespace sculpt::core {
namespace {

// Work limits of one QP, in scorings of the working set: after a pass with new planes, and after
// one without. After max_n_slack_sweeps, a new pass helps more than further sweeps.
constexpr double max_n_slack_sweeps = 300;
constexpr double max_qp_sweeps_without_new_planes = 5000;

class NSlackPolicy : public BlockPerExamplePolicy {
 public:
  static constexpr double max_first_qp_sweeps = max_n_slack_sweeps;

  NSlackPolicy(const NSlackOptions& options, CuttingPlaneContext& context)
      : BlockPerExamplePolicy(context),
        options_(options),
        preparation_(pass_controller_, working_set_, source_.workers()) {}

  // The last pass before a limit is at one w; otherwise it may be in batches.
  bool next_pass_depends_on_limit() const {
    return pass_controller_.limit_after_next_pass().has_value();
  }
  void find_planes();
  std::optional<StoppedBy> stop_rule() const;
  void improve();

  void refuse_data() const;
  InfeasiblePlanes planes_for_contradiction() const { return all_planes(working_set_); }

 private:
  void find_planes_at_one_w();
  void find_planes_in_batches();
  void add_answer(std::int64_t example, const Separation& answer, PreparedAnswer& prepared,
                  MeanSlack& mean);
  void improve_batch(std::span<const std::int64_t> batch);
  double allowed_slack(std::int64_t example) const;

  const NSlackOptions& options_;
  AnswerPreparation preparation_;
  std::vector<std::int64_t> order_;  // [n] order of the examples in the current pass
  std::vector<Separation> answers_;  // [examples asked last]
};

// Tsochantaridis et al. 2005, Algorithm 1, lines 3 to 9: for i = 1, ..., n, find y that maximizes
// H(y), and add it to S_i if H(y) > xi_i + epsilon. Line 8, the QP, follows every batch for its S_i
// alone, or the pass.
void NSlackPolicy::find_planes() {
  if (next_pass_is_at_one_w(options_, pass_controller_, working_set_)) {
    find_planes_at_one_w();
  } else {
    find_planes_in_batches();
  }
}

// Line 10: until no S_i has changed. Batches prove nothing.
std::optional<StoppedBy> NSlackPolicy::stop_rule() const {
  if (!pass_controller_.findings.at_one_w) return std::nullopt;
  if (const auto rule = pass_controller_.reached_target()) return rule;
  if (pass_controller_.is_exhausted()) return StoppedBy::oracle_exhausted;
  return pass_controller_.limit_after_pass();
}

// Line 8: alpha <- argmax D over all S_i.
void NSlackPolicy::improve() {
  const PassFindings& findings = pass_controller_.findings;
  const double max_sweeps =
      findings.new_planes == 0 ? max_qp_sweeps_without_new_planes : max_n_slack_sweeps;
  const QpEnd end = context_.solve_qp(max_sweeps);
  if (end == QpEnd::inseparable) refuse_data();
  pass_controller_.reduce_working_set();
  if (!findings.at_one_w) pass_controller_.report_batches();
}

// Asks about all examples at the query point, and proves a gap.
void NSlackPolicy::find_planes_at_one_w() {
  Pass pass = context_.begin_pass(true);
  pass.next_best_count = next_best_count(working_set_);
  pass_controller_.skip_costlier_oracles(pass, [this](std::int64_t i) { return allowed_slack(i); });
  const auto measure_block = [this](std::int64_t i, auto&) {
    return BlockGap{.slack = allowed_slack(i)};
  };
  MeanSlack mean;
  context_.ask_all(pass, answers_, [&](std::span<const std::int64_t> examples) {
    const std::span<PreparedAnswer> prepared =
        preparation_.prepare(examples, answers_, measure_block);
    for (std::size_t k = 0; k < prepared.size(); ++k) {
      add_answer(examples[k], answers_[k], prepared[k], mean);
    }
  });
  pass_controller_.end_pass();
  pass_controller_.certify(mean.divided_by(static_cast<double>(count_)));
}

// Adds what an answer proves of its example, and its planes to S_i.
void NSlackPolicy::add_answer(std::int64_t example, const Separation& answer,
                              PreparedAnswer& prepared, MeanSlack& mean) {
  if (answer.no_output) return;
  const double known_slack = qp_solver_.slack()[static_cast<std::size_t>(example)];
  const SlackBounds slack = context_.prove_slack(example, answer, known_slack, mean);
  pass_controller_.record_violation(example, slack.high - prepared.known_gap.slack);
  for (auto& plane : prepared.planes) pass_controller_.add(example, std::move(plane));
}

// Asks about the examples in shuffled order. w moves after each batch.
void NSlackPolicy::find_planes_in_batches() {
  Pass pass = context_.begin_pass(false);
  pass.next_best_count = next_best_count(working_set_);
  pass_controller_.skip_costlier_oracles(
      pass, [this](std::int64_t i) { return working_set_.slack_of(i, working_set_.w()); });
  order_examples(ExampleOrder::shuffled, count_, source_.seed(),
                 static_cast<std::uint64_t>(pass_controller_.passes()), order_);
  for (std::int64_t begin = 0; begin < count_; begin += options_.batch) {
    const auto batch = std::span(order_).subspan(
        static_cast<std::size_t>(begin),
        static_cast<std::size_t>(std::min(options_.batch, count_ - begin)));
    context_.separate(working_set_.complete_w(), batch, pass, answers_);
    improve_batch(batch);
  }
  pass_controller_.end_pass();
}

// Adds the violated planes of the batch, and moves w by its blocks.
void NSlackPolicy::improve_batch(std::span<const std::int64_t> batch) {
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::reduction);
  PassFindings& findings = pass_controller_.findings;
  const auto measure_block = [this](std::int64_t i, auto& score) {
    return qp_solver_.measure(i, score);
  };
  const std::span<PreparedAnswer> prepared = preparation_.prepare(batch, answers_, measure_block);
  for (std::size_t k = 0; k < prepared.size(); ++k) {
    const Separation& answer = answers_[k];
    const BlockGap& known = prepared[k].known_gap;
    const double beyond_slack = answer.no_output ? 0 : estimated_slack(answer) - known.slack;
    const SlackTerm& term = working_set_.slack_term();
    const double gap = known.gap + term.cost_increase(known.slack, std::max(0.0, beyond_slack));
    // Under hard margin only the worst example says how much longer w must become.
    findings.gap = term.is_forbidden() ? std::max(findings.gap, gap) : findings.gap + gap;
    pass_controller_.record_violation(batch[k], beyond_slack);
    for (auto& plane : prepared[k].planes) pass_controller_.add(batch[k], std::move(plane));
  }
  const ScopedPhase sweeps_phase(pass_controller_.clock(), &PhaseTimes::sweeps);
  qp_solver_.improve(batch);
}

// xi_i of the working set, at the query point of the pass. 0 under hard margin.
double NSlackPolicy::allowed_slack(std::int64_t example) const {
  if (options_.formulation.is_hard_margin()) return 0;
  return qp_solver_.slack()[static_cast<std::size_t>(example)];
}

void NSlackPolicy::refuse_data() const {
  refuse_inseparable(source_, working_set_, options_.separation_floor,
                     alpha_sums_of_blocks(working_set_),
                     [this](std::span<const std::int64_t> examples) {
                       return active_planes(working_set_, examples);
                     });
}

}  // namespace

Result NSlack::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                     Checkpoints& checkpoints) {
  return CuttingPlaneRun<NSlackPolicy>(options_, *ports.planes, listener, stop, checkpoints)
      .solve();
}

std::optional<WorkingSet> NSlack::load_working_set(PlaneSource& source, StateReader& state) {
  return CuttingPlaneRun<NSlackPolicy>::load_working_set(options_, source, state);
}

}  // namespace sculpt::core
