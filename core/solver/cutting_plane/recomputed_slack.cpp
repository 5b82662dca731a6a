#include "solver/cutting_plane/recomputed_slack.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

// The terms of <w, a>.
Terms terms_of(const PlaneVector& a, WeightView w, Vector& zeros) {
  Terms terms;
  const Vector& values = w.dense();
  a.scatter(zeros);
  a.for_each_index([&](std::size_t j) {
    terms.magnitude += std::abs(values[j] * zeros[j]);
    terms.count += 1;
  });
  a.unscatter(zeros);
  return terms;
}

}  // namespace

double rounding_of(const PlaneVector& a, double b, WeightView w, Vector& zeros) {
  Terms terms = terms_of(a, w, zeros);
  terms += {std::abs(b), 1};
  return terms.rounding();
}

void recompute_slack(const PlaneVector& a, double b, WeightView w, Vector& zeros,
                     RecomputedSlack& largest) {
  const double slack = b - a.dot(w.dense());
  largest.slack = std::max(largest.slack, slack);
  largest.lower_bound = std::max(largest.lower_bound, slack - rounding_of(a, b, w, zeros));
}

RecomputedSlack recompute_slack(const Block& block, WeightView w) {
  Vector zeros(w.dense().size(), 0.0);
  RecomputedSlack largest;
  for (std::size_t p = 1; p < block.size(); ++p) {
    recompute_slack(block.a[p], block.b[p], w, zeros, largest);
  }
  return largest;
}

}  // namespace sculpt::core
