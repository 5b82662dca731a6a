// log_loss_verification.hpp - checks the certificate of a finished run that minimized a log-loss.
//
// Called by the command verify. It trusts only the w of the model, and what proves the dual: a w,
// or with the method sdca the theta of all examples. All else is computed again, from new
// expectations:
//
//   P   at the w of the model
//   D   = P - gap at the w of the dual (regularizer.hpp), or that of theta (cell_dual.hpp)
//   log Z is convex, and E[psi] is its gradient: at w = 0, at twice the w of the model, close to
//       this w and at random w, P is at least D, and at least its tangent at the w of the model
//
// If log Z and E[psi] are exact, D is proved. The tests at other w find an oracle whose E[psi] is
// not the gradient of its log Z.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "linalg/vector.hpp"
#include "objective/log_loss.hpp"
#include "objective/ports.hpp"
#include "verify/verification_result.hpp"

namespace sculpt::core {

class LogLossVerification {
 public:
  struct Subject {
    const LogLossTerms& terms;
    const Vector& w;  // of the model
    const ReportedCertificate& reported;
    // What proves the dual. Nothing: there is no checkpoint, or it has no dual.
    const std::optional<Vector>& dual_point;
    bool has_cells = false;  // the dual point is a theta, and the ports offer cells
  };
  // Called before the examples are asked at a w.
  using Progress = std::function<void(const std::string& name)>;

  // All arguments outlive this object. The ports must offer expectations and truths.
  LogLossVerification(const Ports& ports, const Subject& subject, Progress progress);

  // `probes`: the number of random w. Throws Failure if the oracle has an error, Cancelled.
  VerificationResult run(std::int64_t probes, std::uint64_t seed);

 private:
  Vector random_w(std::int64_t number, std::uint64_t seed) const;
  LogLossPoint evaluate(Vector w, const std::string& name);
  void check_primal(const LogLossPoint& model);
  void check_dual(const LogLossPoint& model);
  void note_approximate_dual();
  std::optional<DualValue> dual_at_w(const LogLossPoint& model);
  std::optional<DualValue> dual_of_cells();
  void probe(const LogLossPoint& model, Vector w, const std::string& name);

  const Ports& ports_;
  ExpectationSource& source_;
  Subject subject_;
  Progress progress_;
  LogLoss loss_;
  VerificationResult result_;
};

}  // namespace sculpt::core
