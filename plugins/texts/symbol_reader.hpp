// symbol_reader.hpp - a text as a sequence of symbols: its characters or its words.
//
// The symbol of a character is its Unicode code point. The symbol of a word is 1 + its number among
// the words of the training data. Other words have the symbols -1, -2, ... by first appearance. So
// they differ from all words of the training data, and equal words have equal symbols. Called by
// texts.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/cpp/reading.hpp>
#include <sculpt/cpp/state.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace texts {

// Returns the length of the text, or the place of the first byte that is not part of valid UTF-8 or
// is the character 0.
std::size_t valid_length(std::string_view text);

class SymbolReader {
 public:
  explicit SymbolReader(bool takes_words) : takes_words_(takes_words) {}

  // Learns the words of a text. Call finish() after the last.
  void learn(std::string_view text);
  void finish() { words_.finish(); }

  // Replaces `symbols` by those of the text, which is valid UTF-8. Without learn(), all words are
  // new.
  void read(std::string_view text, std::vector<std::int32_t>& symbols);

  void save(sculpt::StateWriter& writer) const { words_.save(writer); }
  void restore(sculpt::StateReader& reader) { words_.restore(reader); }

 private:
  std::int32_t symbol_of_word(std::string_view word);

  const bool takes_words_;
  sculpt::NameList words_;  // of the training data
  std::map<std::string, std::int32_t, std::less<>> new_words_;
  std::vector<sculpt::Field> fields_;
};

}  // namespace texts
