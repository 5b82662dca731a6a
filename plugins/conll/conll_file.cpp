#include "conll_file.hpp"

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
    while (reader_.next()) {
      const std::vector<Field>& fields = reader_.fields();
      if (fields.empty() || fields.front().text == document_mark) {
        end_sentence();
        continue;
      }
      if (width_ == 0) read_format(fields);
      if (fields.size() != width_) throw wrong_width(fields);
      if (rows_ == file_.sentence_from.back()) file_.sentence_line.push_back(reader_.number());
      for (std::size_t k = 0; k < file_.columns; ++k) file_.values.push_back(fields[k].text);
      ++rows_;
      if (!file_.is_labelled) continue;
      file_.labels.push_back(fields.back().text);
      file_.label_places.push_back({reader_.number(), fields.back().column});
    }
    end_sentence();
    return std::move(file_);
  }

 private:
  void end_sentence() {
    if (rows_ > file_.sentence_from.back()) file_.sentence_from.push_back(rows_);
  }

  // The first row decides the format of all rows.
  void read_format(const std::vector<Field>& fields) {
    width_ = fields.size();
    file_.is_labelled = width_ == file_.columns + 1;
    if (reader_.line().find('\t') != std::string_view::npos) file_.separator = '\t';
    if (width_ == file_.columns || file_.is_labelled) return;
    throw reader_.error(column_of_error(fields, file_.columns + 1),
                        width_text(fields) + " where " + expected_text() +
                            " are expected; list the columns before the label in `columns`");
  }

  sculpt::Error wrong_width(const std::vector<Field>& fields) const {
    return reader_.error(column_of_error(fields, width_),
                         width_text(fields) + " where the first row has " + std::to_string(width_) +
                             "; give every row the same number of columns");
  }

  // Returns the column of the first surplus field, or of the end of the line if a field is missing.
  std::size_t column_of_error(const std::vector<Field>& fields, std::size_t expected) const {
    return fields.size() > expected ? fields[expected].column : reader_.line().size();
  }

  // Returns text for a message: "has 2 columns, 'in IN',".
  static std::string width_text(const std::vector<Field>& fields) {
    std::string text;
    for (const Field& field : fields) {
      text += (text.empty() ? "" : " ") + std::string(field.text);
    }
    return "has " + std::to_string(fields.size()) +
           (fields.size() == 1 ? " column, " : " columns, ") + sculpt::shown(text) + ",";
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
  std::size_t width_ = 0;  // columns of a row; 0 before the first row
  std::size_t rows_ = 0;
};

}  // namespace

ConllFile read_conll_file(sculpt::LineReader& reader, const std::vector<std::string>& columns) {
  return ConllFileReader(reader, columns).read();
}
