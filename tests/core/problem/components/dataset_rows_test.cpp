// Rows that a dataset offers beside its examples, and values in them that are too large.

#include "problem/components/dataset_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/separation.hpp"

using namespace sculpt::core;

namespace {

// The error of a training problem with two examples, the second with these values.
Refusal refusal_of_row(const std::vector<double>& row) {
  toy_plan() = random_toy(2, 1);
  toy_plan().rows = {std::vector<double>(row.size(), 1.0), row};
  const Refusal refusal =
      refusal_of([] { Problem(toy_spec(toy_oracle()), Purpose::training, 1, {}); });
  toy_plan() = {};
  return refusal;
}

}  // namespace

TEST_CASE("a value beyond 1e100 is refused by example and column, with the remedy") {
  CHECK(refusal_of_row({0, -1e100, 1e100}).exit == Exit::reached);
  for (const double large : {1.1e100, -1.1e100, 1e300}) {
    const Refusal refusal = refusal_of_row({0, 3, large});
    CAPTURE(refusal.text);
    CHECK(refusal.exit == Exit::data);
    CHECK(refusal.says("chains: example 1: its features have magnitude 1"));
    CHECK(refusal.says(" at height 2; "));
    CHECK(refusal.says(remedy_in_training));
  }
}

TEST_CASE("NaN and infinite values are not refused by this check") {
  CHECK(refusal_of_row({std::nan(""), INFINITY, -INFINITY}).exit == Exit::reached);
}

TEST_CASE("the columns of rows have their names, and -1 is the bias") {
  toy_plan() = random_toy(2, 1);
  toy_plan().rows = {{1, 2, 3}, {4, 5, 6}};
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  const DatasetRows rows(problem.dataset().component());
  REQUIRE(rows.is_offered());
  CHECK(rows.column_count() == 3);
  CHECK(rows.name(0) == "height 0");
  CHECK(rows.name(2) == "height 2");
  CHECK(rows.name(-1) == "the bias");
  CHECK(rows.sites(1).value[2] == 6);
  toy_plan().rows.clear();
  CHECK_FALSE(DatasetRows(problem.dataset().component()).is_offered());
  toy_plan() = {};
}
