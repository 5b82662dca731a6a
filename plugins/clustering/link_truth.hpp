// link_truth.hpp - the clusters that the links of a document say: what a chain of pairs that are
// the same joins.
#pragma once

#include "pair_file.hpp"

namespace clustering {

// y[document.items], canonical. Throws data_error where a pair is said to be different that a chain
// joins, at the row of that pair; the message names the row of the chain that comes last.
std::vector<std::int32_t> clusters_of_links(const Document& document,
                                            const sculpt::LineReader& reader);

}  // namespace clustering
