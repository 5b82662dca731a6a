// anchors.hpp - features that combine a rule with the position where it is used.
//
//   first_word   the first terminal that the rule covers
//   last_word    the last terminal that the rule covers
//   length       the number of words it covers: 1, 2, 3, 4, 5, 6-10, 11-20, 21 or more
//   split_words  for each two neighbours on the right side, the terminals around the split
//
// Features that occur in the training trees get a weight. Taskar, Klein, Collins, Koller and
// Manning, EMNLP 2004, section 5. Used by grammar_features.cpp and grammar_session.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <unordered_map>

#include "rule_set.hpp"

namespace grammar {

class Anchors {
 public:
  enum Kind { first_word, last_word, length, split_before, split_after };

  Anchors() = default;
  // `groups`: names from the list above. Throws for other names.
  explicit Anchors(const std::vector<std::string>& groups);

  bool has_features() const { return has_features_; }
  bool has_split_features() const { return is_on_[split_before]; }

  // Calls visit(key) for each feature of a rule over the words start .. end - 1, except its splits.
  template <class Visit>
  void each_of_span(std::int32_t rule, const std::vector<std::int32_t>& terminals,
                    std::int32_t start, std::int32_t end, Visit visit) const {
    if (is_on_[first_word]) visit_word(first_word, rule, 0, terminals, start, visit);
    if (is_on_[last_word]) visit_word(last_word, rule, 0, terminals, end - 1, visit);
    if (is_on_[length]) visit(key(length, rule, 0, length_class(end - start)));
  }
  // The same for its split after item `dot`, counted from 1, at the word `split`.
  template <class Visit>
  void each_of_split(std::int32_t rule, std::int32_t dot,
                     const std::vector<std::int32_t>& terminals, std::int32_t split,
                     Visit visit) const {
    if (!has_split_features()) return;
    visit_word(split_before, rule, dot, terminals, split - 1, visit);
    visit_word(split_after, rule, dot, terminals, split, visit);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(keys_.size()); }
  void learn(std::int64_t key) {
    if (numbers_.try_emplace(key, size()).second) keys_.push_back(key);
  }
  // Returns the number of a feature, or -1 if it has no weight.
  std::int64_t find(std::int64_t key) const {
    const auto found = numbers_.find(key);
    return found == numbers_.end() ? -1 : found->second;
  }

  static std::int32_t rule_of(std::int64_t key);
  std::int64_t key_of(std::int64_t number) const { return keys_[static_cast<std::size_t>(number)]; }
  // Appends the feature without its rule: "first the", "item 1 before of".
  void write(std::int64_t number, const Trees& trees, sculpt::ByteOutput& out) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);
  bool has_valid_ids(const Trees& trees, const RuleSet& rules) const;

 private:
  // Bits of a key: 3 for the kind, 6 for the position on the right side, 22 for the rule, 32 for
  // the terminal or length class.
  static std::int64_t key(Kind kind, std::int32_t rule, std::int32_t dot, std::int32_t value) {
    return ((std::int64_t{kind} * 64 + std::min(dot, 63)) << 54) | (std::int64_t{rule} << 32) |
           value;
  }
  static std::int32_t length_class(std::int32_t words);
  template <class Visit>
  static void visit_word(Kind kind, std::int32_t rule, std::int32_t dot,
                         const std::vector<std::int32_t>& terminals, std::int32_t position,
                         Visit& visit) {
    const std::int32_t terminal = terminals[static_cast<std::size_t>(position)];
    if (terminal >= 0) visit(key(kind, rule, dot, terminal));
  }

  std::array<bool, 5> is_on_{};  // [Kind]
  bool has_features_ = false;
  std::vector<std::int64_t> keys_;
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
};

}  // namespace grammar
