// solve_and_check(): what goes wrong in a run that starts with the state of a file.

#include "command/training/pass_log.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <utility>

#include "core/refusal.hpp"
#include "solver/result_check.hpp"

using namespace sculpt::core;

namespace {

class EndingSolver : public Solver {
 public:
  explicit EndingSolver(std::function<void()> end) : end_(std::move(end)) {}
  Result solve(const Ports&, Listener&, const StopRequest&, Checkpoints&) override {
    end_();
    return {};
  }
  SolverTraits traits() const override { return {}; }
  double expected_bytes(const ProblemStatistics&) const override { return 0; }
  double min_bytes(const ProblemStatistics&) const override { return 0; }

 private:
  std::function<void()> end_;
};

// The refusal of a run that ends so. `state_file` may be "".
Refusal refusal_of_run(std::function<void()> end, const std::string& state_file) {
  EndingSolver solver(std::move(end));
  Listener listener;
  Checkpoints none;
  return refusal_of([&] {
    solve_and_check(solver, {"mine", state_file}, {}, listener, {}, none, std::nullopt);
  });
}

}  // namespace

TEST_CASE("wrong numbers of a run that starts with a state are laid to the state") {
  const auto contradict = [] { throw InvalidResult("a report is wrong"); };
  CHECK(refusal_of_run(contradict, "").exit == Exit::internal);
  const Refusal refusal = refusal_of_run(contradict, "last.sculpt");
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("last.sculpt: a run that starts with this state goes wrong"));
  const auto throw_other = [] { throw std::out_of_range("vector"); };
  CHECK(refusal_of_run(throw_other, "").exit == Exit::internal);
  CHECK(refusal_of_run(throw_other, "last.sculpt").exit == Exit::data);
}

TEST_CASE("other failures keep their exit code, also in a run that starts with a state") {
  for (const Exit exit : {Exit::internal, Exit::plugin, Exit::memory, Exit::interrupted}) {
    const Refusal refusal =
        refusal_of_run([exit] { throw Failure(exit, "the reason"); }, "last.sculpt");
    CHECK(refusal.exit == exit);
    CHECK(refusal.text == "the reason");
  }
}
