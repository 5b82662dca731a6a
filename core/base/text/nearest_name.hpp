// nearest_name.hpp - "did you mean": the known name closest to a mistyped one.
//
// Called where a name from a fixed set is read (experiment/, registry/, command/, launch/,
// library/), and by json_syntax.cpp for literals.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sculpt::core {

// The number of insertions, deletions, substitutions and swaps of neighbors that turn `a` into `b`
// (optimal string alignment), on bytes. O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known name closest to `word`, the first of several equal ones. Ignores case, and - against _.
// A name is near if at most a third of the longer one differs, and never all of it. Without a near
// name: one whose words have `word` as their initials. Else none.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& known);

// The end of a message about an unknown name: `did you mean "max_passes"?`, or else
// `known: "C", "epsilon"`, or else `there are none`.
std::string suggest_name(std::string_view word, const std::vector<std::string>& known);

}  // namespace sculpt::core
