// plane_audit.hpp - fresh answers for all examples at one w, and the planes of a checkpoint held
// against them.
//
// Called by Verification, at one w after the other. With H_i(w) <= the answer's upper bound, a
// plane (a, b) that belongs to outputs of the examples has at every w
//
//   n_slack    b - <w, a> <= max(0, H_i(w))                   norm 1, 2 and hard margin
//   one_slack  b - <w, a> <= 1/n  sum_i max(0, H_i(w))        norm 1 and hard margin
//                            1/2n sum_i max(0, H_i(w))^2      norm 2
//
// Where all that carry alpha have this at a w, D <= P(w) follows for that w. And where an answer is
// an output that the checkpoint has a plane of (equal hashes), both planes must be equal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/certificate.hpp"
#include "objective/formulation.hpp"
#include "objective/plane_source.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// Means over the examples at one w, of costs (certificate.hpp).
struct MeanSlackBounds {
  double asked = 0;            // of what the answers violate: a lower bound
  double known = 0;            // of what the planes violate
  double both = 0;             // of the larger of the two, example by example
  double high = 0;             // of the answers' upper bounds; infinite where there is none
  double rounding = 0;         // by how much rounding may move `high`
  double largest_b = 0;        // no mean: of all answers so far
  std::int64_t unbounded = 0;  // examples without an upper bound
};

// A w where the examples are asked: messages name it.
struct EvaluationPoint {
  const Vector& w;
  std::string name;        // "w = 0"
  std::uint64_t pass = 1;  // enters the seeds of the oracle's calls
};

class PlaneAudit {
 public:
  struct Subject {
    const Formulation& formulation;
    const WorkingSet* planes = nullptr;  // nullptr: there are none to hold against the answers
    bool joint = false;                  // of one_slack
  };
  // Hears of every step: how many examples of how many have been asked at the place.
  using Progress =
      std::function<void(const EvaluationPoint&, std::int64_t done, std::int64_t total)>;

  // All outlive it.
  PlaneAudit(PlaneSource& source, const Subject& subject, Progress progress);

  // Asks every example. Under hard margin the first place must be w = 0: what counts as rounding is
  // measured by the answers there. Throws Failure, Cancelled.
  MeanSlackBounds ask(const EvaluationPoint& place);

  std::int64_t oracle_calls() const { return calls_ + source_.extra_oracle_calls(); }
  std::int64_t compared() const { return compared_; }      // planes with bounds, over all places
  std::int64_t seen_again() const { return seen_again_; }  // answers that the checkpoint has too
  // A sentence for each of the first few planes that are refuted, and how many there are.
  const std::vector<std::string>& refuted() const { return refuted_; }
  std::int64_t refuted_count() const { return refuted_count_; }

 private:
  void judge(const EvaluationPoint& place, std::int64_t example, const Separation& answer);
  double judge_planes(const EvaluationPoint& place, std::int64_t block, double high,
                      double rounding);
  void compare_with_stored_plane(std::int64_t example, const Separation& answer);
  bool is_same(const PlaneVector& plane, const SparseVector& fresh);
  double cost(double slack, double rounding) const;
  std::string name_of(std::int64_t block, std::size_t plane) const;
  void report_contradiction(const std::string& text);

  PlaneSource& source_;
  const Subject subject_;
  Progress progress_;
  MeanSlackBounds sum_;
  double joint_high_ = 0;  // sum of what joint planes are held against
  std::vector<Separation> answers_;
  Vector zeros_;          // [dimension] between calls
  double largest_b_ = 0;  // of all answers so far
  std::int64_t calls_ = 0;
  std::int64_t compared_ = 0;
  std::int64_t seen_again_ = 0;
  std::int64_t refuted_count_ = 0;
  std::vector<std::string> refuted_;
};

}  // namespace sculpt::core
