// alphabet.hpp - the letters of sequences, and their numbers.
//
// Called by pairs_fasta.cpp, which numbers the letters of a file. Lower and upper case are the same
// letter. `*`, the end of a protein in a translated sequence, is a letter too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sculpt/cpp/ascii.hpp>
#include <string>
#include <string_view>

namespace alignment {

// The number of an unknown letter or symbol.
inline constexpr std::int32_t wildcard = -1;

constexpr bool is_sequence_letter(char c) {
  return sculpt::is_letter(c) || c == '*';
}

class Alphabet {
 public:
  Alphabet() = default;
  // `letters` and `wildcards` are in upper case. `wildcards` are letters that stand for several
  // others.
  Alphabet(std::string letters, std::string wildcards, bool has_nucleotides)
      : letters_(std::move(letters)),
        wildcards_(std::move(wildcards)),
        has_nucleotides_(has_nucleotides) {}

  // Returns the alphabet of the parameter: protein, dna, or learned, which is empty at first.
  static Alphabet named(std::string_view name) {
    // The wildcards are the IUPAC codes of several letters, the rare amino acids, and the end.
    if (name == "protein") return {"ARNDCQEGHILKMFPSTWYV", "BJOUXZ*", false};
    if (name == "dna") return {"ACGT", "BDHKMNRSVWY", true};
    return {};
  }

  const std::string& letters() const { return letters_; }

  // Returns the number of a letter in either case, or `wildcard`. Returns nullopt for other
  // characters. In nucleotides U is read as T.
  std::optional<std::int32_t> number(char c) const {
    const bool uracil = has_nucleotides_ && sculpt::to_upper(c) == 'U';
    const std::size_t index = letters_.find(uracil ? 'T' : sculpt::to_upper(c));
    if (index != std::string::npos) return static_cast<std::int32_t>(index);
    if (wildcards_.find(sculpt::to_upper(c)) != std::string::npos) return wildcard;
    return std::nullopt;
  }

  // Adds the letters of a text. All letters stay in alphabetical order.
  void learn(std::string_view text) {
    for (const char c : text) {
      if (is_sequence_letter(c) && !number(c)) letters_ += sculpt::to_upper(c);
    }
    std::sort(letters_.begin(), letters_.end());
  }

 private:
  std::string letters_;
  std::string wildcards_;
  bool has_nucleotides_ = false;
};

}  // namespace alignment
