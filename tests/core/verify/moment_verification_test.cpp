// MomentVerification: agrees with true runs, and refutes numbers and oracles that are wrong.

#include "verify/moment_verification.hpp"

#include <doctest/doctest.h>

#include "core/solver/crf/enumerated_problem.hpp"
#include "core/solver/outcome.hpp"
#include "solver/moments/soda.hpp"
#include "solver/moments/z_score.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// A finished run, as the files of a run folder have it.
struct FinishedMoments {
  explicit FinishedMoments(const MomentTerms& of_run, std::int64_t max_passes = 1000)
      : terms(of_run), problem(random_enumerated(11)), ports(problem) {
    MomentOptions options;
    options.lambda = terms.lambda;
    options.stop.max_passes = max_passes;
    Recorder recorder;
    Checkpoints none;
    const Result result = terms.adds_deviations
                              ? Soda(options).solve(ports.ports, recorder, {}, none)
                              : ZScore(options).solve(ports.ports, recorder, {}, none);
    w = result.w;
    reported.primal = result.primal;
    reported.dual = result.dual;
    reported.gap = result.gap;
    reported.relative_gap = result.relative_gap;
    reported.certified = result.certified;
    reported.passes = static_cast<std::uint64_t>(result.passes);
    reported.is_bounded = true;
    reported.target = options.residual;
    reported.reached = result.reached;
    reported.residual = result.residual;
    reported.hinge_primal = result.hinge->value();
  }
  VerificationResult verify() {
    const Formulation formulation;
    return MomentVerification(ports.ports, {terms, formulation, w, reported},
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

  MomentTerms terms;
  EnumeratedExpectations problem;
  EnumeratedPorts ports;
  Vector w;
  ReportedCertificate reported;
};

}  // namespace

TEST_CASE("runs of soda and z_score are verified from new moments") {
  for (const MomentTerms& terms : {MomentTerms{true, 0.1}, MomentTerms{false, 0.1},
                                   MomentTerms{true, 0}, MomentTerms{false, 1e-8}}) {
    for (const std::int64_t max_passes : {1, 3, 1000}) {
      FinishedMoments run(terms, max_passes);
      const VerificationResult result = run.verify();
      CHECK(result.contradictions.empty());
      CHECK(result.reaches_target(run.reported) == (max_passes == 1000));
      CHECK(result.certified == (terms.lambda > 0));
      REQUIRE(result.residual.has_value());
      CHECK(*result.residual == doctest::Approx(*run.reported.residual).epsilon(1e-6));
      CHECK(result.primal == doctest::Approx(run.reported.primal).epsilon(1e-9));
      CHECK(result.oracle_calls == 7 * (1 + result.point_count + 1));
    }
  }
}

TEST_CASE("verify refutes wrong numbers and weights of soda") {
  FinishedMoments run({true, 0.1});
  const ReportedCertificate honest = run.reported;
  run.reported.primal *= 1 - 1e-6;
  CHECK(run.refutes("primal: reported "));
  run.reported = honest;
  run.reported.dual *= 1 + 1e-6;
  CHECK(run.refutes("dual: reported "));
  run.reported = honest;
  run.reported.gap += 0.5;
  CHECK(run.refutes("gap: reported "));
  run.reported = honest;
  *run.reported.residual += 1e-6;
  CHECK(run.refutes("residual: reported "));
  run.reported = honest;
  *run.reported.hinge_primal *= 1.001;
  CHECK(run.refutes("hinge primal: reported "));
  run.reported = honest;
  run.w[2] += 1e-3;
  CHECK(run.refutes("residual: reported "));
}

TEST_CASE("verify finds a covariance that is not symmetric") {
  FinishedMoments run({false, 0.1});
  run.problem.covariance_turn = 0.05;
  CHECK(run.refutes("Cov[psi]: it is not symmetric"));
}
