// section.hpp - one component of an experiment, before the registry has found it.
//
// Called by experiment.cpp and kernel_use.cpp. The members are read by all who read an experiment.
#pragma once

#include <string>

#include "experiment/json_document.hpp"

namespace sculpt::core {

struct Section {
  std::string kind;  // "dataset", "features", "loss", "oracle", "kernel" or "solver".
  std::string use;   // "viterbi", "org.sculpt.viterbi", "file.so#viterbi" (with "/": absolute).
  Position use_position;  // For messages about `use`.
  // The keys of the component: an object without `use`, and for a dataset without the splits. The
  // position of its root is that of the section.
  JsonDocument keys;
};

// Reads "name" or {"use": "name", ...} at `pointer`, which must exist. The keys still contain the
// splits of a dataset. Throws Failure(Exit::config).
Section read_section(const JsonDocument& document, const std::string& pointer,
                     const std::string& kind);

}  // namespace sculpt::core
