// markup.hpp - text with tags, in which only the literals of the program are tags.
//
// Reports quote files: names, labels, messages of plugins. Such text must not become a tag or a
// script. So the type decides, as in TextOut: literals of the program are written as they are, and
// all other text is escaped. Tags follow the rules of XML too, so a test can parse a whole page.
// Called by all of report/.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/text/text_out.hpp"

namespace sculpt::core {

// The text for XML and HTML: & < > " ' become entities. Control characters, characters that nobody
// sees and bytes that are no UTF-8 are shown as printable() does. Line ends and tabs stay.
std::string escaped_text(std::string_view text);

// A position or a size in a figure, with at most two digits after the point.
struct Length {
  double value;
};

class Markup {
 public:
  using Literal = TextOut::Literal;

  Markup& operator<<(Literal literal) {
    text_ += literal.text();
    return *this;
  }
  Markup& operator<<(const Markup& inner) {
    text_ += inner.text_;
    return *this;
  }
  Markup& operator<<(Length length);
  template <class Text>
  requires(std::convertible_to<const Text&, std::string_view> && !std::is_array_v<Text>) Markup&
  operator<<(const Text& text) {
    text_ += escaped_text(text);
    return *this;
  }
  template <std::integral Number>
  requires(sizeof(Number) > 1) Markup& operator<<(Number number) {
    text_ += std::to_string(number);
    return *this;
  }

  const std::string& text() const { return text_; }
  bool is_empty() const { return text_.empty(); }

 private:
  std::string text_;
};

}  // namespace sculpt::core
