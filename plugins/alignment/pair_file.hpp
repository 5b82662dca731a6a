// pair_file.hpp - reads pairs of sequences, aligned or not:
//
//   >name of a
//   ACD-EFg
//   >name of b
//   A-DWEFg
//
// and a blank line. Gaps are - or ., lines that begin with # or ; are comments. Rows may continue
// on further lines and may be followed by annotations. After the pair come decoys: rows without
// gaps that are aligned with no row. Called by pairs_fasta.cpp. Messages begin with
// path:line:column.
#pragma once

#include <vector>

#include "annotations.hpp"

namespace alignment {

struct RowPair {
  Row a;
  Row b;
  bool is_aligned = false;  // equal lengths; if false, no gaps: unlabelled
};

struct RowBlock {
  RowPair pair;
  std::vector<Row> decoys;
};
// Reads a file whose rows have these annotations. Throws Error.
std::vector<RowBlock> read_blocks(sculpt::LineReader& reader, const Annotations& annotations);

}  // namespace alignment
