#include "solver/one_slack/joint_answer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {

JointAnswer::JointAnswer(const OneSlackOptions& options, CuttingPlaneContext& parts)
    : context_(parts),
      weight_(options.formulation.squares_slacks() ? JointWeight::slack : JointWeight::one) {
  // The message about inseparable examples needs the pass that made a plane. A joint plane of
  // cached planes belongs to several passes.
  if (options.cache == 0 || options.formulation.hard_margin()) return;
  cache_.emplace(parts.source.example_count(), static_cast<std::size_t>(options.cache),
                 parts.source.workers());
}

void JointAnswer::ask(const Pass& pass) {
  if (cache_) return ask_and_keep(pass);
  context_.ask(context_.source.example_count(), [&] {
    context_.source.separate_jointly(context_.pass_controller.place(), pass, weight_, joint);
  });
}

void JointAnswer::ask_and_keep(const Pass& pass) {
  AnswerCounts counts;
  const std::int64_t n = context_.source.example_count();
  for (std::vector<double>* figure : {&joint.high, &joint.rounding, &joint.size}) {
    figure->assign(static_cast<std::size_t>(n), 0);
  }
  largest_b_ = 0;
  cache_->discard();
  for (std::int64_t begin = 0; begin < n; begin += answers_at_a_time) {
    std::vector<std::int64_t> examples(
        static_cast<std::size_t>(std::min(answers_at_a_time, n - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    context_.ask(static_cast<std::int64_t>(examples.size()), [&] {
      context_.source.separate(context_.pass_controller.place(), examples, pass, answers_);
    });
    const InPhase phase(context_.pass_controller.clock(), &TimeSplit::reduction);
    cache_->hold(begin, answers_);
    note(examples, counts);
  }
  const InPhase phase(context_.pass_controller.clock(), &TimeSplit::reduction);
  cache_->renew();
  join(context_.pass_controller.place());
  joint.counts = counts;
}

void JointAnswer::note(std::span<const std::int64_t> examples, AnswerCounts& counts) {
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Separation& one = answers_[k];
    const auto example = static_cast<std::size_t>(examples[k]);
    joint.high[example] = one.high;
    joint.rounding[example] = one.rounding;
    joint.size[example] = one.size;
    largest_b_ = std::max(largest_b_, std::abs(one.plane.b));
    counts.count(one);
  }
}

void JointAnswer::join(WeightView w) {
  cache_->join(w, weight_, joint);
}

SlackBounds JointAnswer::bound_example(std::size_t example) const {
  double low = std::max(0.0, joint.low[example]);
  const double high = joint.high[example];
  if (cache_) {  // an older plane may exceed the oracle's upper bound
    const SlackEvidence one{low, 0, high, largest_b_, joint.rounding[example]};
    const auto again = [&] {
      return cache_->recompute_slack(example, context_.pass_controller.place());
    };
    low = bound_slack(one, context_.source, static_cast<std::int64_t>(example), again).low;
  }
  return {low, std::max(low, high)};
}

Terms JointAnswer::terms() const {
  const auto n = static_cast<double>(joint.size.size());
  double size = 0;
  for (std::size_t k = 0; k < joint.size.size(); ++k) {
    size += joint.size[k] * (weight_ == JointWeight::slack ? std::abs(joint.low[k]) : 1);
  }
  return {size / n, n};
}

void JointAnswer::save(StateWriter& out) const {
  if (cache_) cache_->save(out);
}

void JointAnswer::load(StateReader& in) {
  if (cache_) cache_->load(in, static_cast<std::size_t>(context_.source.dimension()));
}

}  // namespace sculpt::core
