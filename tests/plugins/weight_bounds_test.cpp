// The parameter `nonnegative` of chain: the weights that it bounds, and its refusals.
#include <doctest/doctest.h>

#include "count_calls.hpp"

#include <algorithm>

using namespace plugin_test;
using nlohmann::json;

namespace {

// The features chain on two labels and three inputs.
struct BoundChain {
  explicit BoundChain(const json& parameters) : dataset("letters"), chain("chain", parameters) {
    dataset.load("train", "1 0 0 a 1 101\n1 0 1 b 0 010\n");
    dataset.bind(nullptr);
    dataset.seal();
    chain.bind(&dataset);
    chain.seal();
  }
  LiveComponent dataset;
  LiveComponent chain;
};

// The names of the bounded weights. weight_name() splits the weights by independent code.
Names bounded(const json& groups) {
  const BoundChain bound({{"bias", true}, {"start_end", true}, {"nonnegative", groups}});
  const std::vector<std::uint8_t> nonnegative = weight_bounds(bound.chain);
  Names names;
  for (std::size_t j = 0; j < nonnegative.size(); ++j) {
    REQUIRE(nonnegative[j] <= 1);
    if (nonnegative[j] == 1) {
      names.push_back(weight_name(bound.chain, static_cast<std::int64_t>(j)));
    }
  }
  return names;
}

}  // namespace

TEST_CASE("chain bounds the weights of each group that nonnegative names, and no others") {
  CHECK(bounded({"nodes"}) == Names{"pixel 0, label a", "pixel 0, label b", "pixel 1, label a",
                                    "pixel 1, label b", "pixel 2, label a", "pixel 2, label b"});
  CHECK(bounded({"bias"}) == Names{"bias, label a", "bias, label b"});
  CHECK(bounded({"transitions"}) ==
        Names{"transition a->a", "transition a->b", "transition b->a", "transition b->b"});
  CHECK(bounded({"start"}) == Names{"start a", "start b"});
  CHECK(bounded({"end"}) == Names{"end a", "end b"});
  CHECK(bounded({"end", "bias", "end"}) ==
        Names{"bias, label a", "bias, label b", "end a", "end b"});
  CHECK(bounded({"nodes", "bias", "transitions", "start", "end"}).size() == 16);
}

TEST_CASE("chain of order two bounds its triples as a separate group") {
  const BoundChain bound({{"bias", false}, {"order", 2}, {"nonnegative", {"transitions2"}}});
  std::vector<std::uint8_t> expected(6 + 4 + 8);
  std::fill(expected.begin() + 10, expected.end(), std::uint8_t{1});
  CHECK(weight_bounds(bound.chain) == expected);
  const BoundChain ends({{"order", 2}, {"start_end", true}, {"nonnegative", {"end"}}});
  const std::vector<std::uint8_t> bounds = weight_bounds(ends.chain);
  CHECK(std::count(bounds.begin(), bounds.end(), 1) == 2);
}

TEST_CASE("chain without bias and edges bounds the remaining weights") {
  const BoundChain bound({{"bias", false}, {"nonnegative", {"transitions"}}});
  CHECK(weight_bounds(bound.chain) == std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("chain offers weight bounds only if nonnegative names a group") {
  const auto offers = [](const json& groups) {
    return bounds_weights(BoundChain(json{{"nonnegative", groups}}).chain);
  };
  CHECK(offers({"nodes"}));
  CHECK_FALSE(offers(json::array()));
  CHECK_FALSE(bounds_weights(BoundChain(json::object()).chain));
}

TEST_CASE("chain refuses to bound a group that is switched off") {
  const auto refusal = [](const json& parameters) -> std::string {
    try {
      const LiveComponent chain("chain", parameters);
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_PARAMETER);
      return failure.what();
    }
    return "accepted";
  };
  CHECK(refusal({{"nonnegative", {"nodes", "start"}}}) ==
        "nonnegative names 'start', but there are no such weights without \"start_end\": true; set "
        "it, or remove the group");
  CHECK(refusal({{"nonnegative", {"end"}}}) ==
        "nonnegative names 'end', but there are no such weights without \"start_end\": true; set "
        "it, or remove the group");
  CHECK(refusal({{"bias", false}, {"nonnegative", {"bias"}}}) ==
        "nonnegative names 'bias', but there are no such weights without \"bias\": true; set it, "
        "or remove the group");
  CHECK(refusal({{"nonnegative", {"transitions2"}}}) ==
        "nonnegative names 'transitions2', but there are no such weights without \"order\": 2; set "
        "it, or remove the group");
  CHECK(refusal({{"bias", false}, {"nonnegative", {"nodes"}}}) == "accepted");
}
