// pair_file.hpp - reading pairs of sequences, aligned or not:
//
//   >name of a
//   ACD-EFg
//   >name of b
//   A-DWEFg
//
// and a blank line. Rows may go on over several lines. Behind them, decoys: rows without gaps that
// are aligned with none. Called by pairs_fasta.hpp; messages begin with
// path:line:column.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

#include "alphabet.hpp"

namespace alignment {

struct Row {
  std::int64_t name = 0;  // the line of its name
  std::string text;       // letters and gaps, lines joined
  // Where each line of it stands: its first character in `text`, its line and column in the file.
  struct Piece {
    std::size_t from;
    std::int64_t line;
    std::size_t column;
  };
  std::vector<Piece> pieces;
};

struct RowPair {
  Row a;
  Row b;
  bool aligned = false;  // of equal length; else without gaps: an unlabelled example
};

struct RowBlock {
  RowPair pair;
  std::vector<Row> decoys;
};
// Of a file. Throws Error.
std::vector<RowBlock> read_blocks(sculpt::LineReader& reader);

// What is wrong at a character of a row.
sculpt::Error error_in(const Row& row, std::size_t character, const std::string& what,
                       const sculpt::LineReader& reader);

}  // namespace alignment
