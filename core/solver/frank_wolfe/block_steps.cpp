#include "solver/frank_wolfe/block_steps.hpp"

#include <algorithm>

#include "qp/block/frank_wolfe_step.hpp"

namespace sculpt::core {
namespace {

// F and nu of Osokin et al. 2016: the smallest gap of a step to a known plane.
constexpr double cache_fraction = 0.25;
constexpr double cache_floor = 0.01;

}  // namespace

BlockSteps::BlockSteps(const FrankWolfeOptions& options, WorkingSet& working_set,
                       PassController& pass_controller)
    : options_(options),
      working_set_(working_set),
      pass_controller_(pass_controller),
      count_(pass_controller.example_count()),
      gaps_(count_),
      mean_(options.averaging ? working_set.w().dense().size() : 0),
      draws_(count_) {}

void BlockSteps::begin_draws(std::uint64_t seed, std::uint64_t pass) {
  const bool by_gaps = options_.samples_by_gaps && pass > 1;  // all gaps are known then
  draws_.begin(by_gaps ? &gaps_.all() : nullptr, seed, pass);
}

bool BlockSteps::draw_batch(std::vector<std::int64_t>& batch) {
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::sweeps);
  const std::int64_t batch_size = options_.batch == 0 ? count_ : options_.batch;
  batch.clear();
  for (std::int64_t example = 0;
       static_cast<std::int64_t>(batch.size()) < batch_size && draws_.next(example);) {
    if (!step_to_known_plane(example)) batch.push_back(example);
  }
  return !batch.empty();
}

// Makes a step to a known plane if its gap is large enough. Otherwise returns false.
bool BlockSteps::step_to_known_plane(std::int64_t example) {
  if (options_.cache == 0 || working_set_.block(example).size() == 1) return false;
  const double min_gap = cache_floor / static_cast<double>(count_) * gaps_.proved_gap;
  const double gap = score(example).gap;
  if (gap <= 0 || gap < std::max(cache_fraction * gaps_.at(example), min_gap)) return false;
  set_gap(example, gap);
  step(example);
  return true;
}

// The gap is that of the current w. This is up to one batch of steps further than the w of the
// answer.
void BlockSteps::step_by_answer(std::int64_t example, const Separation& answer) {
  const BlockGap known = score(example);
  const double beyond_slack =
      answer.no_output ? 0 : std::max(0.0, estimated_slack(answer) - known.slack);
  set_gap(example, known.gap + working_set_.slack_term().cost_increase(known.slack, beyond_slack));
  pass_controller_.record_violation(example, beyond_slack);
  if (pass_controller_.add_if_violated(example, answer, known.slack)) score(example);
  step(example);
}

void BlockSteps::step_by_planes(std::int64_t example) {
  measure(example);
  if (gaps_.at(example) > 0) step(example);
}

void BlockSteps::measure(std::int64_t example) {
  set_gap(example, score(example).gap);
}

// Scores the planes of a block at w.
BlockGap BlockSteps::score(std::int64_t example) {
  working_set_.score(example, score_);
  return block_gap(working_set_.block(example), working_set_.slack_term(), score_);
}

// Requires that this block was scored last.
void BlockSteps::step(std::int64_t example) {
  Block& block = working_set_.block(example);
  previous_alpha_ = block.alpha;
  if (options_.step == FrankWolfeStep::toward) {
    frank_wolfe_step(block, working_set_.slack_term(), score_);
  } else {
    improve_block(block, working_set_.slack_term(), score_, 0, 1);
  }
  working_set_.move_w(example, previous_alpha_);
  if (!options_.averaging) return;
  mean_.begin_step();
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double change = block.alpha[p] - previous_alpha_[p];
    if (block.alpha[p] != previous_alpha_[p]) mean_.add(change, block.a[p]);
  }
}

void BlockSteps::set_gap(std::int64_t example, double gap) {
  gaps_.set(example, gap);
  draws_.set_gap(example, gap);
}

Vector BlockSteps::mean() const {
  Vector mean = working_set_.v();
  mean_.make_mean(mean);
  working_set_.clip_to_bounds(mean);
  return mean;
}

void BlockSteps::restart_mean() {
  if (options_.averaging) mean_.restart();
}

void BlockSteps::save(StateWriter& out) const {
  gaps_.save(out);
  mean_.save(out);
}

void BlockSteps::load(StateReader& in) {
  gaps_.load(in);
  mean_.load(in);
}

}  // namespace sculpt::core
