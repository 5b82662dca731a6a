#include "crfsuite_reader.hpp"

#include "tab_fields.hpp"

#include <sculpt/cpp/example_weights.hpp>

#include <algorithm>

namespace {

constexpr std::string_view weight_mark = "@weight";

}  // namespace

CrfsuiteReader::Row CrfsuiteReader::next() {
  if (is_after_sequence_) begin_sequence();
  while (lines_.next()) {
    const std::string_view line = lines_.line();
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      if (tokens_ == 0) continue;
      is_after_sequence_ = true;
      return Row::end_of_sequence;
    }
    if (line.front() == '@') {
      read_weight();
      continue;
    }
    read_token();
    return Row::token;
  }
  if (tokens_ > 0) {
    is_after_sequence_ = true;
    return Row::end_of_sequence;
  }
  if (weight_line_ == 0) return Row::end_of_file;
  throw lines_.error_at(weight_line_, 0,
                        "the weight belongs to no sequence; write it in front of the rows of one");
}

void CrfsuiteReader::begin_sequence() {
  is_after_sequence_ = false;
  tokens_ = 0;
  weight_line_ = 0;
  weight_ = 1;
}

// Reads a line such as "@weight:2.5".
void CrfsuiteReader::read_weight() {
  const std::string_view line = lines_.line();
  const std::size_t size = weight_mark.size();
  if (!line.starts_with(weight_mark) || line.size() == size || line[size] != ':') {
    throw lines_.error(0, sculpt::shown(line) +
                              " is no declaration; @weight:NUMBER is the only one, and labels "
                              "cannot begin with @");
  }
  const sculpt::Field number = tab_field(line, size + 1);
  if (number.end() < line.size()) {
    throw lines_.error(number.end(),
                       "a field follows the weight; write the weight in its own line");
  }
  if (weight_line_ > 0) {
    throw lines_.error(0, "the sequence has a weight already, in line " +
                              std::to_string(weight_line_) + "; remove one of them");
  }
  weight_ = sculpt::read_example_weight(lines_, number);
  weight_line_ = lines_.number();
}

void CrfsuiteReader::read_token() {
  const std::string_view line = lines_.line();
  if (tokens_ == 0) first_line_ = lines_.number();
  ++tokens_;
  attributes_.clear();
  names_.clear();
  names_.reserve(line.size());  // it never moves, because names are views of it
  sculpt::Field field = tab_field(line, 0);
  read_label(field);
  while (field.end() < line.size()) {
    field = tab_field(line, field.end() + 1);
    if (!field.text.empty()) read_attribute(field);
  }
}

void CrfsuiteReader::read_label(sculpt::Field field) {
  refuse_blank_without_tab(field);
  const bool has_label = !field.text.empty();
  if (rows_ == 0) {
    is_labelled_ = has_label;
    first_row_line_ = lines_.number();
  }
  if (has_label != is_labelled_) refuse_mixed_labels();
  ++rows_;
  const std::size_t colon = colon_in(field.text);
  if (colon < field.text.size()) {
    throw lines_.error(colon, "the label has a colon; write it as \\:");
  }
  label_ = unescaped(field.text);
}

std::pair<std::int64_t, std::int64_t> CrfsuiteReader::count_rest() {
  std::pair<std::int64_t, std::int64_t> counts;
  while (lines_.next()) {
    const std::string_view text = lines_.line();
    if (text.find_first_not_of(' ') == std::string_view::npos || text.front() == '@') continue;
    ++(text.front() == '\t' ? counts.second : counts.first);
  }
  return counts;
}

void CrfsuiteReader::refuse_if_others_have_labels() {
  const std::int64_t line = lines_.number();
  if (count_rest().first == 0) return;
  throw lines_.error_at(line, 0,
                        "the label is missing, which other rows have; write a label in front of "
                        "the first tab of every row, or of none");
}

// The current row is the first one that differs from those before it. Reads the rest of the file,
// to name a row of the smaller kind.
void CrfsuiteReader::refuse_mixed_labels() {
  const std::int64_t line = lines_.number();
  const auto [labelled, unlabelled] = count_rest();
  const std::int64_t like_first = rows_ + (is_labelled_ ? labelled : unlabelled);
  const std::int64_t others = 1 + (is_labelled_ ? unlabelled : labelled);
  const bool first_is_at_fault = like_first < others;
  const bool lacks_label = is_labelled_ != first_is_at_fault;
  const std::int64_t more = std::max(like_first, others);
  const std::string most = std::to_string(more) + " of " + std::to_string(like_first + others) +
                           (more == 1 ? " rows has" : " rows have");
  throw lines_.error_at(first_is_at_fault ? first_row_line_ : line, 0,
                        (lacks_label ? "the label is missing, which " + most
                                     : "the row has a label, and " + most + " none") +
                            "; write a label in front of the first tab of every row, or of none");
}

// Such a row usually has blanks in place of its tabs. Otherwise all of it would be a new label.
void CrfsuiteReader::refuse_blank_without_tab(sculpt::Field field) const {
  const std::size_t blank = field.text.find(' ');
  if (field.end() < lines_.line().size() || blank == std::string_view::npos) return;
  throw lines_.error(blank,
                     "the row has a blank and no tab; write tabs between the label and the "
                     "attributes, or end the row with a tab if the blank belongs to the label");
}

// Drops attributes with the value 0.
void CrfsuiteReader::read_attribute(sculpt::Field field) {
  const std::size_t colon = colon_in(field.text);
  if (colon == 0) {
    throw lines_.error(field.column,
                       "the attribute has no name in front of its colon; write a colon of a name "
                       "as \\:");
  }
  double value = 1;
  if (colon + 1 < field.text.size()) {
    const sculpt::Field number{field.text.substr(colon + 1), field.column + colon + 1};
    value = lines_.real(number, "a value (a colon of a name is written as \\:)");
  }
  if (value == 0) return;
  attributes_.push_back({unescaped(field.text.substr(0, colon)), value, field.column});
}

// Returns the position of the first colon without a backslash, or the size.
std::size_t CrfsuiteReader::colon_in(std::string_view text) const {
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\\') {
      ++k;
    } else if (text[k] == ':') {
      return k;
    }
  }
  return text.size();
}

// Replaces \: and \\ by their second character. Other backslashes stay.
std::string_view CrfsuiteReader::unescaped(std::string_view text) {
  if (text.find('\\') == std::string_view::npos) return text;
  const std::size_t from = names_.size();
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool is_escape =
        text[k] == '\\' && k + 1 < text.size() && (text[k + 1] == ':' || text[k + 1] == '\\');
    if (is_escape) ++k;
    names_ += text[k];
  }
  return std::string_view(names_).substr(from);
}
