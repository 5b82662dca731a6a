// ConstrainedMomentVerification: agrees with true runs, and refutes numbers and vectors that are
// wrong.

#include "verify/constrained_moment_verification.hpp"

#include <doctest/doctest.h>

#include "core/solver/crf/enumerated_problem.hpp"
#include "core/solver/outcome.hpp"
#include "solver/moments/constrained_z_score.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// A finished run, as the files of a run folder have it.
struct FinishedConstrained {
  FinishedConstrained() : problem(random_enumerated(11)), ports(problem) {
    ConstrainedZScoreOptions options;
    options.terms = terms;
    options.stop.relative_gap = 1e-6;
    Recorder recorder;
    KeptCheckpoints checkpoints;
    const Result result = ConstrainedZScore(options).solve(ports.ports, recorder, {}, checkpoints);
    w = result.w;
    KeptCheckpoints saved(checkpoints.kept.back().state);
    dual = ConstrainedZScore(options).load_dual_vectors(ports.ports, *saved.saved_state());
    reported.primal = result.primal;
    reported.dual = result.dual;
    reported.gap = result.gap;
    reported.relative_gap = result.relative_gap;
    reported.certified = result.certified;
    reported.passes = static_cast<std::uint64_t>(result.passes);
    reported.is_bounded = true;
    reported.target = options.stop.relative_gap;
    reported.reached = result.reached;
    reported.hinge_primal = result.hinge->value();
  }
  VerificationResult verify() {
    const Formulation formulation;
    return ConstrainedMomentVerification(ports.ports, {terms, formulation, w, reported, dual},
                                         [](const std::string&) {})
        .run(3, 1);
  }
  bool refutes(const std::string& beginning) {
    bool is_named = false;
    for (const std::string& text : verify().contradictions) {
      is_named |= text.compare(0, beginning.size(), beginning) == 0;
    }
    return is_named;
  }

  ConstrainedMomentTerms terms{0.05, 3};
  EnumeratedExpectations problem;
  EnumeratedPorts ports;
  Vector w;
  std::vector<Vector> dual;
  ReportedCertificate reported;
};

}  // namespace

TEST_CASE("a run of constrained_z_score is verified from new answers") {
  FinishedConstrained run;
  REQUIRE(run.dual.size() == 2);
  const VerificationResult result = run.verify();
  CHECK(result.contradictions.empty());
  CHECK(result.certified);
  CHECK(result.reaches_target(run.reported));
  CHECK(result.primal == doctest::Approx(run.reported.primal).epsilon(1e-9));
  REQUIRE(result.dual.has_value());
  CHECK(result.dual->value == doctest::Approx(run.reported.dual).epsilon(1e-9));
}

TEST_CASE("verify refutes wrong numbers and vectors of constrained_z_score") {
  FinishedConstrained run;
  const ReportedCertificate honest = run.reported;
  run.reported.primal += 1e-6 * std::abs(run.reported.primal);
  CHECK(run.refutes("primal: reported "));
  run.reported = honest;
  run.reported.dual += 1e-6 * std::abs(run.reported.dual);
  CHECK(run.refutes("dual: reported "));
  run.reported = honest;
  run.reported.hinge_primal = *honest.hinge_primal * (1 + 1e-5);
  CHECK(run.refutes("hinge primal: reported "));
  run.reported = honest;
  // A larger multiple of the planes than their price allows would raise D beyond min P.
  const std::vector<Vector> true_dual = run.dual;
  for (double& one : run.dual[1]) one *= 0.5;
  CHECK_FALSE(run.verify().contradictions.empty());
  run.dual = true_dual;
  run.terms.price = 1e-3;
  CHECK(run.refutes("dual: z - b is no sum of planes"));
}

TEST_CASE("without a checkpoint the dual of constrained_z_score is not verified") {
  FinishedConstrained run;
  run.dual.clear();
  const VerificationResult result = run.verify();
  CHECK(result.contradictions.empty());
  CHECK_FALSE(result.certified);
  CHECK_FALSE(result.notes.empty());
}
