// The certificate of a real run is confirmed, and that of a changed run is not.

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
  INFO(joined_text(verified.contradictions));
  CHECK(verified.contradictions.empty());
  return verified.contradictions.empty();
}

// True if a contradiction has this part.
bool refuted_by(const VerificationResult& verified, const std::string& part) {
  const std::string text = joined_text(verified.contradictions);
  INFO(text);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  CHECK_FALSE(verified.certified);
  return found;
}

// Changes the reported primal, and both gaps accordingly.
void report_primal(FinishedCase& run, double primal) {
  run.reported.primal = primal;
  run.reported.gap = std::max(0.0, primal - run.reported.dual);
  run.reported.relative_gap = run.reported.gap / primal;
}

// One with planes of single examples, and one with joint planes.
std::vector<Setting> two_settings() {
  Setting single{"n_slack", {Rescaling::margin, 1, 20}, false, 4};
  Setting joint{"one_slack", {Rescaling::margin, 1, 20}, true, 0};
  return {single, joint};
}

}  // namespace

TEST_CASE("verification confirms a run of every solver and formulation") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    REQUIRE(run.result.certified);
    const VerificationResult verified = run.verify();
    holds(verified);
    CHECK(verified.certified);
    CHECK(verified.is_bounded);
    CHECK(verified.primal ==
          doctest::Approx(run.problem.primal(run.result.w, setting.formulation)).epsilon(1e-12));
    REQUIRE(verified.dual);
    CHECK(std::abs(verified.dual->value - run.result.dual) <= 1e-9 * verified.dual->magnitude);
    CHECK(verified.gap() >= 0);
    CHECK(verified.relative_gap() <= setting.relative_gap + 1e-9);
    CHECK(verified.comparison_count > 0);
    CHECK(verified.oracle_calls == run.problem.example_count() * verified.point_count);
    if (!setting.joint) CHECK(verified.repeated_output_count > 0);
    CHECK(joined_text(verified.notes).find("violated by more") == std::string::npos);
  }
}

TEST_CASE("verification confirms a run that a limit ended") {
  for (const Setting& setting : settings()) {
    for (const std::int64_t passes : {1, 2, 5}) {
      CAPTURE(setting.name);
      CAPTURE(passes);
      StopOptions stop = until(setting);
      stop.max_passes = passes;
      FinishedCase run(setting, stop);
      const VerificationResult verified = run.verify(2);
      holds(verified);
      CHECK(verified.is_bounded);
      CHECK(verified.dual->value <= run.result.dual + 1e-9 * verified.dual->magnitude);
    }
  }
}

TEST_CASE("verification confirms a run that was stopped, and notes a checkpoint that is older") {
  bool has_older_checkpoint = false;
  for (const Setting& setting : settings()) {
    for (std::int64_t polls = 1; polls < 2000; polls = polls * 5 / 3 + 1) {
      CAPTURE(setting.name);
      CAPTURE(polls);
      FinishedCase run(setting, until(setting), after_polls(polls));
      if (run.result.stopped_by != StoppedBy::signal) continue;
      const VerificationResult verified = run.verify(1);
      holds(verified);
      if (run.result.dual <= verified.dual->value + 1e-9 * verified.dual->magnitude) continue;
      has_older_checkpoint = true;
      CHECK(joined_text(verified.notes).find("during a QP") != std::string::npos);
    }
  }
  CHECK(has_older_checkpoint);
}

TEST_CASE("verification without a checkpoint confirms only the primal") {
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

TEST_CASE("verification refutes a run with another w, primal, dual or gap") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    const auto edited = [&](const std::function<void(FinishedCase&)>& edit) {
      FinishedCase run(setting);
      edit(run);
      return run.verify(0);
    };
    refuted_by(edited([](FinishedCase& run) {
                 for (double& weight : run.result.w) weight *= 0.99;
               }),
               "primal: reported");
    refuted_by(edited([](FinishedCase& run) { run.reported.primal *= 1 - 1e-5; }),
               "primal: reported");
    refuted_by(edited([](FinishedCase& run) {
                 run.reported.dual += 0.5 * run.reported.gap + 1e-6 * run.reported.primal;
               }),
               "dual: reported");
    refuted_by(edited([](FinishedCase& run) { run.reported.dual *= 0.99; }),
               "planes and alpha give");
    refuted_by(edited([](FinishedCase& run) { run.reported.dual = 1.01 * run.reported.primal; }),
               "exceeds the recomputed primal");
    refuted_by(edited([](FinishedCase& run) { run.reported.gap += 1e-6 * run.reported.primal; }),
               "gap: reported");
    refuted_by(edited([](FinishedCase& run) { run.reported.relative_gap += 1e-6; }),
               "relative gap: reported");
  }
}

