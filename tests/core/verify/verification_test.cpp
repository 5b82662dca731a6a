// What runs leave verifies, and what somebody changed of it does not.

#include "verify/verification.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/solver/online_settings.hpp"
#include "core/verify/finished_case.hpp"
#include "linalg/products.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

bool holds(const VerificationResult& verified) {
  INFO(joined_text(verified.refuted));
  CHECK(verified.refuted.empty());
  return verified.refuted.empty();
}

bool refuted_by(const VerificationResult& verified, const std::string& words) {
  const std::string text = joined_text(verified.refuted);
  INFO(text);
  const bool found = text.find(words) != std::string::npos;
  CHECK(found);
  CHECK_FALSE(verified.certified);
  return found;
}

// The figures that follow from it go with it.
void report_primal(FinishedCase& run, double primal) {
  run.reported.primal = primal;
  run.reported.gap = std::max(0.0, primal - run.reported.dual);
  run.reported.relative_gap = run.reported.gap / primal;
}

// A setting whose answers come at the w of the dual itself, and one whose planes are joint.
std::vector<Setting> two_settings() {
  Setting own{"n_slack", {Rescaling::margin, 1, 20}, false, 4};
  Setting joint{"one_slack", {Rescaling::margin, 1, 20}, true, 0};
  return {own, joint};
}

}  // namespace

TEST_CASE("a run of every solver and formulation verifies, with the P of all listed outputs") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    REQUIRE(run.result.certified);
    const VerificationResult verified = run.verify();
    holds(verified);
    CHECK(verified.certified);
    CHECK(verified.bounded);
    CHECK(verified.primal ==
          doctest::Approx(run.problem.primal(run.result.w, setting.formulation)).epsilon(1e-12));
    REQUIRE(verified.dual);
    CHECK(std::abs(verified.dual->value - run.result.dual) <= 1e-9 * verified.dual->scale);
    CHECK(verified.gap() >= 0);
    CHECK(verified.relative_gap() <= setting.relative_gap + 1e-9);
    CHECK(verified.compared > 0);
    CHECK(verified.oracle_calls == run.problem.example_count() * verified.places);
    if (!setting.joint) CHECK(verified.seen_again > 0);
    CHECK(joined_text(verified.notes).find("violated by more") == std::string::npos);
  }
}

TEST_CASE("a run that a limit ended verifies") {
  for (const Setting& setting : settings()) {
    for (const std::int64_t passes : {1, 2, 5}) {
      CAPTURE(setting.name);
      CAPTURE(passes);
      StopOptions stop = until(setting);
      stop.max_passes = passes;
      FinishedCase run(setting, stop);
      const VerificationResult verified = run.verify(2);
      holds(verified);
      CHECK(verified.bounded);
      CHECK(verified.dual->value <= run.result.dual + 1e-9 * verified.dual->scale);
    }
  }
}

TEST_CASE("a run that was stopped anywhere verifies, and says what its checkpoint lacks") {
  bool behind = false;
  for (const Setting& setting : settings()) {
    for (std::int64_t polls = 1; polls < 2000; polls = polls * 5 / 3 + 1) {
      CAPTURE(setting.name);
      CAPTURE(polls);
      FinishedCase run(setting, until(setting), after_polls(polls));
      if (run.result.stopped_by != StoppedBy::signal) continue;
      const VerificationResult verified = run.verify(1);
      holds(verified);
      if (run.result.dual <= verified.dual->value + 1e-9 * verified.dual->scale) continue;
      behind = true;
      CHECK(joined_text(verified.notes).find("during a QP") != std::string::npos);
    }
  }
  CHECK(behind);
}

TEST_CASE("without a checkpoint the primal alone is verified") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    run.planes.reset();
    const VerificationResult verified = run.verify();
    holds(verified);
    CHECK_FALSE(verified.certified);
    CHECK_FALSE(verified.dual);
    CHECK(std::isinf(verified.gap()));
    CHECK(joined_text(verified.notes).find("dual: not verified") != std::string::npos);
    run.reported.primal *= 1 + 1e-5;
    refuted_by(run.verify(), "primal: reported");
  }
}

