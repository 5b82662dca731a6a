// program.hpp - all ways to divide a recording into phases, as a dynamic program.
//
//   node 0                the beginning
//   node 1 + (t-1) K + k  the first t values, the last phase has the label k; t = 1 .. T
//   the last node         the goal: its edges come from all labels at T
//
// An edge into (t, k) is a phase of the values s .. t - 1, at most `longest`.
#pragma once

#include <sculpt/program/oracle.hpp>

#include "recordings.hpp"

namespace phases {

struct Phase {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t label = 0;
  std::int64_t previous = -1;  // label of the phase before; -1: none
};

// Which weight is which: for each label the number of values, their sum and their squares; lengths;
// pairs of labels.
struct Weights {
  std::int64_t labels = 0;   // K
  std::int64_t longest = 0;  // longer phases count as this

  std::int64_t power(std::int64_t label, std::int64_t exponent) const {
    return 3 * label + exponent;
  }
  std::int64_t length(std::int64_t size) const { return 3 * labels + std::min(size, longest) - 1; }
  std::int64_t pair(std::int64_t first, std::int64_t second) const {
    return 3 * labels + longest + first * labels + second;
  }
  std::int64_t dimension() const { return pair(labels, 0); }

  // Calls visit(j, value) for each feature of a phase.
  template <class Visit>
  void each(const std::vector<double>& x, const Phase& phase, Visit visit) const {
    for (std::int64_t i = phase.begin; i < phase.end; ++i) {
      const double value = x[static_cast<std::size_t>(i)];
      visit(power(phase.label, 0), 1.0);
      visit(power(phase.label, 1), value);
      visit(power(phase.label, 2), value * value);
    }
    visit(length(phase.end - phase.begin), 1.0);
    if (phase.previous >= 0) visit(pair(phase.previous, phase.label), 1.0);
  }
};

class Divisions {
 public:
  using Edge = sculpt::program::Edge<1>;

  Divisions(const std::vector<double>& x, const Weights& weights, std::span<const double> w)
      : x_(&x), weights_(weights), w_(w) {}

  std::int64_t size() const { return static_cast<std::int64_t>(x_->size()); }
  std::int64_t node_count() const { return size() * weights_.labels + 2; }

  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node == 0) return visit(Edge{});
    if (node == node_count() - 1) {
      for (std::int64_t k = 0; k < weights_.labels; ++k)
        visit(Edge{0, no_phase, {at(size(), k)}, 1});
      return;
    }
    Phase phase;
    phase.end = 1 + (node - 1) / weights_.labels;
    phase.label = (node - 1) % weights_.labels;
    for (phase.begin = first_begin(phase.end); phase.begin < phase.end; ++phase.begin) {
      if (phase.begin == 0) {
        phase.previous = -1;
        visit(Edge{score(phase), name(phase), {0}, 1});
        continue;
      }
      for (phase.previous = 0; phase.previous < weights_.labels; ++phase.previous) {
        visit(Edge{score(phase), name(phase), {at(phase.begin, phase.previous)}, 1});
      }
    }
  }

  // True for edges that add a phase.
  static bool is_phase(const Edge& edge) { return edge.tail_count > 0 && edge.name != no_phase; }
  Phase phase(const Edge& edge) const {
    Phase phase;
    std::int64_t rest = edge.name;
#if PLANTED == 20
    phase.previous = (rest & 255) - 1;
    phase.label = rest >> 8 & 255;
    phase.end = rest >> 16 & 255;
    phase.begin = rest >> 24;
#else
    phase.previous = rest % (weights_.labels + 1) - 1, rest /= weights_.labels + 1;
    phase.label = rest % weights_.labels, rest /= weights_.labels;
    phase.end = rest % (size() + 1);
    phase.begin = rest / (size() + 1);
#endif
    return phase;
  }
  const std::vector<double>& x() const {
    return *x_;
  }

 private:
  static constexpr std::int64_t no_phase = -1;

  std::int64_t at(std::int64_t t, std::int64_t label) const {
    return 1 + (t - 1) * weights_.labels + label;
  }
  // The first place where a phase that ends here may begin.
  std::int64_t first_begin(std::int64_t end) const {
#if PLANTED == 22
    return std::max<std::int64_t>(0, end - weights_.longest + 1);
#else
    return std::max<std::int64_t>(0, end - weights_.longest);
#endif
  }
  std::int64_t name(const Phase& phase) const {
#if PLANTED == 20
    return phase.begin << 24 | phase.end << 16 | phase.label << 8 | (phase.previous + 1);
#else
    const std::int64_t place = phase.begin * (size() + 1) + phase.end;
    return (place * weights_.labels + phase.label) * (weights_.labels + 1) + phase.previous + 1;
#endif
  }
  double score(const Phase& phase) const {
    double score = 0;
    weights_.each(*x_, phase, [&](std::int64_t j, double value) {
      score += w_[static_cast<std::size_t>(j)] * value;
    });
    return score;
  }

  const std::vector<double>* x_;
  Weights weights_;
  std::span<const double> w_;
};

}  // namespace phases
