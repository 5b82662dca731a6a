// The host asks for the scale of a column in place of reading it from a name
// (sculpt/ext/draft/column_scale.h).

#include <doctest/doctest.h>

#include <sculpt/cpp/site_weights.hpp>

#include "problem/components/weight_units.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

// Largest magnitudes 2, 1, 3 and the ranges 0 .. 2, -1 .. 1, 3 .. 3.
const char* const lines = "0 2 -1 3\n1 0 1 3\n1 1 0.5 3\n";

struct Parts {
  explicit Parts(const std::string& scaling)
      : dataset(stub::loaded("scaled_points", lines, R"({"scaling": ")" + scaling + "\"}")),
        features(stub::create(SCULPT_KIND_FEATURES, "scaled_classes")) {
    stub::bind_and_seal(*dataset);
    stub::bind_and_seal(*features, dataset.get());
  }
  WeightUnit unit_of(std::int64_t weight) const {
    return WeightUnits(*dataset, *features)
        .unit_of(weight, Features(*features, 1).weight_name(weight));
  }
  std::unique_ptr<Component> dataset;
  std::unique_ptr<Component> features;
};

TEST_CASE("a weight has the divisor of its column, and its name without the scale") {
  const Parts parts("max_abs");
  REQUIRE(WeightUnits(*parts.dataset, *parts.features).is_offered());
  // What a reader of names would find: three scales, two of which are none.
  CHECK(Features(*parts.features, 1).weight_name(1) == "x0 (/ 7) (/ 2), label half (/ 2) 1");
  CHECK(parts.unit_of(1).name == "x0 (/ 7), label half (/ 2) 1");
  CHECK(parts.unit_of(1).divisor == 2.0);
  CHECK(parts.unit_of(2).name == "x1 (/ 7), label half (/ 2) 0");
  CHECK(parts.unit_of(2).divisor == 1.0);
}

TEST_CASE("a column that is shifted has the divisor of its range") {
  const Parts parts("min_max");
  CHECK(Features(*parts.features, 1).weight_name(2) == "x1 (/ 7) (- -1, / 2), label half (/ 2) 0");
  CHECK(parts.unit_of(2).name == "x1 (/ 7), label half (/ 2) 0");
  CHECK(parts.unit_of(2).divisor == 2.0);
}

TEST_CASE("a bias, a column that is left out and a scale of each example have no divisor") {
  const Parts parts("min_max");
  CHECK_FALSE(parts.unit_of(4).divisor.has_value());  // the column is constant
  CHECK(parts.unit_of(6).name == "bias, label half (/ 2) 0");
  CHECK_FALSE(parts.unit_of(6).divisor.has_value());
  CHECK_FALSE(Parts("min_max_by_query").unit_of(0).divisor.has_value());
}

TEST_CASE("a feature or weight that does not exist is refused") {
  const Parts parts("max_abs");
  const auto* scales = parts.dataset->extension<sculpt_ext_column_scale>();
  const auto* columns = parts.features->extension<sculpt_ext_weight_column>();
  REQUIRE(scales != nullptr);
  REQUIRE(columns != nullptr);
  for (const std::int64_t feature : {-1, 3, 1000000}) {
    CAPTURE(feature);
    sculpt_column_scale scale{sizeof scale, 0, 0, 0};
    CHECK(scales->scale(parts.dataset->self(), feature, &scale, nullptr) == SCULPT_E_INVALID);
    CHECK(scales->name(parts.dataset->self(), feature, nullptr, nullptr) == SCULPT_E_INVALID);
  }
  for (const std::int64_t weight : {-1, 8, 1000000}) {
    CAPTURE(weight);
    std::int64_t column = 0;
    CHECK(columns->column(parts.features->self(), weight, &column, nullptr) == SCULPT_E_INVALID);
  }
}

TEST_CASE("weights of other blocks have no column") {
  const sculpt::SiteWeights block(2, 3, true, 10);  // the weights 10 .. 18
  CHECK(block.column(10) == 0);
  CHECK(block.column(15) == 1);
  for (const std::int64_t weight : {0, 9, 16, 18, 19}) CHECK(block.column(weight) == -1);
  CHECK(sculpt::SiteWeights().column(0) == -1);
}

TEST_CASE("components without the extension do not offer units") {
  const auto points = stub::loaded("points", "0 1 2\n1 2 1\n");
  stub::bind_and_seal(*points);
  const auto features = stub::create(SCULPT_KIND_FEATURES, "sequence");
  stub::bind_and_seal(*features, points.get());
  CHECK_FALSE(WeightUnits(*points, *features).is_offered());
  CHECK_FALSE(WeightUnits(*Parts("max_abs").dataset, *features).is_offered());
}

}  // namespace
}  // namespace sculpt::core
