// Overrides: --set KEY=VALUE on an experiment.

#include "experiment/overrides.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

// Keys that are declared: "ties" by viterbi and icm, "restarts" by icm, "C" by solvers, "folds" by
// datasets.
bool is_declared(const std::string& section, const std::string& use, const std::string& key) {
  if (section == "oracle" && use == "icm") return key == "ties" || key == "restarts";
  if (section == "oracle" && use == "viterbi") return key == "ties";
  if (section == "solver") return key == "C";
  if (section == "dataset") return key == "folds";
  return true;
}

JsonDocument overridden(const std::string& text, const std::vector<std::string>& sets) {
  JsonDocument document = JsonDocument::parse(text, {"x.json", "/data"});
  for (const Override& one : parse_overrides(sets)) one.apply(document, is_declared);
  return document;
}

std::string result(const std::string& text, const std::vector<std::string>& sets) {
  return overridden(text, sets).json().dump();
}

}  // namespace

TEST_CASE("--set values are JSON if they parse, else text") {
  CHECK(result("{}", {"a=1"}) == R"({"a":1})");
  CHECK(result("{}", {"a=true"}) == R"({"a":true})");
  CHECK(result("{}", {"a=[1,2]"}) == R"({"a":[1,2]})");
  CHECK(result("{}", {"a={\"b\": 1}"}) == R"({"a":{"b":1}})");
  CHECK(result("{}", {"a=\"1\""}) == R"({"a":"1"})");
  CHECK(result("{}", {"a=inf"}) == R"({"a":"inf"})");
  CHECK(result("{}", {"a=10abc"}) == R"({"a":"10abc"})");
  CHECK(result("{}", {"a="}) == R"({"a":""})");
  CHECK(result("{}", {"a=b=c"}) == R"({"a":"b=c"})");
  CHECK(result("{}", {"a=[a-z]+"}) == R"({"a":"[a-z]+"})");
}

TEST_CASE("--set KEY=null takes a declared parameter out, and sets null at other keys") {
  const std::string text = R"({"oracle": {"use": "icm", "ties": 1}, "seed": 3})";
  CHECK(result(text, {"oracle.ties=null"}) == R"({"oracle":{"use":"icm"},"seed":3})");
  CHECK(result(text, {"oracle.restarts=null"}) == R"({"oracle":{"use":"icm","ties":1},"seed":3})");
  CHECK(result(text, {"oracle.tries=null"}) ==
        R"({"oracle":{"use":"icm","ties":1,"tries":null},"seed":3})");
  CHECK(result(text, {"seed=null"}) == R"({"oracle":{"use":"icm","ties":1},"seed":null})");
  CHECK(result(R"({"oracle": "icm"})", {"oracle.use=null"}) == R"({"oracle":{"use":null}})");
}

