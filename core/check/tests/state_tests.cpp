// State: what is saved, restored and saved again is the same, and so are the predictions of a
// problem that was made as `sculpt predict` makes it.

#include <algorithm>
#include <array>

#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

std::string state_owner(Problem& problem, const std::string& kind) {
  if (kind == "dataset") return problem.dataset().component().name();
  if (kind == "features") return problem.features().component().name();
  if (kind == "loss") return problem.loss()->component().name();
  return problem.oracle().component().name();
}

// The split "train" under the name that prediction gives it: nothing may be learned from it.
std::vector<SplitSource> as_prediction(const std::vector<SplitSource>& sources) {
  std::vector<SplitSource> one = {sources.front()};
  one.front().split = "predict";
  return one;
}

void state_save_test(Bench& bench, Findings& findings) {
  Problem& problem = bench.problem();
  const std::vector<Problem::State> saved = problem.states();
  if (saved.empty()) findings.skip("no component has a state");
  const std::vector<Problem::State> again = problem.states();
  findings.now("restoring what was saved, and loading the data for prediction");
  Remake how;
  how.states = saved;
  how.sources = as_prediction(bench.source().sources());
  const std::unique_ptr<Problem> restored = bench.source().make(how);
  const std::vector<Problem::State> back = restored->states();
  for (std::size_t k = 0; k < saved.size(); ++k) {
    findings.count();
    const std::string name = state_owner(problem, saved[k].kind);
    if (again.at(k).bytes != saved[k].bytes) findings.fail(name + ": saved twice, it differs");
    const bool same =
        k < back.size() && back[k].kind == saved[k].kind && back[k].bytes == saved[k].bytes;
    if (same) continue;
    findings.fail(name + ": saved, restored and saved again, its state differs: " +
                  std::to_string(saved[k].bytes.size()) + " bytes, then " +
                  std::to_string(k < back.size() ? back[k].bytes.size() : 0) +
                  "; after restore nothing may be learned");
  }
  if (restored->dimension() == problem.dimension()) return;
  findings.fail(problem.features().component().name() + ": the dimension is " +
                std::to_string(problem.dimension()) + ", but " +
                std::to_string(restored->dimension()) + " after restore");
}

// Truth and answer of each example at some w.
using Predicted = std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>>;

// Nothing when there is no time for all examples.
std::optional<Predicted> predict(Problem& problem, const Weights& w, std::int64_t count,
                                 Pace& pace) {
  Predicted predicted;
  for (std::int64_t example = 0; example < count; ++example) {
    if (!pace.next()) return std::nullopt;
    const sculpt_labels truth = problem.dataset().truth(example);
    const Reply reply = ask(problem, {example, &w, 0, false, 1});
    predicted.emplace_back(truth.data == nullptr
                               ? std::vector<std::int32_t>()
                               : std::vector<std::int32_t>(truth.data, truth.data + truth.size),
                           reply.labels);
  }
  std::sort(predicted.begin(), predicted.end());  // splits may have changed the order
  return predicted;
}

// Prediction reads one file: of several that the experiment reads, one that holds train alone is
// compared.
void state_predictions_test(Bench& bench, Findings& findings) {
  const std::vector<SplitSource> sources = bench.source().sources();
  std::unique_ptr<Problem> alone;
  if (sources.size() > 1) {
    findings.now("learning from the split train alone");
    Remake train;
    train.sources = {sources.front()};
    alone = bench.source().make(train);
  }
  Problem& problem = alone ? *alone : bench.problem();
  if (problem.dimension() != bench.problem().dimension()) {
    findings.skip("without the other splits there are other features");
  }
  Remake how;
  how.states = problem.states();
  how.sources = as_prediction(sources);
  findings.now("restoring what was saved, and loading the data for prediction");
  const std::unique_ptr<Problem> restored = bench.source().make(how);
  const std::int64_t count = problem.dataset().count();
  if (restored->dataset().count() != count || restored->dimension() != problem.dimension()) {
    findings.skip("the split train does not hold all examples of its file");
  }
  if (count > 2000) findings.skip("there are too many examples");
  Random random = bench.random("state.predictions");
  const int draws = bench.level().of(2, 5, 10);
  Pace pace(bench.clock(), findings, 2 * draws * count, "predictions");
  for (int number = 1; number <= draws; ++number) {
    const Weights w = bench.weights().draw(random, number);
    findings.now("predicting with restored components");
    const std::optional<Predicted> first = predict(problem, w, count, pace);
    if (!first) break;
    const std::optional<Predicted> second = predict(*restored, w, count, pace);
    if (!second) break;
    findings.count();
    if (first == second) continue;
    findings.fail(
        "components that were restored from their state predict something else than "
        "those that learned from the data");
  }
  if (findings.cases() > 0) return;
  findings.skip("the answers are too slow to predict all " + std::to_string(count) +
                " examples twice (--time-limit gives more time)");
}

}  // namespace

std::span<const ExperimentTest> state_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"state.save", state_save_test}, {"state.predictions", state_predictions_test}}};
  return tests;
}

}  // namespace sculpt::core
