// attributes.hpp - the attributes that occur in training, and the attributes of a position.
//
// One input feature for each attribute, numbered by first appearance. Used by conll.cpp.
#pragma once

#include "attribute_template.hpp"
#include "dictionary.hpp"

#include <sculpt/cpp/state.hpp>

class Attributes {
 public:
  // Counts of the calls of find(), which are reported once a file.
  struct Counts {
    std::int64_t known = 0;         // attributes that occur in training
    std::int64_t unseen = 0;        // attributes that do not
    std::int64_t words = 0;         // tokens
    std::int64_t unseen_words = 0;  // unseen ones, if there is the template "w[0]"
  };

  Attributes(std::vector<AttributeTemplate> templates, const std::string& first_column);

  // Learns the attributes that occur at least `cutoff` times in the first `sentences` of `file`.
  // Returns the number of different attributes before the cutoff.
  std::int64_t learn(const ConllFile& file, std::size_t sentences, std::int64_t cutoff);

  // Returns the numbers of the attributes of a position, increasing, valid until the next call.
  // Attributes that do not occur in training are dropped and counted.
  const std::vector<std::int32_t>& find(const Sentence& sentence, std::size_t position,
                                        Counts& counts);

  std::int64_t size() const { return dictionary_.size(); }
  std::string_view text(std::int64_t number) const { return dictionary_.text(number); }
  // True if Counts::unseen_words counts.
  bool counts_words() const { return word_template_ < templates_.size(); }

  void save(sculpt::StateWriter& writer) const { dictionary_.save(writer); }
  void restore(sculpt::StateReader& reader) { dictionary_.restore(reader); }

 private:
  std::vector<AttributeTemplate> templates_;
  std::size_t word_template_;  // index of "w[0]" of the first column; templates_.size(): none
  Dictionary dictionary_;
  std::string text_;                   // scratch: an attribute
  std::vector<std::int32_t> numbers_;  // scratch: the attributes of a position
};
