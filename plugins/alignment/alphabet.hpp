// alphabet.hpp - the letters that sequences are made of, and their numbers.
//
// Called by pairs_fasta.cpp, which numbers the letters of a file. Letters in lower case are the
// same letters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sculpt/cpp/ascii.hpp>
#include <string>
#include <string_view>

namespace alignment {

// In place of the number of a letter or another symbol: nothing is known about it.
inline constexpr std::int32_t wildcard = -1;

class Alphabet {
 public:
  Alphabet() = default;
  // `letters` in upper case. What `wildcards` has are letters about which nothing is known.
  Alphabet(std::string letters, std::string wildcards, bool nucleotides)
      : letters_(std::move(letters)), wildcards_(std::move(wildcards)), nucleotides_(nucleotides) {}

  // By the name of the parameter: protein, dna, or learned, which begins empty.
  static Alphabet named(std::string_view name) {
    // the codes of IUPAC for several letters, and the rare amino acids
    if (name == "protein") return {"ARNDCQEGHILKMFPSTWYV", "BJOUXZ", false};
    if (name == "dna") return {"ACGT", "BDHKMNRSVWY", true};
    return {};
  }

  const std::string& letters() const { return letters_; }

  // The number of a letter in either case, or `wildcard`; nothing: it is none of these. U is the T
  // of RNA.
  std::optional<std::int32_t> number(char c) const {
    const bool uracil = nucleotides_ && sculpt::to_upper(c) == 'U';
    const std::size_t place = letters_.find(uracil ? 'T' : sculpt::to_upper(c));
    if (place != std::string::npos) return static_cast<std::int32_t>(place);
    if (wildcards_.find(sculpt::to_upper(c)) != std::string::npos) return wildcard;
    return std::nullopt;
  }

  // Takes the letters of a text besides those it has; they stay in the order of the alphabet.
  void learn(std::string_view text) {
    for (const char c : text) {
      if (sculpt::is_letter(c) && !number(c)) letters_ += sculpt::to_upper(c);
    }
    std::sort(letters_.begin(), letters_.end());
  }

 private:
  std::string letters_;
  std::string wildcards_;
  bool nucleotides_ = false;
};

}  // namespace alignment
