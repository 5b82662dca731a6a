// Broken JSON is refused with a message at the position that must be changed.
#include <doctest/doctest.h>

#include <string>

#include "core/refusal.hpp"
#include "experiment/json_document.hpp"

using namespace sculpt::core;

namespace {

std::string refused(const std::string& text, Comments comments = Comments::accepted) {
  const Refusal refusal = refusal_of([&] { JsonDocument::parse(text, {"x.json", "/"}, comments); });
  CHECK((refusal.exit == Exit::reached || refusal.exit == Exit::config));
  return refusal.text;
}

}  // namespace

TEST_CASE("an empty file is refused") {
  const std::string message =
      "x.json:1:1: there is nothing in it; an experiment is a JSON object { ... }";
  CHECK(refused("") == message);
  CHECK(refused(" \n\t") == message);
  CHECK(refused("// only a comment\n") == message);
  CHECK(refused("\xEF\xBB\xBF") == message);
}

TEST_CASE("a missing closing brace is refused at the position where it belongs") {
  CHECK(refused("{\n  \"a\": {\"b\": 1}\n\n") ==
        "x.json:2:16: the file ends before the \"{\" of 1:1 is closed; add \"}\"");
  CHECK(refused("{\"a\": [1, 2") ==
        "x.json:1:12: the file ends before the \"[\" of 1:7 is closed; add \"]}\"");
  CHECK(refused("{\"a\": 1, // more\n") ==
        "x.json:1:9: the file ends before the \"{\" of 1:1 is closed; add \"}\"");
  CHECK(refused("{\"a\"") ==
        "x.json:1:5: the file ends before the \"{\" of 1:1 is closed; add \"}\"");
  CHECK(refused("{\"a\":") ==
        "x.json:1:6: the file ends before the \"{\" of 1:1 is closed; add \"}\"");
  CHECK(refused("{") == "x.json:1:2: the file ends before the \"{\" of 1:1 is closed; add \"}\"");
}

TEST_CASE("a trailing comma is refused at the comma") {
  CHECK(refused("{\"a\": 1,\n}") == "x.json:1:8: remove the comma in front of \"}\"");
  CHECK(refused("[1, 2 ,]") == "x.json:1:7: remove the comma in front of \"]\"");
}

TEST_CASE("a missing comma is refused at the value that follows") {
  CHECK(refused("{\"a\": 1\n \"b\": 2}") ==
        "x.json:2:2: \",\" or \"}\" is expected here, not \"b\"");
  CHECK(refused("[1 2]") == "x.json:1:4: \",\" or \"]\" is expected here, not \"2\"");
  CHECK(refused("[true{}]") == "x.json:1:6: \",\" or \"]\" is expected here, not \"{\"");
}

TEST_CASE("doubled and misplaced punctuation is refused") {
  CHECK(refused("[1,,2]") == "x.json:1:4: a value is expected here, not \",\"");
  CHECK(refused("{\"a\": 1,,}") ==
        "x.json:1:9: a key in double quotes is expected here, not \",\"");
  CHECK(refused("{\"a\": 1: 2}") == "x.json:1:8: \",\" or \"}\" is expected here, not \":\"");
  CHECK(refused("{\"a\" 1}") ==
        "x.json:1:6: \":\" and a value are expected after a key, not \"1\"");
  CHECK(refused("{\"a\", 1}") ==
        "x.json:1:5: \":\" and a value are expected after a key, not \",\"");
  CHECK(refused("{\"a\":}") == "x.json:1:6: a value is expected here, not \"}\"");
  CHECK(refused("{\"a\"::1}") == "x.json:1:6: a value is expected here, not \":\"");
  CHECK(refused("{,}") == "x.json:1:2: a key in double quotes is expected here, not \",\"");
  CHECK(refused("{1: 2}") == "x.json:1:2: a key in double quotes is expected here, not \"1\"");
  CHECK(refused("}") == "x.json:1:1: a value is expected here, not \"}\"");
}