TEST_CASE("verification refutes a run with another alpha") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    const FinishedCase::PlanePosition at = run.largest_alpha();
    run.planes->block(at.block).alpha[at.plane] *= 0.5;
    refuted_by(run.verify(0), "planes and alpha give");
    if (!run.planes->slack_term().is_linear()) continue;
    run.planes->block(at.block).alpha[at.plane] = 1.001 * run.planes->slack_term().cap;
    refuted_by(run.verify(0), setting.joint
                                  ? "alpha of the joint planes adds up to"
                                  : "alpha of example " + std::to_string(at.block) + " adds up to");
  }
}

TEST_CASE("verification accepts a primal that differs by less than the rounding of the answers") {
  FinishedCase run(two_settings()[0]);
  const double primal = run.reported.primal;
  run.problem.rounding = 1e-3 * primal / run.formulation.C;
  report_primal(run, primal + 0.9e-3 * primal);
  holds(run.verify(0));
  report_primal(run, primal + 1.1e-3 * primal);
  refuted_by(run.verify(0), "primal: reported");
}

// Under slack norm 2 the w of the model is a multiple of the w of the dual.
TEST_CASE("verification notes the angle between the w of the model and the w of the dual") {
  FinishedCase run({"n_slack", {Rescaling::margin, 2, 20}, false, 4});
  const Vector dual_w = run.verify(0).dual->point.w;
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
  const double sine = std::stod(notes.substr(notes.find(before) + before.size()));
  CHECK(sine == doctest::Approx(std::sqrt(1 - cosine * cosine)).epsilon(1e-6));
}

TEST_CASE("verification names a plane with a larger b than that of any output") {
  for (const Setting& setting : settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    const FinishedCase::PlanePosition at = run.largest_alpha();
    Block& block = run.planes->block(at.block);
    // The reported dual is changed accordingly, so only the plane is false.
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

TEST_CASE("verification refutes a plane with a wrong a at another w than that of the model") {
  for (const Setting& setting : two_settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    const FinishedCase::PlanePosition at = run.largest_alpha();
    Block& block = run.planes->block(at.block);
    Vector a(run.result.w.size(), 0.0);
    block.a[at.plane].add_to(1, a);
    // b - <w, a> is unchanged at the w of the model, and changed at other w.
    const double product = dot(a, run.result.w);
    for (double& value : a) value *= 3;
    block.b[at.plane] += 2 * product;
    block.a[at.plane] = PlaneVector(a);
    refuted_by(run.verify(), "is violated by ");
  }
}

TEST_CASE("verification refutes a plane if the oracle finds the same output with another plane") {
  const Setting setting = two_settings()[0];
  FinishedCase run(setting);
  // b is a little too small, so no plane is violated too much.
  for (std::int64_t i = 0; i < run.planes->block_count(); ++i) {
    for (double& b : run.planes->block(i).b) b *= 0.999;
  }
  refuted_by(run.verify(0), "differs from the plane of the same output");
}

TEST_CASE("verification without upper bounds certifies nothing and compares no planes") {
  for (const Setting& setting : settings()) {
    if (setting.formulation.is_hard_margin()) continue;
    CAPTURE(setting.name);
    ListedProblem problem = problem_of(setting);
    problem.exact = false;
    problem.searched_outputs = problem.examples[0].size() - 1;
    FinishedCase run(setting, problem, until(setting));
    const VerificationResult verified = run.verify();
    holds(verified);
    CHECK_FALSE(verified.certified);
    CHECK_FALSE(verified.is_bounded);
    CHECK(verified.comparison_count == 0);
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

TEST_CASE("verification by an EXACT oracle that misses outputs is refuted by the stored planes") {
  for (const Setting& setting : two_settings()) {
    CAPTURE(setting.name);
    FinishedCase run(setting);
    run.problem.searched_outputs = 2;  // the oracle searches two outputs but claims to be exact
    refuted_by(run.verify(), "planes: ");
  }
}

TEST_CASE("verification of a run without a dual confirms the primal and certifies nothing") {
  const OnlineSetting setting = online_settings()[3];
  ListedProblem problem = problem_of(setting);
  Recorder recorder;
  const Result result = solver_of(setting, passes(3))->solve(problem, recorder, {});
  ReportedCertificate reported;
  reported.primal = result.primal;
  reported.dual = result.dual;
  reported.is_bounded = result.primal_high.has_value();
  const WeightPoint model{{}, result.w};
  const auto verify = [&] {
    return Verification(problem, {setting.formulation, model, reported, nullptr, false},
                        [](const EvaluationPoint&, std::int64_t, std::int64_t) {})
        .run({3, 1});
  };
  const VerificationResult verified = verify();
  CHECK(verified.contradictions.empty());
  CHECK(verified.primal == doctest::Approx(result.primal).epsilon(1e-12));
  CHECK(verified.is_bounded);
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

TEST_CASE("verification accepts a target that the gap misses only by less than rounding") {
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
