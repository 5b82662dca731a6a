// tab_fields.hpp - the pieces of a row between tabs. Used by the readers of this plugin.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

// Returns the piece of a row that begins at `from` and ends at a tab. It may be empty.
inline sculpt::Field tab_field(std::string_view line, std::size_t from) {
  return {line.substr(from, line.find('\t', from) - from), from};
}

// Replaces `fields` by all pieces of a row. They may be empty.
inline void split_at_tabs(std::string_view line, std::vector<sculpt::Field>& fields) {
  fields.clear();
  for (std::size_t from = 0; from <= line.size(); from = fields.back().end() + 1) {
    fields.push_back(tab_field(line, from));
  }
}

// The same without the blanks around each piece. An empty piece has the place behind its blanks.
inline void split_at_tabs_and_trim(std::string_view line, std::vector<sculpt::Field>& fields) {
  split_at_tabs(line, fields);
  for (sculpt::Field& field : fields) {
    const std::size_t begin = std::min(field.text.find_first_not_of(' '), field.text.size());
    const std::size_t end = std::max(begin, field.text.find_last_not_of(' ') + 1);
    field = {field.text.substr(begin, end - begin), field.column + begin};
  }
}
