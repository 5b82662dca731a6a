// Which components could take the place of one that does not fit.

#include "registry/alternatives.hpp"

#include <doctest/doctest.h>
#include <sculpt/kinds.h>

using namespace sculpt::core;

TEST_CASE("alternatives are what the small experiments pair with the dataset and the features") {
  std::vector<LibraryListing> libraries(2);
  libraries[0].pairings = {{"rows", "classes", "zero_one", {"all"}},
                           {"rows", "classes", "costs", {"all"}},
                           {"words", "chain", "hamming", {"viterbi", "icm"}}};
  libraries[1].pairings = {{"words", "chain", "zero_one", {"lp"}},
                           {"letters", "chain", "f1", {"lp"}},
                           {"rows", "tree", "", {"all"}}};
  using Names = std::vector<std::string>;
  CHECK(alternatives(libraries, SCULPT_KIND_LOSS, "words", "chain") ==
        Names{"hamming", "zero_one"});
  CHECK(alternatives(libraries, SCULPT_KIND_LOSS, "rows", "classes") == Names{"costs", "zero_one"});
  CHECK(alternatives(libraries, SCULPT_KIND_ORACLE, "words", "chain") ==
        Names{"icm", "lp", "viterbi"});
  CHECK(alternatives(libraries, SCULPT_KIND_FEATURES, "rows", "chain") == Names{"classes", "tree"});
  // No experiment has this dataset: those of the features.
  CHECK(alternatives(libraries, SCULPT_KIND_LOSS, "mine", "chain") ==
        Names{"f1", "hamming", "zero_one"});
  CHECK(alternatives(libraries, SCULPT_KIND_DATASET, "rows", "chain").empty());
}
