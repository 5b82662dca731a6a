// plane_check.hpp - asks the oracle about all examples at one w, and compares the planes of a
// checkpoint with the answers.
//
// Called by Verification, for several w. H_i(w) is at most the upper bound of the answer for
// example i. A plane (a, b) that belongs to outputs of the examples satisfies at every w
//
//   n_slack    b - <w, a> <= max(0, H_i(w))                   norm 1, 2 and hard margin
//   one_slack  b - <w, a> <= 1/n  sum_i max(0, H_i(w))        norm 1 and hard margin
//                            1/2n sum_i max(0, H_i(w))^2      norm 2
//
// If all planes with alpha > 0 satisfy this at a w, then D <= P(w) holds for that w. If an answer
// is an output that also has a plane in the checkpoint (equal hashes), both planes must be equal.
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

// Means over the examples at one w, of slack costs (certificate.hpp).
struct MeanSlackBounds {
  double low_by_answers = 0;         // Lower bounds: violations of the answers.
  double low_by_planes = 0;          // Lower bounds: violations of the stored planes.
  double low = 0;                    // The larger of these two, for each example.
  double high = 0;                   // Upper bounds of the answers; infinite if one has none.
  double rounding = 0;               // How much rounding may change `high`.
  double largest_b = 0;              // No mean: the largest |b| of all answers so far.
  std::int64_t unbounded_count = 0;  // Examples without an upper bound.
};

// A w at which the examples are asked. Messages use the name.
struct EvaluationPoint {
  const Vector& w;
  std::string name;        // "w = 0"
  std::uint64_t pass = 1;  // part of the seeds of the oracle calls
};

class PlaneCheck {
 public:
  struct Subject {
    const Formulation& formulation;
    const WorkingSet* planes = nullptr;  // nullptr: there are none to compare
    bool has_joint_planes = false;       // planes of one_slack
  };
  // Called at every step: `done` of `total` examples have been asked at this w.
  using Progress =
      std::function<void(const EvaluationPoint&, std::int64_t done, std::int64_t total)>;

  // All arguments outlive this object.
  PlaneCheck(PlaneSource& source, const Subject& subject, Progress progress);

  // Asks the oracle about every example. Under hard margin the first call must be at w = 0: the
  // tolerance for rounding is computed from these answers. Throws Failure, Cancelled.
  MeanSlackBounds ask_oracle(const EvaluationPoint& point);

  std::int64_t oracle_calls() const { return oracle_calls_ + source_.extra_oracle_calls(); }
  // The number of planes that were compared with bounds, for all w.
  std::int64_t comparison_count() const { return comparison_count_; }
  // The number of answers with an output that has a plane in the checkpoint.
  std::int64_t repeated_output_count() const { return repeated_output_count_; }
  // A sentence for each of the first few contradictions, and the number of all contradictions.
  const std::vector<std::string>& contradictions() const { return contradictions_; }
  std::int64_t contradiction_count() const { return contradiction_count_; }

 private:
  void check_answer(const EvaluationPoint& point, std::int64_t example, const Separation& answer);
  double check_planes(const EvaluationPoint& point, std::int64_t block, double high,
                      double rounding);
  void compare_with_stored_plane(std::int64_t example, const Separation& answer);
  bool is_same(const PlaneVector& stored, const SparseVector& recomputed);
  double cost(double slack, double rounding) const;
  std::string plane_name(std::int64_t block, std::size_t plane) const;
  void report_contradiction(const std::string& text);

  PlaneSource& source_;
  const Subject subject_;
  Progress progress_;
  MeanSlackBounds sum_;
  double joint_high_ = 0;  // sum of the bounds for the joint planes
  std::vector<Separation> answers_;
  Vector zeros_;          // [dimension] all zero between calls
  double largest_b_ = 0;  // of all answers so far
  std::int64_t oracle_calls_ = 0;
  std::int64_t comparison_count_ = 0;
  std::int64_t repeated_output_count_ = 0;
  std::int64_t contradiction_count_ = 0;
  std::vector<std::string> contradictions_;
};

}  // namespace sculpt::core
