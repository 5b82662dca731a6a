// cache_use.hpp - the key "cache" of an experiment: "none", "auto", or a folder.
//
// Called by Experiment.
#pragma once

#include <string>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// Where the data are kept for later runs (problem/cache/).
struct CacheUse {
  enum class Where { nowhere, beside_data, folder };
  Where where = Where::nowhere;
  std::string folder = {};  // absolute
  Position position = {};   // of the key, for messages
};

// The value of the key; nowhere if it is not set. Throws Failure(Exit::config) with its position.
CacheUse read_cache(const JsonDocument& document);

}  // namespace sculpt::core
