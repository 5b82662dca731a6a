// vienna_reader.hpp - reads sequences with dots and brackets, as the programs of ViennaRNA write
// them:
//
//   >name                        may be missing: then each line of letters begins a record
//   GGCUUAACGCC                  may go on over several lines if there is a name
//   ((((...)))) (-1.20)          may go on; the energy behind it is ignored
//
// Lines that begin with # or ; are comments. Further structures behind one with an energy, such as
// those of RNAsubopt and of `RNAfold -p`, are left out. `>structure` of CONTRAfold is no name.
// Called by the dataset dot_bracket.
#pragma once

#include "structure_record.hpp"

namespace rna {

// Throws path:line:column for everything else.
LeftOut read_vienna(const sculpt::LineReader& reader, const std::vector<PlacedLine>& lines,
                    const AcceptedRecords& accepted, const RecordSink& sink);

}  // namespace rna
