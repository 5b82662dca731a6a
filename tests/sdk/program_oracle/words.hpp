// words.hpp - the dataset of pieces.cpp. One word a line with its pieces: walk|ing.
#pragma once

#include <map>
#include <sculpt/cpp/ascii.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

struct Words {
  static constexpr sculpt::About about{"org.example.words", "1.0.0", "words in pieces: walk|ing"};

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      texts.emplace_back(), truths.emplace_back();
      bool begins = true;
      for (const char& c : reader.line()) {
        const auto column = static_cast<std::size_t>(&c - reader.line().data());
        if (!sculpt::is_lower(c) && c != '|') throw reader.error(column, "write a to z and |");
        if (c != '|') texts.back() += c, truths.back().push_back(begins ? 1 : 0);
        begins = c == '|';
      }
    }
    splits[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(texts.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits.find(std::string(name));
    return found == splits.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    return sculpt::Labels(truths[static_cast<std::size_t>(example)]);
  }

  std::vector<std::string> texts;
  std::vector<std::vector<std::int32_t>> truths;
  std::map<std::string, sculpt::Range> splits;
};
