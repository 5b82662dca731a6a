// enumerated_samples.hpp - samples of small problems whose outputs are listed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "core/solver/crf/enumerated_problem.hpp"
#include "core/solver/moments/dense_moments.hpp"
#include "objective/sample_source.hpp"

namespace sculpt::core::test {

class EnumeratedSamples : public SampleSource {
 public:
  explicit EnumeratedSamples(const EnumeratedExpectations& problem) : problem_(problem) {}

  bool has_exact_mean = true;
  // Instead of random outputs: all in turn. 60 samples then hold each of 1 to 6 outputs equally
  // often.
  bool takes_all_in_turn = false;
  std::uint64_t run_seed = 1;
  std::int64_t passes = 0;  // calls of draw() so far

  std::int64_t example_count() const override { return problem_.example_count(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  std::span<const double> example_weights() const override { return problem_.weights; }
  std::int64_t calls_of_draw() const override { return has_exact_mean ? 2 : 1; }
  void draw(std::int64_t count, bool with_losses, const Pass& pass,
            std::vector<OutputSamples>& out) override {
    out.assign(problem_.examples.size(), {});
    for (std::size_t i = 0; i < out.size(); ++i) {
      pass.throw_if_interrupted();
      const EnumeratedExample& example = problem_.examples[i];
      if (example.outputs.empty() || problem_.example_weight(static_cast<std::int64_t>(i)) == 0) {
        continue;
      }
      const UniformOutputs samples = outputs(i, numbers(count, i));
      const Eigen::VectorXd mean =
          mean_of(has_exact_mean ? DenseMoments::outputs_of(example) : samples);
      out[i].has_output = true;
      out[i].mean = sparse(mean);
      out[i].deviation = sparse(DenseMoments::vector_of(example.outputs[0].psi) - mean);
      for (const Eigen::VectorXd& psi : samples) out[i].psi.push_back(sparse(psi));
      for (const std::size_t y : numbers(with_losses ? count : 0, i)) {
        out[i].losses.push_back(example.outputs[y].loss);
      }
    }
    ++passes;
  }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

  // [n] the same samples. Empty for an example without outputs.
  std::vector<UniformOutputs> all_drawn(std::int64_t count) const {
    std::vector<UniformOutputs> all;
    for (std::size_t i = 0; i < problem_.examples.size(); ++i) {
      all.push_back(outputs(i, numbers(count, i)));
    }
    return all;
  }

 private:
  // The numbers of the drawn outputs. None for an example without outputs.
  std::vector<std::size_t> numbers(std::int64_t count, std::size_t i) const {
    const std::size_t output_count = problem_.examples[i].outputs.size();
    std::vector<std::size_t> drawn;
    std::mt19937_64 random(run_seed * 1000 + i);
    for (std::int64_t k = 0; k < count && output_count > 0; ++k) {
      drawn.push_back((takes_all_in_turn ? static_cast<std::size_t>(k) : random()) % output_count);
    }
    return drawn;
  }
  UniformOutputs outputs(std::size_t i, const std::vector<std::size_t>& numbers) const {
    UniformOutputs samples;
    for (const std::size_t y : numbers) {
      samples.push_back(DenseMoments::vector_of(problem_.examples[i].outputs[y].psi));
    }
    return samples;
  }
  static PlaneVector sparse(const Eigen::VectorXd& x) {
    return PlaneVector(entries_of({x.data(), static_cast<std::size_t>(x.size())}));
  }

  const EnumeratedExpectations& problem_;
};

}  // namespace sculpt::core::test
