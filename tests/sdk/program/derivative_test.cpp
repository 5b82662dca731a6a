// Moments (sculpt/program/moments.hpp) are compared with finite differences. The expectation is the
// derivative of log Z, the covariance that of the expectation.
//
// Differences of order four: f'(0) ~ (8 f(h) - 8 f(-h) - f(2h) + f(-2h)) / 12h. With h = 1e-3 and
// values of about 1, their error h^4 f'''''/30 and rounding are 1e-12 each. The tolerance is 1e-8.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <sculpt/program/moments.hpp>
#include <sculpt/program/rescored.hpp>

#include "random_program.hpp"

using sculpt::program::Moments;
using sculpt::program::Rescored;

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// psi of one edge. A score is <w, psi> summed over the edges.
template <class P>
using FeaturesOf = std::function<Vector(const typename P::Edge&)>;

template <class P, class Use>
void with_scores(const P& program, const FeaturesOf<P>& psi, const Vector& w, Use use) {
  // underivable + x = underivable
  const auto score = [&](const typename P::Edge& edge) { return edge.score + dot(w, psi(edge)); };
  use(Rescored(program, score));
}
template <class P>
double log_z(const P& program, const FeaturesOf<P>& psi, const Vector& w) {
  double value = 0;
  with_scores(program, psi, w, [&](const auto& scored) {
    value = Moments<std::remove_cvref_t<decltype(scored)>>().log_z(scored);
  });
  return value;
}
template <class P>
Vector expectation(const P& program, const FeaturesOf<P>& psi, const Vector& w) {
  Vector sum(w.size(), 0.0);
  with_scores(program, psi, w, [&](const auto& scored) {
    Moments<std::remove_cvref_t<decltype(scored)>> moments;
    moments.log_z(scored);
    moments.marginals(scored, [&](const auto& edge, double p) {
      const Vector of_edge = psi(edge);
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += p * of_edge[j];
    });
  });
  return sum;
}
template <class P>
Vector covariance_times(const P& program, const FeaturesOf<P>& psi, const Vector& w,
                        const Vector& v) {
  Vector sum(w.size(), 0.0);
  with_scores(program, psi, w, [&](const auto& scored) {
    Moments<std::remove_cvref_t<decltype(scored)>> moments;
    moments.log_z(scored);
    moments.covariance(
        scored, [&](const auto& edge) { return dot(v, psi(edge)); },
        [&](const auto& edge, double change) {
          const Vector of_edge = psi(edge);
          for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += change * of_edge[j];
        });
  });
  return sum;
}

double slope(const std::function<double(double)>& f) {
  constexpr double h = 1e-3;
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

template <class P>
void check_derivatives(const P& program, const FeaturesOf<P>& psi, const Vector& w,
                       const Vector& v) {
  const auto moved = [&](double step) {
    Vector result = w;
    for (std::size_t j = 0; j < w.size(); ++j) result[j] += step * v[j];
    return result;
  };
  const double exact = dot(v, expectation(program, psi, w));
  const double measured = slope([&](double step) { return log_z(program, psi, moved(step)); });
  REQUIRE(std::abs(exact - measured) <= 1e-8 * (1 + std::abs(exact)));
  const Vector change = covariance_times(program, psi, w, v);
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double of_mean =
        slope([&](double step) { return expectation(program, psi, moved(step))[j]; });
    REQUIRE(std::abs(change[j] - of_mean) <= 1e-8 * (1 + std::abs(change[j])));
  }
}

Vector normal(std::mt19937& random, std::size_t size, double scale) {
  std::normal_distribution<double> draw(0, scale);
  Vector values(size);
  for (double& value : values) value = draw(random);
  return values;
}