TEST_CASE("another w, or another certificate, does not verify") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const auto forged = [&](const std::function<void(FinishedCase&)>& forge) {
      FinishedCase run(setting);
      forge(run);
      return run.verify(0);
    };
    refuted_by(forged([](FinishedCase& run) {
                 for (double& weight : run.result.w) weight *= 0.99;
               }),
               "primal: reported");
    refuted_by(forged([](FinishedCase& run) { run.reported.primal *= 1 - 1e-5; }),
               "primal: reported");
    refuted_by(forged([](FinishedCase& run) {
                 run.reported.dual += 0.5 * run.reported.gap + 1e-6 * run.reported.primal;
               }),
               "dual: reported");
    refuted_by(forged([](FinishedCase& run) { run.reported.dual *= 0.99; }),
               "planes and alpha give");
    refuted_by(forged([](FinishedCase& run) { run.reported.dual = 1.01 * run.reported.primal; }),
               "exceeds the fresh primal");
    refuted_by(forged([](FinishedCase& run) { run.reported.gap += 1e-6 * run.reported.primal; }),
               "gap: reported");
    refuted_by(forged([](FinishedCase& run) { run.reported.relative_gap += 1e-6; }),
               "relative gap: reported");
  }
}

TEST_CASE("alpha that is not that of the dual does not verify") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    const FinishedCase::Found at = run.heaviest();
    run.planes->block(at.block).alpha[at.plane] *= 0.5;
    refuted_by(run.verify(0), "planes and alpha give");
    if (!run.planes->slack_term().is_linear()) continue;
    run.planes->block(at.block).alpha[at.plane] = 1.001 * run.planes->slack_term().cap;
    refuted_by(run.verify(0), setting.joint
                                  ? "alpha of the joint planes adds up to"
                                  : "alpha of example " + std::to_string(at.block) + " adds up to");
  }
}

TEST_CASE("a primal that is off by less than the rounding of the answers verifies") {
  FinishedCase run(two_settings()[0]);
  const double primal = run.reported.primal;
  run.problem.rounding = 1e-3 * primal / run.formulation.C;
  report_primal(run, primal + 0.9e-3 * primal);
  holds(run.verify(0));
  report_primal(run, primal + 1.1e-3 * primal);
  refuted_by(run.verify(0), "primal: reported");
}

// Under norm 2 the model's w is a multiple of the dual's.
TEST_CASE("a w that is no multiple of the dual's is noted, with the sine of the angle between") {
  FinishedCase run({"n_slack", {Rescaling::margin, 2, 20}, false, 4});
  const Vector dual_w = run.verify(0).dual->w;
  CHECK(joined_text(run.verify(0).notes).find("weights: ") == std::string::npos);
  for (double& weight : run.result.w) weight *= 3;
  CHECK(joined_text(run.verify(0).notes).find("weights: ") == std::string::npos);
  run.result.w[0] += 2;
  run.result.w[3] -= 5;
  const double cosine =
      dot(run.result.w, dual_w) / std::sqrt(squared_norm(run.result.w) * squared_norm(dual_w));
  const std::string notes = joined_text(run.verify(0).notes);
  const std::string before = "its w is ";
  REQUIRE(notes.find(before) != std::string::npos);
  const double noted = std::stod(notes.substr(notes.find(before) + before.size()));
  CHECK(noted == doctest::Approx(std::sqrt(1 - cosine * cosine)).epsilon(1e-6));
}

TEST_CASE("a plane that asks for more than any output does is refuted by name") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    const FinishedCase::Found at = run.heaviest();
    Block& block = run.planes->block(at.block);
    // The report goes with it: the plane alone is false.
    const double more = 0.01 * block.b[at.plane];
    block.b[at.plane] += more;
    run.reported.dual += more * block.alpha[at.plane];
    const std::string name = setting.joint ? "joint plane " + std::to_string(at.plane)
                                           : "example " + std::to_string(at.block) + ": plane " +
                                                 std::to_string(at.plane) + " of the checkpoint";
    const VerificationResult verified = run.verify(0);
    refuted_by(verified, "planes: " + name + " is violated by ");
    CHECK(joined_text(verified.notes).find("violated by more than the oracle allows") !=
          std::string::npos);
  }
}

TEST_CASE("a plane whose a is not an output's is refuted at a w where it shows") {
  for (const Setting& setting : two_settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    const FinishedCase::Found at = run.heaviest();
    Block& block = run.planes->block(at.block);
    Vector a(run.result.w.size(), 0.0);
    block.a[at.plane].add_to(1, a);
    // b - <w, a> at the w of the model stays what it was; elsewhere it does not.
    const double product = dot(a, run.result.w);
    for (double& value : a) value *= 3;
    block.b[at.plane] += 2 * product;
    block.a[at.plane] = PlaneVector(a);
    refuted_by(run.verify(), "is violated by ");
  }
}

