// "did you mean": the nearest known name to a misspelled one.

#include "base/text/nearest_name.hpp"

#include <doctest/doctest.h>

using sculpt::core::edit_distance;
using sculpt::core::nearest_name;
using sculpt::core::suggest_name;

TEST_CASE("edit distance counts insertions, deletions, substitutions and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "") == 3);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("viterbi", "viterbi") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("max_pases", "max_passes") == 1);
  CHECK(edit_distance("sovler", "solver") == 1);
  CHECK(edit_distance("ca", "abc") == 3);  // optimal string alignment, not Damerau's 2
}

TEST_CASE("the nearest name is found for typical misspellings") {
  const std::vector<std::string> known = {"epsilon", "max_passes", "max_seconds", "C"};
  CHECK(nearest_name("max_pases", known) == "max_passes");
  CHECK(nearest_name("max-passes", known) == "max_passes");
  CHECK(nearest_name("Epsilon", known) == "epsilon");
  CHECK(nearest_name("c", known) == "C");
  CHECK(nearest_name("max_second", known) == "max_seconds");
}

TEST_CASE("an abbreviation finds the name whose words have its letters as initials") {
  const std::vector<std::string> known = {"ndcg", "pair_error", "mean_average_precision"};
  CHECK(nearest_name("map", known) == "mean_average_precision");
  CHECK(nearest_name("MAP", known) == "mean_average_precision");
  CHECK(nearest_name("pe", known) == "pair_error");
  CHECK_FALSE(nearest_name("m", known));
  CHECK(nearest_name("ndg", known) == "ndcg");  // a near name comes first
}

TEST_CASE("a name without any similarity has no nearest name") {
  CHECK_FALSE(nearest_name("x", {"C"}));
  CHECK_FALSE(nearest_name("regularisation", {"C", "epsilon"}));
  CHECK_FALSE(nearest_name("", {"C"}));
  CHECK_FALSE(nearest_name("ab", {"cd"}));
  CHECK_FALSE(nearest_name(std::string(100000, 'x'), {"C"}));
}

TEST_CASE("the nearest name is the first one of equally near names") {
  CHECK(nearest_name("tost", {"test", "toast"}) == "test");
}

TEST_CASE("a suggestion lists all known names if none is near") {
  CHECK(suggest_name("lambda", {"C", "epsilon"}) == "known: \"C\", \"epsilon\"");
  CHECK(suggest_name("epsilo", {"C", "epsilon"}) == "did you mean \"epsilon\"?");
  CHECK(suggest_name("C", {}) == "there are none");
}
