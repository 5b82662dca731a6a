#include "chains.hpp"

#include <algorithm>

namespace grammar {

namespace {
constexpr std::int32_t max_chains = 1 << 21;  // edge names have 22 bits for a chain
}

// Chains of k + 1 rules extend chains of k rules at the bottom, breadth first.
Chains::Chains(const RuleSet& rules, std::int32_t symbol_count, std::int64_t max_rules)
    : chains_to_(static_cast<std::size_t>(symbol_count)),
      tops_(static_cast<std::size_t>(symbol_count)) {
  std::vector<std::vector<std::int32_t>> unary(static_cast<std::size_t>(symbol_count));
  for (std::int32_t rule = 0; rule < rules.size(); ++rule) {
    if (!rules.is_unary(rule)) continue;
    unary[static_cast<std::size_t>(rules.left(rule))].push_back(rule);
  }
  const auto extend = [&](const Chain& chain) {
    for (const std::int32_t rule : unary[static_cast<std::size_t>(chain.base)]) {
      const std::int32_t below = rules.right(rule)[0];
      const bool repeats =
          below == chain.top ||
          std::any_of(chain.rules.begin(), chain.rules.end(),
                      [&](std::int32_t above) { return rules.right(above)[0] == below; });
      if (repeats) continue;
      Chain longer = chain;
      longer.base = below;
      longer.rules.push_back(rule);
      add(longer);
    }
  };
  if (max_rules > 0) {
    for (std::int32_t symbol = 0; symbol < symbol_count; ++symbol) extend({symbol, symbol, {}});
  }
  std::int32_t next = 0;
  for (std::int64_t length = 1; length < max_rules; ++length) {
    const std::int32_t end = size();
    for (; next < end; ++next) extend(Chain(chains_[static_cast<std::size_t>(next)]));
  }
  for (std::vector<std::int32_t>& tops : tops_) {
    std::sort(tops.begin(), tops.end());
    tops.erase(std::unique(tops.begin(), tops.end()), tops.end());
  }
}

void Chains::add(const Chain& chain) {
  if (size() == max_chains) {
    throw sculpt::parameter_error("there are more than " + std::to_string(max_chains) +
                                  " chains of unary rules; lower unary_depth");
  }
  numbers_[chain.rules] = size();
  chains_to_[static_cast<std::size_t>(chain.top)].push_back(size());
  tops_[static_cast<std::size_t>(chain.base)].push_back(chain.top);
  chains_.push_back(chain);
}

}  // namespace grammar
