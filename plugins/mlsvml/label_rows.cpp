#include "label_rows.hpp"

#include <algorithm>

namespace {

// Returns the number of a label as in the file, or 0 with the error in `message`.
std::int32_t read_label(std::string_view text, std::string& message) {
  std::int64_t number = 0;
  if (sculpt::read_whole_in_any_notation(text, number) == sculpt::NumberText::none) {
    message = sculpt::shown(text) +
              " is not a label; write the labels that are on as 1,4, or - "
              "if there are none";
  } else if (number < 0 || text.starts_with('-')) {
    message = "there is no label " + sculpt::shortened(text) + "; labels count from 1, or from 0";
  } else if (number > max_labels) {
    message = "label " + sculpt::shortened(text) + " is above " + std::to_string(max_labels) +
              ", the limit of mlsvml; number the labels from 1, or from 0";
  }
  return message.empty() ? static_cast<std::int32_t>(number) : 0;
}

}  // namespace

std::vector<OnLabel> read_label_list(std::string_view text, ListFault& fault) {
  std::vector<OnLabel> labels;
  fault = {};
  if (text == "-") return labels;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::int32_t number = read_label(text.substr(begin, end - begin), fault.message);
    fault.column = begin;
    if (!fault.message.empty()) return {};
    labels.push_back({number, begin});
    begin = end + 1;
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](OnLabel a, OnLabel b) { return a.number < b.number; });
  const auto twice = std::adjacent_find(labels.begin(), labels.end(),
                                        [](OnLabel a, OnLabel b) { return a.number == b.number; });
  if (twice != labels.end()) {
    fault.message =
        "label " + std::to_string(twice->number) + " is in the list twice; write it once";
    fault.column = std::next(twice)->column;
    return {};
  }
  return labels;
}

LabelRows read_label_rows(sculpt::LineReader& reader) {
  LabelRows file;
  while (reader.next()) {
    reader.cut_comment('#');
    const sculpt::Field list = reader.field_from(0);
    if (list.text.empty()) continue;
    LabelRow row;
    row.line = reader.number();
    row.is_labelled = list.text.find(':') == std::string_view::npos;
    row.begins_with_blank = list.column > 0;
    if (row.is_labelled) {
      ListFault fault;
      row.on_labels = read_label_list(list.text, fault);
      if (!fault.message.empty()) throw reader.error(list.column + fault.column, fault.message);
      for (OnLabel& label : row.on_labels) label.column += list.column;
      if (!row.on_labels.empty()) {
        file.largest_label = std::max(file.largest_label, row.on_labels.back().number);
        if (row.on_labels.front().number == 0) file.has_label_0 = true;
      }
    }
    file.entries.add_row(reader, row.is_labelled ? list.end() : list.column);
    file.rows.push_back(std::move(row));
  }
  return file;
}
