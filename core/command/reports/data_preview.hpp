// data_preview.hpp - shows the file format of a dataset.
//
// Called by describe. Every library contains tiny experiments with their data, for `sculpt check`.
// The preview is the first lines of such data.
#pragma once

#include <string>
#include <vector>

#include "registry/listing.hpp"

namespace sculpt::core {

// The first lines of the training data in an experiment of the library that uses this dataset.
// Empty if there is no such experiment, or if the library cannot be loaded.
std::vector<std::string> data_preview(const LibraryListing& library,
                                      const ComponentListing& dataset);

}  // namespace sculpt::core
