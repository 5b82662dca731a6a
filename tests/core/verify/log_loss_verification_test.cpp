// LogLossVerification: agrees with true runs, and refutes numbers and oracles that are wrong.

#include "verify/log_loss_verification.hpp"

#include <doctest/doctest.h>

#include "core/memory_state.hpp"
#include "core/solver/crf/enumerated_cells.hpp"
#include "core/solver/outcome.hpp"
#include "solver/crf/crf.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// A finished run of crf, as the files of a run folder have it.
struct FinishedCrf {
  explicit FinishedCrf(const LogLossTerms& log_loss, double target = 1e-4, bool by_sdca = false)
      : terms(log_loss), problem(random_enumerated(11)), ports(problem), has_cells(by_sdca) {
    CrfOptions options;
    options.terms = terms;
    options.ascends_dual = by_sdca;
    options.stop.relative_gap = target;
    Crf solver(options);
    KeptCheckpoints checkpoints;
    Recorder recorder;
    const Result result = solver.solve(ports.ports, recorder, {}, checkpoints);
    w = result.w;
    MemoryReader state(checkpoints.kept.back().state);
    dual_point = solver.load_dual_vectors(ports.ports, state).at(0);
    reported = {result.primal,
                result.dual,
                result.gap,
                result.relative_gap,
                result.certified,
                false,
                static_cast<std::uint64_t>(result.passes)};
    reported.target = target;
    reported.reached = result.reached;
    reported.is_bounded = true;
  }
  VerificationResult verify() {
    return LogLossVerification(ports.ports, {terms, w, reported, dual_point, has_cells},
                               [](const std::string&) {})
        .run(4, 1);
  }
  std::string first_contradiction() {
    const VerificationResult result = verify();
    CHECK_FALSE(result.certified);
    return result.contradictions.empty() ? "" : result.contradictions.front();
  }

  LogLossTerms terms;
  EnumeratedExpectations problem;
  EnumeratedCellPorts ports;
  bool has_cells;
  Vector w;
  std::optional<Vector> dual_point;
  ReportedCertificate reported;
};

bool begins(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

}  // namespace

TEST_CASE("a run of crf is verified from new expectations") {
  for (const LogLossTerms& terms :
       {LogLossTerms{10, 0, 0, 1}, LogLossTerms{5, 0.3, 1, 1}, LogLossTerms{5, 0, 1, 0.2}}) {
    FinishedCrf run(terms);
    const VerificationResult result = run.verify();
    CHECK(result.contradictions.empty());
    CHECK(result.certified);
    CHECK(result.reaches_target(run.reported));
    CHECK(result.primal == run.reported.primal);
    REQUIRE(result.dual.has_value());
    CHECK(result.dual->value == run.reported.dual);
    CHECK_FALSE(result.has_planes);
    CHECK(result.oracle_calls == 7 * result.point_count);
  }
}

TEST_CASE("verify refutes a wrong primal, dual, gap or weight of crf") {
  FinishedCrf run({10, 0, 0, 1});
  const ReportedCertificate honest = run.reported;
  run.reported.primal *= 1 - 1e-6;
  CHECK(begins(run.first_contradiction(), "primal: reported "));
  run.reported = honest;
  run.reported.dual *= 1 + 1e-6;
  CHECK(begins(run.first_contradiction(), "dual: reported "));
  run.reported = honest;
  run.reported.gap *= 0.5;
  CHECK(begins(run.first_contradiction(), "gap: reported "));
  run.reported = honest;
  run.w[2] += 1e-3;
  CHECK(begins(run.first_contradiction(), "primal: reported "));
}

TEST_CASE("verify finds expectations that are not the gradient of log Z") {
  FinishedCrf run({10, 0, 0, 1});
  run.problem.mean_error = 0.05;
  const VerificationResult result = run.verify();
  bool names_log_z = false;
  for (const std::string& text : result.contradictions) names_log_z |= begins(text, "log Z: ");
  CHECK(names_log_z);
}

TEST_CASE("without a checkpoint the dual of crf is not verified") {
  FinishedCrf run({10, 0, 0, 1});
  run.dual_point.reset();
  const VerificationResult result = run.verify();
  CHECK(result.contradictions.empty());
  CHECK_FALSE(result.certified);
  CHECK_FALSE(result.dual.has_value());
  CHECK(result.notes.size() == 1);
}

TEST_CASE("a run of sdca is verified from the distributions of its checkpoint") {
  for (const LogLossTerms& terms : {LogLossTerms{10, 0, 0, 1}, LogLossTerms{5, 0, 1, 0.5}}) {
    FinishedCrf run(terms, 1e-4, true);
    const VerificationResult result = run.verify();
    CHECK(result.contradictions.empty());
    CHECK(result.certified);
    CHECK(result.reaches_target(run.reported));
    REQUIRE(result.dual.has_value());
    CHECK(result.dual->value == doctest::Approx(run.reported.dual).epsilon(1e-12));
  }
}

TEST_CASE("verify refutes a wrong dual of sdca, and distributions of another size") {
  FinishedCrf run({10, 0, 0, 1}, 1e-4, true);
  const double honest = run.reported.dual;
  run.reported.dual *= 1 + 1e-6;
  CHECK(begins(run.first_contradiction(), "dual: reported "));
  run.reported.dual = honest;
  Vector& theta = *run.dual_point;
  theta[0] += 0.5;
  CHECK(begins(run.first_contradiction(), "dual: reported "));
  theta.push_back(0);
  CHECK(begins(run.first_contradiction(), "dual: the checkpoint has "));
}

TEST_CASE(
    "distributions of a dual whose log Z is an approximation prove nothing, and are no error") {
  FinishedCrf run({10, 0, 0, 1}, 1e-4, true);
  CHECK(run.verify().certified);
  run.ports.cells.is_exact = false;
  const VerificationResult result = run.verify();
  CHECK_FALSE(result.certified);
  CHECK(result.contradictions.empty());
  CHECK_FALSE(result.dual.has_value());
  bool says_so = false;
  for (const std::string& note : result.notes)
    says_so |= begins(note, "dual: the oracle gives app");
  CHECK(says_so);
}
