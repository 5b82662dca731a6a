// What the program prints of its own is printed as it is, all other text so that a terminal shows
// it.

#include "base/text/text_out.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

using namespace sculpt::core;

TEST_CASE("literals are printed as they are, and other text by printable()") {
  std::ostringstream stream;
  TextOut out(stream);
  const char* const pointer = "a\n";
  out << "line\n" << std::string("x\x1B[31m\n") << pointer << std::string_view("\xFF") << 7 << "\n";
  CHECK(stream.str() == "line\nx\\x1b[31m\\x0aa\\x0a\\xff7\n");
}

TEST_CASE("a row of a summary stays one line") {
  std::ostringstream stream;
  TextOut(stream).row("name", "a\nforged          b");
  CHECK(stream.str() == "  name            a\\x0aforged          b\n");
}

TEST_CASE("JSON for programs replaces bytes that are not UTF-8") {
  CHECK(nlohmann::ordered_json::parse(json_text({{"a", "\xFF"}}))["a"] == "\uFFFD");
}

TEST_CASE("JSON for programs sends no control character to a terminal, and keeps every letter") {
  const std::string text = "a\x1B[31m\x7F\u009B31m\u202E\u2028\u00DF\U0001F600";
  const std::string json = json_text({{text, text}});
  for (const char c : json) CHECK((c == '\n' || (c >= 0x20 && c < 0x7F)));
  CHECK(nlohmann::ordered_json::parse(json)[text] == text);
}
