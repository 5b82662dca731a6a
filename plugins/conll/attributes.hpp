// attributes.hpp - the attributes that training has seen, and those that a position has of them.
//
// Part of the dataset conll: one input for each attribute, numbered by first appearance.
#pragma once

#include "attribute_template.hpp"
#include "dictionary.hpp"

#include <sculpt/cpp/state.hpp>

class Attributes {
 public:
  // What of() has met, to be reported once a file.
  struct Tally {
    std::int64_t found = 0;
    std::int64_t unseen = 0;
    std::int64_t words = 0;         // tokens
    std::int64_t unseen_words = 0;  // of them, when a template is the first column itself: "w[0]"
  };

  Attributes(std::vector<AttributeTemplate> templates, const std::string& first_column);

  // Takes the attributes that the first `sentences` of `file` have at least `cutoff` times. Returns
  // how many different ones they have in all.
  std::int64_t learn(const ConllFile& file, std::size_t sentences, std::int64_t cutoff);

  // The numbers of the attributes of a position, increasing; valid until the next call. Those that
  // training has not seen are left out and counted.
  const std::vector<std::int32_t>& of(const Sentence& sentence, std::size_t position, Tally& tally);

  std::int64_t size() const { return dictionary_.size(); }
  std::string_view text(std::int64_t number) const { return dictionary_.text(number); }
  bool tells_words() const { return word_template_ < templates_.size(); }

  void save(sculpt::StateWriter& writer) const { dictionary_.save(writer); }
  void restore(sculpt::StateReader& reader) { dictionary_.restore(reader); }

 private:
  std::vector<AttributeTemplate> templates_;
  std::size_t word_template_;  // that of the first column itself; templates_.size() without one
  Dictionary dictionary_;
  std::string text_;                   // scratch: an attribute
  std::vector<std::int32_t> numbers_;  // scratch: those of a position
};
