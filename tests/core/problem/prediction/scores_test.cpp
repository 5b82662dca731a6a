// Scores of features: what the host reads and what it refuses.
#include "problem/prediction/scores.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/problem/toy.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

// Two examples of 2 and 3 positions, with scores for three labels.
void plan_scores() {
  toy_plan() = {};
  toy_plan().prediction = {{{0, 2}, {}, false}, {{1, 1, 3}, {0, 1, 2}}};
  toy_plan().score_columns = 3;
}

void check_refused(const Refusal& refusal, Exit exit, const std::string& part) {
  INFO(refusal.text);
  CHECK(refusal.exit == exit);
  CHECK(refusal.says(part));
}

struct ScoreFixture {
  ScoreFixture() : problem(toy_spec(toy_oracle(), "predict"), Purpose::prediction, 1, {}) {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = static_cast<double>(j);
  }
  Scores scores() { return Scores(problem.features().component()); }
  std::vector<double> scores_of(std::int64_t example) {
    std::vector<double> out{7, 7};
    scores().write(example, {w.data(), problem.dimension(), 1}, out);
    return out;
  }
  Problem problem;
  Vector w = Vector(static_cast<std::size_t>(problem.dimension()));
};

}  // namespace

TEST_CASE("scores come row by row, with the names of the columns") {
  plan_scores();
  ScoreFixture fixture;
  CHECK(fixture.scores().names() == std::vector<std::string>{"label 0", "label 1", "label 2"});
  CHECK(fixture.scores_of(0) == std::vector<double>{0, 1, 2, 6, 7, 8});
  CHECK(fixture.scores_of(1) == std::vector<double>{3, 4, 5, 3, 4, 5, 9, 10, 11});
  toy_plan().score_rows = [](std::int64_t) { return 0; };
  toy_plan().write_scores = [](std::int64_t, double*) {};
  CHECK(fixture.scores_of(0).empty());
}

TEST_CASE("scores that are not offered, or have no columns, are refused") {
  plan_scores();
  ScoreFixture fixture;
  toy_plan().score_columns.reset();
  CHECK_FALSE(Scores::is_offered_by(fixture.problem.features().component()));
  check_refused(refusal_of([&] { fixture.scores(); }), Exit::config,
                "counts offers no scores (" SCULPT_EXT_SCORES ")");
  for (const std::int64_t columns : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    toy_plan().score_columns = columns;
    check_refused(refusal_of([&] { fixture.scores(); }), Exit::plugin, "columns of scores");
  }
}

TEST_CASE("scores say how they decide the output, and unknown rules are refused") {
  plan_scores();
  ScoreFixture fixture;
  for (const std::uint32_t rule :
       {SCULPT_SCORES_LARGEST, SCULPT_SCORES_SIGN, SCULPT_SCORES_ORDER, SCULPT_SCORES_WHOLE}) {
    toy_plan().score_rule = rule;
    CHECK(fixture.scores().rule() == rule);
  }
  for (const std::uint32_t rule : {0U, 5U, UINT32_MAX}) {
    toy_plan().score_rule = rule;
    check_refused(refusal_of([&] { fixture.scores(); }), Exit::plugin,
                  "counts: the rule of its scores is " + std::to_string(rule) + "; give one of");
  }
}

TEST_CASE("an impossible number of rows of scores is refused, not allocated") {
  plan_scores();
  ScoreFixture fixture;
  for (const std::int64_t rows : {std::int64_t{-1}, (std::int64_t{1} << 31) / 3 + 1, INT64_MAX}) {
    toy_plan().score_rows = [rows](std::int64_t) { return rows; };
    check_refused(refusal_of([&] { fixture.scores_of(1); }), Exit::plugin,
                  "counts: example 1: has " + std::to_string(rows) + " rows of 3");
  }
}

TEST_CASE("scores that are unset, too many or not finite are refused") {
  plan_scores();
  ScoreFixture fixture;
  const auto write = [](std::size_t count, double last) {
    toy_plan().write_scores = [count, last](std::int64_t, double* scores) {
      for (std::size_t k = 0; k + 1 < count; ++k) scores[k] = 0.5;
      scores[count - 1] = last;
    };
  };
  write(6, 1);
  CHECK(fixture.scores_of(0).back() == 1);
  write(5, 1);
  check_refused(refusal_of([&] { fixture.scores_of(0); }), Exit::plugin,
                "counts: example 0: leaves score 5 of 6 unset");
  write(7, 1);
  check_refused(refusal_of([&] { fixture.scores_of(0); }), Exit::plugin,
                "writes more scores than it has rows for");
  for (const double value : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    write(6, value);
    check_refused(refusal_of([&] { fixture.scores_of(0); }), Exit::data,
                  "counts: example 0: score 5 of 6 overflows");
  }
}

TEST_CASE("errors of features in calls for scores are reported") {
  plan_scores();
  ScoreFixture fixture;
  for (const std::string function : {"columns", "column_name", "rows", "scores", "rule"}) {
    CAPTURE(function);
    toy_plan().inject_error = [&](const std::string& called, std::int64_t) {
      return called == "features." + function ? SCULPT_E_DATA : SCULPT_OK;
    };
    check_refused(refusal_of([&] { fixture.scores_of(0); }), Exit::data, "toy trouble");
  }
}
