#include "launch/split_sources.hpp"

#include <cstdlib>

namespace sculpt::core {

std::string missing_file_advice(const Split& split) {
  if (split.text || split.memory || split.arrays) return "";
  // If a path was written with a variable, its position quotes it (environment.cpp).
  const bool has_variable = split.position.text().find("${env:SCULPT_DATA") != std::string::npos;
  std::string origin = "; the path comes from \"dataset." + split.name + "\"";
  if (!has_variable) return origin;
  const char* const folder = std::getenv("SCULPT_DATA");
  return origin + (folder == nullptr ? "; set SCULPT_DATA to the folder of the data"
                                     : ", with SCULPT_DATA = " + std::string(folder));
}

std::vector<SplitSource> sources_of(const Experiment& experiment) {
  std::vector<SplitSource> sources;
  for (const Split& split : experiment.splits) {
    split.require_data();
    sources.push_back({split.name, split.path, split.text, missing_file_advice(split), split.rows});
  }
  return sources;
}

}  // namespace sculpt::core
