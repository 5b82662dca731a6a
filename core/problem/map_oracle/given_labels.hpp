// given_labels.hpp - scores under which the outputs agree with labels that are given.
//
// Called by MapQueries for partial truths, and by batch/.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstdint>

namespace sculpt::core {

// Lowers the scores theta[graph.theta_size] of all outputs that disagree with given[variables], so
// far that even all of them together have a probability below exp(-40). The other scores stay. -1:
// the label is free. Requires labels of the graph, and unary tables that no other factor uses.
void exclude_other_labels(const sculpt_factor_graph& graph, const std::int32_t* given,
                          double* theta);

}  // namespace sculpt::core
