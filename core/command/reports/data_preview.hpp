// data_preview.hpp - what the data of a dataset look like.
//
// Called by describe. Every library carries tiny experiments with the data inside them, for
// `sculpt check`: the first lines of that are the example.
#pragma once

#include <string>
#include <vector>

#include "registry/listing.hpp"

namespace sculpt::core {

// The first lines of the training data in an experiment of the library that uses this dataset; none
// if there is no such experiment, or the library cannot be loaded.
std::vector<std::string> data_preview(const LibraryListing& library,
                                      const ComponentListing& dataset);

}  // namespace sculpt::core
