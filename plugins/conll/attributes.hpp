// attributes.hpp - the attributes of a position, made by templates.
//
// Numbers are those of the attributes that occur in training. Used by conll.cpp.
#pragma once

#include "attribute_template.hpp"
#include "dictionary.hpp"
#include "token_sequences.hpp"

class Attributes {
 public:
  // `known`: the attributes of the training data. It must outlive this object.
  explicit Attributes(Dictionary& known) : known_(known) {}

  bool has_templates() const { return !templates_.empty(); }
  // `word_column`: the column of the words, whose unknown ones are counted.
  void use(std::vector<AttributeTemplate> templates, std::size_t word_column);
  // True if a template reads this column.
  bool reads(std::size_t column) const;

  // Learns the attributes that occur at least `cutoff` times in the first `sentences` of `file`.
  // Returns the number of different attributes before the cutoff.
  std::int64_t learn(const ConllFile& file, std::size_t sentences, std::int64_t cutoff);

  // Returns the numbers of the attributes of a position, sorted, valid until the next call. A
  // number repeats if several templates give the same attribute. Attributes that do not occur in
  // training are dropped and counted.
  const std::vector<std::int32_t>& find(const Sentence& sentence, std::size_t position,
                                        AttributeCounts& counts);

  // True if AttributeCounts::unseen_words counts.
  bool counts_words() const { return word_template_ < templates_.size(); }

 private:
  std::vector<AttributeTemplate> templates_;
  std::size_t word_template_ = 0;  // index of the template of the word; templates_.size(): none
  Dictionary& known_;
  std::string text_;                   // scratch: an attribute
  std::vector<std::int32_t> numbers_;  // scratch: the attributes of a position
};
