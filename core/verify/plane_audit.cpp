#include "verify/plane_audit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/text/message_text.hpp"
#include "linalg/products.hpp"
#include "qp/working_set/weight_scaling.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/cutting_plane/recomputed_slack.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_reported = 5;
constexpr int digits_compared = 9;  // of numbers in messages: compared values may differ by 1e-6

// Equal planes of two builds of a plugin may differ by this fraction of their largest entry.
constexpr double plane_tolerance = 1e-9;

}  // namespace

PlaneAudit::PlaneAudit(PlaneSource& source, const Subject& subject, Progress progress)
    : source_(source), subject_(subject), progress_(std::move(progress)) {
  if (subject_.planes == nullptr) return;
  zeros_.assign(static_cast<std::size_t>(source.dimension()), 0.0);
}

MeanSlackBounds PlaneAudit::ask(const EvaluationPoint& place) {
  sum_ = {};
  joint_high_ = 0;
  const std::int64_t n = source_.example_count();
  for (std::int64_t begin = 0; begin < n; begin += answers_at_a_time) {
    progress_(place, begin, n);
    std::vector<std::int64_t> examples(
        static_cast<std::size_t>(std::min(answers_at_a_time, n - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    source_.separate(place.w, examples, Pass(place.pass), answers_);
    calls_ += static_cast<std::int64_t>(examples.size());
    std::int64_t example = begin;
    for (const Separation& answer : answers_) judge(place, example++, answer);
  }
  const auto count = static_cast<double>(n);
  MeanSlackBounds mean = sum_;
  mean.largest_b = largest_b_;
  for (double* figure : {&mean.asked, &mean.known, &mean.both, &mean.high, &mean.rounding}) {
    *figure /= count;
  }
  if (subject_.joint && subject_.planes != nullptr) {
    mean.known = judge_planes(place, 0, joint_high_ / count, mean.rounding);
    mean.both = std::max(mean.asked, mean.known);
  }
  return mean;
}

void PlaneAudit::judge(const EvaluationPoint& place, std::int64_t example,
                       const Separation& answer) {
  const double low = answer.no_output ? 0 : std::max(0.0, answer.low);
  const double high = answer.no_output ? 0 : std::max(low, answer.high);
  largest_b_ = std::max(largest_b_, std::abs(answer.plane.b));
  if (!std::isfinite(high)) ++sum_.unbounded;
  const double rounding = answer.no_output ? 0 : answer.rounding;
  joint_high_ += subject_.formulation.slack_cost(high);
  double known = 0;
  if (subject_.planes != nullptr && !subject_.joint) {
    known = judge_planes(place, example, high, rounding);
    compare_with_stored_plane(example, answer);
  }
  sum_.asked += cost(low, rounding);
  sum_.known += cost(known, rounding);
  sum_.both += cost(std::max(low, known), rounding);
  sum_.high += cost(high, rounding);
  sum_.rounding += rounding_of_cost(subject_.formulation, high, rounding);
}

// The largest slack of the planes of the block at this w.
double PlaneAudit::judge_planes(const EvaluationPoint& place, std::int64_t block_number,
                                double high, double rounding) {
  const Block& block = subject_.planes->block(block_number);
  double most = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double slack = std::max(0.0, block.b[p] - block.a[p].dot(place.w));
    most = std::max(most, slack);
    if (!std::isfinite(high)) continue;
    ++compared_;
    if (!contradicts_bound(slack, high, block.b[p], rounding)) continue;
    const double own = rounding_of(block.a[p], block.b[p], place.w, zeros_);
    if (!contradicts_bound(slack, high, block.b[p], rounding + own)) continue;
    report_contradiction(name_of(block_number, p) + " is violated by " +
                         number_text(slack, digits_compared) + " at " + place.name +
                         ", where the oracle says that " +
                         (subject_.joint ? "the outputs of all examples together are"
                                         : "no output of the example is") +
                         " by more than " + number_text(high, digits_compared));
  }
  return most;
}

// Compares the plane of an answer with the stored plane of the same output.
void PlaneAudit::compare_with_stored_plane(std::int64_t example, const Separation& answer) {
  if (answer.no_output) return;
  const Block& block = subject_.planes->block(example);
  const auto found = std::find(block.output.begin() + 1, block.output.end(), answer.output);
  if (found == block.output.end()) return;
  const auto p = static_cast<std::size_t>(found - block.output.begin());
  ++seen_again_;
  const double b = answer.plane.b;
  const bool same_b = std::abs(block.b[p] - b) <= plane_tolerance * std::abs(b);
  if (same_b && is_same(block.a[p], answer.plane.a)) return;
  report_contradiction(name_of(example, p) + " is not that of the output it is named after");
}

bool PlaneAudit::is_same(const PlaneVector& plane, const SparseVector& fresh) {
  double largest = 0;
  for (const double value : fresh.value) largest = std::max(largest, std::abs(value));
  double apart = 0;
  const auto take = [&](std::size_t j) {
    apart = std::max(apart, std::abs(std::exchange(zeros_[j], 0.0)));
  };
  axpy(1, fresh, zeros_);
  plane.add_to(-1, zeros_);
  for (const std::int32_t j : fresh.index) take(static_cast<std::size_t>(j));
  plane.for_each_index(take);
  return apart <= plane_tolerance * largest;
}

// Under hard margin a remaining slack of a satisfied plane is rounding and costs nothing.
double PlaneAudit::cost(double slack, double rounding) const {
  const double satisfied = std::max(satisfied_within * largest_b_, rounding);
  const bool nothing = subject_.formulation.hard_margin() && slack <= satisfied;
  return nothing ? 0 : subject_.formulation.slack_cost(slack);
}

std::string PlaneAudit::name_of(std::int64_t block, std::size_t plane) const {
  if (subject_.joint) return "joint plane " + std::to_string(plane);
  return "example " + std::to_string(source_.dataset_index(block)) + ": plane " +
         std::to_string(plane) + " of the checkpoint";
}

void PlaneAudit::report_contradiction(const std::string& text) {
  if (++refuted_count_ <= max_reported) refuted_.push_back(text);
}

}  // namespace sculpt::core
