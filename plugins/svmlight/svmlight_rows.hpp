// svmlight_rows.hpp - the rows of a file "label index:value ... # comment", before labels mean
// anything.
//
// Called by the dataset svmlight. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/sparse_rows.hpp>

#include <cstdint>
#include <string>
#include <vector>

struct SvmLightRow {
  bool labelled = false;
  std::int64_t label = 0;
  std::string text;        // the label as it is written: "+1"
  std::int64_t line = 0;   // where the label stands, from 1
  std::size_t column = 0;  // from 0
};

struct SvmLightRows {
  std::vector<SvmLightRow> rows;
  sculpt::SparseRows entries;  // of the same rows
};

// Blank lines and lines with only a comment are no rows. Throws Error.
SvmLightRows read_svmlight_rows(sculpt::LineReader& reader);
