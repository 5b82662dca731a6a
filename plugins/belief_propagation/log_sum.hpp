// log_sum.hpp - log of a sum of exponentials, one term after the other, without overflow.
#pragma once

#include <cmath>
#include <limits>

class LogSum {
 public:
  void add(double log_term) {
    if (log_term == -std::numeric_limits<double>::infinity()) return;
    if (log_term <= largest_) {
      sum_ += std::exp(log_term - largest_);
    } else {
      sum_ = sum_ * std::exp(largest_ - log_term) + 1;
      largest_ = log_term;
    }
  }
  // Minus infinity without terms.
  double value() const { return largest_ + (sum_ > 0 ? std::log(sum_) : 0); }

 private:
  double largest_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0;  // of exp(term - largest_)
};
