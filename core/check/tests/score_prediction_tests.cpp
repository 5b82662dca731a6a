// Tests that the extension scores of the features tells what decides an output. The rule of the
// scores gives the output of a prediction, and the scores hold all that w says about outputs.

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/answers/scored_output.hpp"
#include "check/tests/required_scores.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

// Returns the output that the oracle predicts, if it is known to be the best: the answer is EXACT,
// or all outputs can be listed.
std::optional<std::vector<std::int32_t>> prediction_of(TestFixture& fixture,
                                                       const OracleQuery& query) {
  OwnedAnswer answer = ask_oracle(fixture.problem(), query);
  if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return std::nullopt;
  if (answer.has_flag(SCULPT_ANSWER_EXACT)) return std::move(answer.labels);
  const bool can_list = fixture.has_complete_truth(query.example) &&
                        !fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET) &&
                        fixture.outputs(query.example).complete;
  if (!can_list) return std::nullopt;
  const Output* const best = best_output(fixture, query, answer);
  return best == nullptr ? std::nullopt : std::optional(best->labels);
}

// The name of a column is the text of its label. Tests outputs of one label.
void check_column_names(TestFixture& fixture, TestContext& context, const Scores& scores,
                        std::int64_t example) {
  const Dataset& dataset = fixture.problem().dataset();
  if (dataset.component().extension<sculpt_ext_label_text>() == nullptr) return;
  for (std::size_t column = 0; column < scores.columns(); ++column) {
    const auto label = static_cast<std::int32_t>(column);
    const std::string text = dataset.format(example, {&label, 1});
    if (text == scores.names()[column]) continue;
    context.fail(fixture.problem().features().component().name() + ": column " +
                 std::to_string(column) + " of its scores is called \"" + scores.names()[column] +
                 "\", but the label " + std::to_string(column) + " is written \"" + text + "\"");
  }
}

// If the text of an output has several lines, each has one row of scores.
std::string fault_of_lines(const std::string& text, std::size_t rows) {
  const bool ends_line = !text.empty() && text.back() == '\n';
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) +
                     (ends_line || text.empty() ? 0 : 1);
  if (lines < 2 || lines == rows) return "";
  return "the text of the output has " + std::to_string(lines) + " lines, but there are " +
         count_text(static_cast<std::int64_t>(rows), "row") + " of scores";
}

// The scores decide the output of a query without truth, as their rule says.
void scores_predict_test(TestFixture& fixture, TestContext& context) {
  const Scores scores = required_scores(fixture, context);
  const std::string name = fixture.problem().features().component().name();
  if (scores.rule() == SCULPT_SCORES_WHOLE) {
    context.skip(name +
                 " says SCULPT_SCORES_WHOLE: no score decides a part of the output, so "
                 "only scores.psi holds them against outputs");
  }
  std::vector<std::int64_t> examples = fixture.examples();
  for (const std::int64_t example : spread_examples(fixture)) {
    if (std::find(examples.begin(), examples.end(), example) == examples.end())
      examples.push_back(example);
  }
  Random random = fixture.random("scores.predict");
  const int draws = fixture.level().choose(12, 48, 160);
  TimeBudget budget(fixture.timer(), context, draws * static_cast<std::int64_t>(examples.size()),
                    "predictions");
  for (int number = 0; number < draws; ++number) {
    const Weights w = fixture.weights().draw(random, number);
    for (const std::int64_t example : examples) {
      if (!budget.next()) break;
      const OracleQuery query{example, &w, 0, /*has_truth=*/false, random.next()};
      context.set_activity(query.text());
      const auto labels = prediction_of(fixture, query);
      if (!labels) continue;
      context.count();
      const ScoredOutput scored(scores.rule(), scores.columns(), scores_at(scores, example, w),
                                *labels);
      const Output output = {*labels, {}, 0, false, {}};
      std::string fault = scored.fault();
      const std::string text = fixture.problem().dataset().format(example, output.raw());
      if (fault.empty() && scores.rule() == SCULPT_SCORES_LARGEST && labels->size() == 1)
        check_column_names(fixture, context, scores, example);
      if (fault.empty()) fault = fault_of_lines(text, scored.rows());
      if (fault.empty()) continue;
      std::vector<std::string> lines = {
          name + ": its scores do not decide the prediction: " + fault,
          example_text(fixture, example),
          "  output  " + printable(text) + " " + labels_text(*labels), scored.scores_text()};
      for (std::string& line : weight_lines(fixture, w)) lines.push_back(std::move(line));
      context.fail(lines);
    }
  }
  if (context.cases() > 0) return;
  context.skip(fixture.oracle_name() +
               " never reports EXACT without a truth, and there are too many outputs to list; "
               "choose an exact oracle");
}

