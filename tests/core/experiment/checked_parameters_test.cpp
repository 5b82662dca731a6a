// CheckedParameters: values of an experiment against the declared parameters of a component.

#include "experiment/checked_parameters.hpp"

#include <doctest/doctest.h>
#include <sculpt/cpp/parameters.hpp>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/infinity.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

constexpr sculpt_parameter entry(std::uint32_t type, const char* name, const char* fallback,
                                 double lower = -infinity, double upper = infinity,
                                 const char* choices = nullptr, const char* unit = nullptr) {
  return {type, 0, name, fallback, lower, upper, choices, unit, "A sentence.", nullptr, 0};
}

// One entry of each type.
constexpr std::array<sculpt_parameter, 10> table = {
    entry(SCULPT_PARAMETER_REAL, "C", nullptr, 0),
    entry(SCULPT_PARAMETER_REAL, "momentum", "0.5", 0, 1),
    entry(SCULPT_PARAMETER_INT, "max_passes", "100", 1, infinity, nullptr, "passes"),
    entry(SCULPT_PARAMETER_BOOL, "shuffle", "true"),
    entry(SCULPT_PARAMETER_TEXT, "label", "\"none\""),
    entry(SCULPT_PARAMETER_PATH, "lexicon", "null"),
    entry(SCULPT_PARAMETER_CHOICE, "rescaling", "\"margin\"", 0, 0, "margin|slack"),
    entry(SCULPT_PARAMETER_JSON, "costs", "{}"),
    entry(SCULPT_PARAMETER_INT | SCULPT_PARAMETER_LIST, "widths", "[]", 0, 9),
    entry(SCULPT_PARAMETER_PATH | SCULPT_PARAMETER_LIST, "files", "null"),
};

JsonDocument document(const std::string& text) {
  return JsonDocument::parse(text, {"x.json", "/data"});
}

CheckedParameters checked(const std::string& text) {
  return CheckedParameters(table, document(text), "demo");
}

std::string refused_parameters(const std::string& text) {
  const Refusal refusal = refusal_of([&] { checked(text); });
  CHECK((refusal.exit == Exit::reached || refusal.exit == Exit::config));
  return refusal.text;
}

// Returns the refusal of {"name": value} by a table with one parameter of this name.
std::string refused_value(const sculpt_parameter& parameter, const std::string& value) {
  return refusal_of([&] {
           CheckedParameters({&parameter, 1},
                             document("{\"" + std::string(parameter.name) + "\": " + value + "}"),
                             "demo");
         })
      .text;
}

}  // namespace

TEST_CASE("values come from the experiment, in the order of the table") {
  const CheckedParameters parameters = checked(
      R"({"files": ["a", "/b/../c"], "widths": [3, 4], "costs": {"z": [1, null], "a": 2},
          "rescaling": "slack", "lexicon": "words/../x.txt", "label": "l\u00e4", "shuffle": false,
          "max_passes": 7, "momentum": 1, "C": 2.5})");
  const auto values = parameters.values();
  REQUIRE(values.size() == table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    CHECK(values[i].type == table[i].type);
    CHECK(values[i].is_default == 0);
    CHECK(&parameters.value(table[i].name) == &values[i]);
  }
  CHECK(values[0].real == 2.5);
  CHECK(values[1].real == 1);
  CHECK(values[2].integer == 7);
  CHECK(values[2].real == 7);
  CHECK(values[3].integer == 0);
  CHECK(std::string(values[4].text) == "l\xC3\xA4");
  CHECK(std::string(values[5].text) == "/data/x.txt");
  CHECK(std::string(values[6].text) == "slack");
  CHECK(values[6].integer == 1);
  CHECK(std::string(values[7].text) == R"({"z":[1,null],"a":2})");
  REQUIRE(values[8].item_count == 2);
  CHECK(values[8].items[0].type == SCULPT_PARAMETER_INT);
  CHECK(values[8].items[1].integer == 4);
  REQUIRE(values[9].item_count == 2);
  CHECK(std::string(values[9].items[0].text) == "/data/a");
  CHECK(std::string(values[9].items[1].text) == "/c");
}

