// The patterns of CRF++ and Wapiti in the dataset conll: their attributes, the stored state, and
// refusals with their places.
#include <doctest/doctest.h>

#include "attribute_names.hpp"
#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const std::string three_words =
    "In IN O\n"
    "Boeing NNP O\n"
    "fly VBP O\n";

// All attributes that the patterns give, in the order of first appearance.
Names pattern_attributes(const json& patterns, const std::string& text = three_words) {
  return attribute_names({{"patterns", patterns}}, text);
}

std::string refused_patterns(const json& patterns) {
  return refused_data("conll", three_words, "", {{"patterns", patterns}});
}

}  // namespace

TEST_CASE("a pattern is replaced by its text and the values of columns near the token") {
  CHECK(pattern_attributes({"U01:%x[0,0]"}) == Names{"U01:In", "U01:Boeing", "U01:fly"});
  CHECK(pattern_attributes({"U02:%x[-1,0]/%x[0,1]!"}) ==
        Names{"U02:_B-1/IN!", "U02:In/NNP!", "U02:Boeing/VBP!"});
  CHECK(pattern_attributes({"u%X[0,0]"}) == Names{"uin", "uboeing", "ufly"});
}

TEST_CASE("rows outside the sentence give _B-1 and _B+1 as in CRF++") {
  CHECK(pattern_attributes({"U:%x[-2,0]"}) == Names{"U:_B-2", "U:_B-1", "U:In"});
  CHECK(pattern_attributes({"U:%x[+2,0]"}) == Names{"U:fly", "U:_B+1", "U:_B+2"});
}

TEST_CASE("patterns skip blank lines and comments, and keep the sign # inside a word") {
  CHECK(pattern_attributes({"# Unigram", "", "  ", "U1:%x[0,1] # the tag", "  U#:%x[0,1]  "}) ==
        Names{"U1:IN", "U#:IN", "U1:NNP", "U#:NNP", "U1:VBP", "U#:VBP"});
}

TEST_CASE("B without values gives no attribute, and * without values a constant") {
  CHECK(pattern_attributes({"B", "B01", "U:%x[0,0]"}) == pattern_attributes({"U:%x[0,0]"}));
  CHECK(pattern_attributes({"*", "U07"}) == Names{"*", "U07"});
}

TEST_CASE("patterns with the same text share attributes, whose value is how often they occur") {
  LiveComponent dataset("conll", {{"patterns", {"U:%x[0,0]", "U:%x[1,0]"}}});
  dataset.load("train", "a X O\na X O\nb X O\n");
  CHECK(shape_of(dataset).feature_count == 3);  // a, b, _B+1
  const sculpt_sites sites = sites_of(dataset, 0);
  CHECK(sites.row_from[1] == 1);
  CHECK(sites.value[0] == 2);
  CHECK(sites.row_from[2] == 3);
  CHECK(sites.value[1] == 1);
}

TEST_CASE("patterns and templates give the same rows, and both count unknown words") {
  LiveComponent patterns("conll", {{"patterns", {"U00:%x[0,0]", "U01:%x[-1,0]/%x[0,1]"}}});
  LiveComponent templates("conll", {{"templates", {"w[0]", "w[-1]|pos[0]"}}});
  for (LiveComponent* dataset : {&patterns, &templates}) {
    dataset->load("train", three_words);
    dataset->load("test", "In IN O\nAirbus NNP O\n");
  }
  CHECK(patterns.log() == templates.log());
  for (std::int64_t example : {0, 1}) {
    const sculpt_sites one = sites_of(patterns, example);
    const sculpt_sites other = sites_of(templates, example);
    REQUIRE(one.row_from[one.site_count] == other.row_from[other.site_count]);
    for (std::int64_t j = 0; j < one.row_from[one.site_count]; ++j) {
      CHECK(one.index[j] == other.index[j]);
    }
  }
}

TEST_CASE("a model keeps its patterns, and refuses others") {
  const json parameters = {{"columns", {"form", "tag"}}, {"patterns", {"U:%x[0,0]/%x[1,1]"}}};
  LiveComponent learned("conll", parameters);
  learned.load("train", three_words);
  // A model has no paths: its patterns may have been in a file.
  for (const json& given : {parameters, json{{"columns", {"form", "tag"}}}}) {
    LiveComponent restored("conll", given);
    restored.restore(learned.save());
    restored.load("predict", "Boeing NNP\nfly VBP\n");
    CHECK(sites_of(restored, 0).row_from[2] == 2);
    CHECK(restored.save() == learned.save());
  }
  LiveComponent other("conll", {{"columns", {"form", "tag"}}, {"patterns", {"U:%x[0,0]"}}});
  CHECK_THROWS_WITH(other.restore(learned.save()),
                    "`patterns` cannot be changed once a model is trained, because the attributes "
                    "depend on it; set it as in training");
  LiveComponent by_templates("conll");
  by_templates.load("train", three_words);
  LiveComponent by_patterns("conll", {{"patterns", {"U:%x[0,0]"}}});
  CHECK_THROWS_WITH(by_patterns.restore(by_templates.save()),
                    "`patterns` cannot be changed once a model is trained, because the attributes "
                    "depend on it; set it as in training");
}