// Alignments of two sequences of letters 0, 1, 2. Node (i, j): the first i and the first j letters.
// The name of an edge is 0 for equal letters, 1 for different letters, 2 and 3 for gaps.
class Alignments {
 public:
  using Edge = sculpt::program::Edge<1>;
  Alignments(std::mt19937& random, std::int64_t rows, std::int64_t columns)
      : columns_(columns), first_(letters(random, rows)), second_(letters(random, columns)) {}
  std::int64_t node_count() const { return (std::ssize(first_) + 1) * (columns_ + 1); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const std::int64_t i = node / (columns_ + 1);
    const std::int64_t j = node % (columns_ + 1);
    if (node == 0) visit(Edge{0, -1, {}, 0});
    if (i > 0 && j > 0) {
      const bool same =
          first_[static_cast<std::size_t>(i - 1)] == second_[static_cast<std::size_t>(j - 1)];
      visit(Edge{0, same ? 0 : 1, {node - columns_ - 2}, 1});
    }
    if (i > 0) visit(Edge{0, 2, {node - columns_ - 1}, 1});
    if (j > 0) visit(Edge{0, 3, {node - 1}, 1});
  }

 private:
  static std::vector<int> letters(std::mt19937& random, std::int64_t count) {
    std::vector<int> drawn(static_cast<std::size_t>(count));
    for (int& letter : drawn) letter = static_cast<int>(random() % 3);
    return drawn;
  }
  std::int64_t columns_;
  std::vector<int> first_, second_;
};

// Label sequences. The name of an edge is labels * (label before) + label.
class TransitionChain {
 public:
  using Edge = sculpt::program::Edge<1>;
  static constexpr std::int64_t labels = 3;
  explicit TransitionChain(std::int64_t length) : length_(length) {}
  std::int64_t node_count() const { return length_ * labels + 1; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const std::int64_t t = node / labels;
    if (t == 0) return visit(Edge{0, node, {}, 0});
    const std::int64_t label = t < length_ ? node % labels : 0;
    for (std::int64_t before = 0; before < labels; ++before) {
      const std::int64_t name = t < length_ ? before * labels + label : -1;
      visit(Edge{0, name, {(t - 1) * labels + before}, 1});
    }
  }

 private:
  std::int64_t length_;
};

// psi is 1 at the name of the edge, if it has one.
template <class P>
FeaturesOf<P> indicator(std::size_t names) {
  return [names](const typename P::Edge& edge) {
    Vector one(names, 0.0);
    if (edge.name >= 0) one[static_cast<std::size_t>(edge.name)] = 1;
    return one;
  };
}

}  // namespace

TEST_CASE("programs: moments of random programs are derivatives of log Z") {
  std::mt19937 random(83);
  int checked = 0;
  while (checked < 200) {
    const sculpt::test::RandomProgram program(random, 1 + static_cast<std::int64_t>(random() % 8),
                                              false);
    const FeaturesOf<sculpt::test::RandomProgram> psi = [&](const auto& edge) {
      const auto& features = program.stored(edge.name).features;
      return Vector(features.begin(), features.end());
    };
    constexpr std::size_t d = sculpt::test::RandomProgram::dimension;
    const std::vector<sculpt::test::RandomProgram::Names> all = program.all(2000);
    if (all.size() < 2) continue;  // none, only one, or too many derivations
    check_derivatives(program, psi, normal(random, d, 0.3), normal(random, d, 0.3));
    ++checked;
  }
}

TEST_CASE("programs: moments of alignments are derivatives of log Z") {
  std::mt19937 random(89);
  for (int trial = 0; trial < 40; ++trial) {
    const Alignments program(random, 1 + trial % 7, 1 + trial % 5);
    check_derivatives(program, indicator<Alignments>(4), normal(random, 4, 1),
                      normal(random, 4, 0.5));
  }
}

TEST_CASE("programs: moments of a chain are derivatives of log Z") {
  std::mt19937 random(97);
  constexpr std::size_t names = TransitionChain::labels * TransitionChain::labels;
  for (std::int64_t length = 1; length <= 20; ++length) {
    check_derivatives(TransitionChain(length), indicator<TransitionChain>(names),
                      normal(random, names, 1), normal(random, names, 0.5));
  }
}
