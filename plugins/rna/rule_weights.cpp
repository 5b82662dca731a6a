#include "rule_weights.hpp"

#include <algorithm>
#include <utility>

namespace rna {

namespace {

// The pair directly around the span of a rule.
constexpr Position around_open{Position::Anchor::begin, -1};
constexpr Position around_close{Position::Anchor::end, 0};

}  // namespace

RuleWeights::RuleWeights(const PairGrammar& grammar, const PairLetters& letters, Options options)
    : grammar_(&grammar), letters_(letters) {
  for (std::size_t number = 0; number < grammar.rules().size(); ++number) {
    event_begin_.push_back(events_.size());
    add_rule(static_cast<std::int32_t>(number), options);
  }
  event_begin_.push_back(events_.size());
}

void RuleWeights::add(Event event, std::initializer_list<Part> parts) {
  event.weight = size_;
  for (const Part& part : parts) {
    event.part[event.part_count++] = part;
    event.size *= values_of(part);
  }
  size_ += event.size;
  events_.push_back(event);
}

void RuleWeights::add_rule(std::int32_t number, Options options) {
  const Rule& rule = grammar_->rules()[static_cast<std::size_t>(number)];
  const bool closed = options.closing && grammar_->is_enclosed(rule.head);
  const Position first{Position::Anchor::begin, 0};
  const Position last = rule.last_base();
  const auto event = [&](Kind kind, bool has_conditional_event = false) {
    Event result;
    result.kind = kind;
    result.rule = number;
    result.has_conditional_event = has_conditional_event;
    return result;
  };
  add(event(Kind::rule, closed), {});
  bool at_first = false;
  bool at_last = false;
  for (const Position& single : rule.singles) {
    const bool is_beside_pair = closed && (single == first || single == last);
    at_first = at_first || single == first;
    at_last = at_last || (single == last && first != last);
    add(event(Kind::single, is_beside_pair), {{single, {}, false}});
  }
  for (const Pair& pair : rule.pairs) {
    add(event(Kind::pair, options.stacking && pair.is_enclosed), {{pair.open, pair.close, true}});
  }
  for (const Pair& pair : rule.pairs) {
    if (!options.stacking || !pair.is_enclosed) continue;
    const Position open{pair.open.anchor, pair.open.offset - 1};
    const Position close{pair.close.anchor, pair.close.offset + 1};
    add(event(Kind::stacked), {{open, close, true}, {pair.open, pair.close, true}});
  }
  if (!closed) return;
  const Part around{around_open, around_close, true};
  add(event(Kind::closed), {around});
  const Part left{first, {}, false};
  const Part right{last, {}, false};
  if (at_first && at_last) {
    add(event(Kind::beside_pair), {around, left, right});
  } else if (at_first || at_last) {
    add(event(Kind::beside_pair), {around, at_first ? left : right});
  }
}

std::string RuleWeights::name(std::int64_t weight) const {
  const auto next =
      std::upper_bound(events_.begin(), events_.end(), weight,
                       [](std::int64_t value, const Event& event) { return value < event.weight; });
  const Event& event = *std::prev(next);
  std::string name = grammar_->rules()[static_cast<std::size_t>(event.rule)].text +
                     number_suffix(static_cast<std::size_t>(next - events_.begin() - 1));
  if (event.part_count == 0) return name;
  std::array<std::string, 3> value;
  std::int64_t rest = weight - event.weight;
  for (std::size_t k = event.part_count; k-- > 0;) {
    value[k] = value_name(event.part[k], rest % values_of(event.part[k]));
    rest /= values_of(event.part[k]);
  }
  switch (event.kind) {
    case Kind::stacked:
      return name + ", " + value[1] + " inside " + value[0];
    case Kind::closed:
      return name + " inside " + value[0];
    case Kind::beside_pair:
      return name + ", " + value[1] + (value[2].empty() ? "" : " " + value[2]) + " inside " +
             value[0];
    default:
      return name + ", " + value[0];
  }
}

std::string RuleWeights::value_name(const Part& part, std::int64_t value) const {
  if (part.is_pair) return letters_.name(value);
  return {letter_names[static_cast<std::size_t>(value)]};
}

std::string RuleWeights::number_suffix(std::size_t event) const {
  const auto rule = static_cast<std::size_t>(events_[event].rule);
  std::size_t index = 0;
  std::size_t total = 0;
  for (std::size_t k = event_begin_[rule]; k < event_begin_[rule + 1]; ++k) {
    if (events_[k].kind != events_[event].kind) continue;
    index += k < event ? 1 : 0;
    ++total;
  }
  if (total < 2) return "";
  const char* kind_name = events_[event].kind == Kind::single ? "base"
                          : events_[event].kind == Kind::pair ? "pair"
                                                              : "inner pair";
  return std::string(", ") + kind_name + " " + std::to_string(index + 1);
}

std::int64_t RuleWeights::contexts(const Event& event) const {
  const bool given_a_pair = event.kind == Kind::stacked || event.kind == Kind::beside_pair;
  return given_a_pair ? letters_.count() : 1;
}

void RuleWeights::groups(std::span<std::int32_t> group) const {
  // The first group of each symbol's rules: one for all, and one for each pair around them.
  std::vector<std::int32_t> rule_groups(static_cast<std::size_t>(grammar_->symbol_count()), -1);
  std::vector<std::int32_t> closed_groups = rule_groups;
  std::int32_t next = 0;
  const auto reserve_groups = [&](std::int64_t count) {
    return std::exchange(next, next + static_cast<std::int32_t>(count));
  };
  for (const Event& event : events_) {
    if (event.has_conditional_event) continue;  // belongs to no group
    const bool is_rule = event.kind == Kind::rule || event.kind == Kind::closed;
    const std::int64_t count = event.kind == Kind::closed ? letters_.count() : contexts(event);
    const auto head =
        static_cast<std::size_t>(grammar_->rules()[static_cast<std::size_t>(event.rule)].head);
    std::int32_t& first_group = event.kind == Kind::rule ? rule_groups[head] : closed_groups[head];
    if (is_rule && first_group < 0) first_group = reserve_groups(count);
    const std::int32_t first = is_rule ? first_group : reserve_groups(count);
    for (std::int64_t k = 0; k < event.size; ++k) {
      group[static_cast<std::size_t>(event.weight + k)] =
          first + static_cast<std::int32_t>(k / (event.size / count));
    }
  }
}

bool RuleWeights::can_stack(const PairGrammar& grammar) {
  return std::any_of(grammar.rules().begin(), grammar.rules().end(), [](const Rule& rule) {
    return std::any_of(rule.pairs.begin(), rule.pairs.end(),
                       [](const Pair& pair) { return pair.is_enclosed; });
  });
}

bool RuleWeights::can_close(const PairGrammar& grammar) {
  return std::any_of(grammar.rules().begin(), grammar.rules().end(),
                     [&](const Rule& rule) { return grammar.is_enclosed(rule.head); });
}

}  // namespace rna
