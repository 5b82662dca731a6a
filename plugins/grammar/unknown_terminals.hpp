// unknown_terminals.hpp - the tags or words of a file that training does not have. No rule has
// them, so their sentences get no parse.
//
// Called by the dataset trees.
#pragma once

#include <cstdint>
#include <sculpt/cpp/name_list.hpp>
#include <string>
#include <vector>

#include "sentence.hpp"

namespace grammar {

class UnknownTerminals {
 public:
  // `terminals`: those of the sentence, -1 for an unknown one.
  void add(const Sentence& sentence, const std::vector<std::int32_t>& terminals);

  // Returns "path:LINE: what is wrong, what follows, what to do", or "" without unknown terminals.
  // `known`: the terminals of the training data; `are_tags`: or words.
  std::string warning(const std::string& path, const sculpt::NameList& known, bool are_tags) const;

 private:
  struct First {  // its text and line; the line is 0 if there is none
    std::string text;
    std::int64_t line = 0;
  };
  First first_;       // the first unknown terminal
  First first_bare_;  // the first unknown one that stands for a word without its tag
  std::int64_t sentences_ = 0;
};

}  // namespace grammar
