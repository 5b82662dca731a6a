// run_content.hpp - what the model, the checkpoint and the data of a run tell: its hardest examples
// and its largest weights.
//
// Filled by the command report, which loads them, and shown by the sections.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/record/run_record.hpp"

namespace sculpt::core {

// An output as text, as the dataset formats it.
struct OutputText {
  std::string text;
  std::int64_t label_count = 0;  // of the output itself
  bool is_ascending = false;     // its labels are numbers of a set: each is above the one before
  bool is_known = false;         // false: there is none
};

struct ExampleRecord {
  std::int64_t number = 0;          // in the dataset, from 0
  std::string place;                // "train.txt:17"; "" if the dataset does not tell
  std::vector<std::string> source;  // its first lines in the file, without line ends
  bool source_is_cut = false;       // it has more lines
  OutputText truth;
  OutputText guess;        // the prediction of the model
  double slack = unknown;  // at the weights of the model, or of the checkpoint
  double mass = unknown;   // sum of alpha over its planes
  double loss = unknown;   // of the guess
};

struct NamedWeight {
  std::string name;
  double value = 0;
  std::string per_unit;  // for one unit of the data, if its column was scaled; else ""
};

struct RunContent {
  std::vector<ExampleRecord> by_slack;  // the largest first
  std::vector<ExampleRecord> by_mass;   // likewise
  std::vector<ExampleRecord> by_loss;   // likewise, for runs without slacks
  std::string slack_source;          // "by new answers of the oracle at the weights of the model"
  std::string mass_remark;           // how many examples have a mass, and how many the largest
  std::vector<NamedWeight> weights;  // the largest first
  std::int64_t weight_count = 0;
  std::int64_t nonzero_count = 0;
  std::string weight_source;         // "of the model", "of the checkpoint"
  std::string weights_missing;       // why there are no weights, and what to do; "": there are
  std::vector<std::string> remarks;  // what is missing, and what to do
};

}  // namespace sculpt::core
