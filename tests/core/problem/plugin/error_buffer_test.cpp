// ErrorBuffer: error texts of any length, from plugins in C and in C++.

#include "problem/plugin/error_buffer.hpp"

#include <doctest/doctest.h>
#include <sculpt/c_plugin.h>
#include <sculpt/cpp/error.hpp>

#include <cstring>
#include <string>

using namespace sculpt::core;

namespace {

const std::string note = " ... (the rest is cut: the message is too long)";
constexpr auto max_text = static_cast<std::size_t>(ErrorBuffer::max_error_bytes) - 1;

// What the host gets of a text that a plugin writes in C, or in C++.
std::string through_c(const std::string& text) {
  ErrorBuffer error;
  CHECK(sculpt_fail(error.raw(), SCULPT_E_DATA, "%s", text.c_str()) == SCULPT_E_DATA);
  return error.text();
}
std::string through_cpp(const std::string& text) {
  ErrorBuffer error;
  CHECK(sculpt::detail::guarded(error.raw(), "load", [&] { throw sculpt::data_error(text); }) ==
        SCULPT_E_DATA);
  return error.text();
}

}  // namespace

TEST_CASE("an error buffer keeps its text when it grows, and grows several times") {
  ErrorBuffer error;
  CHECK(error.text().empty());
  std::strcpy(error.raw()->text, "first");
  for (const std::int64_t capacity : {3000, 10, 5000}) {
    CHECK(error.raw()->grow(error.raw(), capacity) == SCULPT_OK);
    CHECK(error.raw()->capacity >= capacity);
    CHECK(error.raw()->text == std::string("first"));
    CHECK(error.text() == "first");
  }
  CHECK(error.raw()->capacity == 5000);
}

TEST_CASE("a buffer that is asked for too much gives all that it has") {
  ErrorBuffer error;
  std::strcpy(error.raw()->text, "first");
  for (const std::int64_t capacity : {ErrorBuffer::max_error_bytes + 1, INT64_MAX}) {
    CHECK(error.raw()->grow(error.raw(), capacity) == SCULPT_E_MEMORY);
    CHECK(error.raw()->capacity == ErrorBuffer::max_error_bytes);
    CHECK(error.text() == "first");  // the plugin wrote a short text after all
  }
}

TEST_CASE("an error text of up to a mebibyte arrives whole") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{2045}, std::size_t{2046},
                                 std::size_t{2047}, std::size_t{70000}, max_text}) {
    CAPTURE(size);
    const std::string text(size, 'x');
    CHECK((through_c(text) == text));
    CHECK((through_cpp(text) == text));
  }
}

TEST_CASE("a longer error text is cut after a whole character, and says that it is cut") {
  for (const std::string character : {"x", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (std::size_t offset = 0; offset < 4; ++offset) {
      CAPTURE(character);
      CAPTURE(offset);
      std::string text(offset, '-');
      while (text.size() <= max_text + 4) text += character;
      const std::size_t kept = (max_text - offset) / character.size() * character.size() + offset;
      const std::string expected = text.substr(0, kept) + note;
      CHECK((through_c(text) == expected));
      CHECK((through_cpp(text) == expected));
    }
  }
}
