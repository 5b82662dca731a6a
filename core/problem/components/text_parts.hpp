// text_parts.hpp - where a dataset says that its text can be cut (sculpt/ext/draft/text_parts.h).
//
// Called by command/inputs, which predicts pipes part by part.
#pragma once

#include "problem/plugin/component.hpp"

namespace sculpt::core {

enum class PartEnd { none, line, blank_line };

// Returns how the parts end; none: the text must be read as a whole. Throws Failure (Exit::plugin).
PartEnd part_end_of(const Component& dataset);

}  // namespace sculpt::core
