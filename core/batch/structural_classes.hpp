// structural_classes.hpp - the classes of a factor graph that follow from its scopes and states.
//
// Called by BatchGraphs. ATTRACTIVE is about scores, so it is not among them.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstdint>

namespace sculpt::core {

// Requires valid scopes of at least one variable each.
std::uint32_t structural_classes(const sculpt_factor_graph& graph);

}  // namespace sculpt::core
