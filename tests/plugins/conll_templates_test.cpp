// The templates of the dataset conll: the attributes that they give, and refused templates.
#include <doctest/doctest.h>

#include <set>

#include "attribute_names.hpp"
#include "live_component.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

const std::string sentence =
    "In IN O\n"
    "Boeing-747s NNS O\n"
    "fly VBP O\n";

// All attributes that the templates give for the text, in the order of first appearance.
Names attributes(const json& templates, const std::string& text = sentence) {
  return attribute_names({{"templates", templates}}, text);
}

std::string refused_templates(const json& templates) {
  return refused_conll_parameters({{"templates", templates}});
}

// The message for one template, without its beginning, which is the same for all.
std::string refusal_of_one(const std::string& text) {
  const std::string whole = refused_templates(json::array({text}));
  const std::string front = "templates: template 1, '" + text + "', ";
  CHECK(whole.substr(0, front.size()) == front);
  return whole.substr(std::min(whole.size(), front.size()));
}

}  // namespace

TEST_CASE("a template reads a column of a row near the token") {
  CHECK(attributes({"pos[1]"}) == Names{"pos[1]=NNS", "pos[1]=VBP", "pos[1]=end +1"});
  CHECK(attributes({"w[-1]"}) == Names{"w[-1]=begin -1", "w[-1]=In", "w[-1]=Boeing-747s"});
}

TEST_CASE("a range gives one template for each of its numbers") {
  const Names expected = attributes({"w[-1]", "w[0]", "w[1]", "w[2]"});
  CHECK(attributes({"w[-1..2]"}) == expected);
  CHECK(attributes({" w [ -1 .. +2 ] "}) == expected);
  CHECK(attributes({"prefix(w[0..1],1..2)"}) ==
        attributes({"prefix(w[0],1)", "prefix(w[0],2)", "prefix(w[1],1)", "prefix(w[1],2)"}));
  CHECK(attributes({"w[1..1]|pos[0]"}) == attributes({"w[1]|pos[0]"}));
}

TEST_CASE("a conjunction joins the values of its parts") {
  CHECK(attributes({"w[-1]|pos[0]|w[0]"}) == Names{"w[-1]|pos[0]|w[0]=begin -1 | IN | In",
                                                   "w[-1]|pos[0]|w[0]=In | NNS | Boeing-747s",
                                                   "w[-1]|pos[0]|w[0]=Boeing-747s | VBP | fly"});
  CHECK(attributes({"shape(w[0])|suffix(w[-1],1)"}, "A DT O\n12 CD O\n") ==
        Names{"shape(w[0])|suffix(w[-1],1)=X | begin -1", "shape(w[0])|suffix(w[-1],1)=d | A"});
}

TEST_CASE("positions beyond the sentence give their distance and differ from all real words") {
  CHECK(attributes({"w[-2]"}) == Names{"w[-2]=begin -2", "w[-2]=begin -1", "w[-2]=In"});
  CHECK(attributes({"w[2]"}) == Names{"w[2]=fly", "w[2]=end +1", "w[2]=end +2"});
  // Tokens that resemble such a position or a joined value, as far as a column allows.
  CHECK(attributes({"w[-1]"}, "begin X O\n-1 X O\nbegin-1 X O\nx X O\n") ==
        Names{"w[-1]=begin -1", "w[-1]=begin", "w[-1]=-1", "w[-1]=begin-1"});
  const Names pairs =
      attributes({"w[0]|w[1]"}, "a|b X O\nc X O\n\na X O\nb|c X O\n\na X O\n| X O\n");
  CHECK(std::set<std::string>(pairs.begin(), pairs.end()).size() == 6);
}

TEST_CASE("prefixes and suffixes count characters and need words of at least their length") {
  CHECK(attributes({"prefix(w[0],1..4)"}, "In IN O\n") ==
        Names{"prefix(w[0],1)=I", "prefix(w[0],2)=In"});
  CHECK(attributes({"suffix(w[0],3)"}) == Names{"suffix(w[0],3)=47s", "suffix(w[0],3)=fly"});
  CHECK(attributes({"prefix(w[0],2)", "suffix(w[0],2)"}, "\xC3\xA4\xE2\x82\xAC\xC3\xB6 NN O\n") ==
        Names{"prefix(w[0],2)=\xC3\xA4\xE2\x82\xAC", "suffix(w[0],2)=\xE2\x82\xAC\xC3\xB6"});
  CHECK(attributes({"prefix(w[1],3)", "w[0]"}, "In IN O\n") ==
        Names{"prefix(w[1],3)=end +1", "w[0]=In"});
}

TEST_CASE("shapes write a run of characters of one class once") {
  CHECK(attributes({"shape(w[0])"}) ==
        Names{"shape(w[0])=Xx", "shape(w[0])=Xx-dx", "shape(w[0])=x"});
  CHECK(attributes({"shape(w[0])"},
                   "U.S. X O\n1,234.50 X O\n-- X O\n\xC3\xA4\xC3\x9F"
                   "A X O\n") ==
        Names{"shape(w[0])=X.X.", "shape(w[0])=d,d.d", "shape(w[0])=-", "shape(w[0])=oX"});
}

