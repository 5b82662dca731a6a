// alphabet.hpp - the letters that sequences are made of, and their numbers.
//
// Called by pair_file.cpp, which numbers the letters of a file, and by the features, which have a
// weight for pairs of them. Letters in lower case are the same letters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace alignment {

inline char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
inline bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
inline bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || is_lower(c);
}

class Alphabet {
 public:
  Alphabet() = default;
  // `letters` in upper case. What `wildcards` has are letters about which nothing is known.
  Alphabet(std::string letters, std::string wildcards)
      : letters_(std::move(letters)), wildcards_(std::move(wildcards)) {}

  // By the name of the parameter: protein, dna, or learned, which begins empty.
  static Alphabet named(std::string_view name) {
    // the codes of IUPAC for several letters, and the rare amino acids
    if (name == "protein") return {"ARNDCQEGHILKMFPSTWYV", "BJOUXZ"};
    if (name == "dna") return {"ACGT", "BDHKMNRSUVWY"};
    return {};
  }

  // What a wildcard is numbered; letters are 0 .. size() - 1.
  std::int32_t wildcard() const { return size(); }
  std::int32_t size() const { return static_cast<std::int32_t>(letters_.size()); }
  char letter(std::int32_t number) const { return letters_[static_cast<std::size_t>(number)]; }
  const std::string& letters() const { return letters_; }
  const std::string& wildcards() const { return wildcards_; }

  // The number of a letter in either case; -1: it is none of these.
  std::int32_t number(char c) const {
    const std::size_t place = letters_.find(upper(c));
    if (place != std::string::npos) return static_cast<std::int32_t>(place);
    return wildcards_.find(upper(c)) != std::string::npos ? wildcard() : -1;
  }

  // Takes the letters of a text besides those it has; they stay in the order of the alphabet.
  void learn(std::string_view text) {
    for (const char c : text) {
      if (is_letter(c) && number(c) < 0) letters_ += upper(c);
    }
    std::sort(letters_.begin(), letters_.end());
  }

 private:
  std::string letters_;
  std::string wildcards_;
};

}  // namespace alignment
