// Rows that a dataset lends beside its examples, and values in them whose products are no numbers.

#include "problem/components/dataset_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/separation.hpp"

using namespace sculpt::core;

namespace {

// What training says of two examples, the second with these values.
Refusal with_row(const std::vector<double>& row) {
  toy_plan() = random_toy(2, 1);
  toy_plan().rows = {std::vector<double>(row.size(), 1.0), row};
  const Refusal refusal =
      refusal_of([] { Problem(toy_choices(toy_oracle()), Purpose::training, 1, {}); });
  toy_plan() = {};
  return refusal;
}

}  // namespace

TEST_CASE("a value beyond 1e100 is refused by example and column, with the remedy") {
  CHECK(with_row({0, -1e100, 1e100}).exit == Exit::reached);
  for (const double large : {1.1e100, -1.1e100, 1e300}) {
    const Refusal refusal = with_row({0, 3, large});
    CAPTURE(refusal.text);
    CHECK(refusal.exit == Exit::data);
    CHECK(refusal.says("chains: example 1: its features have size 1"));
    CHECK(refusal.says(" at column height 2; "));
    CHECK(refusal.says(remedy_in_training));
  }
}

TEST_CASE("values that are no numbers are left to who reads them") {
  CHECK(with_row({std::nan(""), INFINITY, -INFINITY}).exit == Exit::reached);
}

TEST_CASE("the columns of lent rows have their names, and -1 is the bias") {
  toy_plan() = random_toy(2, 1);
  toy_plan().rows = {{1, 2, 3}, {4, 5, 6}};
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 1, {});
  const DatasetRows rows(problem.dataset().component());
  REQUIRE(rows.offered());
  CHECK(rows.column_count() == 3);
  CHECK(rows.name(0) == "height 0");
  CHECK(rows.name(2) == "height 2");
  CHECK(rows.name(-1) == "the bias");
  CHECK(rows.of(1).value[2] == 6);
  toy_plan().rows.clear();
  CHECK_FALSE(DatasetRows(problem.dataset().component()).offered());
  toy_plan() = {};
}
