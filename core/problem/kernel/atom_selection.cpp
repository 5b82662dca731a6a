#include "problem/kernel/atom_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "problem/kernel/kernel_scores.hpp"
#include "problem/kernel/pivoted_factor.hpp"

namespace sculpt::core {
namespace {

// An atom whose phi~ is shorter than this fraction of phi is a sum of those that are kept.
constexpr double min_residual = 1e-10;
// The sums end a little below the limit, because the bound has their rounding.
constexpr double fraction_of_limit = 0.999;

constexpr std::int64_t atoms_per_task = 256;
// Atoms whose rows are brought up to date together.
constexpr std::size_t rows_ahead = 32;
// Scores are computed for so many atoms between two calls of poll().
constexpr std::int64_t atoms_per_poll = 1024;

// For the distance: its rounding is part of the bound.
using Wide = long double;

class Selection {
 public:
  Selection(Kernel& kernel, Workers& workers, const SupportAtoms& support, std::int64_t blocks,
            const std::function<void()>& poll)
      : kernel_(kernel),
        workers_(workers),
        support_(support),
        poll_(poll),
        count_(support.atoms.size()),
        blocks_(static_cast<std::size_t>(blocks)),
        factor_(kernel, workers, support.atoms) {
    own_.resize(count_);
    kernel_.diagonal(0, support_.atoms, own_);
    residual_ = products_of(support_.beta);
    for (std::size_t k = 0; k < residual_.size(); ++k) square_ += support_.beta[k] * residual_[k];
    left_.resize(count_);
    gain_.resize(count_);
    for (std::size_t t = 0; t < count_; ++t) {
      left_[t] = own_[t];
      set_gain(t);
    }
  }

  double square() const { return square_; }  // ||w - w'||^2

  // Keeps one more atom. Returns false if all others are sums of those that are kept.
  bool keep_next() {
    const std::size_t m = factor_.rank();
    const std::size_t position = best();
    if (position == count_) return false;
    if (!factor_.is_ahead(position)) factor_.look_ahead(best_positions());
    const double length = std::sqrt(left_[position]);
    const std::span<const double> column = factor_.add(position, length);
    std::swap(left_[position], left_[m]);
    std::swap(gain_[position], gain_[m]);
    std::swap_ranges(residual_of(position), residual_of(position) + blocks_, residual_of(m));
    std::vector<double> part(residual_of(m), residual_of(m) + blocks_);  // of w_b along it
    for (double& value : part) {
      value /= length;
      square_ -= value * value;
    }
    const auto take_direction = [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t k = begin; k < end; ++k) {
        const auto t = static_cast<std::size_t>(k) + 1;
        left_[m + t] -= column[t] * column[t];
        double* const residual = residual_of(m + t);
        for (std::size_t b = 0; b < blocks_; ++b) residual[b] -= column[t] * part[b];
        set_gain(m + t);
      }
    };
    workers_.run_ranges(std::ssize(column) - 1, atoms_per_task, take_direction);
    parts_.insert(parts_.end(), part.begin(), part.end());
    return true;
  }

  // The kept atoms, and the coefficients of w': L' beta = parts, with L of the kept atoms.
  SupportAtoms kept() const {
    const std::size_t m = factor_.rank();
    Vector beta = parts_;
    for (std::size_t i = m; i-- > 0;) {
      double* const own = beta.data() + i * blocks_;
      for (std::size_t k = i + 1; k < m; ++k) {
        const double factor = factor_.value(k, i);
        const double* const other = beta.data() + k * blocks_;
        for (std::size_t b = 0; b < blocks_; ++b) own[b] -= factor * other[b];
      }
      for (std::size_t b = 0; b < blocks_; ++b) own[b] /= factor_.value(i, i);
    }
    std::vector<std::size_t> place(count_, m);
    for (std::size_t i = 0; i < m; ++i) place[factor_.at(i)] = i;
    SupportAtoms out;
    for (std::size_t s = 0; s < count_; ++s) {
      if (place[s] == m) continue;
      const auto from = beta.begin() + static_cast<std::ptrdiff_t>(place[s] * blocks_);
      out.atoms.push_back(support_.atoms[s]);
      out.beta.insert(out.beta.end(), from, from + static_cast<std::ptrdiff_t>(blocks_));
    }
    return out;
  }

