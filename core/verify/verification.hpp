// verification.hpp - whether the certificate of a finished run is true.
//
// Called by the command verify. Of what the run wrote it believes the weights to be the weights,
// and alpha to be alpha; P, D, w = sum alpha a and all else is computed anew:
//
//   P   from fresh answers of the oracle for every example at the model's w
//   D   from planes and alpha (dual_value.hpp), which must be feasible
//   D <= min P, because planes are true (plane_audit.hpp): at w = 0, at the model's w, at that of
//       the dual, at twice the model's, and at random ones (probes.hpp)
//
// At each of these w D <= P(w) is a fact then, if the oracle is exact. That D <= P(w) at all other
// w too is what such probes make likely and cannot prove.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/bound_kind.hpp"
#include "objective/formulation.hpp"
#include "objective/plane_source.hpp"
#include "verify/dual_value.hpp"
#include "verify/plane_audit.hpp"

namespace sculpt::core {

// What a run says of itself.
struct ReportedCertificate {
  double primal = std::numeric_limits<double>::infinity();  // infinite: none
  double dual = 0;                                          // NaN: the solver has none
  double gap = std::numeric_limits<double>::infinity();
  double relative_gap = std::numeric_limits<double>::infinity();
  bool certified = false;
  // By a signal or a clock, perhaps in the midst of a pass or a QP: the checkpoint is older then
  // than the bounds.
  bool stopped = false;
  std::uint64_t passes = 1;
  bool bounded = false;                // primal is an upper bound, of solvers without a dual too
  BoundKind known = BoundKind::exact;  // how primal is to be read
  // The relative gap that the run was to reach. NaN: there is none.
  double target = std::numeric_limits<double>::quiet_NaN();
  bool reached = false;     // that or its epsilon
  bool by_epsilon = false;  // its epsilon, which no gap shows
};

struct VerificationResult {
  double primal = 0;     // of the model's w: an upper bound if `bounded`, else a lower one
  bool relaxed = false;  // slacks are maxima over relaxed outputs (sculpt/ext/cut.h)
  bool bounded = false;  // the oracle gives an upper bound for every example
  BoundKind known = BoundKind::lower;  // how primal is to be read
  std::optional<DualValue> dual;       // nothing: the solver has none, or there was no checkpoint
  double gap() const;                  // infinite without a dual
  double relative_gap() const;         // likewise
  bool unbounded = false;              // at some w it gives none for some example
  // primal - dual is a gap, and everything that it rests on has held.
  bool certified = false;
  double gap_rounding = 0;  // by how much rounding may move primal - dual
  // Whether that gap is what the run was to reach. The report is believed where rounding decides,
  // and of an epsilon.
  bool reaches_target(const ReportedCertificate& reported) const;

  std::int64_t compared = 0;    // planes with answers, over all places
  std::int64_t seen_again = 0;  // answers that the checkpoint has planes of
  std::int64_t places = 0;      // w at which all examples were asked
  std::int64_t oracle_calls = 0;
  std::vector<std::string> refuted;  // a sentence for each of the first things that do not agree
  std::vector<std::string> notes;    // what could not be verified, and why
};

class Verification {
 public:
  struct Subject {
    const Formulation& formulation;
    const Vector& w;  // of the model
    const ReportedCertificate& reported;
    const WorkingSet* planes = nullptr;  // nullptr: there is no checkpoint
    bool joint = false;                  // planes are joint ones
  };
  struct Probes {
    std::int64_t random = 3;
    std::uint64_t seed = 1;
  };

  // All outlive it.
  Verification(PlaneSource& source, const Subject& subject, PlaneAudit::Progress progress);

  // Throws Failure when the oracle is at fault, Cancelled.
  VerificationResult run(const Probes& probes);

 private:
  MeanSlackBounds ask(const Vector& w, const std::string& name);
  void ask_elsewhere(const Probes& probes);
  double primal_with(double mean_cost) const;
  void judge_primal(const MeanSlackBounds& fresh);
  void judge_uncertified(const MeanSlackBounds& fresh);
  void judge_alpha();
  void judge_dual();
  void judge_gap();
  void compare_weights();
  void conclude();
  void report_contradiction(const std::string& text) { out_.refuted.push_back(text); }
  void note(const std::string& text) { out_.notes.push_back(text); }

  PlaneSource& source_;
  const Subject subject_;
  const ReportedCertificate& reported_;
  PlaneAudit audit_;
  double squared_norm_;         // of the model's w
  double primal_rounding_ = 0;  // by how much rounding may move the fresh P
  VerificationResult out_;
};

}  // namespace sculpt::core
