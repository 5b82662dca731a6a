// Scores held against labels, by each rule of sculpt/ext/scores.h.
#include "check/answers/scored_output.hpp"

#include <doctest/doctest.h>
#include <sculpt/ext/scores.h>

using namespace sculpt::core;

namespace {

std::string fault_of(std::uint32_t rule, std::size_t columns, std::vector<double> scores,
                     std::vector<std::int32_t> labels) {
  return ScoredOutput(rule, columns, std::move(scores), std::move(labels)).fault();
}

bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the label of a row is a column with the largest score") {
  const auto fault = [](std::vector<double> scores, std::vector<std::int32_t> labels) {
    return fault_of(SCULPT_SCORES_LARGEST, 3, std::move(scores), std::move(labels));
  };
  CHECK(fault({1, 2, 0, -3, -1, -2}, {1, 1}).empty());
  CHECK(fault({1, 2, 2}, {1}).empty());
  CHECK(fault({1, 2, 2}, {2}).empty());
  CHECK(fault({1, 1 + 1e-12, 0}, {0}).empty());
  CHECK(fault({}, {}).empty());
  CHECK(contains(fault({1, 2, 0, -3, -1, -2}, {1, 0}),
                 "row 1 has the label 0 in the output, but the largest score is in column 1"));
  CHECK(
      contains(fault({1, 2, 0}, {3}), "has the label 3 in the output, but its scores have only 3"));
  CHECK(contains(fault({1, 2, 0}, {1, 1}), "one label for each row of scores, here 1, but the "));
}

TEST_CASE("a label is odd if its score is above 0, and even if it is below") {
  const auto fault = [](std::vector<double> scores, std::vector<std::int32_t> labels) {
    return fault_of(SCULPT_SCORES_SIGN, 2, std::move(scores), std::move(labels));
  };
  CHECK(fault({1, -2, 3, 0}, {1, 0, 3, 0}).empty());
  CHECK(fault({0, 0, 1, -1e-12}, {1, 0, 1, 1}).empty());
  CHECK(contains(fault({1, -2, 3, 4}, {1, 0, 0, 1}),
                 "label 2 is 0 in the output, but its score is 3"));
  CHECK(contains(fault({1, -2}, {1, 1}), "label 1 is 1 in the output, but its score is -2"));
  CHECK(contains(fault({1, -2}, {1}), "one label for each score, here 2, but the output has 1"));
}

TEST_CASE("a row with a larger score has a larger label") {
  const auto fault = [](std::vector<double> scores, std::vector<std::int32_t> labels) {
    return fault_of(SCULPT_SCORES_ORDER, 1, std::move(scores), std::move(labels));
  };
  CHECK(fault({0.5, -1, 2}, {1, 0, 2}).empty());
  CHECK(fault({0.5, 0.5, 2}, {0, 0, 1}).empty());
  CHECK(fault({0.5, 0.5, 2}, {1, 0, 4}).empty());
  CHECK(contains(fault({0.5, -1, 2}, {1, 0, 1}),
                 "row 2 has a larger score than row 0, but the output has the labels 1 and 1"));
  CHECK(contains(fault({3, 1, 2}, {0, 2, 1}), "row 2 has a larger score than row 1"));
}
