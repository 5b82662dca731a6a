#include "svmlight_rows.hpp"

SvmLightRows read_svmlight_rows(sculpt::LineReader& reader) {
  SvmLightRows file;
  while (reader.next()) {
    reader.cut_comment('#');
    std::span<const sculpt::Field> fields = reader.fields();
    if (fields.empty()) continue;
    SvmLightRow row;
    row.line = reader.number();
    row.labelled = fields.front().text.find(':') == std::string_view::npos;
    if (row.labelled) {
      row.label = reader.integer(fields.front(),
                                 "a label; a whole number is expected, or index:value when the "
                                 "row is unlabelled");
      row.text = fields.front().text;
      row.column = fields.front().column;
      fields = fields.subspan(1);
    }
    file.entries.add_row(reader, fields);
    file.rows.push_back(std::move(row));
  }
  return file;
}
