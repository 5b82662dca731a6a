#include "conll_file.hpp"

#include "row_division.hpp"

#include <algorithm>
#include <utility>

namespace {

using sculpt::Field;

// The line between documents of CoNLL-2003. Its number of columns differs between languages.
constexpr std::string_view document_mark = "-DOCSTART-";

class ConllFileReader {
 public:
  ConllFileReader(sculpt::LineReader& reader, const std::vector<std::string>& columns)
      : reader_(reader), columns_(columns) {
    file_.columns = columns.size();
  }

  ConllFile read() {
    read_lines();
    if (rows_.empty()) return std::move(file_);
    division_ = division_of(rows_, columns_.size());
    require_format();
    file_.is_labelled = division_.columns == columns_.size() + 1 && has_labels();
    if (rows_.front().text.find('\t') != std::string_view::npos) file_.separator = '\t';
    for (const auto& row : rows_) add_row(row);
    return std::move(file_);
  }

 private:
  // Keeps the rows, and where sentences begin.
  void read_lines() {
    const auto end_sentence = [&] {
      if (rows_.size() > file_.sentence_from.back()) file_.sentence_from.push_back(rows_.size());
    };
    while (reader_.next()) {
      const std::string_view first = reader_.field_from(0).text;
      if (first.empty() || first == document_mark) {
        end_sentence();
        continue;
      }
      if (rows_.size() == file_.sentence_from.back()) {
        file_.sentence_line.push_back(reader_.number());
      }
      rows_.push_back({reader_.line(), reader_.number()});
    }
    end_sentence();
  }

  // Throws unless some row has the columns that are expected.
  void require_format() {
    if (division_.columns > 0) return;
    division_.divide(rows_.front().text, fields_);
    throw error(rows_.front(), columns_.size() + 1,
                "where " + expected_text() +
                    " are expected; list the columns before the label in `columns`");
  }

  // False if tabs divide, and the last value of every row is empty: a table without labels.
  bool has_labels() {
    return !division_.by_tabs || std::any_of(rows_.begin(), rows_.end(), [&](const TextRow& row) {
      division_.divide(row.text, fields_);
      return fields_.size() != division_.columns || !fields_.back().text.empty();
    });
  }

  void add_row(const TextRow& row) {
    division_.divide(row.text, fields_);
    if (fields_.size() != division_.columns) throw wrong_width(row);
    for (std::size_t k = 0; k < file_.columns; ++k) {
      if (fields_[k].text.empty()) {
        throw empty_value(row, fields_[k],
                          "the column " + columns_[k] + " is empty; write a value, such as _");
      }
      file_.values.push_back(fields_[k].text);
    }
    if (!file_.is_labelled) return;
    if (fields_.back().text.empty()) {
      throw empty_value(row, fields_.back(),
                        "the label is empty; write it, or remove the labels of all rows");
    }
    file_.labels.push_back(fields_.back().text);
    file_.label_places.push_back({row.number, fields_.back().column});
  }

  sculpt::Error empty_value(const TextRow& row, const Field& field, const std::string& what) const {
    return reader_.error_at(row.number, field.column, what);
  }

  // The error of a row that is not like the others. `fields_` has its values.
  sculpt::Error wrong_width(const TextRow& row) const {
    const bool lacks_tabs = division_.by_tabs && row.text.find('\t') == std::string_view::npos;
    return error(row, division_.columns,
                 "where " + others_text() +
                     (lacks_tabs ? ", with tabs between them; write tabs"
                                 : "; give every row the same number of columns"));
  }

  // Returns "5 of 6 rows have 3, such as line 1". Some row has the expected number of columns.
  std::string others_text() const {
    std::vector<Field> fields;
    std::size_t count = 0;
    std::int64_t line = 0;
    for (const TextRow& row : rows_) {
      division_.divide(row.text, fields);
      if (fields.size() != division_.columns) continue;
      if (count++ == 0) line = row.number;
    }
    return std::to_string(count) + " of " + std::to_string(rows_.size()) +
           (count == 1 ? " rows has " : " rows have ") + std::to_string(division_.columns) +
           ", such as line " + std::to_string(line);
  }

  // Returns "has 2 columns, 'in IN', " and more. The column is that of the first surplus field, or
  // of the end of the line if a field is missing.
  sculpt::Error error(const TextRow& row, std::size_t expected, const std::string& more) const {
    std::string text;
    for (const Field& field : fields_) {
      text += (text.empty() ? "" : " ") + std::string(field.text);
    }
    return reader_.error_at(
        row.number, fields_.size() > expected ? fields_[expected].column : row.text.size(),
        "has " + std::to_string(fields_.size()) +
            (fields_.size() == 1 ? " column, " : " columns, ") + sculpt::shown(text) + ", " + more);
  }

  // Returns text for a message: "w, pos and an optional label".
  std::string expected_text() const {
    std::string text;
    for (const std::string& column : columns_) text += (text.empty() ? "" : ", ") + column;
    return text + " and an optional label";
  }

  sculpt::LineReader& reader_;
  const std::vector<std::string>& columns_;
  ConllFile file_;
  sculpt::LargeVector<TextRow> rows_;
  RowDivision division_;
  std::vector<Field> fields_;  // of the current row
};

}  // namespace

ConllFile read_conll_file(sculpt::LineReader& reader, const std::vector<std::string>& columns) {
  return ConllFileReader(reader, columns).read();
}
