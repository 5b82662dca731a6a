#include "objective/truth_deviations.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// How many b_i are in memory at a time before they are kept or dropped.
constexpr std::int64_t deviations_at_a_time = 128;

}  // namespace

std::int64_t TruthDeviations::sum(const Pass& pass, std::span<const double> factors, Vector& b) {
  const std::int64_t n = source_.example_count();
  const Vector zero(static_cast<std::size_t>(source_.dimension()), 0.0);
  is_summed_ = false;
  kept_.clear();
  kept_bytes_ = 0;
  b.assign(zero.size(), 0.0);
  std::int64_t no_output_count = 0;
  bool fits = true;
  std::vector<std::int64_t> examples;
  std::vector<TruthDeviation> deviations;
  for (std::int64_t begin = 0; begin < n; begin += deviations_at_a_time) {
    examples.resize(static_cast<std::size_t>(std::min(deviations_at_a_time, n - begin)));
    std::iota(examples.begin(), examples.end(), begin);
    source_.compute_truth_deviations(zero, examples, pass, deviations);
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const double weight = source_.example_weight(examples[k]);
      const double factor = factors.empty() ? 1 : factors[static_cast<std::size_t>(examples[k])];
      deviations[k].b.add_to(weight * factor / static_cast<double>(n), b);
      if (weight != 0 && !deviations[k].has_output) ++no_output_count;
      fits = fits && keep(deviations[k]);
    }
  }
  is_summed_ = true;
  return no_output_count;
}

// Returns false if it does not fit.
bool TruthDeviations::keep(const TruthDeviation& deviation) {
  const auto bytes = static_cast<std::int64_t>(sizeof(PlaneVector) + deviation.b.bytes());
  if (kept_bytes_ + bytes > max_bytes_) return false;
  kept_bytes_ += bytes;
  kept_.push_back(deviation.b);
  return true;
}

void TruthDeviations::add_product(const Pass& pass, const Vector& v, Vector& out) {
  if (!is_summed_) sum(pass, {}, product_);
  const auto add = [&](double scale) {
    for_each_block(source_.workers(), out.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) out[j] += scale * product_[j];
    });
  };
  const std::int64_t n = source_.example_count();
  const auto count = std::ssize(kept_);
  if (count > 0) {
    mean_.add_up(count, source_.dimension(),
                 [&](std::int64_t begin, std::int64_t end, int, ExampleMean::Chunk& chunk) {
                   pass.throw_if_interrupted();
                   for (std::int64_t i = begin; i < end; ++i) {
                     const PlaneVector& b = kept_[static_cast<std::size_t>(i)];
                     b.add_to(source_.example_weight(i) * b.dot(v), chunk.a);
                   }
                 });
    mean_.mean(product_);
    add(static_cast<double>(count) / static_cast<double>(n));
  }
  if (count == n) return;
  source_.truth_deviations_times(Vector(v.size(), 0.0), v, count, pass, product_);
  add(1);
}

std::int64_t TruthDeviations::calls_of_product() const {
  if (!source_.asks_oracle()) return 0;
  const auto kept = std::ssize(kept_);
  const std::span<const double> weights = source_.example_weights();
  return asked_count(source_.example_count() - kept,
                     weights.empty() ? weights : weights.subspan(kept_.size()));
}

}  // namespace sculpt::core
