// alternatives.hpp - which components could take the place of one that does not fit.
//
// Called by assembly.cpp, for messages. It comes from the small experiments of all libraries
// (pairing.hpp), so it lists what is known to work; more may.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "registry/listing.hpp"

namespace sculpt::core {

// The sorted short names of losses or oracles that work with these features, and of features that
// work with this dataset. Only those that are paired with the dataset, if there are any. Empty for
// other kinds.
std::vector<std::string> alternatives(const std::vector<LibraryListing>& libraries,
                                      std::uint32_t kind, const std::string& dataset,
                                      const std::string& features);

}  // namespace sculpt::core
