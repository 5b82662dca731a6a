#include "objective/sampled_moments.hpp"

#include <numeric>

namespace sculpt::core {

SampledMoments::SampledMoments(const MomentTerms& terms, SampleSource& source)
    : terms_(terms), source_(source), mean_(source.workers()) {}

std::int64_t SampledMoments::compute_b(const Pass& pass, Vector& b) {
  draw(pass);
  std::int64_t no_output_count = 0;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double weight = source_.example_weight(static_cast<std::int64_t>(i));
    if (weight != 0 && !samples_[i].has_output) ++no_output_count;
  }
  sum_over_examples(pass, b, [&](const OutputSamples& samples, double weight, Vector& sum) {
    add_to_b(samples, weight, sum);
  });
  return no_output_count;
}

void SampledMoments::multiply(const Pass& pass, const Vector& v, Vector& out) {
  if (samples_.empty()) draw(pass);
  sum_over_examples(pass, out, [&](const OutputSamples& samples, double weight, Vector& sum) {
    add_product(samples, weight, v, sum);
  });
}

std::int64_t SampledMoments::calls_of_b() const {
  return source_.calls_of_draw() * asked_count(source_.example_count(), source_.example_weights());
}

void SampledMoments::draw(const Pass& pass) {
  std::vector<OutputSamples> drawn;
  samples_.clear();
  source_.draw(terms_.samples, terms_.loss_weight > 0, pass, drawn);
  samples_ = std::move(drawn);
}

// sum += weight b_i, with the terms of the loss_weight.
void SampledMoments::add_to_b(const OutputSamples& samples, double weight, Vector& sum) const {
  const double l = terms_.loss_weight;
  if (l == 0) return samples.deviation.add_to(weight, sum);
  const auto count = static_cast<double>(terms_.samples);
  const double mean = std::accumulate(samples.losses.begin(), samples.losses.end(), 0.0) / count;
  samples.deviation.add_to(terms_.adds_deviations ? weight * (1 + l * mean) : weight, sum);
  // - l Cov(psi, Delta). The losses minus their mean add up to 0, so the mean of psi drops out.
  for (std::size_t k = 0; k < samples.psi.size(); ++k) {
    samples.psi[k].add_to(-weight * l * (samples.losses[k] - mean) / count, sum);
  }
}

// sum += weight C_i v, and weight b_i <b_i, v> for soda.
void SampledMoments::add_product(const OutputSamples& samples, double weight, const Vector& v,
                                 Vector& sum) const {
  const double share = weight / static_cast<double>(terms_.samples);
  const double mean = samples.mean.dot(v);
  double total = 0;
  for (const PlaneVector& psi : samples.psi) {
    const double along = share * (psi.dot(v) - mean);
    psi.add_to(along, sum);
    total += along;
  }
  samples.mean.add_to(-total, sum);
  if (terms_.adds_deviations) samples.deviation.add_to(weight * samples.deviation.dot(v), sum);
}

// mean = 1/n sum of what `add` adds for the examples with outputs.
template <class Add>
void SampledMoments::sum_over_examples(const Pass& pass, Vector& mean, const Add& add) {
  mean_.add_up(source_.example_count(), source_.dimension(),
               [&](std::int64_t begin, std::int64_t end, int, ExampleMean::Chunk& chunk) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   pass.throw_if_interrupted();
                   const OutputSamples& samples = samples_[static_cast<std::size_t>(i)];
                   if (samples.has_output) add(samples, source_.example_weight(i), chunk.a);
                 }
               });
  mean_.mean(mean);
}

}  // namespace sculpt::core
