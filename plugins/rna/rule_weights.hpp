// rule_weights.hpp - the features of a rule at work, and the weights that they have.
//
//   for each rule       1
//     each single base    1 for its letter                                     A C G U
//     each pair           1 for its two letters                                AU CG GC GU UA UG
//     with `stacking`, each pair that has another one directly around it
//                         1 for the letters of both
//     with `closing`, where the symbol stands directly between brackets
//                         1 for the letters of the pair around the rule
//                         1 for these and the single bases beside them, if the rule has any there
//
// in this order. Letters that stand for several have no weight of their own, nor have pairs that
// are not allowed, in truths that the grammar does not have.
#pragma once

#include <array>
#include <span>

#include "letters.hpp"
#include "pair_grammar.hpp"

namespace rna {

class RuleWeights {
 public:
  struct Kinds {
    bool stacking = false;
    bool closing = false;
  };

  RuleWeights() = default;
  // The grammar must live as long.
  RuleWeights(const PairGrammar& grammar, const PairLetters& letters, Kinds kinds);

  std::int64_t size() const { return size_; }

  // visit(weight) for each feature of a rule at work, all of which are 1.
  template <class Visit>
  void each(Span span, std::span<const Letter> letter, Visit visit) const {
    const auto number = static_cast<std::size_t>(span.rule);
    for (std::size_t k = first_[number]; k < first_[number + 1]; ++k) {
      const std::int64_t event = number_of(events_[k], span, letter);
      if (event >= 0) visit(events_[k].weight + event);
    }
  }

  // What the weight is of: "S -> L S", "L -> ., A", "F -> ( F ), GC", "F -> ( F ), GC inside AU",
  // "F -> . . . inside AU", "F -> . . ., G A inside AU".
  std::string name(std::int64_t weight) const;

  // The events that exclude each other: the rules of a symbol, the letters of a base or pair, those
  // of a pair given the pair around it. With `closing`, the rules of a symbol given the pair around
  // them, and then the letters of the bases beside it. What is told that way has no group of its
  // own before: a rule, a base, a pair alone.
  void groups(std::span<std::int32_t> group) const;

  // Whether the grammar has pairs of which the one around is known, and symbols that a pair closes.
  static bool can_stack(const PairGrammar& grammar);
  static bool can_close(const PairGrammar& grammar);

 private:
  // What an event tells the letters of: a base, or a pair.
  struct Part {
    Place first;
    Place second;  // of a pair
    bool pair = false;
  };
  enum class Kind : std::uint8_t { rule, single, pair, stacked, closed, beside };
  // Letters of up to three parts, told apart together: a weight for each combination.
  struct Event {
    Kind kind = Kind::rule;
    std::int32_t rule = 0;
    std::size_t part_count = 0;
    std::array<Part, 3> part{};
    std::int64_t weight = 0;  // the first one
    std::int64_t size = 1;    // combinations; those of the last part lie side by side
    bool told_again = false;  // given what is around it, by an event behind
  };

  // -1: a letter or pair has no number.
  std::int64_t number_of(const Event& event, Span span, std::span<const Letter> letter) const {
    std::int64_t number = 0;
    for (std::size_t k = 0; k < event.part_count; ++k) {
      const Part& part = event.part[k];
      const Letter a = letter[static_cast<std::size_t>(part.first.at(span))];
      if (part.pair) {
        const Letter b = letter[static_cast<std::size_t>(part.second.at(span))];
        const std::int32_t both = letters_.number(a, b);
        if (both < 0) return -1;
        number = number * letters_.count() + both;
      } else {
        if (a >= known_letters) return -1;
        number = number * known_letters + a;
      }
    }
    return number;
  }
  std::int64_t values_of(const Part& part) const {
    return part.pair ? letters_.count() : std::int64_t{known_letters};
  }
  std::string value_name(const Part& part, std::int64_t value) const;
  std::string which_of_several(std::size_t event) const;
  // How many groups an event makes: one for each combination of the parts that it is told given.
  std::int64_t contexts(const Event& event) const;

  void add(Event event, std::initializer_list<Part> parts);
  void add_rule(std::int32_t number, Kinds kinds);

  const PairGrammar* grammar_ = nullptr;
  PairLetters letters_;
  std::int64_t size_ = 0;
  std::vector<Event> events_;
  std::vector<std::size_t> first_;  // [rules + 1] into events_
};

}  // namespace rna
