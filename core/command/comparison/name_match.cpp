#include "command/comparison/name_match.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace sculpt::core {
namespace {

struct HashedName {
  std::size_t hash;
  std::int64_t entry;
  bool operator<(const HashedName& other) const {
    return hash < other.hash || (hash == other.hash && entry < other.entry);
  }
};

std::vector<HashedName> sorted_hashes(const NameList& names) {
  std::vector<HashedName> hashes;
  hashes.reserve(static_cast<std::size_t>(names.count));
  for (std::int64_t k = 0; k < names.count; ++k) {
    hashes.push_back({std::hash<std::string>()(names.name(k)), k});
  }
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

bool are_same(const NameList& a, const NameList& b) {
  if (a.count != b.count) return false;
  for (std::int64_t k = 0; k < a.count; ++k) {
    if (a.name(k) != b.name(k)) return false;
  }
  return true;
}

}  // namespace

NameMatch match_names(const NameList& a, const NameList& b) {
  NameMatch match;
  match.mate.resize(static_cast<std::size_t>(a.count), -1);
  if (are_same(a, b)) {
    std::iota(match.mate.begin(), match.mate.end(), std::int64_t{0});
    return match;
  }
  match.is_same_order = false;
  const std::vector<HashedName> of_a = sorted_hashes(a);
  const std::vector<HashedName> of_b = sorted_hashes(b);
  auto next = of_b.begin();
  for (const HashedName& one : of_a) {
    for (; next != of_b.end() && next->hash < one.hash; ++next) match.only_b.push_back(next->entry);
    if (next == of_b.end() || next->hash != one.hash) continue;
    match.mate[static_cast<std::size_t>(one.entry)] = next->entry;
    ++next;
  }
  for (; next != of_b.end(); ++next) match.only_b.push_back(next->entry);
  std::sort(match.only_b.begin(), match.only_b.end());
  return match;
}

}  // namespace sculpt::core
