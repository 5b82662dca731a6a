// Two lists matched by their names.

#include "command/comparison/name_match.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace sculpt::core;

namespace {

NameList list_of(const std::vector<std::string>& names) {
  return {static_cast<std::int64_t>(names.size()),
          [&names](std::int64_t k) { return names[static_cast<std::size_t>(k)]; }};
}

}  // namespace

TEST_CASE("names in another order find each other, and what is left over is told") {
  const std::vector<std::string> a{"x", "y", "z", "w"};
  const std::vector<std::string> b{"z", "v", "x"};
  const NameMatch match = match_names(list_of(a), list_of(b));
  CHECK(match.mate == std::vector<std::int64_t>{2, -1, 0, -1});
  CHECK(match.only_b == std::vector<std::int64_t>{1});
  CHECK_FALSE(match.is_same_order);
  CHECK(match_names(list_of(a), list_of(a)).is_same_order);
}

TEST_CASE("names that occur several times are matched in their order") {
  const std::vector<std::string> a{"x", "y", "x", "x"};
  const std::vector<std::string> b{"y", "x", "x"};
  const NameMatch match = match_names(list_of(a), list_of(b));
  CHECK(match.mate == std::vector<std::int64_t>{1, 0, 2, -1});
  CHECK(match.only_b.empty());
}

TEST_CASE("shuffled names are matched as by a search through the list") {
  std::mt19937 random(7);
  std::vector<std::string> a;
  for (int k = 0; k < 300; ++k) a.push_back("name " + std::to_string(k));
  std::vector<std::string> b = a;
  b.resize(200);
  for (int k = 0; k < 50; ++k) b.push_back("other " + std::to_string(k));
  std::shuffle(a.begin(), a.end(), random);
  std::shuffle(b.begin(), b.end(), random);
  const NameMatch match = match_names(list_of(a), list_of(b));
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto found = std::find(b.begin(), b.end(), a[k]);
    CHECK(match.mate[k] == (found == b.end() ? -1 : found - b.begin()));
  }
  CHECK(match.only_b.size() == 50);
}
