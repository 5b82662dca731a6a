// The smallest and the largest value of a parameter at which every truth is still allowed.

#include "check/variants/limit_search.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

ParameterFacts longest(const std::string& current) {
  ParameterFacts parameter;
  parameter.key = "oracle.longest";
  parameter.current = current;
  parameter.is_integer = true;
  parameter.lower = 1;
  return parameter;
}

OutputFacts facts(const std::string& truths, std::vector<std::int64_t> output_counts) {
  OutputFacts facts;
  facts.truths = truths;
  facts.output_counts = std::move(output_counts);
  return facts;
}

}  // namespace

TEST_CASE("a value keeps the truths that were outputs, if it is not refused") {
  CHECK(keeps_truths(facts("io?", {}), {"", facts("ioo", {})}) == true);
  CHECK(keeps_truths(facts("ii", {}), {"", facts("io", {})}) == false);
  CHECK(keeps_truths(facts("ii", {}), {"", facts("ir", {})}) == false);
  CHECK(keeps_truths(facts("ii", {}), {"", facts("i", {})}) == false);
  CHECK(keeps_truths(facts("ii", {}), {"it is too small", {}}) == false);
}

TEST_CASE("a truth that there was no time to ask about is neither kept nor lost") {
  CHECK(keeps_truths(facts("ii", {}), {"", facts("i?", {})}) == std::nullopt);
  CHECK(keeps_truths(facts("iii", {}), {"", facts("?io", {})}) == false);
  const ParameterFacts parameter = longest("4");
  const OutputFacts unchanged = facts("ii", {8, 8});
  const VariantOutcome late{"", facts("i?", {2, 2})};
  const LimitSearch search(parameter, unchanged, 1, late);
  CHECK_FALSE(search.is_limit_of_truths());
  CHECK_FALSE(search.is_limit_of_outputs());
}

TEST_CASE("the limit of the truths is found by bisection") {
  const ParameterFacts parameter = longest("1000000");
  const OutputFacts unchanged = facts("ii", {8, 8});
  const VariantOutcome at_lower{"", facts("io", {2, 2})};
  const LimitSearch search(parameter, unchanged, 1, at_lower);
  CHECK(search.is_limit_of_truths());
  CHECK_FALSE(search.is_limit_of_outputs());
  int probes = 0;
  const auto fits = [&](std::int64_t value) -> std::optional<bool> {
    ++probes;
    return value >= 37;
  };
  CHECK(search.last_fitting(fits) == 37);
  CHECK(probes <= 20);
  const auto is_late = [](std::int64_t) -> std::optional<bool> { return std::nullopt; };
  CHECK_FALSE(search.last_fitting(is_late).has_value());
}

TEST_CASE("the limit is found between the ends of all whole numbers") {
  ParameterFacts parameter = longest(std::to_string(INT64_MAX));
  const OutputFacts unchanged = facts("ii", {8, 8});
  const VariantOutcome at_lower{"", facts("io", {2, 2})};
  const LimitSearch search(parameter, unchanged, -100, at_lower);
  const auto fits = [](std::int64_t value) -> std::optional<bool> {
    return value >= -100 && value >= 37;
  };
  CHECK(search.last_fitting(fits) == 37);
}

TEST_CASE("a limit that no truth reaches is a gap, if it changes the number of outputs") {
  const ParameterFacts parameter = longest("4");
  const OutputFacts unchanged = facts("ii", {8, -1});
  const VariantOutcome fewer{"", facts("ii", {2, 5})};
  const LimitSearch limit(parameter, unchanged, 1, fewer);
  CHECK(limit.is_limit_of_outputs());
  CHECK(limit.gap().find("the limit oracle.longest") != std::string::npos);
  const VariantOutcome equal{"", facts("ii", {8, -1})};
  CHECK_FALSE(LimitSearch(parameter, unchanged, 1, equal).is_limit_of_outputs());
  const VariantOutcome more{"", facts("ii", {9, -1})};
  CHECK_FALSE(LimitSearch(parameter, unchanged, 1, more).is_limit_of_outputs());
  VariantOutcome other_truths = fewer;
  other_truths.outputs.truth_hash = 1;
  CHECK_FALSE(LimitSearch(parameter, unchanged, 1, other_truths).is_limit_of_outputs());
}

TEST_CASE("the limit of truths that are lost at the upper end is the largest value that fits") {
  const ParameterFacts parameter = longest("2");
  const OutputFacts unchanged = facts("ii", {8, 8});
  const VariantOutcome at_upper{"", facts("oi", {2, 2})};
  const LimitSearch search(parameter, unchanged, 100, at_upper);
  CHECK(search.is_limit_of_truths());
  const auto fits = [](std::int64_t value) -> std::optional<bool> { return value <= 37; };
  CHECK(search.last_fitting(fits) == 37);
  const auto fits_always = [](std::int64_t) -> std::optional<bool> { return true; };
  CHECK(search.last_fitting(fits_always) == 99);
  const VariantOutcome refused{"it is too large", {}};
  CHECK_FALSE(LimitSearch(parameter, unchanged, 100, refused).is_limit_of_truths());
  CHECK(LimitSearch(parameter, unchanged, 1, refused).is_limit_of_truths());
  const VariantOutcome fewer{"", facts("ii", {2, 8})};
  const LimitSearch of_outputs(parameter, unchanged, 100, fewer);
  REQUIRE(of_outputs.is_limit_of_outputs());
  CHECK(of_outputs.gap().find("allowed at 100; add an example whose truth needs less") !=
        std::string::npos);
}
