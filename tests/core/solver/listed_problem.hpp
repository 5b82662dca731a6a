// listed_problem.hpp - small problems that list the planes of all outputs of every example.
//
// For the tests of the solvers. The oracle is a loop over the planes of an example. An independent
// solver can be given all constraints at once. Problems are made for margin rescaling and slack
// norm 1, so a is dpsi and b is the loss. The method under() makes the planes of any formulation
// from them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/cancelled.hpp"
#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "solver/solver.hpp"

namespace sculpt::core::test {

class ListedProblem : public PlaneSource {
 public:
  explicit ListedProblem(std::int64_t dimension) : dimension_(dimension) {}

  // [n][outputs]: the planes of an example, in the order of its outputs. An empty list means that
  // the example has no output.
  std::vector<std::vector<Plane>> examples;
  bool exact = true;  // false: answers have no upper bound
  // The oracle searches only the first outputs of each example, at most this many.
  std::size_t searched_outputs = ~std::size_t{0};
  double rounding = 0;                 // the rounding that each answer declares for its bounds
  std::chrono::microseconds delay{0};  // the time that each oracle call takes
  std::int64_t calls = 0;              // oracle calls so far
  std::vector<std::uint8_t> bounds;    // [dimension] 1: w_j >= 0; or empty: no bounds

  // The same problem with the planes of another formulation. Requires the planes of margin
  // rescaling.
  ListedProblem under(const Formulation& formulation) const {
    ListedProblem made = *this;
    for (auto& example : made.examples) {
      for (Plane& plane : example) {
        const PlaneScale scale = formulation.plane_of(plane.b);
        for (double& value : plane.a.value) value *= scale.factor;
        if (scale.factor == 0) plane.a = {};
        plane.b = scale.offset;
      }
    }
    return made;
  }

  std::int64_t example_count() const override { return static_cast<std::int64_t>(examples.size()); }
  std::int64_t dimension() const override { return dimension_; }
  std::span<const std::uint8_t> nonnegative() const override { return bounds; }

  void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                std::vector<Separation>& out) override {
    out.assign(numbers.size(), {});
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      out[k] = answer(w, examples[static_cast<std::size_t>(numbers[k])], pass);
    }
  }

  void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override {
    out = {};
    out.a.assign(static_cast<std::size_t>(dimension_), 0.0);
    const double part = 1 / static_cast<double>(examples.size());
    for (const auto& example : examples) {
      const Separation found = answer(w, example, pass);
      out.low.push_back(found.low);
      out.high.push_back(found.high);
      out.rounding.push_back(found.rounding);
      out.magnitude.push_back(found.magnitude);
      out.counts.add(found);
      if (found.low <= 0) continue;
      const double share = weight == JointWeight::slack ? part * found.low : part;
      axpy(share, found.plane.a, out.a);
      out.max_squared_norm = std::max(out.max_squared_norm, squared_norm(found.plane.a));
      out.b += share * found.plane.b;
    }
  }

  [[noreturn]] void report_contradiction(std::int64_t example,
                                         const std::string& text) const override {
    const std::string which = example < 0 ? "" : "example " + std::to_string(example) + ": ";
    throw Failure(Exit::plugin, "listed: " + which + text);
  }

  [[noreturn]] void report_inseparable(std::span<const std::int64_t> named,
                                       const std::string& text) const override {
    std::string which;
    for (const std::int64_t example : named) which += " " + std::to_string(example);
    throw Failure(Exit::data, "listed: examples" + which + ": " + text);
  }

  // P(w) over every listed output, under slack norm 1.
  double primal(const Vector& w, double C) const {
    return primal(w, Formulation{Rescaling::margin, 1, C});
  }

  // P(w) over every listed output. Under hard margin it is infinite if a slack exceeds rounding.
  double primal(const Vector& w, const Formulation& formulation) const {
    double cost = 0;
    double worst = 0;
    double largest = 0;
    for (const auto& example : examples) {
      double slack = 0;
      for (const Plane& plane : example) {
        slack = std::max(slack, plane.b - dot(plane.a, w));
        largest = std::max(largest, plane.b);
      }
      cost += formulation.slack_norm == 2 ? 0.5 * slack * slack : slack;
      worst = std::max(worst, slack);
    }
    if (formulation.is_hard_margin()) {
      return worst <= 1e-9 * largest ? 0.5 * squared_norm(w) : infinity;
    }
    return 0.5 * squared_norm(w) + formulation.C / static_cast<double>(examples.size()) * cost;
  }

 private:
  Separation answer(WeightView w, const std::vector<Plane>& outputs, const Pass& pass) {
    if (pass.interrupted && pass.interrupted()) throw Cancelled();
    ++calls;
    std::this_thread::sleep_for(delay);
    Separation found;
    if (outputs.empty()) {
      found.no_output = true;
      return found;
    }
    found.low = -infinity;
    for (std::size_t y = 0; y < std::min(searched_outputs, outputs.size()); ++y) {
      const double b = pass.loss_weight.value_or(1) * outputs[y].b;
      const double score = b - pass.scale * dot(outputs[y].a, w);
      if (score > found.low) {
        found.low = score;
        found.output_hash = y;
        found.plane = outputs[y];
        found.plane.b = b;
      }
    }
    found.high = exact ? found.low : infinity;
    found.rounding = rounding;
    return found;
  }

  std::int64_t dimension_;
};

