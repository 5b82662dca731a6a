#include "pattern_reader.hpp"

#include <sculpt/cpp/ascii.hpp>

#include <charconv>
#include <map>

namespace {

constexpr std::int64_t max_row_distance = 100;

class PatternLine {
 public:
  // `text`: a part of the reader's line.
  PatternLine(const sculpt::LineReader& reader, const std::vector<std::string>& columns,
              sculpt::Field text)
      : reader_(reader), columns_(columns), text_(text) {}

  // Returns false if the pattern gives no attribute.
  bool read(AttributeTemplate& target) {
    const char kind = sculpt::to_lower(text_.text.front());
    if (kind != 'u' && kind != 'b' && kind != '*') {
      fail(0, sculpt::shown(text_.text) +
                  " begins with neither U, B nor *; begin the pattern with "
                  "U if it gives an attribute, such as U00:%x[0,0]");
    }
    std::string literal;
    while (position_ < text_.text.size()) {
      if (text_.text[position_] != '%') {
        literal += text_.text[position_++];
        continue;
      }
      if (kind != 'u') {
        fail(
            position_,
            "patterns with values that begin with B or * give transitions a weight for each value, "
            "which `chain` does not have; begin the pattern with U, or remove its values");
      }
      TemplatePart part;
      part.before = std::exchange(literal, {});
      read_value(part);
      target.parts.push_back(std::move(part));
    }
    target.end = std::move(literal);
    target.before_sentence = target.after_sentence = "_B";
    return kind != 'b';
  }

 private:
  [[noreturn]] void fail(std::size_t position, const std::string& message) const {
    throw reader_.error(text_.column + position, message);
  }

  // Reads "%x[-1,0]".
  void read_value(TemplatePart& part) {
    const std::size_t begin = position_;
    const char kind = begin + 1 < text_.text.size() ? text_.text[begin + 1] : '\0';
    if (sculpt::to_lower(kind) == 't' || sculpt::to_lower(kind) == 'm') {
      fail(begin, std::string("%") + kind +
                      " needs regular expressions, which are not read; write its result into a "
                      "column of the data, or use the functions of `templates`");
    }
    if (sculpt::to_lower(kind) != 'x') {
      fail(begin, "a value begins with %x or %X, such as %x[0,0]");
    }
    if (kind == 'X') part.transform = Transform::lower;
    position_ += 2;
    expect('[');
    if (next_is('@') || next_is('*')) {
      fail(position_, std::string(1, text_.text[position_]) +
                          " counts rows from the beginning, or from a number in the data, which is "
                          "not read; write the distance of the row");
    }
    const std::size_t row = position_;
    part.offset = read_number();
    if (part.offset < -max_row_distance || part.offset > max_row_distance) {
      fail(row, "the distance of the row is outside [-100, 100]");
    }
    expect(',');
    const std::size_t column = position_;
    const std::int64_t number = read_number();
    if (number < 0 || number >= static_cast<std::int64_t>(columns_.size())) {
      fail(column, "there is no column " + std::to_string(number) + "; the columns are " +
                       list_of_columns() + "; name more in `columns`");
    }
    part.column = static_cast<std::size_t>(number);
    expect(']');
  }

  bool next_is(char sign) const {
    return position_ < text_.text.size() && text_.text[position_] == sign;
  }
  void expect(char sign) {
    if (!next_is(sign)) {
      fail(position_, std::string("'") + sign +
                          "' is expected, as in %x[-1,0]: the distance of a "
                          "row and the number of a column");
    }
    ++position_;
  }

  // Returns the nearest 64-bit number if it is too large.
  std::int64_t read_number() {
    const std::size_t end =
        std::min(text_.text.find_first_not_of("+-0123456789", position_), text_.text.size());
    std::int64_t value = 0;
    if (sculpt::read_whole(text_.text.substr(position_, end - position_), value) ==
        sculpt::NumberText::none) {
      fail(position_, "a number is expected, as in %x[-1,0]");
    }
    position_ = end;
    return value;
  }

  // Returns "0 (w), 1 (pos)".
  std::string list_of_columns() const {
    std::string list;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      list += (k > 0 ? ", " : "") + std::to_string(k) + " (" + columns_[k] + ")";
    }
    return list;
  }

  const sculpt::LineReader& reader_;
  const std::vector<std::string>& columns_;
  const sculpt::Field text_;
  std::size_t position_ = 0;  // in text_
};

// Returns the line without blanks at both ends, and without its comment.
sculpt::Field pattern_in(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  std::size_t sign = line.find('#');
  while (sign != std::string_view::npos && sign > 0 &&
         blanks.find(line[sign - 1]) == std::string_view::npos) {
    sign = line.find('#', sign + 1);
  }
  line = line.substr(0, sign);
  const std::size_t begin = std::min(line.find_first_not_of(blanks), line.size());
  return {line.substr(begin, line.find_last_not_of(blanks) + 1 - begin), begin};
}

}  // namespace

std::vector<AttributeTemplate> read_patterns(sculpt::LineReader& reader,
                                             const std::vector<std::string>& columns) {
  std::vector<AttributeTemplate> all;
  std::map<std::string, std::int64_t, std::less<>> lines;  // of the patterns
  while (reader.next()) {
    const sculpt::Field pattern = pattern_in(reader.line());
    if (pattern.text.empty()) continue;
    const auto [first, is_new] = lines.emplace(pattern.text, reader.number());
    if (!is_new) {
      throw reader.error(pattern.column, "repeats the pattern of line " +
                                             std::to_string(first->second) + "; remove one");
    }
    AttributeTemplate entry;
    if (PatternLine(reader, columns, pattern).read(entry)) all.push_back(std::move(entry));
  }
  if (all.empty()) {
    throw reader.error_at(1, 0,
                          "no pattern gives an attribute; write one that begins with U, such as "
                          "U00:%x[0,0]");
  }
  return all;
}
