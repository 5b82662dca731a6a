// rule_weights.hpp - the features of an application of a rule, and their weights.
//
//   for each rule       1
//     each single base    1 for its letter                                     A C G U
//     each pair           1 for its two letters                                AU CG GC GU UA UG
//     with `stacking`, each pair with another pair directly around it
//                         1 for the letters of both
//     with `closing`, if the symbol occurs directly between brackets
//                         1 for the letters of the pair around the rule
//                         1 for these letters and the adjacent single bases, if there are any
//
// in this order. Ambiguous letters have no weights. Pairs that are not allowed, in truths outside
// the grammar, have none either. Called by rna_features.cpp and structures.hpp.
#pragma once

#include <array>
#include <span>

#include "letters.hpp"
#include "pair_grammar.hpp"

namespace rna {

class RuleWeights {
 public:
  struct Options {
    bool stacking = false;
    bool closing = false;
  };

  RuleWeights() = default;
  // The grammar must outlive this object.
  RuleWeights(const PairGrammar& grammar, const PairLetters& letters, Options options);

  std::int64_t size() const { return size_; }

  // Calls visit(weight) for each feature of an application of a rule. All features are 1.
  template <class Visit>
  void each(RuleApplication span, std::span<const Letter> letter, Visit visit) const {
    const auto number = static_cast<std::size_t>(span.rule);
    for (std::size_t k = event_begin_[number]; k < event_begin_[number + 1]; ++k) {
      const std::int64_t event = combination_of(events_[k], span, letter);
      if (event >= 0) visit(events_[k].weight + event);
    }
  }

  // Returns the name of a weight: "S -> L S", "L -> ., A", "F -> ( F ), GC", "F -> ( F ), GC inside
  // AU", "F -> . . . inside AU", "F -> . . ., G A inside AU".
  std::string name(std::int64_t weight) const;

  // Writes the groups: events that exclude each other. These are the rules of a symbol, the letters
  // of a base or pair, and the letters of a pair given the pair around it. With `closing`, rules
  // and bases are conditioned on the pair around them. Their unconditional weights then belong to
  // no group (-1).
  void groups(std::span<std::int32_t> group) const;

  // True if the grammar has pairs with a known pair around them (stacking), or symbols that a pair
  // closes.
  static bool can_stack(const PairGrammar& grammar);
  static bool can_close(const PairGrammar& grammar);

 private:
  // A part of an event: a base, or a pair.
  struct Part {
    Position first;
    Position second;  // for pairs only
    bool is_pair = false;
  };
  enum class Kind : std::uint8_t { rule, single, pair, stacked, closed, beside_pair };
  // The joint letters of up to three parts: one weight for each combination.
  struct Event {
    Kind kind = Kind::rule;
    std::int32_t rule = 0;
    std::size_t part_count = 0;
    std::array<Part, 3> part{};
    std::int64_t weight = 0;             // of its first combination
    std::int64_t size = 1;               // combinations; values of the last part are contiguous
    bool has_conditional_event = false;  // a later event is conditioned on what is around it
  };

  // Returns -1 if a letter or pair has no number.
  std::int64_t combination_of(const Event& event, RuleApplication span,
                              std::span<const Letter> letter) const {
    std::int64_t number = 0;
    for (std::size_t k = 0; k < event.part_count; ++k) {
      const Part& part = event.part[k];
      const Letter a = letter[static_cast<std::size_t>(part.first.at(span))];
      if (part.is_pair) {
        const Letter b = letter[static_cast<std::size_t>(part.second.at(span))];
        const std::int32_t pair_number = letters_.number(a, b);
        if (pair_number < 0) return -1;
        number = number * letters_.count() + pair_number;
      } else {
        if (a >= known_letters) return -1;
        number = number * known_letters + a;
      }
    }
    return number;
  }
  std::int64_t values_of(const Part& part) const {
    return part.is_pair ? letters_.count() : std::int64_t{known_letters};
  }
  std::string value_name(const Part& part, std::int64_t value) const;
  // Returns ", base 2" if a rule has several events of a kind, else "".
  std::string number_suffix(std::size_t event) const;
  // Returns the number of groups of an event: one for each combination of the parts that it is
  // conditioned on.
  std::int64_t contexts(const Event& event) const;

  // Adds an event and its weights.
  void add(Event event, std::initializer_list<Part> parts);
  void add_rule(std::int32_t number, Options options);

  const PairGrammar* grammar_ = nullptr;
  PairLetters letters_;
  std::int64_t size_ = 0;
  std::vector<Event> events_;
  std::vector<std::size_t> event_begin_;  // [rules + 1] into events_
};

}  // namespace rna