inline Plane plane_of(const Vector& truth, const Vector& guess, double loss) {
  Plane plane;
  plane.b = loss;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (truth[k] == guess[k]) continue;
    plane.a.index.push_back(static_cast<std::int32_t>(k));
    plane.a.value.push_back(truth[k] - guess[k]);
  }
  return plane;
}

// psi(x, y) has x at the weights of class y. The loss of class y is 1 + 0.25 |y - truth|, and 0 for
// the truth.
inline ListedProblem random_multiclass(unsigned seed, int n, int features, int classes) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> label(0, classes - 1);
  ListedProblem problem(static_cast<std::int64_t>(features) * classes);
  const auto dimension = static_cast<std::size_t>(problem.dimension());
  for (int i = 0; i < n; ++i) {
    const int truth = label(random);
    std::vector<double> x(static_cast<std::size_t>(features));
    for (double& value : x) value = normal(random);
    x[static_cast<std::size_t>(truth % features)] += 1.5;
    const auto psi = [&](int y) {
      Vector sum(dimension, 0.0);
      for (int f = 0; f < features; ++f) {
        sum[static_cast<std::size_t>(y * features + f)] = x[static_cast<std::size_t>(f)];
      }
      return sum;
    };
    std::vector<Plane> planes;
    for (int y = 0; y < classes; ++y) {
      planes.push_back(
          plane_of(psi(truth), psi(y), y == truth ? 0 : 1 + 0.25 * std::abs(y - truth)));
    }
    problem.examples.push_back(std::move(planes));
  }
  return problem;
}

// Label sequences of fixed length. psi counts (label, symbol) and (label, next label); the loss is
// the Hamming loss. Symbols repeat, so different outputs can have the same features.
inline ListedProblem random_chain(unsigned seed, int n, int length, int labels, int symbols) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<int> label(0, labels - 1);
  std::uniform_int_distribution<int> symbol(0, symbols - 1);
  ListedProblem problem(static_cast<std::int64_t>(labels) * (symbols + labels));
  const auto dimension = static_cast<std::size_t>(problem.dimension());
  int outputs = 1;
  for (int t = 0; t < length; ++t) outputs *= labels;
  for (int i = 0; i < n; ++i) {
    std::vector<int> x(static_cast<std::size_t>(length)), truth(x.size()), y(x.size());
    for (std::size_t t = 0; t < x.size(); ++t) {
      x[t] = symbol(random);
      truth[t] = random() % 4 == 0 ? label(random) : x[t] % labels;
    }
    const auto psi = [&](const std::vector<int>& sequence) {
      Vector sum(dimension, 0.0);
      for (std::size_t t = 0; t < sequence.size(); ++t) {
        sum[static_cast<std::size_t>(sequence[t] * symbols + x[t])] += 1;
        if (t == 0) continue;
        const int pair = sequence[t - 1] * labels + sequence[t];
        sum[static_cast<std::size_t>(labels * symbols + pair)] += 1;
      }
      return sum;
    };
    std::vector<Plane> planes;
    for (int code = 0; code < outputs; ++code) {
      double loss = 0;
      for (std::size_t t = 0, rest = static_cast<std::size_t>(code); t < y.size(); ++t) {
        y[t] = static_cast<int>(rest % static_cast<std::size_t>(labels));
        rest /= static_cast<std::size_t>(labels);
        loss += y[t] != truth[t] ? 1 : 0;
      }
      planes.push_back(plane_of(psi(truth), psi(y), loss));
    }
    problem.examples.push_back(std::move(planes));
  }
  return problem;
}

// Keeps every report.
class Recorder : public Listener {
 public:
  void pass_done(const PassReport& report) override { reports.push_back(report); }
  std::vector<PassReport> reports;
};

}  // namespace sculpt::core::test
