// separator.hpp - what a solver sees of a problem: examples, and violated planes at a frozen w.
//
// Called by the solvers alone; implemented by problem/. The rescaling lives behind this interface:
// solvers see planes (a, b) with the constraint <w, a> >= b - xi_i.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/state_stream.hpp"
#include "linalg/vector.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

struct Plane {
  SparseVector a;
  double b = 0;
};

// A violated plane of an example beside the one that is violated most.
struct FurtherPlane {
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
  bool fractional = false;            // the plane is that of a relaxed answer
  bool escalated = false;             // of several oracles the last was asked
  std::vector<FurtherPlane> further;  // by falling low, as many as Pass::further asks for
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

// The pass over the examples that a question belongs to, and what is asked in it.
struct Pass {
  Pass(std::uint64_t pass_number, std::function<bool()> poll = {})
      : number(pass_number), interrupted(std::move(poll)) {}

  std::uint64_t number;  // enters the seeds
  // True when the pass shall be broken off; polled before every example, from any thread. Empty:
  // never.
  std::function<bool()> interrupted;
  // The w meant is this times the vector that is handed over: shrinking w costs no pass over it.
  double scale = 1;
  // An oracle made of several asks the next one of an example unless the violation that it has
  // found exceeds this, or none can; called from any thread. Empty: all are asked. Where one argmax
  // does not answer, all are asked in any case.
  std::function<double(std::int64_t example)> enough;
  // So many planes of an example are of use beside the one that is violated most, where the oracle
  // knows them without another call: all classes are scored to find the best.
  std::int64_t further = 0;
  // Set: asks for argmax <w, psi> + loss_weight Delta, whatever the formulation, and the plane is
  // a = dpsi, b = loss_weight Delta; 0 asks for a prediction. Unset: for the largest violation.
  std::optional<double> loss_weight;
};

class Separator {
 public:
  virtual ~Separator() = default;

  virtual std::int64_t example_count() const = 0;
  virtual std::int64_t dimension() const = 0;

  // Asks the oracle about `examples` at this w, on all threads; out[k] answers examples[k]. The
  // result does not depend on the number of threads. Throws Failure (Exit::config where the oracle
  // cannot take a loss_weight); Cancelled when the pass was interrupted or the user asked to stop,
  // and `out` is worth nothing then.
  virtual void separate(const Vector& w, std::span<const std::int64_t> examples, const Pass& pass,
                        std::vector<Separation>& out) = 0;

  // The same for all examples at scale 1, the largest violations, summed in a fixed order instead
  // of kept. Examples that are not violated (b_i - <w, a_i> <= 0) contribute the zero plane.
  virtual void separate_jointly(const Vector& w, const Pass& pass, JointWeight weight,
                                JointSeparation& out) = 0;

  // The threads that it asks on, for other work between its calls; nullptr: there are none.
  virtual Workers* workers() { return nullptr; }

  // Of the run: what solvers draw at random comes from it and from the pass alone.
  virtual std::uint64_t seed() const { return 0; }

  // [dimension] 1 where w_j >= 0 is demanded; empty: nowhere.
  virtual std::span<const std::uint8_t> nonnegative() const { return {}; }

  // [dimension] the multinomial that each weight is an event of, or -1. Throws
  // Failure(Exit::config) where the features do not say. Of generative alone, as is sum_truths().
  virtual std::vector<std::int32_t> groups() const { return {}; }
  // sum[dimension] += psi(x_i, y_i) of all examples. Throws Failure, Cancelled.
  virtual void sum_truths(Vector&) {}

  // The number by which the user knows an example.
  virtual std::int64_t number_of(std::int64_t example) const { return example; }

  // Whether planes may be those of relaxed answers: then P is that of the relaxed outputs.
  virtual bool relaxes() const { return false; }
  // Whether it can be worth to set Pass::enough.
  virtual bool escalates() const { return false; }

  // Oracle calls made so far beyond one for each example asked about.
  virtual std::int64_t extra_oracle_calls() const { return 0; }

  // What separate_jointly() has taken so far for the sum over all examples, of wall clock.
  virtual double reduction_seconds() const { return 0; }

  // What the user can do about columns that differ in size: only who reads the experiment knows.
  virtual std::string column_advice() const { return "bring them to one size"; }

  // Throws the Failure (Exit::plugin) of answers that contradict each other, in words that name
  // the oracle and the example as the user knows them. `text` goes on from there; example < 0: it
  // is about no single one.
  [[noreturn]] virtual void refute(std::int64_t example, const std::string& text) const = 0;

  // Throws the Failure (Exit::data) of examples that no weights separate, in words that name them
  // as the user knows them. `text` goes on from there. Requires examples, the first of them are
  // named.
  [[noreturn]] virtual void inseparable(std::span<const std::int64_t> examples,
                                        const std::string& text) const = 0;
};

}  // namespace sculpt::core
