// alignment_text.hpp - alignments as text: "AC-GT ACCGT", the two gapped rows; "3:C-GT 1:CCGT"
// where they begin at other letters than the first; "-" for the empty alignment.
//
// Called by pairs_fasta.cpp.
#pragma once

#include <vector>

#include "path.hpp"
#include "sequence.hpp"

namespace alignment {

void format_alignment(const SequencePair& pair, sculpt::Labels y, sculpt::ByteOutput& out);
// Appends to y. Throws data_error on text that is no alignment of the two.
void parse_alignment(const SequencePair& pair, std::string_view text, std::vector<std::int32_t>& y);

}  // namespace alignment
