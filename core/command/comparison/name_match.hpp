// name_match.hpp - matches two lists by the names of their entries, in whatever order these are.
//
// Called by ModelDifference for weights, columns and labels. Lists may have millions of names, so
// names are made one by one, and only their hashes are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sculpt::core {

struct NameList {
  std::int64_t count = 0;
  std::function<std::string(std::int64_t)> name;  // of each entry in [0, count)
};

struct NameMatch {
  std::vector<std::int64_t> mate;    // [entries of A] the entry of B with this name, or -1
  std::vector<std::int64_t> only_b;  // entries of B without a mate, in their order
  bool is_same_order = true;         // both have the same names in the same order
};

// Entries with one name are matched in their order. Two names count as equal if 64 bits of a hash
// are. Throws what the names throw.
NameMatch match_names(const NameList& a, const NameList& b);

}  // namespace sculpt::core
