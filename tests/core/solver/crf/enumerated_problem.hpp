// enumerated_problem.hpp - small problems whose outputs are listed, with log Z, E[psi] and Cov[psi]
// by summation over them, and the log-loss by its definition.
//
// For the tests of log-losses and of moments: the answers of the source, and what they are compared
// with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/cancelled.hpp"
#include "base/failure.hpp"
#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "objective/log_loss_objective.hpp"
#include "objective/ports.hpp"

namespace sculpt::core::test {

// One output of an example.
struct EnumeratedOutput {
  Vector psi;  // [dimension]
  double loss = 0;
};

// Output 0 is the truth. Without outputs the truth has the features `truth_psi`.
struct EnumeratedExample {
  std::vector<EnumeratedOutput> outputs;
  Vector truth_psi;
};

class EnumeratedExpectations : public ExpectationSource {
 public:
  explicit EnumeratedExpectations(std::size_t dimension) : dimension_(dimension) {}

  std::vector<EnumeratedExample> examples;
  std::vector<std::uint8_t> bounds;  // as nonnegative()
  std::vector<double> weights;       // as example_weights()
  double log_z_error = 0;            // a fault: added to log Z times ||w||^2
  double mean_error = 0;             // a fault: E[psi] is multiplied by 1 + this
  bool is_exact = true;              // what is claimed of log Z
  double covariance_scale = 1;       // a fault: Cov[psi] v is multiplied by this
  double covariance_of_lengths = 0;  // a fault: Cov[psi] v also has this times ||v||
  double covariance_turn = 0;        // a fault: the same times v, with its entries moved by one
  std::int64_t passes = 0;           // of the mean so far
  std::int64_t products = 0;         // so far
  std::int64_t deviations = 0;       // calls of compute_truth_deviations() so far

  std::int64_t example_count() const override { return std::ssize(examples); }
  std::int64_t dimension() const override { return static_cast<std::int64_t>(dimension_); }
  std::span<const std::uint8_t> nonnegative() const override { return bounds; }
  std::span<const double> example_weights() const override { return weights; }

