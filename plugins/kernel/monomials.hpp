// monomials.hpp - phi of the polynomial kernel: the monomials of a row up to a degree.
//
//   (gamma <a, b> + coef0)^degree = <phi(a), phi(b)>
//
// A column of phi is a multiset of `degree` symbols. Symbol s stands for a feature of the row, with
// the value sqrt(gamma) a_s. With coef0 > 0 there is one symbol more, before the others: it has the
// value sqrt(coef0). The value of a column is the product of the values of its symbols, times
// sqrt(the number of their orders). Multisets are numbered in colexicographic order. Held by
// Polynomial.
#pragma once

#include <cstdint>
#include <functional>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>
#include <vector>

namespace kernel {

class Monomials {
 public:
  // `features`: of a row. `coef0` is not negative.
  Monomials(std::int64_t features, double gamma, double coef0, std::int64_t degree);

  // The number of columns. 0: more than INT32_MAX; then the functions below must not be called.
  std::int64_t width() const { return width_; }
  // "(f)^2(g)", or "constant". `name_of` appends the name of a feature.
  void name(std::int64_t column,
            const std::function<void(std::int64_t, sculpt::ByteOutput&)>& name_of,
            sculpt::ByteOutput& out) const;
  // Adds phi(row), by increasing columns.
  void add(const sculpt::SiteRow& row, sculpt::Sum& sum) const;

 private:
  struct Symbol {
    std::int64_t number;
    double value;
  };
  // Some members of a multiset are chosen, the largest ones.
  struct Chosen {
    std::int64_t column;   // what they add to the number of the column
    double orders;         // degree! / the factorials of the counts of equal symbols
    double product;        // of their values
    std::size_t last;      // the place of the smallest one
    std::int64_t repeats;  // how often it was chosen
  };
  void add_rest(const std::vector<Symbol>& symbols, std::int64_t missing, const Chosen& chosen,
                sculpt::Sum& sum) const;
  // The multisets of `size` symbols below `symbol`.
  std::int64_t count(std::int64_t symbol, std::int64_t size) const {
    return count_[static_cast<std::size_t>(size - 1)][static_cast<std::size_t>(symbol)];
  }

  double feature_factor_;  // sqrt(gamma)
  double constant_;        // sqrt(coef0)
  std::int64_t degree_;
  std::int64_t first_;  // the symbol of feature 0: 1 if there is a constant, else 0
  std::vector<std::vector<std::int64_t>> count_;  // [degree][symbols + 1]
  std::int64_t width_ = 0;
  double orders_ = 1;  // degree!
};

}  // namespace kernel
