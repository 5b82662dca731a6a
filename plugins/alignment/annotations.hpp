// annotations.hpp - the lines of a file after the letters of a row. Tracks have one symbol a
// letter. A profile has a line of numbers for each letter.
//
//   =structure HHHEC      may continue on further lines; gaps have no symbol
//   @ 0.5 -1 2
//
// Called by pair_file.cpp; messages begin with path:line:column.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace alignment {

// Text of several lines, joined, with the position of each line in the file.
struct PlacedText {
  std::string text;
  // Where a line begins: in `text`, and in the file.
  struct Line {
    std::size_t begin;
    std::int64_t number;
    std::size_t column;
  };
  std::vector<Line> lines;

  void add(sculpt::Field line, std::int64_t number) {
    lines.push_back({text.size(), number, line.column});
    text += line.text;
  }
};

// Returns an error at a character of a nonempty text, or directly after its end.
sculpt::Error error_in(const PlacedText& text, std::size_t character, const std::string& what,
                       const sculpt::LineReader& reader);

struct Row : PlacedText {          // its letters and gaps
  std::string name;                // the text behind >
  std::int64_t name_line = 0;      // the line of its name
  std::vector<PlacedText> tracks;  // at most the tracks of Annotations::tracks
  std::vector<double> profile;     // [letters][columns], or empty
  std::int64_t profile_line = 0;   // the last line of the profile

  std::size_t letter_count() const;
};

// The annotations that rows of a file have.
struct Annotations {
  std::vector<std::string> tracks;  // names; every row with letters has each, in this order
  std::int64_t profile = 0;         // numbers for each letter; 0: no row has a profile

  // Reads the current line if it is an annotation of the row. Returns false if it is not. Throws
  // Error.
  bool add_line(sculpt::LineReader& reader, Row& row) const;
  // Throws an error if the annotations of a row do not fit its letters.
  void check(const Row& row, const sculpt::LineReader& reader) const;

 private:
  void add_symbols(sculpt::LineReader& reader, Row& row) const;
  void add_numbers(sculpt::LineReader& reader, Row& row) const;
};

}  // namespace alignment
