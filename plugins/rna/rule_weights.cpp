#include "rule_weights.hpp"

#include <algorithm>
#include <utility>

namespace rna {

namespace {

// The pair directly around the span of a rule.
constexpr Place around_open{Place::Anchor::begin, -1};
constexpr Place around_close{Place::Anchor::end, 0};

}  // namespace

RuleWeights::RuleWeights(const PairGrammar& grammar, const PairLetters& letters, Kinds kinds)
    : grammar_(&grammar), letters_(letters) {
  for (std::size_t number = 0; number < grammar.rules().size(); ++number) {
    first_.push_back(events_.size());
    add_rule(static_cast<std::int32_t>(number), kinds);
  }
  first_.push_back(events_.size());
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

void RuleWeights::add_rule(std::int32_t number, Kinds kinds) {
  const Rule& rule = grammar_->rules()[static_cast<std::size_t>(number)];
  const bool closed = kinds.closing && grammar_->is_enclosed(rule.head);
  const Place first{Place::Anchor::begin, 0};
  const Place last = rule.last_base();
  const auto event = [&](Kind kind, bool has_conditional_twin = false) {
    Event one;
    one.kind = kind;
    one.rule = number;
    one.has_conditional_twin = has_conditional_twin;
    return one;
  };
  add(event(Kind::rule, closed), {});
  bool at_first = false;
  bool at_last = false;
  for (const Place& single : rule.singles) {
    const bool beside = closed && (single == first || single == last);
    at_first = at_first || single == first;
    at_last = at_last || (single == last && first != last);
    add(event(Kind::single, beside), {{single, {}, false}});
  }
  for (const Pair& pair : rule.pairs) {
    add(event(Kind::pair, kinds.stacking && pair.enclosed), {{pair.open, pair.close, true}});
  }
  for (const Pair& pair : rule.pairs) {
    if (!kinds.stacking || !pair.enclosed) continue;
    const Place open{pair.open.anchor, pair.open.offset - 1};
    const Place close{pair.close.anchor, pair.close.offset + 1};
    add(event(Kind::stacked), {{open, close, true}, {pair.open, pair.close, true}});
  }
  if (!closed) return;
  const Part around{around_open, around_close, true};
  add(event(Kind::closed), {around});
  const Part left{first, {}, false};
  const Part right{last, {}, false};
  if (at_first && at_last) {
    add(event(Kind::beside), {around, left, right});
  } else if (at_first || at_last) {
    add(event(Kind::beside), {around, at_first ? left : right});
  }
}

std::string RuleWeights::name(std::int64_t weight) const {
  const auto behind =
      std::upper_bound(events_.begin(), events_.end(), weight,
                       [](std::int64_t one, const Event& event) { return one < event.weight; });
  const Event& event = *std::prev(behind);
  std::string name = grammar_->rules()[static_cast<std::size_t>(event.rule)].text +
                     which_of_several(static_cast<std::size_t>(behind - events_.begin() - 1));
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
    case Kind::beside:
      return name + ", " + value[1] + (value[2].empty() ? "" : " " + value[2]) + " inside " +
             value[0];
    default:
      return name + ", " + value[0];
  }
}

std::string RuleWeights::value_name(const Part& part, std::int64_t value) const {
  if (part.pair) return letters_.name(value);
  return {letter_names[static_cast<std::size_t>(value)]};
}

// Returns ", base 2" if a rule has several events of a kind.
std::string RuleWeights::which_of_several(std::size_t event) const {
  const auto rule = static_cast<std::size_t>(events_[event].rule);
  std::size_t before = 0;
  std::size_t all = 0;
  for (std::size_t k = first_[rule]; k < first_[rule + 1]; ++k) {
    if (events_[k].kind != events_[event].kind) continue;
    before += k < event ? 1 : 0;
    ++all;
  }
  if (all < 2) return "";
  const char* what = events_[event].kind == Kind::single ? "base"
                     : events_[event].kind == Kind::pair ? "pair"
                                                         : "inner pair";
  return std::string(", ") + what + " " + std::to_string(before + 1);
}

std::int64_t RuleWeights::contexts(const Event& event) const {
  const bool given_a_pair = event.kind == Kind::stacked || event.kind == Kind::beside;
  return given_a_pair ? letters_.count() : 1;
}

void RuleWeights::groups(std::span<std::int32_t> group) const {
  // The first group of each symbol's rules: one for all, and one for each pair around them.
  std::vector<std::int32_t> of_rules(static_cast<std::size_t>(grammar_->symbol_count()), -1);
  std::vector<std::int32_t> of_closed = of_rules;
  std::int32_t next = 0;
  const auto take = [&](std::int64_t count) {
    return std::exchange(next, next + static_cast<std::int32_t>(count));
  };
  for (const Event& event : events_) {
    if (event.has_conditional_twin) continue;  // belongs to no group
    const bool of_rule = event.kind == Kind::rule || event.kind == Kind::closed;
    const std::int64_t count = event.kind == Kind::closed ? letters_.count() : contexts(event);
    const auto head =
        static_cast<std::size_t>(grammar_->rules()[static_cast<std::size_t>(event.rule)].head);
    std::int32_t& known = event.kind == Kind::rule ? of_rules[head] : of_closed[head];
    if (of_rule && known < 0) known = take(count);
    const std::int32_t first = of_rule ? known : take(count);
    for (std::int64_t k = 0; k < event.size; ++k) {
      group[static_cast<std::size_t>(event.weight + k)] =
          first + static_cast<std::int32_t>(k / (event.size / count));
    }
  }
}

bool RuleWeights::can_stack(const PairGrammar& grammar) {
  return std::any_of(grammar.rules().begin(), grammar.rules().end(), [](const Rule& rule) {
    return std::any_of(rule.pairs.begin(), rule.pairs.end(),
                       [](const Pair& pair) { return pair.enclosed; });
  });
}

bool RuleWeights::can_close(const PairGrammar& grammar) {
  return std::any_of(grammar.rules().begin(), grammar.rules().end(),
                     [&](const Rule& rule) { return grammar.is_enclosed(rule.head); });
}

}  // namespace rna
