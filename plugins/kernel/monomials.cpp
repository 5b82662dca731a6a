#include "monomials.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace kernel {

// count[k][s] = count[k - 1][0] + ... + count[k - 1][s - 1] over the multisets whose largest symbol
// is below s, which is count[k][s - 1] + count[k - 1][s].
Monomials::Monomials(std::int64_t features, double gamma, double coef0, std::int64_t degree)
    : feature_factor_(std::sqrt(gamma)),
      constant_(std::sqrt(coef0)),
      degree_(degree),
      first_(coef0 > 0 ? 1 : 0) {
  const auto symbols = static_cast<std::size_t>(features + first_);
  for (std::int64_t size = 1; size <= degree; ++size) {
    orders_ *= static_cast<double>(size);
    std::vector<std::int64_t> row(symbols + 1, 0);
    for (std::size_t s = 1; s <= symbols; ++s) {
      const std::int64_t with_largest =
          size == 1 ? 1 : count(static_cast<std::int64_t>(s), size - 1);
      row[s] = row[s - 1] + with_largest;
      if (row[s] > INT32_MAX) return;
    }
    count_.push_back(std::move(row));
  }
  width_ = count_.back().back();
}

void Monomials::name(std::int64_t column,
                     const std::function<void(std::int64_t, sculpt::ByteOutput&)>& name_of,
                     sculpt::ByteOutput& out) const {
  std::vector<std::int64_t> features;  // increasing
  for (std::int64_t size = degree_; size > 0; --size) {
    const std::vector<std::int64_t>& row = count_[static_cast<std::size_t>(size - 1)];
    const std::int64_t symbol = std::upper_bound(row.begin(), row.end(), column) - row.begin() - 1;
    if (symbol < first_) break;  // all that follow are constant
    column -= count(symbol, size);
    features.insert(features.begin(), symbol - first_);
  }
  if (features.empty()) out << "constant";
  for (std::size_t k = 0; k < features.size();) {
    const std::int64_t feature = features[k];
    const std::size_t first = k;
    while (k < features.size() && features[k] == feature) ++k;
    out << "(";
    name_of(feature, out);
    out << ")";
    if (k - first > 1) out << "^" + std::to_string(k - first);
  }
}

void Monomials::add(const sculpt::SiteRow& row, sculpt::Sum& sum) const {
  std::vector<Symbol> symbols;
  symbols.reserve(row.size() + 1);
  if (first_ == 1) symbols.push_back({0, constant_});
  for (std::size_t k = 0; k < row.size(); ++k) {
    symbols.push_back({row.index[k] + first_, feature_factor_ * row.value[k]});
  }
  if (symbols.empty()) return;
  add_rest(symbols, degree_, {0, orders_, 1, symbols.size() - 1, 0}, sum);
}

void Monomials::add_rest(const std::vector<Symbol>& symbols, std::int64_t missing,
                         const Chosen& chosen, sculpt::Sum& sum) const {
  if (missing == 0) return sum.add(chosen.column, std::sqrt(chosen.orders) * chosen.product);
  for (std::size_t place = 0; place <= chosen.last; ++place) {
    const Symbol& symbol = symbols[place];
    const std::int64_t repeats = place == chosen.last ? chosen.repeats + 1 : 1;
    add_rest(symbols, missing - 1,
             {chosen.column + count(symbol.number, missing),
              chosen.orders / static_cast<double>(repeats), chosen.product * symbol.value, place,
              repeats},
             sum);
  }
}

}  // namespace kernel