TEST_CASE("defaults fill in what the experiment leaves out") {
  const CheckedParameters parameters = checked(R"({"C": 1})");
  CHECK(parameters.value("C").is_default == 0);
  CHECK(parameters.value("momentum").is_default == 1);
  CHECK(parameters.value("momentum").real == 0.5);
  CHECK(parameters.value("max_passes").integer == 100);
  CHECK(parameters.value("shuffle").integer == 1);
  CHECK(std::string(parameters.value("label").text) == "none");
  CHECK(parameters.value("rescaling").integer == 0);
  CHECK(std::string(parameters.value("costs").text) == "{}");
  CHECK(parameters.value("widths").item_count == 0);
  CHECK(parameters.value("widths").items != nullptr);
}

TEST_CASE("the default null makes a key optional, and null may be written for it") {
  std::vector<sculpt_parameter> optional;
  for (sculpt_parameter parameter : table) {
    parameter.fallback = "null";
    optional.push_back(parameter);
  }
  for (const std::string text : {"{}", R"({"C": null, "max_passes": null, "widths": null})"}) {
    const CheckedParameters parameters(optional, document(text), "demo");
    for (const sculpt_value& value : parameters.values()) {
      CHECK(value.is_default == 1);
      CHECK(std::isnan(value.real));
      CHECK(value.integer == -1);
      CHECK(value.text == nullptr);
      CHECK(value.items == nullptr);
      CHECK(value.item_count == 0);
    }
    CHECK(parameters.resolved()["C"].is_null());
  }
  CHECK(refused_parameters(R"({"C": null})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not null");
}

TEST_CASE("paths are neither read from a model nor written to one, whatever their default") {
  std::vector<sculpt_parameter> paths;
  for (const char* fallback : {static_cast<const char*>(nullptr), "null", "\"/etc/hosts\""}) {
    paths.push_back(entry(SCULPT_PARAMETER_PATH, "lexicon", fallback));
    const CheckedParameters unset(paths, document("{}"), "demo", PathValues::unset);
    CHECK(unset.value("lexicon").text == nullptr);
    CHECK(unset.value("lexicon").is_default == 1);
    const Refusal refusal = refusal_of([&] {
      CheckedParameters(paths, document(R"({"lexicon": "a"})"), "demo", PathValues::unset);
    });
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.says("must not contain paths, such as \"lexicon\" of demo"));
    paths.clear();
  }
  const CheckedParameters given = checked(R"({"C": 1, "lexicon": "a.txt", "files": ["b.txt"]})");
  const std::string text = given.resolved_without_paths().dump();
  CHECK(text.find("txt") == std::string::npos);
  CHECK(text.find("lexicon") == std::string::npos);
  const CheckedParameters again(table, document(text), "demo", PathValues::unset);
  CHECK(again.value("files").items == nullptr);
  CHECK(again.value("C").real == 1);
}

TEST_CASE(
    "the resolved object has all keys in the order of the table, and a second check keeps it") {
  const CheckedParameters parameters =
      checked(R"({"widths": [2.0], "C": "inf", "max_passes": 1e3, "lexicon": "a.txt"})");
  const std::string resolved = parameters.resolved().dump();
  CHECK(resolved ==
        R"({"C":"inf","momentum":0.5,"max_passes":1000,"shuffle":true,"label":"none",)"
        R"("lexicon":"/data/a.txt","rescaling":"margin","costs":{},"widths":[2],"files":null})");
  CHECK(checked(resolved).resolved().dump() == resolved);
}

