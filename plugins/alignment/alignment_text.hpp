// alignment_text.hpp - alignments as text. "AC-GT ACCGT": the two gapped rows. "3:C-GT 1:CCGT":
// rows that begin at other letters than the first. "-": the empty alignment.
//
// Letters count from 1. Pairs are also written as rows of a file that pairs_fasta reads. Called by
// pairs_fasta.cpp.
#pragma once

#include <vector>

#include "path.hpp"
#include "sequence.hpp"

namespace alignment {

void format_alignment(const SequencePair& pair, sculpt::Labels y, sculpt::ByteOutput& out);
// Writes the two rows with their names and with all letters: those before and behind a local
// alignment face gaps.
void format_rows(const SequencePair& pair, sculpt::Labels y, sculpt::ByteOutput& out);
// Appends to y. Throws data_error if the text is no alignment of the two sequences.
void parse_alignment(const SequencePair& pair, std::string_view text, std::vector<std::int32_t>& y);

}  // namespace alignment
