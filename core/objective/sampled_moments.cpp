#include "objective/sampled_moments.hpp"

namespace sculpt::core {

SampledMoments::SampledMoments(bool adds_deviations, std::int64_t count, SampleSource& source)
    : adds_deviations_(adds_deviations), count_(count), source_(source), mean_(source.workers()) {}

std::int64_t SampledMoments::compute_b(const Pass& pass, Vector& b) {
  draw(pass);
  std::int64_t no_output_count = 0;
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double weight = source_.example_weight(static_cast<std::int64_t>(i));
    if (weight != 0 && !samples_[i].has_output) ++no_output_count;
  }
  sum_over_examples(pass, b, [](const OutputSamples& samples, double weight, Vector& sum) {
    samples.deviation.add_to(weight, sum);
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
  source_.draw(count_, pass, drawn);
  samples_ = std::move(drawn);
}

// sum += weight C_i v, and weight b_i <b_i, v> for soda.
void SampledMoments::add_product(const OutputSamples& samples, double weight, const Vector& v,
                                 Vector& sum) const {
  const double share = weight / static_cast<double>(count_);
  const double mean = samples.mean.dot(v);
  double total = 0;
  for (const PlaneVector& psi : samples.psi) {
    const double along = share * (psi.dot(v) - mean);
    psi.add_to(along, sum);
    total += along;
  }
  samples.mean.add_to(-total, sum);
  if (adds_deviations_) samples.deviation.add_to(weight * samples.deviation.dot(v), sum);
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