TEST_CASE("brackets of two kinds do not close each other") {
  CHECK(refused("[1}") == "x.json:1:3: \",\" or \"]\" is expected here, not \"}\"");
  CHECK(refused("{\"a\": [1}}") == "x.json:1:9: \",\" or \"]\" is expected here, not \"}\"");
}

TEST_CASE("garbage after the end is refused") {
  CHECK(refused("{\"a\": 1}\n}") ==
        "x.json:2:1: nothing more is expected after the end, not \"}\"");
  CHECK(refused("{} {}") == "x.json:1:4: nothing more is expected after the end, not \"{\"");
  CHECK(refused("{}\n x") == "x.json:2:2: nothing more is expected after the end, not \"x\"");
}

TEST_CASE("text that is not closed is refused where it begins") {
  const std::string message =
      ": the text that begins here does not end on its line; add \" (inside of text, \\n makes a "
      "line break and \\\" a quote)";
  CHECK(refused("{\"a\": \"bc}") == "x.json:1:7" + message);
  CHECK(refused("{\"a\": \"bc,\n\"d\": 1}") == "x.json:1:7" + message);
  CHECK(refused("{\"a\": \"bc,\r\n\"d\": 1}") == "x.json:1:7" + message);
  CHECK(refused("{\"a: 1}") == "x.json:1:2" + message);
  CHECK(refused("{\"a\": 1, // c\n  \"b") == "x.json:2:3" + message);
}

TEST_CASE("a tab inside of text is refused") {
  CHECK(refused("{\"a\": \"b\tc\"}") ==
        "x.json:1:9: a tab or another control character inside of text; write \\t or \\u0000 to "
        "\\u001f instead");
}

TEST_CASE("unknown escapes are refused at the backslash") {
  CHECK(refused(R"({"a": "C:\data"})") ==
        "x.json:1:10: unknown escape in text; write \\\\ for a backslash");
  CHECK(refused(R"(["\u12g4"])") ==
        "x.json:1:3: \\u needs four hexadecimal digits, in pairs "
        "\\ud800\\udc00 for characters beyond ffff");
  CHECK(refused(R"(["a\ud800"])") ==
        "x.json:1:4: \\u needs four hexadecimal digits, in pairs "
        "\\ud800\\udc00 for characters beyond ffff");
}

TEST_CASE("words that are not JSON are refused with what to write instead") {
  CHECK(refused("{\"C\": 10abc}") ==
        "x.json:1:7: \"10abc\" is neither a number nor true, false or null; put text in double "
        "quotes");
  CHECK(refused("{\"a\": viterbi}") ==
        "x.json:1:7: \"viterbi\" is neither a number nor true, false or null; put text in double "
        "quotes");
  CHECK(refused("{\"a\": True}") == "x.json:1:7: \"True\" is not a JSON value, did you mean true?");
  CHECK(refused("{\"a\": nul}") == "x.json:1:7: \"nul\" is not a JSON value, did you mean null?");
  CHECK(refused("{\"a\": NaN}") ==
        "x.json:1:7: NaN cannot be written; leave the key out or give a number");
  CHECK(refused("{\"a\": inf}") ==
        "x.json:1:7: \"inf\" is not a number in JSON; write \"inf\" with the quotes");
  CHECK(refused("{\"a\": Infinity}") ==
        "x.json:1:7: \"Infinity\" is not a number in JSON; write \"inf\" with the quotes");
  CHECK(refused("{a: 1}") == "x.json:1:2: \"a\" must be in double quotes: a key is text");
  CHECK(refused("{'a': 1}") == "x.json:1:2: text is written in double quotes, not in single ones");
  CHECK(refused("[\xE2\x80\x9C"
                "a]") ==
        "x.json:1:2: this character is not allowed outside of text; put text in double quotes");
}

