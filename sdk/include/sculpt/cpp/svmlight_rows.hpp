// svmlight_rows.hpp - the rows of a file "label index:value ... # comment". Labels are not yet
// interpreted.
//
// SPDX-License-Identifier: Apache-2.0
//
// For datasets in the format of SVM-light, Joachims 1998 (svmlight.joachims.org). Messages begin
// with path:line:column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sparse_rows.hpp"

namespace sculpt {

struct SvmLightRow {
  bool labelled = false;
  std::int64_t label = 0;
  std::string text;        // the label as in the file: "+1"
  std::int64_t line = 0;   // where the row begins, from 1
  std::size_t column = 0;  // from 0
};

struct SvmLightRows {
  std::vector<SvmLightRow> rows;
  SparseRows entries;  // of the same rows
};

// Skips blank lines and lines with only a comment. Throws E_DATA.
inline SvmLightRows read_svmlight_rows(LineReader& reader) {
  SvmLightRows file;
  while (reader.next()) {
    reader.cut_comment('#');
    const Field first = reader.field_from(0);
    if (first.text.empty()) continue;
    SvmLightRow row;
    row.line = reader.number();
    row.column = first.column;
    row.labelled = first.text.find(':') == std::string_view::npos;
    if (row.labelled) {
      row.label = reader.whole_number(first,
                                      "a label; a whole number is expected, or index:value when "
                                      "the row is unlabelled");
      row.text = first.text;
    }
    file.entries.add_row(reader, row.labelled ? first.end() : first.column);
    file.rows.push_back(std::move(row));
  }
  return file;
}

}  // namespace sculpt
