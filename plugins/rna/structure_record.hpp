// structure_record.hpp - a sequence and its structure, as the readers of files give them to the
// dataset dot_bracket; and what both readers need.
#pragma once

#include <cstdint>
#include <functional>
#include <sculpt/cpp/reading.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "letters.hpp"

namespace rna {

struct StructureRecord {
  std::string name;                    // may be empty
  std::string sequence;                // [bases], as in the file
  std::vector<Letter> letters;         // [bases]
  std::vector<std::int32_t> partners;  // [bases], or empty if unlabelled
  std::int64_t line = 0;               // its first line, from 1
};

// Receives the records of a file, in order.
using RecordSink = std::function<void(StructureRecord&&)>;

// What a dataset accepts, as its parameters say.
struct AcceptedRecords {
  bool has_ambiguous = false;        // letters that stand for several are bases that pair with none
  bool removes_pseudoknots = false;  // pairs that cross are left out, else refused
};

// What the readers left out of a file.
struct LeftOut {
  std::int64_t pairs = 0;       // those of pseudoknots
  std::int64_t structures = 0;  // further ones of a sequence
};

// The lines of a file without blanks around them. Views live as long as the reader.
struct PlacedLine {
  std::string_view text;
  std::int64_t number;  // from 1
  std::size_t column;   // of the first character, from 0
};

// Returns the letter of a character. Throws an error with this place if it is none.
Letter read_letter(const sculpt::LineReader& reader, char c, std::int64_t line, std::size_t column,
                   const AcceptedRecords& accepted);

// True if the text has only letters of RNA and DNA, also those that stand for several.
bool is_sequence(std::string_view text);

}  // namespace rna
