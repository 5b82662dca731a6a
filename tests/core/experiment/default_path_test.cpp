// Keys of type PATH with a default: whether they are at it.

#include <doctest/doctest.h>
#include <sculpt/cpp/parameters.hpp>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "core/refusal.hpp"
#include "experiment/checked_parameters.hpp"

using namespace sculpt::core;

TEST_CASE("a path at its default is at its default, however it is written") {
  const std::array<sculpt_parameter, 4> paths = {
      sculpt::deprecated(sculpt::path("lexicon", "\"data/words.txt\"", "Leave it out.")),
      sculpt::deprecated(
          sculpt::list_of(sculpt::path("files", "[\"a\", \"b/c\"]", "Leave them out."))),
      sculpt::needs(sculpt::integer("window", "2", 0, 9, "A sentence."), "lexicon"),
      sculpt::needs(sculpt::path("stops", "\"stops.txt\"", "A sentence."), "window=5")};
  const auto read = [&](const std::string& text) {
    return CheckedParameters(paths, JsonDocument::parse(text, {"x.json", "/data"}), "demo");
  };
  for (const char* text :
       {"{}", R"({"lexicon": "data/words.txt", "files": ["a", "b/c"], "stops": "stops.txt"})",
        R"({"lexicon": "data/../data/words.txt", "files": ["./a", "b/c"]})",
        R"({"lexicon": "/data/data/words.txt", "files": ["/data/a", "/data/b/c"]})"}) {
    CAPTURE(text);
    CHECK(read(text).warnings().empty());
    CHECK(read(read(text).resolved().dump()).warnings().empty());
  }
  CHECK(read(R"({"lexicon": "words.txt"})").warnings().size() == 1);
  CHECK(read(R"({"files": ["a"]})").warnings().size() == 1);
  CHECK(read(R"({"lexicon": "words.txt", "window": 5, "stops": "x"})").value("window").integer ==
        5);
  CHECK(refusal_of([&] { read(R"({"lexicon": "data/words.txt", "window": 5})"); }).exit ==
        Exit::config);
  CHECK(refusal_of([&] { read(R"({"stops": "x"})"); }).exit == Exit::config);
}
