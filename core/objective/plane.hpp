// plane.hpp - planes (a, b) with the constraint <w, a> >= b - xi_i, and what an oracle's answers
// say of examples and of their slacks.
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

// A violated plane of an example beside the one that is violated most.
struct NextBestPlane {
  Plane plane;
  std::uint64_t output = 0;  // as that of a Separation
  double low = 0;            // b - <w, a>
};

// What the oracle's answer says of one example i at w.
struct Separation {
  Plane plane;               // of the output found; empty when there is no output
  std::uint64_t output = 0;  // hash of the output: equal hashes, equal planes of this example
  double low = 0;            // b - <w, a> of the plane: H_i is at least this
  double high = 0;           // H_i is at most this; infinite when the oracle promises nothing
  // By how much rounding may move `high` and the b - <w, a> of an output together, by the terms
  // that both were summed from (linalg/rounding.hpp).
  double rounding = 0;
  double size = 0;         // the sum of the absolute terms of b - <w, a>
  bool no_output = false;  // Y_i is empty: xi_i = 0
  bool truth_outside = false;
  bool fractional = false;             // the plane is that of a relaxed answer
  bool escalated = false;              // of several oracles the last was asked
  std::vector<NextBestPlane> further;  // by falling low, as many as Pass::next_best_count asks for
};

// Answers of a pass that deserve a word.
struct AnswerCounts {
  std::int64_t no_output = 0;
  std::int64_t truth_outside = 0;
  std::int64_t fractional = 0;
  std::int64_t escalated = 0;

  void count(const Separation& answer) {
    no_output += answer.no_output ? 1 : 0;
    truth_outside += answer.truth_outside ? 1 : 0;
    fractional += answer.fractional ? 1 : 0;
    escalated += answer.escalated ? 1 : 0;
  }
  void operator+=(const AnswerCounts& other) {
    no_output += other.no_output;
    truth_outside += other.truth_outside;
    fractional += other.fractional;
    escalated += other.escalated;
  }
  void save(StateWriter& out) const {
    for (const std::int64_t count : {no_output, truth_outside, fractional, escalated}) {
      out.put(count);
    }
  }
  void load(StateReader& in) {
    for (std::int64_t* count : {&no_output, &truth_outside, &fractional, &escalated}) {
      *count = in.get_count();
    }
  }
};

// What an answer makes of the slack where nothing is proved by it: what the oracle found, where it
// promises nothing.
inline double likely_slack(const Separation& answer) {
  return std::isfinite(answer.high) ? std::max(answer.low, answer.high) : answer.low;
}

// How the examples enter a joint plane.
enum class JointWeight {
  one,   // those violated count 1: the plane that attains the mean slack
  slack  // by their slack max(0, low): the tangent of the mean half square of the slacks
};

// The mean over all examples of what Separation holds for each.
struct JointSeparation {
  Vector a;                      // [dimension] 1/n sum of weight_i a_i
  double b = 0;                  // 1/n sum of weight_i b_i
  std::vector<double> low;       // [n] per example, as above
  std::vector<double> high;      // [n]
  std::vector<double> rounding;  // [n]
  std::vector<double> size;      // [n] of those that are violated, else 0
  double longest = 0;            // ||a_i||^2 of the longest that is violated
  AnswerCounts counts;
};

}  // namespace sculpt::core
