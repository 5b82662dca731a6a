// svmlight_rows.hpp - the rows of a file "label index:value ... # comment", before labels mean
// anything.
//
// Called by the dataset svmlight. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

struct SvmLightRow {
  bool labelled = false;
  std::int64_t label = 0;
  std::string text;         // the label as it is written: "+1"
  std::int64_t line = 0;    // where the label stands, from 1
  std::size_t column = 0;   // from 0
  std::size_t entries = 0;  // where its entries end
};

struct SvmLightRows {
  std::vector<SvmLightRow> rows;
  std::vector<std::int32_t> index;  // from 0, increasing within a row; no zeros
  std::vector<double> value;        // same length
  std::int32_t largest = 0;         // the largest index of the file, from 1; 0 when there is none
};

// Blank lines and lines with only a comment are no rows. Throws Error.
SvmLightRows read_svmlight_rows(sculpt::LineReader& reader);