  void compute_expectations(WeightView, std::span<const std::int64_t>, const Pass&,
                            std::vector<Expectation>&) override {
    throw Failure(Exit::internal, "not for these tests");
  }
  void covariance_times(WeightView w, WeightView v, const Pass& pass, Vector& out) override {
    sum_products(w, pass, out, [&](const EnumeratedExample& example, const Vector& mean) {
      Vector sum(dimension_, 0.0);
      double total = 0;
      for (const EnumeratedOutput& y : example.outputs) {
        const double p = std::exp(dot(w.dense(), y.psi));
        Vector deviation = y.psi;
        axpy(-1, std::span<const double>(mean), deviation);
        axpy(p * dot(v.dense(), deviation), std::span<const double>(deviation), sum);
        total += p;
      }
      for (double& one : sum) one *= covariance_scale / total;
      return sum;
    });
    const double length = std::sqrt(squared_norm(v.dense()));
    for (std::size_t j = 0; j < out.size(); ++j) {
      out[j] += covariance_of_lengths * length;
      out[j] += covariance_turn * v.dense()[(j + 1) % dimension_];
    }
  }
  void compute_loss_moments(WeightView, const Pass& pass, LossMoments& out) override {
    out.covariance.assign(dimension_, 0.0);
    out.mean.assign(examples.size(), 0.0);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      pass.throw_if_interrupted();
      const double weight = example_weight(static_cast<std::int64_t>(i));
      const auto& outputs = examples[i].outputs;
      if (outputs.empty() || weight == 0) continue;
      const double p = 1 / static_cast<double>(outputs.size());
      for (const EnumeratedOutput& y : outputs) out.mean[i] += p * y.loss;
      for (const EnumeratedOutput& y : outputs) {
        const double scale =
            weight * p * (y.loss - out.mean[i]) / static_cast<double>(examples.size());
        axpy(scale, std::span<const double>(y.psi), out.covariance);
      }
    }
  }
  void compute_truth_deviations(WeightView w, std::span<const std::int64_t> numbers,
                                const Pass& pass, std::vector<TruthDeviation>& out) override {
    out.assign(numbers.size(), {});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      pass.throw_if_interrupted();
      const EnumeratedExample& example = examples[static_cast<std::size_t>(numbers[k])];
      Vector mean;
      log_sum(w.dense(), example, 0, mean);
      if (mean.empty() || example_weight(numbers[k]) == 0) continue;
      out[k] = {true, PlaneVector(deviation_of(example, mean))};
    }
    ++deviations;
  }
  void truth_deviations_times(WeightView w, WeightView v, std::int64_t first, const Pass& pass,
                              Vector& out) override {
    sum_products(w, pass, out, [&](const EnumeratedExample& example, const Vector& mean) {
      if (&example - examples.data() < first) return Vector(dimension_, 0.0);
      Vector b = deviation_of(example, mean);
      const double product = dot(v.dense(), b);
      for (double& one : b) one *= product;
      return b;
    });
  }
  void compute_residuals(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                         std::vector<ResidualVector>& out) override {
    out.assign(numbers.size(), {});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      pass.throw_if_interrupted();
      const EnumeratedExample& example = examples[static_cast<std::size_t>(numbers[k])];
      if (example.outputs.empty()) continue;
      Vector mean;
      const double log_z = log_sum(w.dense(), example, pass.loss_weight.value_or(0), mean);
      out[k].loss = log_z - dot(w.dense(), example.outputs[0].psi);
      const Vector b = deviation_of(example, mean);
      for (std::size_t j = 0; j < b.size(); ++j) {
        out[k].b.index.push_back(static_cast<std::int32_t>(j));
        out[k].b.value.push_back(b[j]);
      }
    }
  }
  double add_residual(const Residual& residual, const Pass& pass, Vector& v) override {
    if (pass.interrupted && pass.interrupted()) throw Cancelled();
    const EnumeratedExample& example = examples[static_cast<std::size_t>(residual.example)];
    if (example.outputs.empty()) return 0;
    Vector w = v;
    for (double& one : w) one *= residual.scale;
    Vector mean;
    const double log_z = log_sum(w, example, pass.loss_weight.value_or(0), mean);
    const double score = dot(w, example.outputs[0].psi);
    axpy(residual.factor, std::span<const double>(example.outputs[0].psi), v);
    axpy(-residual.factor, std::span<const double>(mean), v);
    return log_z - score;
  }
  void compute_mean_expectation(WeightView w, const Pass& pass, MeanExpectation& out) override {
    out.log_z.assign(examples.size(), 0.0);
    out.mean.assign(dimension_, 0.0);
    out.is_exact = is_exact;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (pass.interrupted && pass.interrupted()) throw Cancelled();
      const double weight = example_weight(static_cast<std::int64_t>(i));
      if (weight == 0) continue;
      Vector mean;
      out.log_z[i] = log_sum(w.dense(), examples[i], pass.loss_weight.value_or(0), mean) +
                     log_z_error * squared_norm(w.dense());
      const double scale = weight * (1 + mean_error) / static_cast<double>(examples.size());
      for (std::size_t j = 0; j < mean.size(); ++j) out.mean[j] += scale * mean[j];
    }
    ++passes;
  }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

  // Returns log sum over y of exp(<w, psi> + loss_weight Delta), and the mean of psi under it.
  static double log_sum(const Vector& w, const EnumeratedExample& example, double loss_weight,
                        Vector& mean) {
    double largest = -infinity;
    for (const EnumeratedOutput& y : example.outputs) {
      largest = std::max(largest, dot(w, y.psi) + loss_weight * y.loss);
    }
    mean.clear();
    if (example.outputs.empty()) return -infinity;
    mean.assign(w.size(), 0.0);
    double sum = 0;
    for (const EnumeratedOutput& y : example.outputs) {
      const double p = std::exp(dot(w, y.psi) + loss_weight * y.loss - largest);
      sum += p;
      axpy(p, std::span<const double>(y.psi), mean);
    }
    for (double& one : mean) one /= sum;
    return largest + std::log(sum);
  }

  // P(w) by its definition.
  double primal(const LogLossTerms& terms, const Vector& w) const {
    double sum = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      const EnumeratedExample& example = examples[i];
      if (example.outputs.empty()) continue;
      double total = 0;
      const double truth = dot(w, example.outputs[0].psi);
      for (const EnumeratedOutput& y : example.outputs) {
        total += std::exp((dot(w, y.psi) - truth + terms.loss_weight * y.loss) / terms.temperature);
      }
      sum += example_weight(static_cast<std::int64_t>(i)) * terms.temperature * std::log(total);
    }
    double norm_1 = 0;
    for (const double one : w) norm_1 += std::abs(one);
    return 0.5 * squared_norm(w) + terms.l1 * norm_1 +
           terms.C * sum / static_cast<double>(examples.size());
  }

 private:
  static Vector deviation_of(const EnumeratedExample& example, const Vector& mean) {
    Vector b = example.outputs[0].psi;
    axpy(-1, std::span<const double>(mean), b);
    return b;
  }
  // out = 1/n sum of c_i product(example, E_i[psi]), for the examples with outputs.
  template <class Product>
  void sum_products(WeightView w, const Pass& pass, Vector& out, const Product& product) {
    out.assign(dimension_, 0.0);
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (pass.interrupted && pass.interrupted()) throw Cancelled();
      Vector mean;
      log_sum(w.dense(), examples[i], 0, mean);
      if (mean.empty()) continue;
      const double weight = example_weight(static_cast<std::int64_t>(i));
      axpy(weight / static_cast<double>(examples.size()),
           std::span<const double>(product(examples[i], mean)), out);
    }
    ++products;
  }

  std::size_t dimension_;
};

