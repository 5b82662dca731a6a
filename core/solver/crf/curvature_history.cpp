#include "solver/crf/curvature_history.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// A pair is left out if <s, y> is below this fraction of ||s|| ||y||. Since P is strongly convex,
// only rounding makes it so small.
constexpr double min_cosine = 1e-12;

using FloatVector = std::vector<float>;

template <class Other>
double dot_with(Workers* workers, const FloatVector& a, const Other& b) {
  return sum_over_blocks(workers, a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      sum += static_cast<double>(a[j]) * static_cast<double>(b[j]);
    }
    return sum;
  });
}

// to += scale from
void add_to(Workers* workers, double scale, const FloatVector& from, Vector& to) {
  for_each_block(workers, to.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) to[j] += scale * static_cast<double>(from[j]);
  });
}

}  // namespace

void CurvatureHistory::add(const Vector& old_w, const Vector& new_w, const Vector& old_gradient,
                           const Vector& new_gradient) {
  Pair pair;
  if (pairs_.size() == max_pairs_) {  // its memory is used again
    pair = std::move(pairs_.front());
    pairs_.pop_front();
  }
  pair.s.resize(new_w.size());
  pair.y.resize(new_w.size());
  for_each_block(workers_, new_w.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      pair.s[j] = static_cast<float>(new_w[j] - old_w[j]);
      pair.y[j] = static_cast<float>(new_gradient[j] - old_gradient[j]);
    }
  });
  pair.product = dot_with(workers_, pair.s, pair.y);
  pair.squared_change = dot_with(workers_, pair.y, pair.y);
  const double lengths = std::sqrt(dot_with(workers_, pair.s, pair.s) * pair.squared_change);
  if (pair.product > min_cosine * lengths) pairs_.push_back(std::move(pair));
}

void CurvatureHistory::find_direction(const Vector& gradient, Vector& direction) const {
  direction.resize(gradient.size());
  for_each_block(workers_, gradient.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) direction[j] = -gradient[j];
  });
  if (pairs_.empty()) return;
  std::vector<double> shares(pairs_.size());
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    const Pair& pair = pairs_[k];
    shares[k] = dot_with(workers_, pair.s, direction) / pair.product;
    add_to(workers_, -shares[k], pair.y, direction);
  }
  const double scale = pairs_.back().product / pairs_.back().squared_change;
  for_each_block(workers_, direction.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) direction[j] *= scale;
  });
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const Pair& pair = pairs_[k];
    const double share = dot_with(workers_, pair.y, direction) / pair.product;
    add_to(workers_, shares[k] - share, pair.s, direction);
  }
}

void CurvatureHistory::save(StateWriter& out) const {
  out.put(static_cast<std::uint64_t>(pairs_.size()));
  for (const Pair& pair : pairs_) {
    out.put_array(pair.s);
    out.put_array(pair.y);
    out.put(pair.product);
    out.put(pair.squared_change);
  }
}

void CurvatureHistory::load(StateReader& in, std::size_t dimension) {
  const auto count = in.get<std::uint64_t>();
  in.require(count <= max_pairs_, "more steps than the history of this run has");
  pairs_.resize(static_cast<std::size_t>(count));
  for (Pair& pair : pairs_) {
    for (FloatVector* const vector : {&pair.s, &pair.y}) {
      in.get_array(*vector);
      in.require(vector->size() == dimension, "a vector of another dimension");
    }
    for (double* const value : {&pair.product, &pair.squared_change}) {
      *value = in.get<double>();
      in.require(*value > 0 && std::isfinite(*value), "a curvature that is not positive");
    }
  }
}

}  // namespace sculpt::core