TEST_CASE("lower changes only the letters of ASCII") {
  CHECK(attributes({"lower(w[0])"},
                   "McX-\xC3\x84"
                   "Z X O\n") == Names{"lower(w[0])=mcx-\xC3\x84z"});
}

TEST_CASE("the default templates are those of CRF++ for chunking") {
  LiveComponent dataset("conll");
  dataset.load("train", sentence);
  const sculpt_sites sites = sites_of(dataset, 0);
  Names names;
  for (std::int64_t j = sites.row_from[1]; j < sites.row_from[2]; ++j) {
    const std::string name = feature_name(dataset, sites.index[j]);
    names.push_back(name.substr(0, name.find('=')));
  }
  CHECK(std::set<std::string>(names.begin(), names.end()) ==
        std::set<std::string>{"w[-2]", "w[-1]", "w[0]", "w[1]", "w[2]", "w[-1]|w[0]", "w[0]|w[1]",
                              "pos[-2]", "pos[-1]", "pos[0]", "pos[1]", "pos[2]", "pos[-2]|pos[-1]",
                              "pos[-1]|pos[0]", "pos[0]|pos[1]", "pos[1]|pos[2]",
                              "pos[-2]|pos[-1]|pos[0]", "pos[-1]|pos[0]|pos[1]",
                              "pos[0]|pos[1]|pos[2]"});
  CHECK(names.size() == 19);
}

TEST_CASE("bad templates are refused with their place and the correct form") {
  CHECK(refusal_of_one("") == "character 1: a column is expected, such as w[0]");
  CHECK(refusal_of_one("w") ==
        "character 2: '[' is expected, then the distance of a row, such as w[0] or w[-2..2]");
  CHECK(refusal_of_one("w[0") == "character 4: ']' is expected");
  CHECK(refusal_of_one("w[]") == "character 3: a number is expected");
  CHECK(refusal_of_one("w[x]") == "character 3: a number is expected");
  CHECK(refusal_of_one("w[+-1]") == "character 3: a number is expected");
  CHECK(refusal_of_one("w[0..]") == "character 6: a number is expected");
  CHECK(refusal_of_one("w[101]") == "character 3: this distance is outside [-100, 100]");
  CHECK(refusal_of_one("w[-99999999999999999999]") ==
        "character 3: this distance is outside [-100, 100]");
  CHECK(refusal_of_one("w[2..-2]") == "character 3: the range is descending; swap its ends");
  CHECK(refusal_of_one("w[0] pos[0]") ==
        "character 6: the template should end here; join parts with |");
  CHECK(refusal_of_one("w[0]|") == "character 6: a column is expected, such as w[0]");
  CHECK(refusal_of_one("w[0]|tag[0]") ==
        "character 6: there is no column 'tag'; the columns are w, pos");
  CHECK(refusal_of_one("upper(w[0])") ==
        "character 1: there is no function 'upper'; the functions are lower, shape, prefix and "
        "suffix");
  CHECK(refusal_of_one("lower(shape(w[0]))") ==
        "character 7: there is no column 'shape'; the columns are w, pos");
  CHECK(refusal_of_one("lower(w[0]") == "character 11: ')' is expected");
  CHECK(refusal_of_one("lower(w[0],2)") == "character 11: ')' is expected");
  CHECK(refusal_of_one("prefix(w[0])") == "character 12: ',' is expected, then a length");
  CHECK(refusal_of_one("prefix(w[0],0..3)") == "character 13: this length is outside [1, 100]");
  CHECK(refusal_of_one("w[-1..1]|w[0]") ==
        "character 3: a range beside another part is ambiguous; write one template for each of its "
        "numbers");
  CHECK(refusal_of_one("pos[0]|prefix(w[0],1..2)") ==
        "character 20: a range beside another part is ambiguous; write one template for each of "
        "its numbers");
}

TEST_CASE("ranges that give a token too many attributes are refused") {
  CHECK(refused_templates({"prefix(w[1..50],1..100)", "suffix(w[1..50],1..100)"}) == "accepted");
  CHECK(refused_templates({"prefix(w[1..50],1..100)", "suffix(w[1..51],1..100)"}) ==
        "templates: template 2, 'suffix(w[1..51],1..100)', exceeds the limit of 10000 attributes "
        "for a token; shorten the ranges");
}

TEST_CASE("templates that repeat each other and an empty list are refused") {
  CHECK(refused_templates({"w[0]", "w[-1..1]"}) ==
        "templates: template 2, 'w[-1..1]', repeats the attribute w[0]; list each attribute once");
  CHECK(refused_templates({"w[0] | pos[0]", "w[0]|pos[+0]"}) ==
        "templates: template 2, 'w[0]|pos[+0]', repeats the attribute w[0]|pos[0]; list each "
        "attribute once");
  CHECK(refused_templates(json::array()) == "templates is empty; list an attribute, such as w[0]");
}