TEST_CASE("texts and items keep their addresses if the values are moved") {
  CheckedParameters first = checked(R"({"C": 1, "label": "short", "files": ["a", "b"]})");
  const char* text = first.value("label").text;
  const sculpt_value* items = first.value("files").items;
  const CheckedParameters second = std::move(first);
  CHECK(second.value("label").text == text);
  CHECK(second.value("files").items == items);
  CHECK(std::string(second.value("files").items[1].text) == "/data/b");
}

TEST_CASE("an unknown key is refused with the nearest known one") {
  CHECK(refused_parameters("{\"C\": 1,\n  \"max_pases\": 3}") ==
        "x.json:2:3: unknown key \"max_pases\" of demo, did you mean \"max_passes\"?");
  CHECK(refused_parameters("{\"c\": 1}") ==
        "x.json:1:2: unknown key \"c\" of demo, did you mean \"C\"?");
}

TEST_CASE("an unknown key without a similar one is refused with the list of known keys") {
  CHECK(refused_parameters(R"({"C": 1, "temperature": 3})") ==
        "x.json:1:10: unknown key \"temperature\" of demo, known: \"C\", \"momentum\", "
        "\"max_passes\", \"shuffle\", \"label\", \"lexicon\", \"rescaling\", \"costs\", "
        "\"widths\", \"files\"");
  CHECK(refusal_of([] { CheckedParameters({}, document("{\"a\": 1}"), "demo"); }).text ==
        "x.json:1:2: unknown key \"a\" of demo, there are none");
}

TEST_CASE("a missing required key is refused at the position of its section") {
  CHECK(refused_parameters("\n {}") ==
        "x.json:2:2: the key \"C\" of demo is missing, it must be a number of at least 0 or "
        "\"inf\": A sentence.");
}

