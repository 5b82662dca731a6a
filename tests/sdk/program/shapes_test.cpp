// Dynamic programs with known counts and moments: alignments, trees and chains, also long ones.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <sculpt/program/best.hpp>
#include <sculpt/program/derivations.hpp>
#include <sculpt/program/k_best.hpp>
#include <sculpt/program/moments.hpp>

namespace {

// Global alignments of two sequences. Edges into node (i, j) come diagonally, from above, from the
// left.
class Grid {
 public:
  using Edge = sculpt::program::Edge<1>;
  Grid(std::int64_t rows, std::int64_t columns) : rows_(rows), columns_(columns) {}
  std::int64_t node_count() const { return (rows_ + 1) * (columns_ + 1); }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const std::int64_t i = node / (columns_ + 1);
    const std::int64_t j = node % (columns_ + 1);
    if (node == 0) visit(Edge{0, 0, {}, 0});
    if (i > 0 && j > 0) visit(Edge{0, 1, {node - columns_ - 2}, 1});
    if (i > 0) visit(Edge{0, 2, {node - columns_ - 1}, 1});
    if (j > 0) visit(Edge{0, 3, {node - 1}, 1});
  }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
};

// Binary trees over n words. Nodes are spans, ordered by length. Edges are the splits of a span.
class Trees {
 public:
  using Edge = sculpt::program::Edge<2>;
  explicit Trees(std::int64_t words) : words_(words) {}
  std::int64_t node_count() const { return words_ * (words_ + 1) / 2; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    std::int64_t length = 1;
    std::int64_t start = node;
    while (start >= words_ - length + 1) start -= words_ - length++ + 1;
    if (length == 1) visit(Edge{0, start, {}, 0});
    for (std::int64_t left = 1; left < length; ++left) {
      visit(Edge{0, left, {span(start, left), span(start + left, length - left)}, 2});
    }
  }

 private:
  std::int64_t span(std::int64_t start, std::int64_t length) const {
    return (length - 1) * (words_ + 1) - length * (length - 1) / 2 + start;
  }
  std::int64_t words_;
};

// Label sequences. Node t * K + k is label k at position t. Label k has the score 0.1 k.
class UnaryChain {
 public:
  using Edge = sculpt::program::Edge<1>;
  UnaryChain(std::int64_t length, std::int64_t labels) : length_(length), labels_(labels) {}
  std::int64_t node_count() const { return length_ * labels_ + 1; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const std::int64_t t = node / labels_;
    const std::int64_t k = node % labels_;
    const double score = t < length_ ? 0.1 * static_cast<double>(k) : 0.0;
    if (t == 0) return visit(Edge{score, k, {}, 0});
    for (std::int64_t before = 0; before < labels_; ++before) {
      visit(Edge{score, k, {(t - 1) * labels_ + before}, 1});
    }
  }

 private:
  std::int64_t length_;
  std::int64_t labels_;
};

template <class P>
std::int64_t count(const P& program) {
  return sculpt::program::Derivations<P>().count(program, 1LL << 31);
}

}  // namespace

TEST_CASE("programs: the counts of alignments and trees are the Delannoy and Catalan numbers") {
  const std::int64_t delannoy[] = {1, 3, 13, 63, 321, 1683, 8989, 48639, 265729, 1462563};
  for (std::int64_t n = 0; n < std::ssize(delannoy); ++n) {
    CHECK(count(Grid(n, n)) == delannoy[n]);
    CHECK(sculpt::program::Moments<Grid>().log_z(Grid(n, n)) ==
          doctest::Approx(std::log(static_cast<double>(delannoy[n]))));
  }
  const std::int64_t catalan[] = {1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16796};
  for (std::int64_t n = 1; n <= std::ssize(catalan); ++n) {
    CHECK(count(Trees(n)) == catalan[n - 1]);
  }
  CHECK(count(UnaryChain(5, 7)) == 16807);
}

TEST_CASE("programs: log Z and expectations of long alignments are exact") {
  constexpr std::int64_t n = 2000;
  const Grid grid(n, n);
  sculpt::program::Moments<Grid> moments;
  const double log_z = moments.log_z(grid);
  // D(n, n) ~ (1 + sqrt 2)^(2 n + 1) / sqrt(4 pi sqrt 2 n), to O(1 / n)
  const double expected = (2 * n + 1) * std::log(1 + std::numbers::sqrt2) -
                          0.5 * std::log(4 * std::numbers::pi * std::numbers::sqrt2 * n);
  CHECK(log_z == doctest::Approx(expected).epsilon(1e-7));
  double steps = 0;
  moments.marginals(grid, [&](const Grid::Edge& edge, double p) {
    steps += edge.name == 0 ? 0 : edge.name == 1 ? 2 * p : p;
  });
  CHECK(steps == doctest::Approx(2 * n).epsilon(1e-9));
}

TEST_CASE("programs: the moments of a chain of 5000 labels are sums over its positions") {
  constexpr std::int64_t length = 5000;
  constexpr std::int64_t labels = 4;
  const UnaryChain chain(length, labels);
  double z = 0;
  double first = 0;
  double second = 0;
  for (int k = 0; k < labels; ++k) {
    const double weight = std::exp(0.1 * k);
    z += weight;
    first += weight * k;
    second += weight * k * k;
  }
  const double mean = first / z;
  sculpt::program::Moments<UnaryChain> moments;
  CHECK(moments.log_z(chain) == doctest::Approx(length * std::log(z)).epsilon(1e-12));
  double sum = 0;
  moments.marginals(chain, [&](const UnaryChain::Edge& edge, double p) {
    sum += p * static_cast<double>(edge.name);
  });
  CHECK(sum == doctest::Approx(length * mean).epsilon(1e-10));
  double variance = 0;
  const auto name = [](const UnaryChain::Edge& edge) { return static_cast<double>(edge.name); };
  moments.covariance(chain, name, [&](const UnaryChain::Edge& edge, double change) {
    variance += change * static_cast<double>(edge.name);
  });
  CHECK(variance == doctest::Approx(length * (second / z - mean * mean)).epsilon(1e-8));
}

TEST_CASE("programs: the second best derivations of a long chain differ in one label") {
  constexpr std::int64_t length = 500;
  const UnaryChain chain(length, 4);
  sculpt::program::KBest<UnaryChain> ranked;
  ranked.begin(chain);
  sculpt::program::Derivation<UnaryChain> one;
  CHECK(ranked.find(0, one) == doctest::Approx(length * 0.3));
  CHECK(one.size() == length + 1);
  CHECK(ranked.find(length, one) == doctest::Approx(length * 0.3 - 0.1));
  CHECK(ranked.find(length + 1, one) == doctest::Approx(length * 0.3 - 0.2));
}