// The truths of the same examples.
class EnumeratedTruths : public CountSource {
 public:
  explicit EnumeratedTruths(const EnumeratedExpectations& problem) : problem_(problem) {}

  std::int64_t example_count() const override { return problem_.example_count(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  void sum_truths(std::span<const std::int64_t> examples, Vector& sum) override {
    for (const std::int64_t i : examples) {
      const EnumeratedExample& example = problem_.examples[static_cast<std::size_t>(i)];
      const Vector& psi = example.outputs.empty() ? example.truth_psi : example.outputs[0].psi;
      axpy(problem_.example_weight(i), std::span<const double>(psi), sum);
    }
  }
  std::vector<std::int32_t> groups() const override { return {}; }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

 private:
  const EnumeratedExpectations& problem_;
};

// The planes of the same examples, under margin rescaling and slack norm 1, or at a loss_weight.
class EnumeratedPlanes : public PlaneSource {
 public:
  explicit EnumeratedPlanes(const EnumeratedExpectations& problem) : problem_(problem) {}

  bool is_bounded = true;  // false: no answer has an upper bound
  double low_scale = 1;    // a fault: the slacks of the answers are multiplied by this

  std::int64_t example_count() const override { return problem_.example_count(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  std::span<const double> example_weights() const override { return problem_.weights; }
  void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                std::vector<Separation>& out) override {
    out.assign(numbers.size(), {});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (pass.interrupted && pass.interrupted()) throw Cancelled();
      const EnumeratedExample& example = problem_.examples[static_cast<std::size_t>(numbers[k])];
      out[k].no_output = example.outputs.empty();
      const double weight = problem_.example_weight(numbers[k]);
      for (const EnumeratedOutput& y : example.outputs) {
        const double loss = pass.loss_weight.value_or(1) * y.loss;
        const double slack = loss - dot(w.dense(), example.outputs[0].psi) + dot(w.dense(), y.psi);
        if (!(weight * slack > out[k].low)) continue;
        out[k].low = weight * slack;
        out[k].plane = {SparseVector(), weight * loss};
        for (std::size_t j = 0; j < y.psi.size(); ++j) {
          out[k].plane.a.index.push_back(static_cast<std::int32_t>(j));
          out[k].plane.a.value.push_back(weight * (example.outputs[0].psi[j] - y.psi[j]));
        }
      }
      out[k].low *= low_scale;
      out[k].high = is_bounded ? out[k].low : infinity;
    }
  }
  void separate_jointly(WeightView, const Pass&, JointWeight, JointSeparation&) override {
    throw Failure(Exit::internal, "not for these tests");
  }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }
  [[noreturn]] void report_inseparable(std::span<const std::int64_t>,
                                       const std::string& text) const override {
    throw Failure(Exit::data, text);
  }

 private:
  const EnumeratedExpectations& problem_;
};

// Random features, losses and numbers of outputs.
inline EnumeratedExpectations random_enumerated(std::uint64_t seed, std::size_t n = 7,
                                                std::size_t dimension = 5) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  EnumeratedExpectations problem(dimension);
  problem.examples.resize(n);
  for (EnumeratedExample& example : problem.examples) {
    example.outputs.resize(1 + random() % 5);
    for (EnumeratedOutput& output : example.outputs) {
      output.psi.resize(dimension);
      for (double& one : output.psi) one = normal(random);
      output.loss =
          &output == example.outputs.data() ? 0 : 0.25 * static_cast<double>(random() % 8);
    }
  }
  return problem;
}

// The ports of a problem.
struct EnumeratedPorts {
  explicit EnumeratedPorts(EnumeratedExpectations& problem) : truths(problem), planes(problem) {
    ports.planes = &planes;
    ports.expectations = &problem;
    ports.obstacle_to_expectations = "";
    ports.obstacle_to_loss_covariances = "";
    ports.counts = &truths;
  }
  EnumeratedTruths truths;
  EnumeratedPlanes planes;
  Ports ports;
};

}  // namespace sculpt::core::test
