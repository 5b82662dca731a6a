// rule_weights.hpp - the features of a rule at work, and the weights that they have.
//
//   for each rule       1
//     each single base    1 for its letter                                     A C G U
//     each pair           1 for its two letters                                AU CG GC GU UA UG
//     with `stacking`, of each pair that has another one directly around it
//                         1 for the letters of both
//
// in this order. Letters that stand for several have no weight of their own, nor have pairs that
// are not allowed, in truths that the grammar does not have.
#pragma once

#include <algorithm>
#include <span>

#include "letters.hpp"
#include "pair_grammar.hpp"

namespace rna {

class RuleWeights {
 public:
  RuleWeights() = default;
  // The grammar must live as long.
  RuleWeights(const PairGrammar& grammar, const PairLetters& letters, bool stacking)
      : grammar_(&grammar), letters_(letters), stacking_(stacking) {
    for (const Rule& rule : grammar.rules()) {
      first_.push_back(size_);
      size_ += 1 + std::int64_t{known_letters} * std::ssize(rule.singles) +
               letters_.count() * std::ssize(rule.pairs);
      if (stacking) size_ += letters_.count() * letters_.count() * stacked(rule);
    }
  }

  std::int64_t size() const { return size_; }

  // visit(weight) for each feature of a rule at work, all of which are 1.
  template <class Visit>
  void each(Span span, std::span<const Letter> letter, Visit visit) const {
    const Rule& rule = grammar_->rules()[static_cast<std::size_t>(span.rule)];
    std::int64_t weight = first_[static_cast<std::size_t>(span.rule)];
    visit(weight++);
    for (const Place& single : rule.singles) {
      const Letter here = letter[static_cast<std::size_t>(single.at(span))];
      if (here < known_letters) visit(weight + here);
      weight += known_letters;
    }
    if (rule.pairs.empty()) return;
    const auto pair_at = [&](std::int32_t i, std::int32_t j) {
      return letters_.number(letter[static_cast<std::size_t>(i)],
                             letter[static_cast<std::size_t>(j)]);
    };
    for (const Pair& pair : rule.pairs) {
      const std::int32_t number = pair_at(pair.open.at(span), pair.close.at(span));
      if (number >= 0) visit(weight + number);
      weight += letters_.count();
    }
    if (!stacking_) return;
    for (const Pair& pair : rule.pairs) {
      if (!pair.enclosed) continue;
      const std::int32_t i = pair.open.at(span);
      const std::int32_t j = pair.close.at(span);
      const std::int32_t outer = pair_at(i - 1, j + 1);
      const std::int32_t inner = pair_at(i, j);
      if (outer >= 0 && inner >= 0) visit(weight + outer * letters_.count() + inner);
      weight += letters_.count() * letters_.count();
    }
  }

  // What the weight is of: "S -> L S", "L -> ., A", "F -> ( F ), GC", "F -> ( F ), GC inside AU".
  std::string name(std::int64_t weight) const {
    const auto behind = std::upper_bound(first_.begin(), first_.end(), weight);
    const auto number = static_cast<std::size_t>(behind - first_.begin() - 1);
    const Rule& rule = grammar_->rules()[number];
    std::int64_t rest = weight - first_[number] - 1;
    if (rest < 0) return rule.text;
    const std::int64_t singles = std::int64_t{known_letters} * std::ssize(rule.singles);
    if (rest < singles) {
      const auto letter = static_cast<std::size_t>(rest % known_letters);
      return rule.text + which(rest / known_letters, std::ssize(rule.singles), "base") + ", " +
             letter_names[letter];
    }
    rest -= singles;
    const std::int64_t count = letters_.count();
    if (rest < count * std::ssize(rule.pairs)) {
      return rule.text + which(rest / count, std::ssize(rule.pairs), "pair") + ", " +
             letters_.name(rest % count);
    }
    rest -= count * std::ssize(rule.pairs);
    return rule.text + which(rest / (count * count), stacked(rule), "inner pair") + ", " +
           letters_.name(rest % count) + " inside " + letters_.name(rest / count % count);
  }

  // The events that exclude each other: the rules of a symbol, the letters of a base or pair, those
  // of a pair given the pair around it. In that last case the pair alone has no group.
  void groups(std::span<std::int32_t> group) const {
    std::int32_t next = grammar_->symbol_count();
    const std::int64_t count = letters_.count();
    for (std::size_t number = 0; number < first_.size(); ++number) {
      const Rule& rule = grammar_->rules()[number];
      auto at = group.begin() + first_[number];
      const auto put = [&](std::int64_t weights, std::int32_t its_group) {
        at = std::fill_n(at, weights, its_group);
      };
      put(1, rule.head);
      for (std::size_t k = 0; k < rule.singles.size(); ++k) put(known_letters, next++);
      for (const Pair& pair : rule.pairs) put(count, stacking_ && pair.enclosed ? -1 : next++);
      for (std::int64_t k = stacking_ ? stacked(rule) * count : 0; k > 0; --k) put(count, next++);
    }
  }

  // How many pairs of the rule have one that is known to lie around them.
  static std::int64_t stacked(const Rule& rule) {
    return std::count_if(rule.pairs.begin(), rule.pairs.end(),
                         [](const Pair& pair) { return pair.enclosed; });
  }

 private:
  static std::string which(std::int64_t number, std::int64_t of, const std::string& what) {
    return of > 1 ? ", " + what + " " + std::to_string(number + 1) : std::string();
  }

  const PairGrammar* grammar_ = nullptr;
  PairLetters letters_;
  bool stacking_ = false;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> first_;  // [rule]
};

}  // namespace rna
