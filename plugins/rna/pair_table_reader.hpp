// pair_table_reader.hpp - reads files with one base a row: ct and bpseq.
//
//   ct:  5 name          the number of bases, a name         bpseq:  # a name, or other headers
//        1 G 0 2 5 1     number, letter, neighbours, partner         1 G 5   number, letter,
//        partner
//
// A partner of 0 is a single base. A file may have several records. Called by the dataset
// dot_bracket. Source: the formats of mfold (Zuker 2003) and of the Comparative RNA Web Site
// (Cannone et al. 2002).
#pragma once

#include "structure_record.hpp"

namespace rna {

enum class StructureFormat { dot_bracket, ct, bpseq };

// Returns the format of the first line that tells it. Lines of dots and brackets tell nothing, so
// they are the format of files that nothing is known of.
StructureFormat format_of(const std::vector<PlacedLine>& lines);

// Throws path:line:column for rows of another form, partners that do not agree, and pairs that
// cross.
LeftOut read_pair_table(const sculpt::LineReader& reader, const std::vector<PlacedLine>& lines,
                        StructureFormat format, const AcceptedRecords& accepted,
                        const RecordSink& sink);

}  // namespace rna
