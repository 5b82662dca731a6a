// Oracles that complete a partial truth (sculpt/ext/complete.h), through the host.

#include <doctest/doctest.h>

#include <limits>

#include "core/refusal.hpp"
#include "point_sequences.hpp"

namespace sculpt::core {
namespace {

using Labels = std::vector<std::int32_t>;

bool agree(const Labels& y, const Labels& truth) {
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (truth[k] >= 0 && truth[k] != y[k]) return false;
  }
  return true;
}

sculpt_query query_for(Problem& problem, const Vector& w, const Labels& truth) {
  sculpt_query query = stub::query(problem, 1, w, 0);
  query.truth = {truth.data(), static_cast<std::int64_t>(truth.size())};
  return query;
}

TEST_CASE("the completion of a partial truth is the best output that agrees with it") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  REQUIRE(problem->oracle().completes());
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  const std::vector<Labels> outputs = stub::all_outputs(3, 3);
  for (const Labels& truth : stub::all_outputs(3, 4)) {  // label 3 stands for a free one
    Labels partial = truth;
    for (std::int32_t& label : partial) label = label == 3 ? -1 : label;
    double best = -std::numeric_limits<double>::infinity();
    for (const Labels& y : outputs) {
      if (agree(y, partial)) best = std::max(best, stub::score(*problem, 1, y, w, 0));
    }
    Answer answer;
    problem->oracle().complete(0, query_for(*problem, w, partial), answer);
    CHECK(answer.has_flag(SCULPT_ANSWER_EXACT));
    CHECK(answer.value() == doctest::Approx(best));
    const sculpt_labels labels = answer.labels();
    const Labels y(labels.data, labels.data + labels.size);
    CHECK(agree(y, partial));
    CHECK(stub::score(*problem, 1, y, w, 0) == doctest::Approx(best));
  }
}

TEST_CASE("there is no completion if no output agrees") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  for (const Labels& truth : {Labels{0, 7, -1}, Labels{0, 1}, Labels{-1, -1, -1, -1}}) {
    Answer answer;
    problem->oracle().complete(0, query_for(*problem, w, truth), answer);
    CHECK(answer.has_flag(SCULPT_ANSWER_NO_OUTPUT));
  }
}

TEST_CASE("a completion without a truth, or with the loss, is refused by the wrapper") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  sculpt_query with_loss = stub::query(*problem, 1, w, 1);
  sculpt_query without_truth = stub::query(*problem, 1, w, 0);
  without_truth.truth = {nullptr, 0};
  for (const sculpt_query& query : {with_loss, without_truth}) {
    Answer answer;
    CHECK(refusal_of([&] {
            problem->oracle().complete(0, query, answer);
          }).says("complete() needs a truth and loss_weight 0"));
  }
}

TEST_CASE("an oracle without completions says so") {
  stub::Parts parts = stub::sequences;
  parts.oracle = "serial";
  const auto problem = stub::problem(parts, stub::points, 1);
  CHECK_FALSE(problem->oracle().completes());
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  Answer answer;
  const sculpt_query query = stub::query(*problem, 1, w, 0);
  CHECK(refusal_of([&] { problem->oracle().complete(0, query, answer); }).exit == Exit::internal);
}

}  // namespace
}  // namespace sculpt::core