TEST_CASE("conll with patterns refuses a truncated state of any length") {
  LiveComponent learned("conll", {{"patterns", {"U:%x[0,0]"}}});
  learned.load("train", three_words);
  const std::string state = learned.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent restored("conll");
    CHECK_THROWS(restored.restore(state.substr(0, size)));
  }
}

TEST_CASE("patterns that are no attributes of tokens are refused by name") {
  const std::string transitions =
      "patterns with values that begin with B or * give transitions a weight for each value, which "
      "`chain` does not have; begin the pattern with U, or remove its values";
  CHECK(refused_patterns({"U00:%x[0,0]", "B01:%x[0,0]"}) == "patterns:2:5: " + transitions);
  CHECK(refused_patterns({"*:%x[0,0]"}) == "patterns:1:3: " + transitions);
  CHECK(refused_patterns({"U:%t[0,0,\"^A\"]"}) ==
        "patterns:1:3: %t needs regular expressions, which are not read; write its result into a "
        "column of the data, or use the functions of `templates`");
  CHECK(refused_patterns({"U:%M[0,0,\"^A\"]"}).find("patterns:1:3: %M needs regular") == 0);
  const std::string counted =
      " counts rows from the beginning, or from a number in the data, which is not read; write the "
      "distance of the row";
  CHECK(refused_patterns({"U:%x[@1,0]"}) == "patterns:1:6: @" + counted);
  CHECK(refused_patterns({"U:%x[*0,0]"}) == "patterns:1:6: *" + counted);
}

TEST_CASE("bad patterns are refused with their place") {
  CHECK(refused_patterns({"  w[0]"}) ==
        "patterns:1:3: 'w[0]' begins with neither U, B nor *; begin the pattern with U if it gives "
        "an attribute, such as U00:%x[0,0]");
  CHECK(refused_patterns({"U:%x[0,2]"}) ==
        "patterns:1:8: there is no column 2; the columns are 0 (w), 1 (pos); name more in "
        "`columns`");
  CHECK(refused_patterns({"U:%x[0,-1]"}).find("patterns:1:8: there is no column -1") == 0);
  CHECK(refused_patterns({"U:%x[101,0]"}) ==
        "patterns:1:6: the distance of the row is outside [-100, 100]");
  CHECK(refused_patterns({"U:%x[99999999999999999999,0]"}) ==
        "patterns:1:6: the distance of the row is outside [-100, 100]");
  CHECK(refused_patterns({"U:%x[,0]"}) == "patterns:1:6: a number is expected, as in %x[-1,0]");
  CHECK(refused_patterns({"U:%x"}) ==
        "patterns:1:5: '[' is expected, as in %x[-1,0]: the distance of a row and the number of a "
        "column");
  CHECK(refused_patterns({"U:%x[0;0]"}).find("patterns:1:7: ',' is expected") == 0);
  CHECK(refused_patterns({"U:%x[0,0"}).find("patterns:1:9: ']' is expected") == 0);
  CHECK(refused_patterns({"U:100%"}) ==
        "patterns:1:6: a value begins with %x or %X, such as %x[0,0]");
  CHECK(refused_patterns({"U:%x[0,0]", "", "U:%x[0,0]"}) ==
        "patterns:3:1: repeats the pattern of line 1; remove one");
  CHECK(refused_patterns({"# nothing", "B"}) ==
        "patterns:1:1: no pattern gives an attribute; write one that begins with U, such as "
        "U00:%x[0,0]");
}

TEST_CASE("patterns beside templates, or in two places, are refused") {
  CHECK(refused_conll_parameters({{"templates", {"w[0]"}}, {"patterns", {"U:%x[0,0]"}}}) ==
        "templates and patterns are both set; remove one of them");
  CHECK(refused_conll_parameters({{"pattern_file", "p.txt"}, {"patterns", {"U:%x[0,0]"}}}) ==
        "pattern_file and patterns are both set; remove one of them");
}
