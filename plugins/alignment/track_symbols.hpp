// track_symbols.hpp - the symbols of a track, such as secondary structure, and their numbers.
//
// They are learned from the training data. A symbol is a visible ASCII character; case matters.
// Called by annotations.cpp and pairs_fasta.cpp.
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

  // Returns the number of a symbol, or `wildcard`. Returns nullopt for other characters.
  std::optional<std::int32_t> number(char c) const {
    if (c == unknown) return wildcard;
    const std::size_t index = symbols_.find(c);
    if (index == std::string::npos) return std::nullopt;
    return static_cast<std::int32_t>(index);
  }

  // Adds the symbols of a text. All symbols stay in ASCII order.
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
