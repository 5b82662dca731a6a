#include "unknown_terminals.hpp"

#include <algorithm>

namespace grammar {

namespace {

// "DT, NN, VBZ": at most ten names. Tags of punctuation come last, as they help nobody.
std::string some_names(const sculpt::NameList& names) {
  constexpr std::size_t max_names = 10;
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  std::vector<std::string> chosen;
  for (std::int32_t k = 0; k < names.size(); ++k) chosen.push_back(names.name(k));
  std::stable_partition(chosen.begin(), chosen.end(), [&](const std::string& name) {
    return !name.empty() && is_letter(name.front());
  });
  std::string text;
  for (std::size_t k = 0; k < std::min(chosen.size(), max_names); ++k) {
    text += (k > 0 ? ", " : "") + chosen[k];
  }
  return text + (chosen.size() > max_names ? ", ..." : "");
}

}  // namespace

void UnknownTerminals::add(const Sentence& sentence, const std::vector<std::int32_t>& terminals) {
  const bool has_tags = sentence.tags.size() == sentence.words.size();
  bool has_unknown = false;
  for (std::size_t k = 0; k < terminals.size(); ++k) {
    if (terminals[k] >= 0) continue;
    has_unknown = true;
    const bool is_bare = k < sentence.is_bare.size() && sentence.is_bare[k];
    First& first = is_bare ? first_bare_ : first_;
    if (first.line > 0) continue;
    first = {has_tags && !is_bare ? sentence.tags[k] : sentence.words[k], sentence.line};
  }
  if (has_unknown) ++sentences_;
}

std::string UnknownTerminals::warning(const std::string& path, const sculpt::NameList& known,
                                      bool are_tags) const {
  if (sentences_ == 0) return "";
  const First& first = first_bare_.line > 0 ? first_bare_ : first_;
  const std::string name = sculpt::shown(first.text);
  std::string text = path + ":" + std::to_string(first.line) + ": ";
  if (first_bare_.line > 0) {
    text += name +
            " has no tag; write word/TAG, with tags of the training data: " + some_names(known) +
            "; ";
  } else if (are_tags) {
    text += "the tag " + name + " does not occur in training; ";
  } else {
    text += "the word " + name + " and its class do not occur in training; ";
  }
  return text + std::to_string(sentences_) +
         (sentences_ == 1 ? " sentence gets no parse, and predict prints an empty line for it"
                          : " sentences get no parse, and predict prints empty lines for them");
}

}  // namespace grammar
