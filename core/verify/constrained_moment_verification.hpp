// constrained_moment_verification.hpp - checks the certificate of a finished run of
// constrained_z_score.
//
// Called by the command verify. It trusts three vectors of the run: the w of the model, and the w
// and z that prove the dual. From new expectations and planes it computes, with the names of
// constrained_moment_objective.hpp:
//
//   P   at the w of the model
//   D   from w, A w and z (constraint_model.hpp)
//   D <= min P, because z - b is a sum of planes: <v, b - z> <= price/n sum of c_i xi_i(v) for all
//       v. Tested at the w of the model, at the w of the dual, at b - z, and at random u.
//   P of the hinges, from new planes at the w of the model
//
// At random u it also compares <u, A w> with <w, A u>.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "objective/certificate.hpp"
#include "objective/constrained_moment_objective.hpp"
#include "objective/moment_system.hpp"
#include "objective/ports.hpp"
#include "verify/verification_result.hpp"

namespace sculpt::core {

class ConstrainedMomentVerification {
 public:
  struct Subject {
    const ConstrainedMomentTerms& terms;
    const Formulation& formulation;  // of the hinge primal
    const Vector& w;                 // of the model
    const ReportedCertificate& reported;
    const std::vector<Vector>& dual;  // w and z; empty: there is no checkpoint
  };
  // Called before the examples are asked at a vector.
  using Progress = std::function<void(const std::string& name)>;

  // All arguments outlive this object. The ports must offer ports_of_moments().
  ConstrainedMomentVerification(const Ports& ports, const Subject& subject, Progress progress);

  // `probes`: the number of random u. Throws Failure if the oracle has an error, Cancelled.
  VerificationResult run(std::int64_t probes, std::uint64_t seed);

 private:
  Vector multiply(const Vector& v, const std::string& name);
  MeanSlack mean_slack(const Vector& v, const std::string& name);
  void check_primal();
  void check_dual();
  void check_hinge();
  void check_plane_sum(const Vector& v, const std::string& name);
  void probe(std::int64_t number, std::uint64_t seed);
  void refute(const std::string& name, double reported, double found);

  PlaneSource& planes_;
  Subject subject_;
  Progress progress_;
  MomentSystem system_;
  VerificationResult result_;
  Vector b_;
  Vector product_;    // A w, w of the model
  Vector plane_sum_;  // z - b; empty: there is no dual
};

}  // namespace sculpt::core
