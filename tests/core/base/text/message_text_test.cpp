// Text from data is printed in messages without control characters and as valid UTF-8.

#include "base/text/message_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

using namespace sculpt::core;

namespace {

// The text has no control character. It is valid UTF-8, because JSON accepts it.
void check_prints(const std::string& text) {
  for (const char c : text) CHECK((static_cast<unsigned char>(c) >= 0x20 && c != 0x7F));
  CHECK_NOTHROW(nlohmann::json(text).dump());
}

}  // namespace

TEST_CASE("a unit has the plural unless the count is 1") {
  CHECK(count_text(1, "example") == "1 example");
  CHECK(count_text(0, "example") == "0 examples");
  CHECK(count_text(1, "pass") == "1 pass");
  CHECK(count_text(3, "pass") == "3 passes");
}

TEST_CASE("a fraction is in percent, or as users type it if that would be a power of ten") {
  CHECK(percent_text(0.001) == "0.1 %");
  CHECK(percent_text(0.12345) == "12.3 %");
  CHECK(percent_text(1e-5) == "0.001 %");
  CHECK(percent_text(1e-7) == "1e-07");
  CHECK(percent_text(0) == "0 %");
}

TEST_CASE("letters of any script are printed unchanged") {
  for (const char* text : {"", "plain text, with \\ and \"quotes\"",
                           "Stra\xC3\x9F"
                           "e",
                           "\xD0\x98\xD1\x8F", "\xE6\x97\xA5\xE6\x9C\xAC", "\xF0\x9F\x98\x80",
                           "\xC2\xA0", "\xEF\xBF\xBD"}) {
    CHECK(printable(text) == text);
  }
}

TEST_CASE("control characters are printed as escapes") {
  CHECK(printable("\x1B[31mred\x07") == "\\x1b[31mred\\x07");
  CHECK(printable("a\tb\nc\rd\x7F") == "a\\x09b\\x0ac\\x0dd\\x7f");
  CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(printable("\xC2\x9B"
                  "31m") == "\\u009b31m");  // C1: also begins an escape sequence
  CHECK(printable("abc\xE2\x80\xAE"
                  "fed") == "abc\\u202efed");  // writes from right to left
  CHECK(printable("a\xE2\x80\xA8"
                  "b") == "a\\u2028b");  // a line end
}

TEST_CASE("characters that nobody sees are printed as escapes, but for the joiners of scripts") {
  CHECK(printable("a\u200E\u200F\u061C\u2066\u2069z") ==
        "a\\u200e\\u200f\\u061c\\u2066\\u2069z");  // marks of writing directions
  CHECK(printable("\uFEFF\u200B\u2060\u00AD\u180E\uFFF9") ==
        "\\ufeff\\u200b\\u2060\\u00ad\\u180e\\ufff9");
  CHECK(printable("\U000E0041\U0001D173") == "\\U000e0041\\U0001d173");
  const std::string joined_letters = "\u0646\u200C\u0645 \U0001F469\u200D\U0001F52C";
  CHECK(printable(joined_letters) == joined_letters);
}

TEST_CASE("line ends stay in text with several lines, and nothing else does") {
  CHECK(printable_lines("a\nb\x1B\n\nc\r\n") == "a\nb\\x1b\n\nc\\x0d\n");
  CHECK(printable_lines("").empty());
}

TEST_CASE("bytes that are not UTF-8 are printed as escapes") {
  CHECK(printable("\xFF\xFE") == "\\xff\\xfe");
  CHECK(printable("caf\xE9 au lait") == "caf\\xe9 au lait");  // Latin-1
  CHECK(printable("\xC3") == "\\xc3");                        // cut short
  CHECK(printable("\xE2\x82") == "\\xe2\\x82");
  CHECK(printable("\x9F") == "\\x9f");
  CHECK(printable("\xC0\xAF") == "\\xc0\\xaf");  // not the shortest form
  CHECK(printable("\xE0\x80\x80") == "\\xe0\\x80\\x80");
  CHECK(printable("\xED\xA0\x80") == "\\xed\\xa0\\x80");           // half a pair of UTF-16
  CHECK(printable("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
}

TEST_CASE("random bytes are printed as UTF-8 without control characters") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text(1 + random() % 8, ' ');
    for (char& c : text)
      c = static_cast<char>(random() % 4 == 0 ? random() % 256 : 0x80 + random() % 0x78);
    CAPTURE(trial);
    check_prints(printable(text));
  }
}
