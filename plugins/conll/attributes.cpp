#include "attributes.hpp"

#include "counted_texts.hpp"

#include <algorithm>
#include <utility>

void Attributes::use(std::vector<AttributeTemplate> templates, std::size_t word_column) {
  templates_ = std::move(templates);
  const auto word = std::find_if(
      templates_.begin(), templates_.end(),
      [word_column](const AttributeTemplate& entry) { return entry.is_value_of(word_column); });
  word_template_ = static_cast<std::size_t>(word - templates_.begin());
}

bool Attributes::reads(std::size_t column) const {
  return std::any_of(templates_.begin(), templates_.end(), [column](const auto& entry) {
    return std::any_of(entry.parts.begin(), entry.parts.end(),
                       [column](const TemplatePart& part) { return part.column == column; });
  });
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
