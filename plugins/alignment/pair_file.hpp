// pair_file.hpp - reading pairs of sequences, aligned or not:
//
//   >name of a
//   ACD-EFg
//   >name of b
//   A-DWEFg
//
// and a blank line. Rows may go on over several lines, and have annotations behind them. Behind the
// pair, decoys: rows without gaps that are aligned with none. Called by pairs_fasta.cpp; messages
// begin with path:line:column.
#pragma once

#include <vector>

#include "annotations.hpp"

namespace alignment {

struct RowPair {
  Row a;
  Row b;
  bool aligned = false;  // of equal length; else without gaps: an unlabelled example
};

struct RowBlock {
  RowPair pair;
  std::vector<Row> decoys;
};
// Of a file whose rows have these annotations. Throws Error.
std::vector<RowBlock> read_blocks(sculpt::LineReader& reader, const Annotations& annotations);

}  // namespace alignment
