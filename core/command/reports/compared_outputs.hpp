// compared_outputs.hpp - where two outputs differ, as text: lines with - are of the first output,
// lines with + of the second.
//
// Called by explanation_report.cpp. Outputs of several lines have a row for each item: a rank, a
// label, or the row of a token with its label. Rows count from 1, as in files.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

struct ComparedOutputs {
  std::string first;   // as the dataset writes it
  std::string second;  // "": there is none
  bool first_is_truth = false;
  std::vector<std::string> source;  // the row of the file of each row; empty: not known
};

// Returns lines with two blanks in front. Outputs of one line are shown as a whole:
//
//     - ommanding
//     + ommanking
//
// Of outputs with equally many rows, those that differ:
//
//     row 3   red JJ          the fields that are equal, or the row of the file
//     - I-NP
//     + B-NP
//
// Rows of one number begin with those that differ most. If labels of some rows differ, rows that
// differ only in the number behind it, such as a rank, are only counted.
std::string compared_text(const ComparedOutputs& outputs);

}  // namespace sculpt::core
