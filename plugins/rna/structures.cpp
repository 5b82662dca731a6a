#include "structures.hpp"

#include <algorithm>
#include <numeric>

namespace rna {

void AllowedBases::reset(std::size_t count, bool can_be_single) {
  bases = static_cast<std::int32_t>(count);
  is_all_single = can_be_single;
  single.assign(count, can_be_single ? 1 : 0);
  pair.assign(count * count, 0);
}

void Structures::reset(const PairGrammar& grammar, const AllowedBases& allowed,
                       const sculpt::Host& host) {
  grammar_ = &grammar;
  allowed_ = &allowed;
  weights_ = nullptr;
  symbols_ = grammar.symbol_count();
  const std::int32_t bases = allowed.bases;
  bounds_.clear();
  for (std::int32_t i = bases; i >= 0; --i) {
    for (std::int32_t j = i; j <= bases; ++j) bounds_.push_back({i, j});
  }
  ends_.resize(static_cast<std::size_t>((bases + 1) * symbols_));
  for (std::vector<std::int32_t>& list : ends_) list.clear();
  const std::int64_t goal = node(0, bases, grammar.start());
  derivable_.assign(static_cast<std::size_t>(goal + 1), 0);
  for (std::int64_t node = 0; node <= goal; ++node) {
    if (node % 4096 == 0) host.throw_if_cancelled();
    if (!visit_edges_until(node, [](const Edge&) { return true; })) continue;
    derivable_[static_cast<std::size_t>(node)] = 1;
    const auto [begin, end] = bounds_[static_cast<std::size_t>(node / symbols_)];
    ends_[static_cast<std::size_t>(begin * symbols_ + node % symbols_)].push_back(end);
  }
}

bool Structures::singles_are_allowed(const Rule& rule, RuleApplication span) const {
  return std::all_of(rule.singles.begin(), rule.singles.end(), [&](const Position& single) {
    return allowed_->single[static_cast<std::size_t>(single.at(span))] != 0;
  });
}

bool Structures::pairs_are_allowed(const Rule& rule, RuleApplication span) const {
  return std::all_of(rule.pairs.begin(), rule.pairs.end(), [&](const Pair& pair) {
    return allowed_->can_pair(pair.open.at(span), pair.close.at(span));
  });
}

void Structures::output(const std::vector<Edge>& derivation, std::vector<std::int32_t>& y) const {
  y.resize(static_cast<std::size_t>(allowed_->bases));
  std::iota(y.begin(), y.end(), 0);
  for (const Edge& edge : derivation) {
    const Rule& rule = grammar_->rules()[static_cast<std::size_t>(edge.span.rule)];
    for (const Pair& pair : rule.pairs) {
      const std::int32_t i = pair.open.at(edge.span);
      const std::int32_t j = pair.close.at(edge.span);
      y[static_cast<std::size_t>(i)] = j;
      y[static_cast<std::size_t>(j)] = i;
    }
  }
}

}  // namespace rna
