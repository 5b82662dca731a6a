// annotations.hpp - what stands in a file behind the letters of a row: tracks of symbols, one for
// each letter, and a profile, a line of numbers for each letter.
//
//   =structure HHHEC      may go on over several lines; gaps have no symbol
//   @ 0.5 -1 2
//
// Called by pair_file.cpp; messages begin with path:line:column.
#pragma once

#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace alignment {

// Text of several lines, joined, and where it comes from.
struct PlacedText {
  std::string text;
  // Where each line stands: its first character in `text`, its line and column in the file.
  struct Piece {
    std::size_t from;
    std::int64_t line;
    std::size_t column;
  };
  std::vector<Piece> pieces;

  void add(sculpt::Field line, std::int64_t number) {
    pieces.push_back({text.size(), number, line.column});
    text += line.text;
  }
};

// What is wrong at a character of a text that is not empty, or right behind it.
sculpt::Error error_in(const PlacedText& text, std::size_t character, const std::string& what,
                       const sculpt::LineReader& reader);

struct Row : PlacedText {          // its letters and gaps
  std::int64_t name = 0;           // the line of its name
  std::vector<PlacedText> tracks;  // those of Annotations::tracks, or fewer
  std::vector<double> profile;     // [letters][columns], or empty
  std::int64_t profile_line = 0;   // the last one

  std::size_t letters() const;
};

// Which of them rows have.
struct Annotations {
  std::vector<std::string> tracks;  // their names: every row with letters has each, in this order
  std::int64_t profile = 0;         // numbers for each letter; 0: no row has a profile

  // Takes the line under way when it is one of a row's annotations; false: it is not. Throws Error.
  bool add_line(sculpt::LineReader& reader, Row& row) const;
  // Refuses a row whose annotations are not those of its letters.
  void check(const Row& row, const sculpt::LineReader& reader) const;

 private:
  void add_symbols(sculpt::LineReader& reader, Row& row) const;
  void add_numbers(sculpt::LineReader& reader, Row& row) const;
};

}  // namespace alignment
