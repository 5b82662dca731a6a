#include "svmlight_rows.hpp"

namespace {

constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();

struct Entry {
  std::int64_t index;  // from 1
  double value;
};

Entry read_entry(const sculpt::LineReader& reader, sculpt::Field field) {
  const std::size_t colon = field.text.find(':');
  if (colon == std::string_view::npos) {
    throw reader.error(field.column,
                       sculpt::shown(field.text) + " has no colon; write index:value");
  }
  const sculpt::Field before{field.text.substr(0, colon), field.column};
  const sculpt::Field behind{field.text.substr(colon + 1), field.column + colon + 1};
  if (before.text == "qid") {
    throw reader.error(field.column,
                       "'qid' groups the rows of rankings, which svmlight does not read; drop it, "
                       "or use a dataset for rankings");
  }
  const std::int64_t index = reader.integer(before, "an index; write index:value");
  if (index < 1 || index > largest_index) {
    throw reader.error(field.column, "index " + std::to_string(index) + " is outside [1, " +
                                         std::to_string(largest_index) +
                                         "]; count features from 1");
  }
  return {index, reader.real(behind, "a value")};
}

void read_entries(const sculpt::LineReader& reader, std::span<const sculpt::Field> fields,
                  SvmLightRows& file) {
  std::int64_t previous = 0;
  for (const sculpt::Field field : fields) {
    const Entry entry = read_entry(reader, field);
    if (entry.index <= previous) {
      throw reader.error(field.column, "index " + std::to_string(entry.index) + " follows index " +
                                           std::to_string(previous) +
                                           "; sort the row and name each index once");
    }
    previous = entry.index;
    if (entry.value == 0) continue;
    file.index.push_back(static_cast<std::int32_t>(entry.index - 1));
    file.value.push_back(entry.value);
  }
  file.largest = std::max(file.largest, static_cast<std::int32_t>(previous));
}

}  // namespace

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
    read_entries(reader, fields, file);
    row.entries = file.index.size();
    file.rows.push_back(std::move(row));
  }
  return file;
}
