// longer_data.hpp - makes longer examples from the inline text of an experiment.
//
// The host knows no format. It takes each line, or each block of lines between blank lines, as one
// example, and joins some of them in several ways. The dataset refuses most of these texts. The
// caller keeps the first one that gives longer outputs. Called by experiment_facts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sculpt::core {

struct LongerText {
  std::string text;                    // the examples of the experiment, then the new ones
  std::vector<std::int64_t> examples;  // the new ones
};

// Returns the texts, one for each way of joining. The new examples have every size from 2 to 9 and
// 13 that `sizes` lacks, as far as sums of sizes give them, and two of equal size. Returns none if
// the number of lines and of blocks differs from sizes.size().
// `sizes`: the number of labels of each example of the text; -1: unlabelled.
std::vector<LongerText> longer_texts(const std::string& text, std::span<const std::int64_t> sizes);

// Returns the text with an empty line among its lines. "" if it has blocks or fewer than two lines.
std::string text_with_empty_line(const std::string& text);

}  // namespace sculpt::core
