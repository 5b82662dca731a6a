#include "dot_bracket.hpp"

#include "brackets.hpp"

namespace rna {

// The text after a `>name`, before it is checked.
struct DotBracket::Record {
  std::int64_t line = 0;  // of the name; 0: there is none
  std::vector<Letter> letters;
  std::string brackets;
  // Where each line of brackets begins: in `brackets`, and in the file.
  struct Line {
    std::size_t begin;
    std::int64_t number;
    std::size_t column;
  };
  std::vector<Line> lines;

  sculpt::Error error(const sculpt::LineReader& reader, std::size_t position,
                      const std::string& what) const {
    std::size_t k = lines.size() - 1;
    while (k > 0 && lines[k].begin > position) --k;
    return reader.error_at(lines[k].number, lines[k].column + position - lines[k].begin, what);
  }
};

void DotBracket::load(std::string_view split, const sculpt::Source& source) {
  const std::int64_t begin = count();
  places_.begin_file(source.path());
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  Record record;
  while (reader.next()) {
    std::string_view line = reader.line();
    const std::size_t column = std::min(line.find_first_not_of(" \t"), line.size());
    line = line.substr(column, line.find_last_not_of(" \t") + 1 - column);
    if (line.empty()) continue;
    if (line.front() == '>') {
      if (record.line > 0) finish_record(reader, record);
      record = {};
      record.line = reader.number();
    } else if (record.line == 0) {
      throw reader.error(column, "this sequence has no name; write a line `>name` before it");
    } else {
      read_line(reader, line, column, record);
    }
  }
  if (record.line == 0) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no sequences; write `>name`, a line of letters and a line of "
                             "dots and brackets for each");
  }
  finish_record(reader, record);
  splits_[std::string(split)] = {begin, count()};
}

// Lines are letters up to the first line that begins with a dot or bracket.
void DotBracket::read_line(sculpt::LineReader& reader, std::string_view line, std::size_t column,
                           Record& record) const {
  const bool begins_brackets =
      std::string_view(".()[]{}<").find(line.front()) != std::string_view::npos;
  if (!record.brackets.empty() || begins_brackets) {
    record.lines.push_back({record.brackets.size(), reader.number(), column});
    record.brackets += line;
    return;
  }
  // Recognizes a line of brackets with a wrong first character by its other characters.
  const std::size_t bracket = line.find_first_of(".()");
  if (!record.letters.empty() && bracket != std::string_view::npos) {
    throw reader.error(column,
                       sculpt::shown(line.substr(0, 1)) + " begins a line that also has " +
                           sculpt::shown(line.substr(bracket, 1)) +
                           ": letters there mark a pseudoknot, which grammars of nested pairs "
                           "cannot have; write dots instead, or remove the structure; in a "
                           "sequence write only letters");
  }
  for (std::size_t k = 0; k < line.size(); ++k) {
    record.letters.push_back(read_letter(reader, line[k], column + k));
  }
}

Letter DotBracket::read_letter(const sculpt::LineReader& reader, char c, std::size_t column) const {
  const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const std::size_t number = letter_names.find(upper == 'T' ? 'U' : upper);
  if (number < known_letters) return static_cast<Letter>(number);
  const std::string quoted = sculpt::shown(std::string_view(&c, 1));
  if (std::string_view("NRYSWKMBDHV").find(upper) == std::string_view::npos) {
    throw reader.error(column,
                       quoted + " is not a letter of RNA; write A, C, G or U (T counts as U)");
  }
  if (!accepts_ambiguous_) {
    throw reader.error(column, quoted +
                                   " stands for several letters; remove the sequence, or set "
                                   "ambiguous to single, so that it pairs with none");
  }
  return known_letters;
}

void DotBracket::finish_record(const sculpt::LineReader& reader, const Record& record) {
  if (record.letters.empty()) {
    throw reader.error_at(record.line, 0, "this name has no sequence; write its letters below it");
  }
  places_.add(record.line);
  Example& example = examples_.emplace_back();
  example.letters = record.letters;
  if (record.brackets.empty()) return;
  BracketError error;
  example.partners = read_brackets(record.brackets, record.letters.size(), error);
  if (!error.message.empty()) throw record.error(reader, error.position, error.message);
  example.is_labelled = true;
}

sculpt::Range DotBracket::split(std::string_view name) const {
  const auto found = splits_.find(name);
  return found == splits_.end() ? sculpt::Range() : found->second;
}

void DotBracket::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  check_partners(y, at(example).letters.size());
  write_brackets(y, out);
}

void DotBracket::parse(std::int64_t example, std::string_view text,
                       sculpt::LabelOutput& out) const {
  BracketError error;
  const std::vector<std::int32_t> y = read_brackets(text, at(example).letters.size(), error);
  if (!error.message.empty()) {
    throw sculpt::data_error("column " + std::to_string(error.position + 1) + ": " + error.message);
  }
  out.assign(y);
}

void DotBracket::items(std::int64_t example, sculpt::Labels y,
                       std::vector<std::int64_t>& items) const {
  check_partners(y, at(example).letters.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto base = static_cast<std::int64_t>(i);
    if (y[i] > base) items.push_back(base * y.count() + y[i]);
  }
}

}  // namespace rna