TEST_CASE("two slashes in a --set value do not begin a comment") {
  CHECK(result("{}", {"a=1//2"}) == R"({"a":"1//2"})");
  CHECK(result("{}", {"a=//server/data"}) == R"({"a":"//server/data"})");
}

TEST_CASE("--set options of one key are applied in order, after the file") {
  const JsonDocument document = overridden(R"({"solver": {"use": "one_slack", "C": 1}, "seed": 3})",
                                           {"solver.C=2", "solver.epsilon=0.1", "solver.C=4"});
  CHECK(document.json().dump() == R"({"solver":{"use":"one_slack","C":4,"epsilon":0.1},"seed":3})");
  CHECK(document.position("/solver/C").text() == "--set solver.C=4");
  CHECK(document.key_position("/solver/C").text() == "--set solver.C=4");
  CHECK(document.position("/solver/use").text() == "x.json:1:20");
}

TEST_CASE("--set of a key below a bare name expands the shorthand") {
  CHECK(result(R"({"oracle": "viterbi"})", {"oracle.ties=1"}) ==
        R"({"oracle":{"use":"viterbi","ties":1}})");
  CHECK(result(R"({"oracle": "viterbi"})", {"oracle.use=icm"}) == R"({"oracle":{"use":"icm"}})");
  const JsonDocument document = overridden(R"({"oracle": "viterbi"})", {"oracle.ties=1"});
  CHECK(document.position("/oracle/use").text() == "x.json:1:12");
}

TEST_CASE("--set of use drops the keys that the new component does not declare") {
  const std::string icm = R"({"oracle": {"use": "icm", "restarts": 5, "ties": 2}})";
  CHECK(result(icm, {"oracle.use=viterbi"}) == R"({"oracle":{"use":"viterbi","ties":2}})");
  CHECK(result(icm, {"oracle.use=viterbi", "oracle.use=icm"}) ==
        R"({"oracle":{"use":"icm","ties":2}})");
  CHECK(result(icm, {"oracle.use=viterbi", "oracle.restarts=1"}) ==
        R"({"oracle":{"use":"viterbi","ties":2,"restarts":1}})");
}

TEST_CASE("--set of the use of a dataset keeps its splits") {
  CHECK(result(R"({"dataset": {"use": "conll", "train": "a", "test": "b", "columns": 3}})",
               {"dataset.use=letters"}) ==
        R"({"dataset":{"use":"letters","train":"a","test":"b"}})");
}

TEST_CASE("--set of a component itself replaces all of it") {
  CHECK(result(R"({"oracle": {"use": "icm", "restarts": 5}})", {"oracle=icm"}) ==
        R"({"oracle":"icm"})");
}

TEST_CASE("--set of a whole section is applied before its keys, and use before other keys") {
  const std::string file = R"({"solver": {"use": "n_slack", "C": 1, "batch": 2}})";
  CHECK(result(file, {"solver.C=100", "solver=one_slack"}) ==
        R"({"solver":{"use":"one_slack","C":100}})");
  CHECK(result(file, {"solver.C=100", "solver={\"use\": \"one_slack\"}", "solver.C=3"}) ==
        R"({"solver":{"use":"one_slack","C":3}})");
  CHECK(result(R"({"oracle": ["icm", "lp"]})", {"oracle.0.ties=1", "oracle=[\"viterbi\"]"}) ==
        R"({"oracle":[{"use":"viterbi","ties":1}]})");
  // It is kept, so the later check of the solver's keys refuses it with a message.
  CHECK(result(file, {"solver.epsilon=2", "solver.use=one_slack"}) ==
        R"({"solver":{"use":"one_slack","C":1,"epsilon":2}})");
}

TEST_CASE("--set of a whole section is refused if it has a key that another --set sets") {
  const std::string whole = R"(solver={"use":"n_slack","C":3})";
  {
    const std::vector<std::string> sets{"solver.C=100", whole};
    const Refusal refusal = refusal_of([&] { parse_overrides(sets); });
    CHECK(refusal.exit == Exit::usage);
    CHECK(refusal.text == "--set " + whole +
                              ": \"solver.C\" is also set by --set solver.C=100; remove one of "
                              "the two");
  }
  CHECK(refusal_of([] {
          parse_overrides({"oracle.0.ties=2", R"(oracle=[{"use":"icm","ties":1}])"});
        }).exit == Exit::usage);
  CHECK(refusal_of([&] {
          parse_overrides({whole, "solver.C=100", "loss.C=2"});
        }).text == "(accepted)");
}

TEST_CASE("a long --set is cut in the middle in messages, so the end of a path stays") {
  const Override change("dataset.train=/" + std::string(100, 'x') + "/of/the/data/wrong.txt");
  CHECK(change.position().text() ==
        "--set dataset.train=/xxxxxxxxxxxxxxx...xxxxxxxx/of/the/data/wrong.txt");
}

TEST_CASE("--set changes an oracle in a list by its number") {
  const std::string list = R"({"oracle": ["icm", {"use": "viterbi", "ties": 1}]})";
  CHECK(result(list, {"oracle.0.restarts=2"}) ==
        R"({"oracle":[{"use":"icm","restarts":2},{"use":"viterbi","ties":1}]})");
  CHECK(result(list, {"oracle.1.use=lp"}) == R"({"oracle":["icm",{"use":"lp","ties":1}]})");
  CHECK(result(list, {"oracle.1=lp"}) == R"({"oracle":["icm","lp"]})");
  CHECK(result(list, {"oracle=lp"}) == R"({"oracle":"lp"})");
  const std::string message = "\"oracle\" is a list of 2; set oracle.0 and so on, or all of it";
  for (const std::string set : {"oracle.use=lp", "oracle.2=lp", "oracle.00=lp", "oracle.-1=lp"}) {
    CHECK(refusal_of([&] { result(list, {set}); }).text == "--set " + set + ": " + message);
  }
}

TEST_CASE("--set creates missing sections") {
  CHECK(result("{}", {"solver.C=1", "solver.use=one_slack"}) ==
        R"({"solver":{"use":"one_slack","C":1}})");
}

TEST_CASE("paths of --set are relative to the working directory, those of the file to the file") {
  const JsonDocument document =
      overridden(R"({"dataset": {"train": "a", "test": "b"}})", {"dataset.train=c"});
  CHECK(document.position("/dataset/train").absolute("c") ==
        (std::filesystem::current_path() / "c").string());
  CHECK(document.position("/dataset/test").absolute("b") == "/data/b");
}

TEST_CASE("--set without = or without a key is a usage error") {
  for (const std::string text : {"solver.C", "=1", "solver..C=1", ".C=1", "solver.=1", ""}) {
    const Refusal refusal = refusal_of([&] { Override{text}; });
    CHECK(refusal.exit == Exit::usage);
    CHECK(refusal.text.starts_with("--set " + text + ": "));
  }
  CHECK(refusal_of([] { Override{"solver.C"}; }).text == "--set solver.C: KEY=VALUE is expected");
}

TEST_CASE("--set of a key with more levels than an experiment may have is a usage error") {
  std::string key = "a";
  for (int level = 1; level < 100; ++level) key += ".a";
  CHECK(refusal_of([&] { Override{key + "=1"}; }).text == "(accepted)");
  const Refusal refusal = refusal_of([&] { Override{key + ".a=1"}; });
  CHECK(refusal.exit == Exit::usage);
  CHECK(refusal.says("KEY has 101 parts; experiments have 100 levels at most"));
}

TEST_CASE("--set through a value without keys is refused") {
  const Refusal refusal = refusal_of([] { result(R"({"seed": 1})", {"seed.x=2"}); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text == "--set seed.x=2: \"seed\" has no keys; set all of it");
  CHECK(refusal_of([] { result(R"({"oracle": {"path": "a"}})", {"oracle.path.x=2"}); }).text ==
        "--set oracle.path.x=2: \"oracle.path\" has no keys; set all of it");
}

TEST_CASE("a --set value that begins like an object but is broken JSON is refused") {
  const Refusal refusal = refusal_of([] { Override{"solver={\"C\": 1,}"}; });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text == "--set solver={\"C\": 1,}:1:8: remove the comma in front of \"}\"");
}

TEST_CASE("a --set that is not UTF-8 is refused") {
  CHECK(refusal_of([] { Override{"name=caf\xE9"}; }).exit == Exit::config);
  CHECK(refusal_of([] { Override{"\xE9=1"}; }).exit == Exit::usage);
}