TEST_CASE("text in place of a number is refused, even if it begins with a number") {
  CHECK(refused_parameters(R"({"C": "10abc"})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not the text \"10abc\"");
  CHECK(refused_parameters(R"({"C": "10"})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not the text \"10\"");
}

TEST_CASE("numbers out of their range are refused with the range") {
  CHECK(refused_parameters(R"({"C": -1})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not the number -1");
  CHECK(refused_parameters(R"({"C": 1, "momentum": 1.5})") ==
        "x.json:1:22: \"momentum\" must be a number from 0 to 1, not the number 1.5");
  CHECK(refused_parameters(R"({"C": 1, "max_passes": 0})") ==
        "x.json:1:24: \"max_passes\" must be a whole number (passes) of at least 1, not the number "
        "0");
  CHECK(refused_value(entry(SCULPT_PARAMETER_REAL, "x", "1", -infinity, 2.5), "3") ==
        "x.json:1:7: \"x\" must be a number of at most 2.5, not the number 3");
  CHECK(refused_value(entry(SCULPT_PARAMETER_REAL, "x", "1", 5e-324, infinity), "0") ==
        "x.json:1:7: \"x\" must be a number above 0 or \"inf\", not the number 0");
}

TEST_CASE("inf is a number only if the range has no upper limit") {
  CHECK(checked(R"({"C": "inf"})").value("C").real == infinity);
  CHECK(refused_parameters(R"({"C": 1, "momentum": "inf"})") ==
        "x.json:1:22: \"momentum\" must be a number from 0 to 1, not the text \"inf\"");
  CHECK(refused_parameters(R"({"C": 1, "max_passes": "inf"})") ==
        "x.json:1:24: \"max_passes\" must be a whole number (passes) of at least 1, not the text "
        "\"inf\"");
  CHECK(refused_parameters(R"({"C": "-inf"})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not the text \"-inf\"");
}

TEST_CASE("NaN cannot be written") {
  CHECK(refused_parameters(R"({"C": NaN})") ==
        "x.json:1:7: NaN cannot be written; leave the key out or give a number");
  CHECK(refused_parameters(R"({"C": "nan"})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not the text \"nan\"");
}

TEST_CASE("fractions are refused as whole numbers") {
  CHECK(refused_parameters(R"({"C": 1, "max_passes": 1.5})") ==
        "x.json:1:24: \"max_passes\" must be a whole number (passes) of at least 1, not the number "
        "1.5");
}

TEST_CASE("whole numbers must fit into 64 bits") {
  const sculpt_parameter any = entry(SCULPT_PARAMETER_INT, "x", "1");
  const auto integer = [&](const std::string& value) {
    return CheckedParameters({&any, 1}, document("{\"x\": " + value + "}"), "demo")
        .value("x")
        .integer;
  };
  CHECK(integer("9223372036854775807") == INT64_MAX);
  CHECK(integer("-9223372036854775808") == INT64_MIN);
  CHECK(integer("9007199254740993") == 9007199254740993);
  CHECK(integer("-0") == 0);
  CHECK(refused_value(any, "9223372036854775808") ==
        "x.json:1:7: \"x\" must be a whole number, not the number 9223372036854775808, which does "
        "not fit into 64 bits");
  CHECK(refused_value(any, "-99999999999999999999") ==
        "x.json:1:7: \"x\" must be a whole number, not the number -1e+20, which does not fit into "
        "64 bits");
}

TEST_CASE("values of the wrong type are refused with what was found") {
  CHECK(refused_parameters(R"({"C": [1]})") ==
        "x.json:1:7: \"C\" must be a number of at least 0 or \"inf\", not a list");
  CHECK(refused_parameters(R"({"C": 1, "shuffle": 1})") ==
        "x.json:1:21: \"shuffle\" must be true or false, not the number 1");
  CHECK(refused_parameters(R"({"C": 1, "label": true})") ==
        "x.json:1:19: \"label\" must be text in double quotes, not true");
  CHECK(refused_parameters(R"({"C": 1, "lexicon": {}})") ==
        "x.json:1:21: \"lexicon\" must be a path in double quotes, not an object");
  CHECK(refused_parameters(R"({"C": 1, "lexicon": ""})") ==
        "x.json:1:21: \"lexicon\" must be a path in double quotes, not the text \"\"");
  CHECK(refused_parameters(R"({"C": 1, "label": null})") ==
        "x.json:1:19: \"label\" must be text in double quotes, not null");
}

TEST_CASE("an unknown choice is refused with the choices and the nearest") {
  CHECK(refused_parameters(R"({"C": 1, "rescaling": "slak"})") ==
        "x.json:1:23: \"rescaling\" must be one of \"margin\", \"slack\", not the text \"slak\", "
        "did you mean \"slack\"?");
  CHECK(refused_parameters(R"({"C": 1, "rescaling": 1})") ==
        "x.json:1:23: \"rescaling\" must be one of \"margin\", \"slack\", not the number 1");
}

TEST_CASE("a choice that is a number may be written as one") {
  const sculpt_parameter neighbours =
      entry(SCULPT_PARAMETER_CHOICE, "neighbours", "\"4\"", 0, 0, "4|8");
  const CheckedParameters checked({&neighbours, 1}, document(R"({"neighbours": 8})"), "demo");
  CHECK(std::string(checked.values()[0].text) == "8");
  CHECK(checked.values()[0].integer == 1);
  CHECK(checked.resolved()["neighbours"] == "8");
}

TEST_CASE("lists are checked item by item") {
  CHECK(refused_parameters(R"({"C": 1, "widths": 3})") ==
        "x.json:1:20: \"widths\" must be a list [...], each item a whole number from 0 to 9, not "
        "the number 3");
  CHECK(refused_parameters("{\"C\": 1, \"widths\": [3,\n 10]}") ==
        "x.json:2:2: item 2 of \"widths\" must be a whole number from 0 to 9, not the number 10");
}

TEST_CASE("text with a NUL character is refused, because it would end early in a plugin") {
  CHECK(refused_parameters(R"({"C": 1, "label": "a\u0000b"})") ==
        "x.json:1:19: \"label\" must not contain the character \\u0000");
}

TEST_CASE("a section that is not an object is refused") {
  CHECK(refused_parameters("[]") == "x.json:1:1: demo must be an object { ... }, not a list");
}

TEST_CASE("a default that breaks its own declaration is an error of the plugin") {
  const auto refusal = [](const sculpt_parameter& parameter) {
    return refusal_of([&] { CheckedParameters({&parameter, 1}, document("{}"), "demo"); });
  };
  const Refusal range = refusal(entry(SCULPT_PARAMETER_INT, "k", "0", 1));
  CHECK(range.exit == Exit::plugin);
  CHECK(range.text ==
        "demo: the default of \"k\":1:1: \"k\" must be a whole number of at least 1, not the "
        "number 0");
  CHECK(refusal(entry(SCULPT_PARAMETER_TEXT, "k", "margin")).exit == Exit::plugin);
  CHECK(refusal(entry(99, "k", "1")).exit == Exit::plugin);
}

namespace {

// "depth" needs kernel "tree", "decay" needs any schedule; "old" is deprecated.
constexpr std::array<sculpt_parameter, 5> conditional_table = {
    sculpt::choice("kernel", "\"linear\"", "linear|tree", "A sentence."),
    sculpt::needs(sculpt::integer("depth", "3", 1, 9, "A sentence."), "kernel=\"tree\""),
    sculpt::text("schedule", "null", "A sentence."),
    sculpt::needs(sculpt::real("decay", "0.5", 0, 1, "A sentence."), "schedule"),
    sculpt::deprecated(sculpt::integer("old", "0", 0, 9, "Set depth instead.")),
};

CheckedParameters conditional(const std::string& text) {
  return CheckedParameters(conditional_table, document(text), "demo");
}
std::string refused_condition(const std::string& text) {
  return refusal_of([&] { conditional(text); }).text;
}

}  // namespace

TEST_CASE("a key that needs another one is refused without it, and accepted at its default") {
  CHECK(
      refused_condition(R"({"depth": 4})") ==
      "x.json:1:11: \"depth\" of demo has no effect here; set \"kernel\" to \"tree\" too, or leave "
      "it out");
  CHECK(refused_condition(R"({"kernel": "linear", "depth": 4})").starts_with("x.json:1:31: "));
  CHECK(refused_condition(R"({"decay": 0.25, "schedule": null})") ==
        "x.json:1:11: \"decay\" of demo has no effect here; set \"schedule\" too, or leave it out");
  for (const char* accepted : {R"({"kernel": "tree", "depth": 4})", R"({"depth": 3})",
                               R"({"depth": 3.0})", R"({"schedule": "fast", "decay": 0.25})"}) {
    CAPTURE(accepted);
    const CheckedParameters checked = conditional(accepted);
    CHECK(conditional(checked.resolved().dump()).resolved() == checked.resolved());
  }
}

TEST_CASE("a model, which holds no paths, keeps a key that needs a path") {
  const std::array<sculpt_parameter, 2> table_with_path = {
      sculpt::path("lexicon", "null", "A sentence."),
      sculpt::needs(sculpt::integer("window", "2", 0, 9, "A sentence."), "lexicon")};
  const auto read = [&](const std::string& text, PathValues paths) {
    return CheckedParameters(table_with_path, document(text), "demo", paths);
  };
  const CheckedParameters trained =
      read(R"({"lexicon": "words.txt", "window": 5})", PathValues::read);
  const std::string in_model = trained.resolved_without_paths().dump();
  CHECK(read(in_model, PathValues::unset).value("window").integer == 5);
  CHECK(refusal_of([&] { read(in_model, PathValues::read); }).exit == Exit::config);
}

TEST_CASE("a deprecated key is warned about, with its summary, if it is not at its default") {
  CHECK(conditional(R"({"old": 4})").warnings() ==
        std::vector<std::string>{"the key \"old\" of demo is deprecated: Set depth instead."});
  CHECK(conditional(R"({"old": 0})").warnings().empty());
  CHECK(conditional(R"({})").warnings().empty());
}
