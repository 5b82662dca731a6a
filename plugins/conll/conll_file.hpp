// conll_file.hpp - the rows of a file of columns, sentence by sentence, not yet interpreted.
//
// Called by the dataset conll. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The values of a sentence, a view.
struct Sentence {
  const std::string_view* values;  // [length][columns]
  std::size_t columns;
  std::size_t length;

  std::string_view value(std::size_t position, std::size_t column) const {
    return values[position * columns + column];
  }
};

// The place of a label in its file.
struct LabelPlace {
  std::int64_t line;   // from 1
  std::size_t column;  // from 0
};

// A line of CoNLL-U, which `sculpt predict` prints with the guess in place of the label.
struct ConlluLine {
  std::string_view text;
  std::size_t label_from;  // from 0
  std::size_t label_size;  // 0: the line is no token
};

// All views refer to the text of the reader.
struct ConllFile {
  std::size_t columns = 0;                       // Without the label.
  bool is_labelled = false;                      // True if every row has a label after the columns.
  char separator = ' ';                          // A tab if the first row has one.
  sculpt::LargeVector<std::string_view> values;  // [rows][columns]
  sculpt::LargeVector<std::string_view> labels;  // The label of each row, [rows], or empty.
  sculpt::LargeVector<LabelPlace> label_places;  // Same length as labels.
  std::vector<std::size_t> sentence_from = {0};  // First row of each sentence, [sentences + 1].
  std::vector<std::int64_t> sentence_line;  // First line of each sentence, from 1, [sentences].

  std::vector<ConlluLine> lines;             // Of CoNLL-U: those that are not blank.
  std::vector<std::size_t> line_from = {0};  // The first line of each sentence, [sentences + 1].

  std::size_t sentences() const { return sentence_from.size() - 1; }
  Sentence sentence(std::size_t number) const {
    const std::size_t from = sentence_from[number];
    return {values.data() + from * columns, columns, sentence_from[number + 1] - from};
  }
};

// Rows have a value for each of `columns`, and perhaps a label, all or none of them. Tabs or blanks
// divide them (row_division.hpp). The error of a bad row names that row, not a healthy one. Blank
// lines and lines that begin with -DOCSTART- end a sentence and are no rows. Throws
// E_DATA.
ConllFile read_conll_file(sculpt::LineReader& reader, const std::vector<std::string>& columns);
