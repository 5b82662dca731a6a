// link_truth.hpp - the clusters that result from the links of a document: chains of equal pairs
// join items. Called by item_pairs.cpp.
#pragma once

#include "pair_file.hpp"

namespace clustering {

// Returns y[document.items], canonical. Throws data_error at a pair marked as different if a chain
// joins its items. The message names the last row of the chain.
std::vector<std::int32_t> clusters_of_links(const Document& document,
                                            const sculpt::LineReader& reader);

}  // namespace clustering
