// expand_environment: ${env:NAME} in texts of an experiment.

#include "experiment/environment.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

// An environment variable that is set until the end of the scope.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

JsonDocument expanded(const std::string& text) {
  JsonDocument document = JsonDocument::parse(text, {"x.json", "/"});
  expand_environment(document);
  return document;
}

}  // namespace

TEST_CASE("variables are expanded in texts at any depth, also several in one text") {
  const Variable one("SCULPT_TEST_ONE", "1");
  const Variable two("SCULPT_TEST_TWO", "zwei");
  const JsonDocument document =
      expanded(R"({"a": "${env:SCULPT_TEST_ONE}", "b": [{"c/~": )"
               R"("x${env:SCULPT_TEST_ONE}-${env:SCULPT_TEST_TWO}."}], "d": 1})");
  CHECK(document.json().dump() == R"({"a":"1","b":[{"c/~":"x1-zwei."}],"d":1})");
  // The position quotes the text of the file, because messages quote the expanded value.
  CHECK(document.position("/b/0/c~1~0").text() ==
        "x.json:1:47 (x${env:SCULPT_TEST_ONE}-${env:SCULPT_TEST_TWO}.)");
}

TEST_CASE("a variable that is not set gets its default, an empty variable stays empty") {
  const Variable empty("SCULPT_TEST_EMPTY", "");
  CHECK(expanded(R"(["${env:SCULPT_TEST_UNSET:/tmp:x}"])").json()[0] == "/tmp:x");
  CHECK(expanded(R"(["${env:SCULPT_TEST_UNSET:}"])").json()[0] == "");
  CHECK(expanded(R"(["${env:SCULPT_TEST_EMPTY:x}"])").json()[0] == "");
}

TEST_CASE("a variable that is not set and has no default is refused by name") {
  const Refusal refusal =
      refusal_of([] { expanded("{\n  \"a\": [1, \"${env:SCULPT_TEST_UNSET}\"]}"); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "x.json:2:12: the environment variable SCULPT_TEST_UNSET is not set; set it, or write "
        "${env:SCULPT_TEST_UNSET:default}");
}

TEST_CASE("references of another form are refused") {
  const std::string hint = "is unknown; write ${env:NAME} or ${env:NAME:default}";
  for (const std::string inside :
       {"", "HOME", "home:x", "env:", "env::x", "env:A B", "env:1A", "ENV:HOME"}) {
    CHECK(refusal_of([&] { expanded("[\"${" + inside + "}\"]"); }).text ==
          "x.json:1:2: \"${" + inside + "}\" " + hint);
  }
  CHECK(refusal_of([] { expanded("[\"a${env:HOME\"]"); }).text ==
        "x.json:1:2: \"${\" without \"}\"; write ${env:NAME} or ${env:NAME:default}");
}

TEST_CASE("a value that would be expanded again is refused") {
  const Variable nested("SCULPT_TEST_NESTED", "${env:HOME}");
  CHECK(refusal_of([] { expanded(R"(["${env:SCULPT_TEST_NESTED}"])"); }).text ==
        "x.json:1:2: \"${\" is left after the variables are replaced; remove it from their values");
}

TEST_CASE("a variable that is not UTF-8 is refused") {
  const Variable latin("SCULPT_TEST_LATIN", "caf\xE9");
  CHECK(refusal_of([] { expanded(R"(["${env:SCULPT_TEST_LATIN}"])"); }).text ==
        "x.json:1:2: the environment variable SCULPT_TEST_LATIN is not UTF-8");
}

TEST_CASE("dollars and braces alone are text, and inline data is not expanded") {
  CHECK(expanded(R"(["$5 {x} $$"])").json()[0] == "$5 {x} $$");
  CHECK(
      expanded(R"({"dataset": {"train": {"text": "${x}"}}})").json()["dataset"]["train"]["text"] ==
      "${x}");
}
