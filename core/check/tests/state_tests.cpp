// Tests of state: saving, restoring and saving again gives the same bytes. A problem made as in
// `sculpt predict` gives the same predictions.

#include <algorithm>
#include <array>

#include "check/answers/counter_example.hpp"
#include "check/tests/learned_width.hpp"
#include "check/tests/state_owner.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/labels_copy.hpp"

namespace sculpt::core {
namespace {

// Returns the split "train" under the name "predict", so that components must not learn from it.
std::vector<SplitSource> as_prediction(const std::vector<SplitSource>& sources) {
  std::vector<SplitSource> source = {sources.front()};
  source.front().split = "predict";
  return source;
}

// A second save, and a save after a restore, give the same bytes.
void state_save_test(TestFixture& fixture, TestContext& context) {
  Problem& problem = fixture.problem();
  const std::vector<Problem::State> saved = problem.states();
  if (saved.empty()) context.skip_not_offered("a state of any component");
  const std::vector<Problem::State> again = problem.states();
  context.set_activity("restoring the saved states, and loading the data for prediction");
  ProblemChanges changes;
  changes.states = states_for_prediction(problem);
  changes.sources = as_prediction(fixture.factory().sources());
  const std::unique_ptr<Problem> restored = fixture.factory().make(changes);
  const std::vector<Problem::State> saved_again = restored->states();
  for (std::size_t k = 0; k < saved.size(); ++k) {
    context.count();
    const std::string name = state_owner(problem, saved[k].kind);
    if (again.at(k).bytes != saved[k].bytes)
      context.fail(name + ": its state differs if it is saved a second time");
    const bool same = k < saved_again.size() && saved_again[k].kind == saved[k].kind &&
                      saved_again[k].bytes == saved[k].bytes;
    if (same) continue;
    context.fail(name + ": its state differs after save, restore and save: " +
                 std::to_string(saved[k].bytes.size()) + " bytes, then " +
                 std::to_string(k < saved_again.size() ? saved_again[k].bytes.size() : 0) +
                 "; a restored component must not learn");
  }
  const LearnedWidth width = learned_width(problem);
  const LearnedWidth after = learned_width(*restored);
  if (width == after) return;
  context.fail(problem.features().component().name() + ": the dimension is " + text_of(width) +
               ", but " + text_of(after) + " after restore");
}

// Truth and answer of each example at one w.
using Predicted = std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>>;

// Returns nothing if there is not enough time for all examples.
std::optional<Predicted> predict(Problem& problem, const Weights& w, std::int64_t count,
                                 TimeBudget& budget) {
  Predicted predicted;
  for (std::int64_t example = 0; example < count; ++example) {
    if (!budget.next()) return std::nullopt;
    const sculpt_labels truth = problem.dataset().truth(example);
    const OwnedAnswer answer = ask_oracle(problem, {example, &w, 0, false, 1});
    predicted.emplace_back(copy_of(truth), answer.labels);
  }
  std::sort(predicted.begin(), predicted.end());  // because splits may change the order
  return predicted;
}

// Prediction reads only one file. So if the experiment reads several, the reference is a problem
// that reads only the first, "train".
void state_predictions_test(TestFixture& fixture, TestContext& context) {
  const std::vector<SplitSource> sources = fixture.factory().sources();
  std::unique_ptr<Problem> alone;
  if (sources.size() > 1) {
    context.set_activity("learning from the split train alone");
    ProblemChanges train;
    train.sources = {sources.front()};
    alone = fixture.factory().make(train);
  }
  Problem& problem = alone ? *alone : fixture.problem();
  if (learned_width(problem) != learned_width(fixture.problem())) {
    context.skip("without the other splits the features differ");
  }
  ProblemChanges changes;
  changes.states = states_for_prediction(problem);
  changes.sources = as_prediction(sources);
  context.set_activity("restoring the saved states, and loading the data for prediction");
  const std::unique_ptr<Problem> restored = fixture.factory().make(changes);
  const std::int64_t count = problem.dataset().count();
  if (restored->dataset().count() != count || restored->dimension() != problem.dimension()) {
    context.skip("the split train does not hold all examples of its file");
  }
  if (count > 2000) context.skip("there are too many examples");
  std::optional<WeightGenerator> own;
  const bool has_other_atoms = problem.dimension() != fixture.problem().dimension();
  const WeightGenerator& weights =
      has_other_atoms ? own.emplace(weights_of(problem)) : fixture.weights();
  Random random = fixture.random("state.predictions");
  const int draws = fixture.level().choose(2, 5, 10);
  TimeBudget budget(fixture.timer(), context, 2 * draws * count, "predictions");
  for (int number = 1; number <= draws; ++number) {
    const Weights w = weights.draw(random, number);
    context.set_activity("predicting with restored components");
    const std::optional<Predicted> first = predict(problem, w, count, budget);
    if (!first) break;
    const std::optional<Predicted> second = predict(*restored, w, count, budget);
    if (!second) break;
    context.count();
    if (first == second) continue;
    context.fail(
        "components restored from their state give other predictions than those that "
        "learned from the data");
  }
  if (context.cases() > 0) return;
  context.skip("the answers are too slow to predict all " + std::to_string(count) +
               " examples twice; set a larger --time-limit");
}

}  // namespace

std::span<const ExperimentTest> state_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"state.save", state_save_test}, {"state.predictions", state_predictions_test}}};
  return tests;
}

}  // namespace sculpt::core
