// plane.hpp - planes (a, b) with the constraint <w, a> >= b - xi_i, and answers of the oracle.
//
// All values of an example are multiplied by Formulation::plane_weight() of its weight.
//
// Written by PlaneSource, read by the solvers and the certificate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"

namespace sculpt::core {

struct Plane {
  SparseVector a;
  double b = 0;
};

// Another violated plane of an example, less violated than the first.
struct NextBestPlane {
  Plane plane;
  std::uint64_t output_hash = 0;  // as in Separation
  double low = 0;                 // b - <w, a>
};

// The oracle's answer about one example i at w.
struct Separation {
  Plane plane;                    // Of the output found; empty if there is no output.
  std::uint64_t output_hash = 0;  // Equal hashes mean equal planes of this example.
  double low = 0;                 // The plane's b - <w, a>: H_i is at least this.
  double high = 0;  // H_i is at most this; infinite if the oracle gives no upper bound.
  // By how much rounding may change `high` and the b - <w, a> of an output together. It follows
  // from the terms of both sums (linalg/rounding.hpp).
  double rounding = 0;
  double magnitude = 0;        // the sum of the absolute terms of b - <w, a>
  bool no_output = false;      // Y_i is empty: xi_i = 0
  bool truth_outside = false;  // the truth is no output
  bool fractional = false;     // the plane belongs to a relaxed answer
  bool escalated = false;      // the last of several oracles was asked
  bool inexact = false;        // the oracle does not promise that its output is the best one
  // In decreasing order of low, at most Pass::next_best_count.
  std::vector<NextBestPlane> next_best;
};

// The number of answers of a pass with each flag.
struct AnswerCounts {
  std::int64_t no_output_count = 0;
  std::int64_t truth_outside_count = 0;
  std::int64_t fractional_count = 0;
  std::int64_t escalated_count = 0;
  std::int64_t inexact_count = 0;
  std::int64_t unbounded_count = 0;              // H_i has no upper bound
  std::int64_t unbounded_unescalated_count = 0;  // the same, and the last oracle was not asked

  void add(const Separation& answer) {
    const bool is_unbounded = std::isinf(answer.high);
    no_output_count += answer.no_output ? 1 : 0;
    truth_outside_count += answer.truth_outside ? 1 : 0;
    fractional_count += answer.fractional ? 1 : 0;
    escalated_count += answer.escalated ? 1 : 0;
    inexact_count += answer.inexact ? 1 : 0;
    unbounded_count += is_unbounded ? 1 : 0;
    unbounded_unescalated_count += is_unbounded && !answer.escalated ? 1 : 0;
  }
  void operator+=(const AnswerCounts& other) {
    each([&](std::int64_t AnswerCounts::*count) { this->*count += other.*count; });
  }
  void save(StateWriter& out) const {
    each([&](std::int64_t AnswerCounts::*count) { out.put(this->*count); });
  }
  void load(StateReader& in) {
    each([&](std::int64_t AnswerCounts::*count) { this->*count = in.get_count(); });
  }

 private:
  template <class Visit>
  static void each(Visit visit) {
    for (std::int64_t AnswerCounts::*count :
         {&AnswerCounts::no_output_count, &AnswerCounts::truth_outside_count,
          &AnswerCounts::fractional_count, &AnswerCounts::escalated_count,
          &AnswerCounts::inexact_count, &AnswerCounts::unbounded_count,
          &AnswerCounts::unbounded_unescalated_count}) {
      visit(count);
    }
  }
};

// An estimate of the slack, for batches. It is `high` if the oracle gives a bound, else `low`.
inline double estimated_slack(const Separation& answer) {
  return std::isfinite(answer.high) ? std::max(answer.low, answer.high) : answer.low;
}

// The weight of each example in a joint plane.
enum class JointWeight {
  one,   // 1 if violated: this plane attains the mean slack
  slack  // the slack max(0, low): the tangent of the mean half square of the slacks
};

// The mean of Separation over all examples.
struct JointSeparation {
  Vector a;                       // [dimension] 1/n sum of weight_i a_i.
  double b = 0;                   // The mean 1/n sum of weight_i b_i.
  std::vector<double> low;        // [n] for each example, as in Separation.
  std::vector<double> high;       // [n]
  std::vector<double> rounding;   // [n]
  std::vector<double> magnitude;  // [n] Separation::magnitude if violated, else 0.
  double max_squared_norm = 0;    // The largest ||a_i||^2 of the violated planes.
  AnswerCounts counts;
};

}  // namespace sculpt::core
