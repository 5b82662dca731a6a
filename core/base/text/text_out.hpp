// text_out.hpp - what the program prints to stdout: reports for people, data for programs. And its
// help, which goes to stderr after a wrong command line.
//
// Called by the commands. A report quotes files: names of a model, messages of a plugin. Their text
// must not control the terminal. So TextOut prints the literals of the program as they are, and all
// other text by printable(). Console prints messages. A test lists the few other files that may
// print, and holds that no others do (tests/core/printing).
#pragma once

#include <concepts>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

namespace sculpt::core {

class TextOut {
 public:
  // `out` outlives this object.
  explicit TextOut(std::ostream& out) : out_(out) {}

  // A literal of the program, with its line ends. The compiler refuses arrays that are filled when
  // the program runs, because they may have any text.
  class Literal {
   public:
    template <std::size_t size>
    consteval Literal(const char (&text)[size]) : text_(text, size - 1) {}
    std::string_view text() const { return text_; }

   private:
    std::string_view text_;
  };
  TextOut& operator<<(Literal literal) {
    out_ << literal.text();
    return *this;
  }
  // Other text. A line end in it is shown as \x0a.
  template <class Text>
  requires(std::convertible_to<const Text&, std::string_view> && !std::is_array_v<Text>) TextOut&
  operator<<(const Text& text) {
    return other_text(text);
  }
  template <std::integral Number>
  requires(sizeof(Number) > 1) TextOut& operator<<(Number number) {
    out_ << number;
    return *this;
  }

  // A row of a summary: "  name text\n".
  TextOut& row(std::string_view name, std::string_view text);
  // Text with line ends, such as a table. What else is in it is shown as by <<.
  TextOut& lines(std::string_view text);
  // JSON for programs, indented. All but printable ASCII is escaped, so that the text does not
  // control a terminal. Bytes that are no UTF-8 are replaced.
  TextOut& json(const nlohmann::ordered_json& json);
  void flush() { out_.flush(); }

 private:
  TextOut& other_text(std::string_view text);

  std::ostream& out_;
};

// Reports go to stdout, and the help after a wrong command line to stderr. With a caller of
// libsculpt they go there (surroundings.hpp).
TextOut report_out();
TextOut error_out();

// Stdout for data that a program reads, such as the predicted labels. Nothing is changed.
std::ostream& data_out();
// The text that TextOut::json() prints.
std::string json_text(const nlohmann::ordered_json& json);
void print_json(const nlohmann::ordered_json& json);

// False if stdout cannot be written.
bool flush_stdout();
// True if people read stdout as it is printed.
bool stdout_is_terminal();

}  // namespace sculpt::core
