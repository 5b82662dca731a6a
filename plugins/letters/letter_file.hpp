// letter_file.hpp - reads and checks the rows "word fold position letter more inputs..." of a file.
//
// Called by the dataset letters. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <string>
#include <vector>

struct Letter {
  std::string text;           // one character (UTF-8); "?" is an unknown letter
  std::int64_t line = 0;      // its line, from 1
  std::size_t column = 0;     // from 0
  std::size_t input_end = 0;  // end of its inputs; they begin at the end of the previous letter's
};

struct Word {
  std::int64_t fold = 0;
  std::size_t begin = 0;  // its letters are [begin, end)
  std::size_t end = 0;
  bool is_labelled = true;  // true if no letter is "?"
};

struct LetterFile {
  std::vector<Word> words;
  std::vector<Letter> letters;
  std::vector<std::int32_t> index;  // of the nonzero inputs, from 0
  std::vector<double> value;        // same length
  std::int64_t input_count = 0;     // of each letter
};

// The rows of a word are consecutive, with positions from 0. `more` is 1 if another letter follows.
// If the first row ends in one string of several 0 and 1, each character is an input, in all rows.
// Otherwise the inputs are numbers separated by blanks. Throws E_DATA.
LetterFile read_letter_file(sculpt::LineReader& reader);
