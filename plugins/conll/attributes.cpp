#include "attributes.hpp"

#include "counted_texts.hpp"

#include <algorithm>
#include <utility>

Attributes::Attributes(std::vector<AttributeTemplate> templates, const std::string& first_column,
                       Dictionary& known)
    : templates_(std::move(templates)), known_(known) {
  const auto word = std::find_if(templates_.begin(), templates_.end(), [&](const auto& entry) {
    return entry.name == first_column + "[0]";
  });
  word_template_ = static_cast<std::size_t>(word - templates_.begin());
}

std::int64_t Attributes::learn(const ConllFile& file, std::size_t sentences, std::int64_t cutoff) {
  CountedTexts all;
  for (std::size_t s = 0; s < sentences; ++s) {
    const Sentence sentence = file.sentence(s);
    for (std::size_t position = 0; position < sentence.length; ++position) {
      for (const AttributeTemplate& entry : templates_) {
        text_.clear();
        if (append_attribute(entry, sentence, position, text_)) all.add(text_);
      }
    }
  }
  all.keep(cutoff, known_);
  return all.size();
}

const std::vector<std::int32_t>& Attributes::find(const Sentence& sentence, std::size_t position,
                                                  AttributeCounts& counts) {
  numbers_.clear();
  for (std::size_t k = 0; k < templates_.size(); ++k) {
    text_.clear();
    if (!append_attribute(templates_[k], sentence, position, text_)) continue;
    const std::int32_t number = known_.find(text_);
    ++(number < 0 ? counts.unseen : counts.known);
    if (number < 0 && k == word_template_) ++counts.unseen_words;
    if (number >= 0) numbers_.push_back(number);
  }
  ++counts.words;
  std::sort(numbers_.begin(), numbers_.end());
  return numbers_;
}