// The scores of an example as a linear map: S w = scores.
class ScoreMap {
 public:
  ScoreMap(const WeightGenerator& weights, const Scores& scores, std::int64_t example)
      : support_(weights.support()) {
    std::vector<double> unit(support_.size(), 0.0);
    for (std::size_t j = 0; j < support_.size(); ++j) {
      unit[j] = 1;
      const std::vector<double> column = scores_at(scores, example, weights.with_values(unit));
      unit[j] = 0;
      if (j == 0) rows_.resize(static_cast<Eigen::Index>(support_.size()), size_of(column));
      rows_.row(static_cast<Eigen::Index>(j)) =
          Eigen::Map<const Eigen::VectorXd>(column.data(), size_of(column)).transpose();
    }
    for (Eigen::Index k = 0; k < rows_.cols(); ++k) {
      const double length = rows_.col(k).norm();
      if (length > 0) rows_.col(k) /= length;
    }
    if (rows_.size() > 0) solver_.compute(rows_);  // an empty example may have no score
  }

  // Returns the part of psi(a) - psi(b) that no score sees: a w to which all scores are 0. Empty if
  // there is none, up to rounding.
  std::vector<double> unseen(const Output& a, const Output& b) const {
    Eigen::VectorXd difference = dense(a.psi) - dense(b.psi);
    const double length = difference.norm();
    if (rows_.size() > 0) difference -= rows_ * solver_.solve(difference).eval();
    if (difference.norm() <= 1e-6 * length) return {};
    return {difference.data(), difference.data() + difference.size()};
  }

 private:
  static Eigen::Index size_of(const std::vector<double>& values) {
    return static_cast<Eigen::Index>(values.size());
  }
  Eigen::VectorXd dense(const SparseVector& psi) const {
    Eigen::VectorXd values = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(support_.size()));
    for (std::size_t k = 0; k < psi.index.size(); ++k) {
      const auto found = std::lower_bound(support_.begin(), support_.end(), psi.index[k]);
      if (found != support_.end() && *found == psi.index[k])
        values[found - support_.begin()] = psi.value[k];
    }
    return values;
  }

  std::span<const std::int32_t> support_;
  Eigen::MatrixXd rows_;  // [support][scores], each score scaled to length 1
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver_;
};

// <w, psi(y)> - <w, psi(y')> is 0 for every w to which all scores of the example are 0.
void scores_psi_test(TestFixture& fixture, TestContext& context) {
  constexpr double max_work = 1e8;  // products of the decomposition
  const Scores scores = required_scores(fixture, context);
  const auto max_outputs = fixture.level().choose<std::size_t>(20, 200, 2000);
  const WeightGenerator& drawn = fixture.weights();
  const WeightGenerator weights(fixture.problem().dimension(),
                                {drawn.support().begin(), drawn.support().end()}, {});
  const Weights zero = weights.with_values(std::vector<double>(weights.support().size(), 0.0));
  const auto support = static_cast<double>(weights.support().size());
  bool is_any_too_large = false;
  TimeBudget budget(fixture.timer(), context, static_cast<std::int64_t>(fixture.examples().size()),
                    "examples");
  for (const std::int64_t example : fixture.examples()) {
    if (!budget.next()) break;
    context.set_activity("example " + std::to_string(example));
    const std::vector<Output>& outputs = fixture.outputs(example).outputs;
    const auto score_count = static_cast<double>(scores_at(scores, example, zero).size());
    if (support * score_count * std::min(support, score_count) > max_work) {
      is_any_too_large = true;
      continue;
    }
    const ScoreMap map(weights, scores, example);
    for (std::size_t k = 1; k < std::min(max_outputs, outputs.size()); ++k) {
      context.count();
      const std::vector<double> unseen = map.unseen(outputs[k], outputs[0]);
      if (unseen.empty()) continue;
      const Weights w = weights.with_values(unseen);
      const OracleQuery query{example, &w, 0, true, 0};
      context.fail(counter_example(
          fixture,
          fixture.problem().features().component().name() +
              ": its scores do not hold all that w says about the outputs: at this w all scores of "
              "the example are 0, but two outputs differ",
          query, {{"one", &outputs[0]}, {"other", &outputs[k]}}));
    }
  }
  if (context.cases() > 0) return;
  context.skip(is_any_too_large ? "the examples have too many weights or scores"
                                : "no example with a truth has two known outputs");
}

}  // namespace

std::span<const ExperimentTest> score_prediction_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"scores.predict", scores_predict_test}, {"scores.psi", scores_psi_test}}};
  return tests;
}

}  // namespace sculpt::core
