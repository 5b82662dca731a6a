// letter_file.hpp - the rows "word fold position letter more inputs..." of a file, checked.
//
// Called by the dataset letters. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <string>
#include <vector>

struct Letter {
  std::string text;           // one character (UTF-8); "?" is an unknown letter
  std::int64_t line = 0;      // where it stands, from 1
  std::size_t column = 0;     // from 0
  std::size_t input_end = 0;  // its inputs end here; they begin where those of the one before end
};

struct Word {
  std::int64_t fold = 0;
  std::size_t begin = 0;  // its letters are [begin, end)
  std::size_t end = 0;
  bool labelled = true;  // no letter of it is "?"
};

struct LetterFile {
  std::vector<Word> words;
  std::vector<Letter> letters;
  std::vector<std::int32_t> index;  // of the inputs that are not zero, from 0
  std::vector<double> value;        // same length
  std::int64_t input_count = 0;     // at every letter
};

// The rows of a word follow each other, its positions count from 0, and `more` says whether another
// letter follows. When the first row ends in one string of several 0 and 1, each of them is an
// input, there and in every row; else the inputs are numbers between blanks. Throws Error.
LetterFile read_letter_file(sculpt::LineReader& reader);
