#include "problem/kernel/atom_selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/kernel/kernel_scores.hpp"

namespace sculpt::core {
namespace {

// An atom whose phi~ is shorter than this fraction of phi is a sum of those that are kept.
constexpr double min_residual = 1e-10;
// The sums end a little below the limit, because the bound has their rounding.
constexpr double fraction_of_limit = 0.999;

constexpr std::int64_t atoms_per_task = 256;
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
        is_kept_(count_, 0) {
    diagonal_.resize(count_);
    kernel_.diagonal(0, support_.atoms, diagonal_);
    own_ = diagonal_;
    residual_ = products_of(support_.beta);
    for (std::size_t k = 0; k < residual_.size(); ++k) square_ += support_.beta[k] * residual_[k];
  }

  double square() const { return square_; }  // ||w - w'||^2

  // Keeps one more atom. Returns false if all others are sums of those that are kept.
  bool keep_next() {
    const std::size_t s = best();
    if (s == count_) return false;
    is_kept_[s] = 1;
    kept_.push_back(s);
    const double length = std::sqrt(diagonal_[s]);
    Vector row(count_);
    kernel_.rows(0, std::span(&support_.atoms[s], 1), support_.atoms, row);
    std::vector<double> part(blocks_);  // of each w_b along the new direction
    for (std::size_t b = 0; b < blocks_; ++b) {
      part[b] = residual_[s * blocks_ + b] / length;
      square_ -= part[b] * part[b];
    }
    const auto add_range = [&](std::int64_t begin, std::int64_t end, int) {
      add_direction(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), s, length, part,
                    row);
    };
    workers_.run_ranges(std::ssize(row), atoms_per_task, add_range);
    columns_.push_back(std::move(row));
    parts_.insert(parts_.end(), part.begin(), part.end());
    return true;
  }

  // The kept atoms, and the coefficients of w': L' beta = parts, with L[i][q] = columns_[q][kept
  // i].
  SupportAtoms kept() const {
    const std::size_t m = kept_.size();
    Vector beta = parts_;
    for (std::size_t i = m; i-- > 0;) {
      const double own = columns_[i][kept_[i]];
      for (std::size_t b = 0; b < blocks_; ++b) {
        double sum = beta[i * blocks_ + b];
        for (std::size_t k = i + 1; k < m; ++k) {
          sum -= columns_[i][kept_[k]] * beta[k * blocks_ + b];
        }
        beta[i * blocks_ + b] = sum / own;
      }
    }
    SupportAtoms out;
    std::vector<std::size_t> place(count_, m);
    for (std::size_t i = 0; i < m; ++i) place[kept_[i]] = i;
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
  // For the atoms [begin, end). `row` has their values with atom s before, and with the direction
  // phi~(s) / ||phi~(s)|| after. What is left of them and of w loses this direction.
  void add_direction(std::size_t begin, std::size_t end, std::size_t s, double length,
                     std::span<const double> part, Vector& row) {
    for (const Vector& column : columns_) {
      const double factor = column[s];
      for (std::size_t t = begin; t < end; ++t) row[t] -= factor * column[t];
    }
    for (std::size_t t = begin; t < end; ++t) {
      row[t] /= length;
      diagonal_[t] -= row[t] * row[t];
      for (std::size_t b = 0; b < blocks_; ++b) residual_[t * blocks_ + b] -= row[t] * part[b];
    }
  }

  // The atom that lowers ||w - w'||^2 most, the first of equal ones; count_ if there is none.
  std::size_t best() const {
    std::size_t best = count_;
    double largest = 0;
    for (std::size_t s = 0; s < count_; ++s) {
      if (is_kept_[s] != 0 || diagonal_[s] <= min_residual * own_[s]) continue;
      double sum = 0;
      for (std::size_t b = 0; b < blocks_; ++b) {
        sum += residual_[s * blocks_ + b] * residual_[s * blocks_ + b];
      }
      if (sum / diagonal_[s] <= largest) continue;
      largest = sum / diagonal_[s];
      best = s;
    }
    return best;
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
  std::size_t count_;   // n
  std::size_t blocks_;  // B
  std::vector<std::uint8_t> is_kept_;
  std::vector<std::size_t> kept_;  // [m] in the order in which they were chosen
  std::vector<Vector> columns_;    // [m][n] of the Cholesky factor of the kernel's matrix
  Vector parts_;                   // [m][B] of w along the orthonormal directions
  Vector own_;                     // [n] ||phi(s)||^2
  Vector diagonal_;                // [n] ||phi~(s)||^2
  Vector residual_;                // [n][B] <r_b, phi(s)>
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
