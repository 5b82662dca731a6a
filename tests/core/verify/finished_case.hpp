// finished_case.hpp - a finished run on a small problem. Tests verify it, or change it first.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/memory_state.hpp"
#include "core/solver/kept_checkpoints.hpp"
#include "core/solver/solver_settings.hpp"
#include "qp/working_set/working_set.hpp"
#include "verify/verification.hpp"

namespace sculpt::core::test {

// The public members are what a real run writes to files.
class FinishedCase {
 public:
  explicit FinishedCase(const Setting& setting) : FinishedCase(setting, until(setting)) {}
  FinishedCase(const Setting& setting, const StopOptions& stop, const StopRequest& request = {})
      : FinishedCase(setting, problem_of(setting), stop, request) {}
  FinishedCase(const Setting& setting, ListedProblem listed, const StopOptions& stop,
               const StopRequest& request = {})
      : problem(std::move(listed)), formulation(setting.formulation), joint(setting.joint) {
    const std::unique_ptr<Solver> solver = solver_of(setting, stop);
    KeptCheckpoints checkpoints;
    Recorder recorder;
    result = solver->solve(problem, recorder, request, checkpoints);
    MemoryReader state(checkpoints.kept.back().state);
    planes = std::make_unique<WorkingSet>(*solver->load_working_set(problem, state));
    reported = {result.primal,
                result.dual,
                result.gap,
                result.relative_gap,
                result.certified,
                result.stopped_by == StoppedBy::signal,
                static_cast<std::uint64_t>(result.passes)};
  }

  VerificationResult verify(std::int64_t random_probes = 3) {
    const WeightPoint model{{}, result.w};
    Verification verification(problem, {formulation, model, reported, planes.get(), joint},
                              [](const EvaluationPoint&, std::int64_t, std::int64_t) {});
    return verification.run({random_probes, 1});
  }

  struct PlanePosition {
    std::int64_t block = 0;
    std::size_t plane = 0;
  };
  // The plane with the largest alpha.
  PlanePosition largest_alpha() const {
    PlanePosition position;
    double largest = 0;
    for (std::int64_t i = 0; i < planes->block_count(); ++i) {
      const std::vector<double>& alpha = planes->block(i).alpha;
      for (std::size_t p = 1; p < alpha.size(); ++p) {
        if (alpha[p] <= largest) continue;
        largest = alpha[p];
        position = {i, p};
      }
    }
    return position;
  }

  ListedProblem problem;
  Formulation formulation;
  bool joint;
  Result result;
  ReportedCertificate reported;
  std::unique_ptr<WorkingSet> planes;
};

inline std::string joined_text(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += sentence + "\n";
  return text;
}

}  // namespace sculpt::core::test
