#include "conllu_file.hpp"

#include "tab_fields.hpp"

#include <sculpt/cpp/ascii.hpp>

#include <algorithm>

namespace {

constexpr std::string_view no_value = "_";

// True if the row with this id is a token. False for ranges and empty nodes.
bool is_conllu_token(std::string_view id) {
  return id.find_first_of("-.") == std::string_view::npos;
}

// Throws unless the row has ten columns, and each has a value.
void check_conllu_row(const sculpt::LineReader& reader, const std::vector<sculpt::Field>& fields) {
  const std::size_t columns = conllu_columns().size();
  if (fields.size() != columns) {
    throw reader.error(fields.size() > columns ? fields[columns].column : reader.line().size(),
                       "the row has " + std::to_string(fields.size()) +
                           (fields.size() == 1 ? " column" : " columns") +
                           " where CoNLL-U has 10; separate them by tabs");
  }
  for (std::size_t k = 0; k < columns; ++k) {
    if (!fields[k].text.empty()) continue;
    throw reader.error(fields[k].column,
                       "the column " + conllu_columns()[k] + " is empty; write _ for no value");
  }
  const std::string_view id = fields[0].text;
  const bool is_id = sculpt::is_digit(id.front()) && sculpt::is_digit(id.back()) &&
                     id.find_first_not_of("0123456789-.") == std::string_view::npos;
  if (is_id) return;
  throw reader.error(0, sculpt::shown(id) +
                            " is no id; write a number, a range such as 3-4, or an empty node such "
                            "as 5.1");
}

}  // namespace

const std::vector<std::string>& conllu_columns() {
  static const std::vector<std::string> columns = {"id",    "form", "lemma",  "upos", "xpos",
                                                   "feats", "head", "deprel", "deps", "misc"};
  return columns;
}

ConllFile read_conllu_file(sculpt::LineReader& reader, std::size_t label_column) {
  ConllFile file;
  file.columns = conllu_columns().size();
  std::vector<sculpt::Field> fields;
  std::size_t rows = 0;
  const auto end_sentence = [&] {
    if (rows == file.sentence_from.back()) return;
    file.sentence_from.push_back(rows);
    file.line_from.push_back(file.lines.size());
  };
  while (reader.next()) {
    const std::string_view line = reader.line();
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      end_sentence();
      continue;
    }
    file.lines.push_back({line, line.size(), 0});
    if (line.front() == '#') continue;
    split_at_tabs(line, fields);
    check_conllu_row(reader, fields);
    if (!is_conllu_token(fields[0].text)) continue;
    if (rows == file.sentence_from.back()) file.sentence_line.push_back(reader.number());
    for (const sculpt::Field& field : fields) file.values.push_back(field.text);
    const sculpt::Field& label = fields[label_column];
    file.lines.back() = {line, label.column, label.text.size()};
    file.labels.push_back(label.text);
    file.label_places.push_back({reader.number(), label.column});
    ++rows;
  }
  end_sentence();
  file.is_labelled = std::any_of(file.labels.begin(), file.labels.end(),
                                 [](std::string_view label) { return label != no_value; });
  return file;
}
