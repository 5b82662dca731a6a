#include "label_rows.hpp"

#include <algorithm>

namespace {

// Returns the number of a label, or 0 with the reason in `fault`.
std::int32_t read_label(std::string_view text, std::string& fault) {
  std::int64_t number = 0;
  if (sculpt::read_whole(text, number) == sculpt::NumberText::none) {
    fault = sculpt::shown(text) + " is not a label; write the labels that are on as 1,4 or, when " +
            "there is none, as -";
  } else if (number < 1 || text.starts_with('-')) {
    fault = "there is no label " + sculpt::shortened(text) + "; labels count from 1";
  } else if (number > max_labels) {
    fault = "label " + sculpt::shortened(text) + " is above " + std::to_string(max_labels) +
            ", the most that mlsvml takes; number them from 1";
  }
  return fault.empty() ? static_cast<std::int32_t>(number) : 0;
}

}  // namespace

std::vector<OnLabel> read_label_list(std::string_view text, ListFault& fault) {
  std::vector<OnLabel> on;
  fault = {};
  if (text == "-") return on;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::int32_t number = read_label(text.substr(at, end - at), fault.what);
    fault.column = at;
    if (!fault.what.empty()) return {};
    on.push_back({number, at});
    at = end + 1;
  }
  std::stable_sort(on.begin(), on.end(), [](OnLabel a, OnLabel b) { return a.number < b.number; });
  const auto twice = std::adjacent_find(on.begin(), on.end(),
                                        [](OnLabel a, OnLabel b) { return a.number == b.number; });
  if (twice != on.end()) {
    fault.what =
        "label " + std::to_string(twice->number) + " stands twice in the list; name it " + "once";
    fault.column = std::next(twice)->column;
    return {};
  }
  return on;
}

LabelRows read_label_rows(sculpt::LineReader& reader) {
  LabelRows file;
  while (reader.next()) {
    reader.cut_comment('#');
    const sculpt::Field list = reader.field_from(0);
    if (list.text.empty()) continue;
    LabelRow row;
    row.line = reader.number();
    row.labelled = list.text.find(':') == std::string_view::npos;
    if (row.labelled) {
      ListFault fault;
      row.on = read_label_list(list.text, fault);
      if (!fault.what.empty()) throw reader.error(list.column + fault.column, fault.what);
      for (OnLabel& label : row.on) label.column += list.column;
      if (!row.on.empty()) file.largest = std::max(file.largest, row.on.back().number);
    }
    file.entries.add_row(reader, row.labelled ? list.end() : list.column);
    file.rows.push_back(std::move(row));
  }
  return file;
}
