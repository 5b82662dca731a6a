#include "solver/one_slack/joint_answer.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/answers_at_a_time.hpp"

namespace sculpt::core {

JointAnswer::JointAnswer(const OneSlackOptions& options, CuttingPlaneContext& context)
    : context_(context),
      weight_(options.formulation.squares_slacks() ? JointWeight::slack : JointWeight::one),
      sample_(options, context) {
  // The message about inseparable examples needs the pass that made a plane. A joint plane of
  // cached planes belongs to several passes.
  if (options.cache == 0 || options.formulation.is_hard_margin()) return;
  cache_.emplace(context.source.example_count(), static_cast<std::size_t>(options.cache),
                 context.source.workers(), context.source.plane_memory());
}

void JointAnswer::ask(const Pass& pass) {
  if (cache_) return ask_and_cache(pass);
  context_.ask(context_.source.example_count(), [&] {
    context_.source.separate_jointly(context_.pass_controller.query_point(), pass, weight_, joint);
  });
}

// Asks about all examples, stores their planes in the cache, and makes the joint plane from it.
void JointAnswer::ask_and_cache(const Pass& pass) {
  AnswerCounts counts;
  const std::int64_t n = context_.source.example_count();
  for (std::vector<double>* values : {&joint.high, &joint.rounding, &joint.magnitude}) {
    values->assign(static_cast<std::size_t>(n), 0);
  }
  largest_b_ = 0;
  cache_->discard_pending();
  for (std::int64_t begin = 0; begin < n; begin += answers_at_a_time) {
    std::vector<std::int64_t> examples(
        static_cast<std::size_t>(std::min(answers_at_a_time, n - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    context_.ask(static_cast<std::int64_t>(examples.size()), [&] {
      context_.source.separate(context_.pass_controller.query_point(), examples, pass, answers_);
    });
    const ScopedPhase phase(context_.pass_controller.clock(), &PhaseTimes::reduction);
    cache_->add_pending(begin, answers_);
    record_answers(examples, counts);
  }
  const ScopedPhase phase(context_.pass_controller.clock(), &PhaseTimes::reduction);
  cache_->apply_pending();
  join_cached_planes(context_.pass_controller.query_point());
  joint.counts = counts;
}

void JointAnswer::record_answers(std::span<const std::int64_t> examples, AnswerCounts& counts) {
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Separation& answer = answers_[k];
    const auto example = static_cast<std::size_t>(examples[k]);
    joint.high[example] = answer.high;
    joint.rounding[example] = answer.rounding;
    joint.magnitude[example] = answer.magnitude;
    largest_b_ = std::max(largest_b_, std::abs(answer.plane.b));
    counts.add(answer);
  }
}

void JointAnswer::join_cached_planes(WeightView w) {
  cache_->make_joint_plane(w, weight_, joint);
}

SlackBounds JointAnswer::bound_example(std::size_t example) const {
  double low = std::max(0.0, joint.low[example]);
  const double high = joint.high[example];
  if (cache_) {  // an older plane may exceed the oracle's upper bound
    const KnownSlack known{low, 0, high, largest_b_, joint.rounding[example]};
    const auto recompute = [&] {
      return cache_->recompute_slack(example, context_.pass_controller.query_point());
    };
    low = bound_slack(known, context_.source, static_cast<std::int64_t>(example), recompute).low;
  }
  return {low, std::max(low, high)};
}

Terms JointAnswer::terms() const {
  const auto n = static_cast<double>(joint.magnitude.size());
  double magnitude = 0;
  for (std::size_t k = 0; k < joint.magnitude.size(); ++k) {
    const double weight = weight_ == JointWeight::slack ? std::abs(joint.low[k]) : 1;
    magnitude += joint.magnitude[k] * weight;
  }
  return {magnitude / n, n};
}

void JointAnswer::save(StateWriter& out) const {
  if (cache_) cache_->save(out);
}

void JointAnswer::load(StateReader& in) {
  if (cache_) cache_->load(in, static_cast<std::size_t>(context_.source.dimension()));
}

}  // namespace sculpt::core