TEST_CASE("a broken number is refused, and the message quotes all of it") {
  const std::string message =
      " is neither a number nor true, false or null; put text in double "
      "quotes";
  CHECK(refused("[01]") == "x.json:1:2: \"01\"" + message);
  CHECK(refused("[0x1F]") == "x.json:1:2: \"0x1F\"" + message);
  CHECK(refused("[.5]") == "x.json:1:2: \".5\"" + message);
  CHECK(refused("[+5]") == "x.json:1:2: \"+5\"" + message);
  CHECK(refused("[1.]") == "x.json:1:2: \"1.\" is not a number");
  CHECK(refused("[1e]") == "x.json:1:2: \"1e\" is not a number");
  CHECK(refused("[-]") == "x.json:1:2: \"-\" is not a number");
  CHECK(refused("[-inf]") == "x.json:1:2: \"-inf\" is not a number");
  CHECK(refused("[7, 1e999]") ==
        "x.json:1:5: \"1e999\" is too large for a number; where infinity "
        "is allowed, write \"inf\"");
}

TEST_CASE("broken comments are refused") {
  CHECK(refused("{} /* no end") ==
        "x.json:1:4: the comment that begins here is not closed; add */");
  CHECK(refused("[1, /* a */ /* no end") ==
        "x.json:1:13: the comment that begins here is not closed; add */");
  CHECK(refused("[1, / 2]") == "x.json:1:5: a comment begins with // or /*");
}

TEST_CASE("comments can be refused") {
  CHECK(refused("5//x", Comments::refused) ==
        "x.json:1:1: \"5//x\" is neither a number nor true, "
        "false or null; put text in double quotes");
}

TEST_CASE("bytes that are not UTF-8 are refused at the first of them") {
  const std::string message = ": this is not UTF-8; save the file as UTF-8";
  CHECK(refused("{\"a\": \"caf\xE9\"}") == "x.json:1:11" + message);
  CHECK(refused("{\"a\": \"\xC3\xA9\xE9 x\"}") == "x.json:1:9" + message);
  CHECK(refused("[\"\xFF\"]") == "x.json:1:3" + message);
  CHECK(refused("[\"\xC3\xA9\x80\"]") == "x.json:1:4" + message);
  CHECK(refused("[\"\xF0\x9F") == "x.json:1:3" + message);
}

TEST_CASE("a NUL byte is refused, also after the end") {
  CHECK(refused(std::string("{}\0{", 4)) == "x.json:1:3: a NUL byte; this is not a text file");
}

TEST_CASE("200 levels are accepted, 201 are refused") {
  CHECK(refused(std::string(200, '[') + std::string(200, ']')) == "(accepted)");
  CHECK(refused(std::string(201, '[') + std::string(201, ']')) ==
        "x.json:1:201: nested deeper than 200 levels");
  CHECK(refused(std::string(1000000, '[')) == "x.json:1:201: nested deeper than 200 levels");
}

// A key of a megabyte around a million values would need a terabyte for their positions.
TEST_CASE("keys around a value may have 2000 bytes in all") {
  const auto nested = [](std::size_t size) {
    return "{\"" + std::string(1000, 'a') + "\":{\"" + std::string(size, 'b') + "\":[1]}}";
  };
  CHECK(refused(nested(998)) == "(accepted)");
  CHECK(refused(nested(999)) ==
        "x.json:1:1006: this key and those around it are longer than 2000 bytes together; shorten "
        "them");
}

TEST_CASE(
    "every prefix of an experiment is refused with a position, without texts of the library") {
  const std::string text =
      "{ // c\n \"a\": [1.5e3, -2, \"\\u00e9\xC3\xA9\", true, null, {}],\n /* d */ \"b\": {\"c\": "
      "false}}";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string message = refused(text.substr(0, size));
    CAPTURE(message);
    CHECK(message.starts_with("x.json:"));
    CHECK(message.find("json.exception") == std::string::npos);
  }
}