TEST_CASE("a plane under the name of another output is refuted when that is found again") {
  const Setting setting = two_settings()[0];
  FinishedCase run(setting);
  // A little less than the output's, so that no value shows it.
  for (std::int64_t i = 0; i < run.planes->block_count(); ++i) {
    for (double& b : run.planes->block(i).b) b *= 0.999;
  }
  refuted_by(run.verify(0), "is not that of the output it is named after");
}

TEST_CASE("an oracle without bounds certifies nothing, and its planes cannot be compared") {
  for (const Setting& setting : settings()) {
    if (setting.formulation.hard_margin()) continue;
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    problem.exact = false;
    problem.shown = problem.examples[0].size() - 1;
    FinishedCase run(setting, problem, until(setting));
    const VerificationResult verified = run.verify();
    holds(verified);
    CHECK_FALSE(verified.certified);
    CHECK_FALSE(verified.bounded);
    CHECK(verified.compared == 0);
    CHECK(verified.primal == doctest::Approx(run.result.primal).epsilon(1e-9));
    CHECK(joined_text(verified.notes).find("no upper bound") != std::string::npos);
    // Answers may be in single precision.
    const double primal = run.reported.primal;
    for (const double part : {1 - 5e-7, 1 + 5e-7}) {
      report_primal(run, part * primal);
      holds(run.verify(0));
    }
    run.reported.primal = 1.01 * primal;
    refuted_by(run.verify(0), "primal: reported at least");
    run.reported.primal *= 0.95;
    refuted_by(run.verify(0), "primal: reported at least");
    run.reported.certified = true;
    refuted_by(run.verify(0), "primal: reported as an upper bound, but the oracle gives none");
  }
}

TEST_CASE(
    "an oracle that claimed to be exact and was not is refuted by the planes of a better one") {
  for (const Setting& setting : two_settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    run.problem.shown = 2;  // from now on it looks at two outputs, and says that these are all
    refuted_by(run.verify(), "planes: ");
  }
}

TEST_CASE("of a run without a dual the primal is verified, and nothing is certified") {
  const OnlineSetting setting = online_settings()[3];
  ListedProblem problem = problem_of(setting);
  Recorder recorder;
  const Result result = solver_of(setting, passes(3))->solve(problem, recorder, {});
  ReportedCertificate reported;
  reported.primal = result.primal;
  reported.dual = result.dual;
  reported.bounded = result.primal_high.has_value();
  const auto verify = [&] {
    return Verification(problem, {setting.formulation, result.w, reported, nullptr, false},
                        [](const EvaluationPoint&, std::int64_t, std::int64_t) {})
        .run({3, 1});
  };
  const VerificationResult verified = verify();
  CHECK(verified.refuted.empty());
  CHECK(verified.primal == doctest::Approx(result.primal).epsilon(1e-12));
  CHECK(verified.bounded);
  CHECK_FALSE(verified.dual);
  CHECK_FALSE(verified.certified);
  for (const double factor : {1 - 1e-6, 1 + 1e-6}) {
    reported.primal = factor * result.primal;
    refuted_by(verify(), "primal: reported");
  }
  reported.primal = result.primal;
  problem.exact = false;
  refuted_by(verify(), "reported as an upper bound, but the oracle gives none");
}

TEST_CASE("a target is reached by the gap itself, and rounding may hide no more than the target") {
  VerificationResult verified;
  verified.certified = true;
  verified.primal = 100;
  verified.dual.emplace();
  ReportedCertificate reported;
  reported.target = 1e-3;
  const auto reaches = [&](double gap, double rounding, bool reached) {
    verified.dual->value = verified.primal - gap;
    verified.gap_rounding = rounding;
    reported.reached = reached;
    return verified.reaches_target(reported);
  };
  CHECK(reaches(0.1, 0, false));
  CHECK(reaches(0.1 + 1e-8, 1e-7, true));
  CHECK_FALSE(reaches(0.1 + 1e-8, 1e-7, false));
  CHECK_FALSE(reaches(0.1 + 1e-6, 1e-7, true));
  CHECK_FALSE(reaches(25, 1e6, true));
  CHECK_FALSE(reaches(25, 1e6, false));
  reported.by_epsilon = true;
  CHECK(reaches(25, 0, true));
  verified.certified = false;
  CHECK_FALSE(reaches(0.01, 0, true));
}
