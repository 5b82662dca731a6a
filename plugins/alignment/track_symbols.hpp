// track_symbols.hpp - the symbols of a track that stands beside the letters of sequences, such as
// their secondary structure, and their numbers.
//
// Learned from the training data; a symbol is a visible character of ASCII, and case counts. Called
// by annotations.cpp and pairs_fasta.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "alphabet.hpp"

namespace alignment {

class TrackSymbols {
 public:
  static constexpr char unknown = '?';  // the wildcard
  static constexpr bool is_symbol(char c) { return c > ' ' && c <= '~'; }

  const std::string& symbols() const { return symbols_; }

  // The number of a symbol, or `wildcard`; nothing: it is none of these.
  std::optional<std::int32_t> number(char c) const {
    if (c == unknown) return wildcard;
    const std::size_t place = symbols_.find(c);
    if (place == std::string::npos) return std::nullopt;
    return static_cast<std::int32_t>(place);
  }

  // Takes the symbols of a text besides those it has; they stay in the order of ASCII.
  void learn(std::string_view text) {
    for (const char c : text) {
      if (is_symbol(c) && !number(c)) symbols_ += c;
    }
    std::sort(symbols_.begin(), symbols_.end());
  }

 private:
  std::string symbols_;
};

}  // namespace alignment
