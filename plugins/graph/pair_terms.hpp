// pair_terms.hpp - the weights of an edge as a function of its two labels, and the weight that each
// cell of its table reads.
//
//   potts       w [a = b]         1 weight
//   symmetric   w_{ {a, b} }      K (K + 1) / 2 weights, ordered (0,0), (0,1), ..., (1,1), ...
//   table       w_{a b}           K K weights; a is the label of the edge's first site
//
// Used by edge_weights.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

class PairTerms {
 public:
  PairTerms() = default;
  // `form`: none, potts, symmetric or table, the values of the parameter `pairs`.
  PairTerms(std::string_view form, std::int64_t states) : form_(form[0]), states_(states) {}

  bool has_weights() const { return form_ != 'n'; }
  std::int64_t states() const { return states_; }
  // True if every table with nonnegative weights is attractive.
  bool attractive_if_nonnegative() const { return form_ == 'p'; }

  std::int64_t weight_count() const {
    switch (form_) {
      case 'p':
        return 1;
      case 's':
        return states_ * (states_ + 1) / 2;
      case 't':
        return states_ * states_;
      default:
        return 0;
    }
  }

  // Returns the weight of cell (a, b), or -1 if the cell is 0.
  std::int64_t weight(std::int64_t a, std::int64_t b) const {
    if (form_ == 'p') return a == b ? 0 : -1;
    if (form_ == 't') return a * states_ + b;
    const auto [low, high] = std::minmax(a, b);
    return low * states_ - low * (low - 1) / 2 + (high - low);
  }

  // Returns the smallest pair (a, b) that reads a weight.
  std::pair<std::int64_t, std::int64_t> labels_of(std::int64_t weight) const {
    if (form_ == 't') return {weight / states_, weight % states_};
    std::int64_t low = 0;
    while (weight >= states_ - low) weight -= states_ - low++;
    return {low, low + weight};
  }
  bool is_potts() const { return form_ == 'p'; }
  // Returns the text between the two labels in a name.
  const char* separator() const { return form_ == 't' ? "->" : "-"; }

 private:
  char form_ = 'n';  // the first letter of its name
  std::int64_t states_ = 0;
};
