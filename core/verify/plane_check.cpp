#include "verify/plane_check.hpp"

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
constexpr int violation_digits = 9;  // of numbers in messages: compared values may differ by 1e-6

// Equal planes of two builds of a plugin may differ by this fraction of their largest entry.
constexpr double plane_tolerance = 1e-9;

}  // namespace

PlaneCheck::PlaneCheck(PlaneSource& source, const Subject& subject, Progress progress)
    : source_(source), subject_(subject), progress_(std::move(progress)) {
  if (subject_.planes == nullptr) return;
  zeros_.assign(static_cast<std::size_t>(source.dimension()), 0.0);
}

MeanSlackBounds PlaneCheck::ask_oracle(const EvaluationPoint& point) {
  sum_ = {};
  joint_high_ = 0;
  const std::int64_t n = source_.example_count();
  for (std::int64_t begin = 0; begin < n; begin += answers_at_a_time) {
    progress_(point, begin, n);
    std::vector<std::int64_t> examples(
        static_cast<std::size_t>(std::min(answers_at_a_time, n - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    source_.separate(point.w, examples, Pass(point.pass), answers_);
    oracle_calls_ += static_cast<std::int64_t>(examples.size());
    std::int64_t example = begin;
    for (const Separation& answer : answers_) check_answer(point, example++, answer);
  }
  const auto count = static_cast<double>(n);
  MeanSlackBounds mean = sum_;
  mean.largest_b = largest_b_;
  for (double* value :
       {&mean.low_by_answers, &mean.low_by_planes, &mean.low, &mean.high, &mean.rounding}) {
    *value /= count;
  }
  if (subject_.has_joint_planes && subject_.planes != nullptr) {
    mean.low_by_planes = check_planes(point, 0, joint_high_ / count, mean.rounding);
    mean.low = std::max(mean.low_by_answers, mean.low_by_planes);
  }
  return mean;
}

void PlaneCheck::check_answer(const EvaluationPoint& point, std::int64_t example,
                              const Separation& answer) {
  const double low = answer.no_output ? 0 : std::max(0.0, answer.low);
  const double high = answer.no_output ? 0 : std::max(low, answer.high);
  largest_b_ = std::max(largest_b_, std::abs(answer.plane.b));
  if (!std::isfinite(high)) ++sum_.unbounded_count;
  const double rounding = answer.no_output ? 0 : answer.rounding;
  joint_high_ += subject_.formulation.slack_cost(high);
  double planes_low = 0;  // the largest slack of the stored planes
  if (subject_.planes != nullptr && !subject_.has_joint_planes) {
    planes_low = check_planes(point, example, high, rounding);
    compare_with_stored_plane(example, answer);
  }
  sum_.low_by_answers += cost(low, rounding);
  sum_.low_by_planes += cost(planes_low, rounding);
  sum_.low += cost(std::max(low, planes_low), rounding);
  sum_.high += cost(high, rounding);
  sum_.rounding += rounding_of_cost(subject_.formulation, high, rounding);
}

// Compares the planes of the block with `high`. Returns their largest slack at this w.
double PlaneCheck::check_planes(const EvaluationPoint& point, std::int64_t block_number,
                                double high, double rounding) {
  const Block& block = subject_.planes->block(block_number);
  double largest_slack = 0;
  for (std::size_t p = 1; p < block.size(); ++p) {
    const double slack = std::max(0.0, block.b[p] - block.a[p].dot(point.w));
    largest_slack = std::max(largest_slack, slack);
    if (!std::isfinite(high)) continue;
    ++comparison_count_;
    if (!contradicts_bound(slack, high, block.b[p], rounding)) continue;
    const double plane_rounding = rounding_of(block.a[p], block.b[p], point.w, zeros_);
    if (!contradicts_bound(slack, high, block.b[p], rounding + plane_rounding)) continue;
    report_contradiction(plane_name(block_number, p) + " is violated by " +
                         number_text(slack, violation_digits) + " at " + point.name +
                         ", but the bound of the oracle for " +
                         (subject_.has_joint_planes ? "all examples together is "
                                                    : "all outputs of the example is ") +
                         number_text(high, violation_digits));
  }
  return largest_slack;
}

// Compares the plane of an answer with the stored plane of the same output.
void PlaneCheck::compare_with_stored_plane(std::int64_t example, const Separation& answer) {
  if (answer.no_output) return;
  const Block& block = subject_.planes->block(example);
  const auto found = std::find(block.key.begin() + 1, block.key.end(), answer.output_hash);
  if (found == block.key.end()) return;
  const auto p = static_cast<std::size_t>(found - block.key.begin());
  ++repeated_output_count_;
  const double b = answer.plane.b;
  const bool is_same_b = std::abs(block.b[p] - b) <= plane_tolerance * std::abs(b);
  if (is_same_b && is_same(block.a[p], answer.plane.a)) return;
  report_contradiction(plane_name(example, p) +
                       " differs from the plane of the same output in a new answer");
}

bool PlaneCheck::is_same(const PlaneVector& stored, const SparseVector& recomputed) {
  double largest = 0;
  for (const double value : recomputed.value) largest = std::max(largest, std::abs(value));
  double difference = 0;
  const auto compare_entry = [&](std::size_t j) {
    difference = std::max(difference, std::abs(std::exchange(zeros_[j], 0.0)));
  };
  axpy(1, recomputed, zeros_);
  stored.add_to(-1, zeros_);
  for (const std::int32_t j : recomputed.index) compare_entry(static_cast<std::size_t>(j));
  stored.for_each_index(compare_entry);
  return difference <= plane_tolerance * largest;
}

// Under hard margin a remaining slack of a satisfied plane is rounding and costs nothing.
double PlaneCheck::cost(double slack, double rounding) const {
  const double tolerance = std::max(satisfied_tolerance * largest_b_, rounding);
  const bool is_rounding = subject_.formulation.is_hard_margin() && slack <= tolerance;
  return is_rounding ? 0 : subject_.formulation.slack_cost(slack);
}

std::string PlaneCheck::plane_name(std::int64_t block, std::size_t plane) const {
  if (subject_.has_joint_planes) return "joint plane " + std::to_string(plane);
  return "example " + std::to_string(source_.dataset_index(block)) + ": plane " +
         std::to_string(plane) + " of the checkpoint";
}

void PlaneCheck::report_contradiction(const std::string& text) {
  if (++contradiction_count_ <= max_reported) contradictions_.push_back(text);
}

}  // namespace sculpt::core
