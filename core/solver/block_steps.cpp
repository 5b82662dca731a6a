#include "solver/block_steps.hpp"

#include "qp/toward.hpp"

namespace sculpt::core {

BlockSteps::BlockSteps(const FrankWolfeOptions& options, WorkingSet& working_set)
    : working_set_(working_set),
      step_(options.step),
      averaging_(options.averaging),
      mean_(options.averaging ? working_set.w().size() : 0) {}

BlockGap BlockSteps::score(std::int64_t example) {
  working_set_.score(example, score_);
  return block_gap(working_set_.block(example), working_set_.slack_term(), score_);
}

void BlockSteps::step(std::int64_t example) {
  Block& block = working_set_.block(example);
  before_ = block.alpha;
  if (step_ == FrankWolfeStep::toward) {
    step_toward(block, working_set_.slack_term(), score_);
  } else {
    improve_block(block, working_set_.slack_term(), score_, 0, 1);
  }
  working_set_.move_w(example, before_);
  if (!averaging_) return;
  mean_.begin_step();
  for (std::size_t p = 1; p < block.size(); ++p) {
    if (block.alpha[p] != before_[p]) mean_.add(block.alpha[p] - before_[p], block.a[p]);
  }
}

Vector BlockSteps::mean() const {
  Vector mean = working_set_.v();
  mean_.make_mean(mean);
  working_set_.clip_to_bounds(mean);
  return mean;
}

void BlockSteps::restart_mean() {
  if (averaging_) mean_.restart();
}

}  // namespace sculpt::core
