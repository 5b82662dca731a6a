// crfsuite_reader.hpp - reads the rows of CRFsuite's files: `label<TAB>attribute[:value]<TAB>...`.
//
// Keeps one row at a time. Called by crfsuite.cpp. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

class CrfsuiteReader {
 public:
  enum class Row { token, end_of_sequence, end_of_file };

  struct Attribute {
    std::string_view name;  // without escapes; valid until the next row
    double value;           // not 0
    std::size_t column;     // from 0
  };

  explicit CrfsuiteReader(const sculpt::Source& source)
      : lines_(source, sculpt::LineLife::until_next) {}

  // Moves to the next token, or to the end of a sequence, which has at least one token. Throws
  // E_DATA.
  Row next();

  // Of the token. The label is empty if the file is unlabelled.
  std::string_view label() const { return label_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }

  // Of the sequence: the line of its first token, and its weight, which is known at its end.
  std::int64_t first_line() const { return first_line_; }
  double weight() const { return weight_; }

  // Throws if the current row has no label, but a later one has. Reads the rest of the file.
  void refuse_if_others_have_labels();
  // True if rows have labels. Known after the first token.
  bool is_labelled() const { return is_labelled_; }
  const sculpt::LineReader& lines() const { return lines_; }

 private:
  void begin_sequence();
  void read_weight();
  void read_token();
  void read_label(sculpt::Field field);
  [[noreturn]] void refuse_mixed_labels();
  // Counts the rows in the rest of the file, with and without a label.
  std::pair<std::int64_t, std::int64_t> count_rest();
  void refuse_blank_without_tab(sculpt::Field field) const;
  void read_attribute(sculpt::Field field);
  std::size_t colon_in(std::string_view text) const;
  std::string_view unescaped(std::string_view text);

  sculpt::LineReader lines_;
  std::string_view label_;
  std::vector<Attribute> attributes_;
  std::string names_;        // those of the row that had escapes
  std::int64_t tokens_ = 0;  // of the sequence
  std::int64_t first_line_ = 0;
  std::int64_t weight_line_ = 0;  // 0: the sequence has no weight so far
  double weight_ = 1;
  std::int64_t rows_ = 0;            // of the file so far
  std::int64_t first_row_line_ = 0;  // of the file
  bool is_labelled_ = false;
  bool is_after_sequence_ = false;
};
