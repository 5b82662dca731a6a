// text_out.hpp - everything that the program prints to stdout: reports for people, data for
// programs.
//
// Called by the commands. A report quotes files: names of a model, messages of a plugin. Their text
// must not control the terminal. So TextOut prints the literals of the program as they are, and all
// other text by printable(). A test holds that no other code prints (tests/core/printing).
#pragma once

#include <concepts>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

namespace sculpt::core {

class TextOut {
 public:
  // `out` outlives this object.
  explicit TextOut(std::ostream& out) : out_(out) {}

  // A literal of the program, with its line ends.
  template <std::size_t size>
  TextOut& operator<<(const char (&literal)[size]) {
    out_ << literal;
    return *this;
  }
  // Other text. A line end in it is shown as \x0a.
  TextOut& operator<<(std::string_view text);
  template <std::integral Number>
  requires(sizeof(Number) > 1) TextOut& operator<<(Number number) {
    out_ << number;
    return *this;
  }
  // Arrays that are no literals may have any text.
  template <std::size_t size>
  TextOut& operator<<(char (&text)[size]) = delete;

  // A row of a summary: "  name text\n".
  TextOut& row(std::string_view name, std::string_view text);
  // Text with line ends, such as a table. What else is in it is shown as by <<.
  TextOut& lines(std::string_view text);
  // JSON for programs, indented. All but printable ASCII is escaped, so that the text does not
  // control a terminal. Bytes that are no UTF-8 are replaced.
  TextOut& json(const nlohmann::ordered_json& json);
  void flush() { out_.flush(); }

 private:
  std::ostream& out_;
};

// Reports go to stdout, and the help after a wrong command line to stderr.
TextOut report_out();
TextOut error_out();

// Stdout for data that a program reads, such as the predicted labels. Nothing is changed.
std::ostream& data_out();
// The text that TextOut::json() prints.
std::string json_text(const nlohmann::ordered_json& json);
void print_json(const nlohmann::ordered_json& json);

// False if stdout cannot be written.
bool flush_stdout();

}  // namespace sculpt::core