  // ||w - w'|| for other coefficients of some of the atoms, plus its rounding.
  double distance_to(const SupportAtoms& other) const {
    std::vector<Wide> difference(support_.beta.begin(), support_.beta.end());
    std::size_t i = 0;
    for (std::size_t s = 0; s < count_ && i < other.atoms.size(); ++s) {
      if (support_.atoms[s] != other.atoms[i]) continue;
      for (std::size_t b = 0; b < blocks_; ++b) {
        difference[s * blocks_ + b] -= static_cast<Wide>(other.beta[i * blocks_ + b]);
      }
      ++i;
    }
    const std::vector<Wide> products = products_of(difference);
    Wide sum = 0;
    Wide magnitude = 0;  // of all terms |d_s k(s, t) d_t|, by k(s, t)^2 <= k(s, s) k(t, t)
    for (std::size_t b = 0; b < blocks_; ++b) {
      Wide length = 0;
      for (std::size_t s = 0; s < count_; ++s) {
        const Wide d = difference[s * blocks_ + b];
        sum += d * products[s * blocks_ + b];
        length += std::abs(d) * std::sqrt(static_cast<Wide>(std::max(0.0, own_[s])));
      }
      magnitude += length * length;
    }
    const auto terms = static_cast<Wide>(2 * count_ + 8);
    const Wide rounding = terms * std::numeric_limits<Wide>::epsilon() * magnitude;
    const Wide distance = std::sqrt(std::max(Wide{0}, sum) + rounding);
    return std::nextafter(static_cast<double>(distance), std::numeric_limits<double>::infinity());
  }

 private:
  double* residual_of(std::size_t position) { return residual_.data() + position * blocks_; }

  // By how much ||w - w'||^2 falls if the atom at this position is kept; 0 if rounding decides.
  void set_gain(std::size_t position) {
    double sum = 0;
    const double* const residual = residual_of(position);
    for (std::size_t b = 0; b < blocks_; ++b) sum += residual[b] * residual[b];
    const bool is_sum_of_kept = left_[position] <= min_residual * own_[factor_.at(position)];
    gain_[position] = is_sum_of_kept ? 0 : sum / left_[position];
  }

  // True if the atom at position a goes before that at b. Of equal ones the first.
  bool is_better(std::size_t a, std::size_t b) const {
    if (gain_[a] != gain_[b]) return gain_[a] > gain_[b];
    return factor_.at(a) < factor_.at(b);
  }

  // The position that lowers ||w - w'||^2 most; count_ if there is none.
  std::size_t best() const {
    std::size_t best = count_;
    for (std::size_t t = factor_.rank(); t < count_; ++t) {
      if (gain_[t] > 0 && (best == count_ || is_better(t, best))) best = t;
    }
    return best;
  }

  // The positions that are likely to be kept next.
  std::vector<std::size_t> best_positions() const {
    std::vector<std::size_t> positions(count_ - factor_.rank());
    std::iota(positions.begin(), positions.end(), factor_.rank());
    const std::size_t count = std::min(rows_ahead, positions.size());
    std::partial_sort(positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(count),
                      positions.end(),
                      [this](std::size_t a, std::size_t b) { return is_better(a, b); });
    positions.resize(count);
    return positions;
  }

  // [count][blocks] the scores of the support atoms for these coefficients of them.
  template <class Numbers>
  Numbers products_of(const Numbers& beta) const {
    using Number = typename Numbers::value_type;
    Numbers products(count_ * blocks_);
    const std::int64_t count = std::ssize(support_.atoms);
    const auto values = [&](int worker, std::span<const std::int64_t> numbers,
                            std::span<double> out) {
      const auto first = static_cast<std::size_t>(numbers.front());
      kernel_.rows(worker, std::span(support_.atoms).subspan(first, numbers.size()), support_.atoms,
                   out);
    };
    const auto store = [&](std::int64_t number, std::span<const Number> scores) {
      std::copy(scores.begin(), scores.end(),
                products.begin() + number * static_cast<std::int64_t>(blocks_));
    };
    for (std::int64_t from = 0; from < count; from += atoms_per_poll) {
      const Range group{from, std::min(from + atoms_per_poll, count)};
      compute_scores(workers_, group, count_, beta, blocks_, values, store);
      poll_();
    }
    return products;
  }

  Kernel& kernel_;
  Workers& workers_;
  const SupportAtoms& support_;
  const std::function<void()>& poll_;
  std::size_t count_;     // n
  std::size_t blocks_;    // B
  PivotedFactor factor_;  // the kept atoms are its pivots
  Vector parts_;          // [kept][B] of w along the orthonormal directions
  Vector own_;            // [n] ||phi(s)||^2
  // By the positions of the factor:
  Vector left_;      // [n] ||phi~(s)||^2
  Vector residual_;  // [n][B] <r_b, phi(s)>
  Vector gain_;      // [n]
  double square_ = 0;
};

}  // namespace

SelectedAtoms select_atoms(Kernel& kernel, Workers& workers, const SupportAtoms& support,
                           std::int64_t blocks, double max_distance,
                           const std::function<void()>& poll) {
  Selection selection(kernel, workers, support, blocks, poll);
  const double limit = std::pow(fraction_of_limit * max_distance, 2);
  while (selection.square() > limit && selection.keep_next()) poll();
  SelectedAtoms selected{selection.kept(), 0};
  selected.distance = selection.distance_to(selected.support);
  if (selected.distance > max_distance) return {support, 0};
  return selected;
}

}  // namespace sculpt::core
