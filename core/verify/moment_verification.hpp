// moment_verification.hpp - checks the result of a finished run of soda or z_score.
//
// Called by the command verify. It trusts only the w of the model. From new expectations it
// computes, with r = b - A w and the names of moment_objective.hpp:
//
//   residual  ||r|| / ||b||
//   primal    Q(w) = -1/2 <w, b + r>
//   dual      Q(w) - ||r||^2 / (2 lambda), if lambda > 0
//   hinge primal, from new planes at w
//
// At random u it also compares <u, A w> with <w, A u>, and Q(u) with the dual. So it finds an
// oracle whose Cov[psi] is not symmetric.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "linalg/vector.hpp"
#include "objective/formulation.hpp"
#include "objective/moment_system.hpp"
#include "objective/ports.hpp"
#include "verify/verification_result.hpp"

namespace sculpt::core {

class MomentVerification {
 public:
  struct Subject {
    const MomentTerms& terms;
    const Formulation& formulation;  // of the hinge primal
    const Vector& w;                 // of the model
    const ReportedCertificate& reported;
  };
  // Called before the examples are asked at a vector.
  using Progress = std::function<void(const std::string& name)>;

  // All arguments outlive this object. The ports must offer ports_of_moments().
  MomentVerification(const Ports& ports, const Subject& subject, Progress progress);

  // `probes`: the number of random u. Throws Failure if the oracle has an error, Cancelled.
  VerificationResult run(std::int64_t probes, std::uint64_t seed);

 private:
  Vector multiply(const Vector& v, const std::string& name);
  void check_primal();
  void check_residual();
  void check_dual();
  void check_hinge();
  void probe(std::int64_t number, std::uint64_t seed);
  void refute(const std::string& name, double reported, double found);

  PlaneSource& planes_;
  Subject subject_;
  Progress progress_;
  MomentSystem system_;
  VerificationResult result_;
  Vector b_;
  Vector product_;  // A w
  MomentPoint point_;
  double length_of_b_ = 0;
  double residual_rounding_ = 0;  // how much two computations of ||r|| may differ
};

}  // namespace sculpt::core
