// Longer examples, made from the text of an experiment.

#include "check/variants/longer_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace sculpt::core;
using Sizes = std::vector<std::int64_t>;

namespace {

// True if one of the texts has this line or block among its new examples.
bool has_example(const std::vector<LongerText>& texts, const std::string& example) {
  return std::any_of(texts.begin(), texts.end(), [&](const LongerText& longer) {
    return longer.text.find("\n" + example + "\n") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("lines are joined to every size up to 9, and two of one size") {
  const std::vector<LongerText> texts = longer_texts("a\nb b\nc c c\n", Sizes{1, 2, 3});
  REQUIRE_FALSE(texts.empty());
  const LongerText& first = texts.front();
  CHECK(first.text.starts_with("a\nb b\nc c c\n"));
  Sizes sizes;
  std::vector<std::string> lines;
  std::string line;
  for (const char c : first.text) {
    if (c != '\n') {
      line += c;
      continue;
    }
    lines.push_back(line);
    sizes.push_back(static_cast<std::int64_t>((line.size() + 1) / 2));
    line.clear();
  }
  CHECK(sizes == Sizes{1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 13});
  CHECK(first.examples == Sizes{3, 4, 5, 6, 7, 8, 9, 10});
  CHECK(lines[5] != lines[6]);
}

TEST_CASE("columns, parts and blocks of lines are joined one by one") {
  CHECK(has_example(longer_texts("ab ()\nc .\n", Sizes{2, 1}), "abc ()."));
  CHECK(has_example(longer_texts("ab|1 2\nc|3\n", Sizes{2, 1}), "ab c|1 2 3"));
  CHECK(has_example(longer_texts("a A\nb B\n\nc C\n", Sizes{2, 1}), "a A\nb B\nc C"));
  CHECK(has_example(longer_texts(">x\nAC\n>y\nA-\n\n>z\nG\n>y\nT\n", Sizes{2, 1}),
                    ">x\nACG\n>y\nA-T"));
}

TEST_CASE("a text is not joined if its lines are not its examples, or if no sum fits") {
  CHECK(longer_texts("1 a\n1 b\n2 c\n", Sizes{2, 1}).empty());
  CHECK(longer_texts("", Sizes{}).empty());
  CHECK(longer_texts("a\nb\n", Sizes{20, 30}).empty());
}

TEST_CASE("an empty line is added between lines, not between blocks") {
  CHECK(text_with_empty_line("a\nb\n") == "a\n\nb\n");
  CHECK(text_with_empty_line("a\nb\n\nc\n").empty());
  CHECK(text_with_empty_line("a\n").empty());
}
