#include "solver/frank_wolfe/block_steps.hpp"

#include <algorithm>

#include "qp/block/frank_wolfe_step.hpp"

namespace sculpt::core {
namespace {

// F and nu of Osokin et al. 2016.
constexpr double cache_share = 0.25;
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
  const bool by_gaps = options_.samples_gaps && pass > 1;  // all gaps are known then
  draws_.begin(by_gaps ? &gaps_.all() : nullptr, seed, pass);
}

bool BlockSteps::draw_batch(std::vector<std::int64_t>& batch) {
  const InPhase phase(pass_controller_.clock(), &TimeSplit::sweeps);
  const std::int64_t most = options_.batch == 0 ? count_ : options_.batch;
  batch.clear();
  for (std::int64_t example = 0;
       static_cast<std::int64_t>(batch.size()) < most && draws_.next(example);) {
    if (!step_without_call(example)) batch.push_back(example);
  }
  return !batch.empty();
}

bool BlockSteps::step_without_call(std::int64_t example) {
  if (options_.cache == 0 || working_set_.block(example).size() == 1) return false;
  const double floor = cache_floor / static_cast<double>(count_) * gaps_.proved;
  const double gap = score(example).gap;
  if (gap <= 0 || gap < std::max(cache_share * gaps_.of(example), floor)) return false;
  note_gap(example, gap);
  step(example);
  return true;
}

// The gap is that of the current w. This is up to one batch of steps further than the w of the
// answer.
void BlockSteps::step_by_answer(std::int64_t example, const Separation& answer) {
  const BlockGap seen = score(example);
  const double excess = answer.no_output ? 0 : std::max(0.0, likely_slack(answer) - seen.slack);
  note_gap(example, seen.gap + working_set_.slack_term().rise(seen.slack, excess));
  pass_controller_.found.excess = std::max(pass_controller_.found.excess, excess);
  if (pass_controller_.add_if_violated(example, answer, seen.slack)) score(example);
  step(example);
}

void BlockSteps::step_by_planes(std::int64_t example) {
  measure(example);
  if (gaps_.of(example) > 0) step(example);
}

void BlockSteps::measure(std::int64_t example) {
  note_gap(example, score(example).gap);
}

// Scores the planes of a block at w.
BlockGap BlockSteps::score(std::int64_t example) {
  working_set_.score(example, score_);
  return block_gap(working_set_.block(example), working_set_.slack_term(), score_);
}

// Requires that this block was scored last.
void BlockSteps::step(std::int64_t example) {
  Block& block = working_set_.block(example);
  before_ = block.alpha;
  if (options_.step == FrankWolfeStep::toward) {
    frank_wolfe_step(block, working_set_.slack_term(), score_);
  } else {
    improve_block(block, working_set_.slack_term(), score_, 0, 1);
  }
  working_set_.move_w(example, before_);
  if (!options_.averaging) return;
  mean_.begin_step();
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.alpha[p] != before_[p]) mean_.add(block.alpha[p] - before_[p], block.a[p]);
  }
}

void BlockSteps::note_gap(std::int64_t example, double gap) {
  gaps_.set(example, gap);
  draws_.set(example, gap);
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
