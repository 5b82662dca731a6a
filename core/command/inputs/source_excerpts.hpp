// source_excerpts.hpp - the lines of a file that examples were read from.
//
// Datasets tell where an example begins (sculpt/ext/draft/place.h). Its text ends where the next
// example begins, or at an empty line. Called by run_contents.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiment/experiment.hpp"
#include "problem/components/dataset.hpp"

namespace sculpt::core {

struct SourceExcerpt {
  std::vector<std::string> lines;
  bool is_cut = false;  // the example has more lines
};

// The excerpts of these examples of the split, by their index in the dataset. Examples whose place
// is not known are missing. Reads the file once, up to the last of them. Throws Failure.
std::map<std::int64_t, SourceExcerpt> source_excerpts(const Dataset& dataset, const Split& split,
                                                      const std::vector<std::int64_t>& examples);

}  // namespace sculpt::core
