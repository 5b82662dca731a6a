// structure_parser.hpp - derives a structure by a grammar, or a part of it if the grammar does not
// derive it all.
//
// Scratch for one thread: a program of the structure alone, O(n^2) for n bases. Used by the
// sessions of the features rna (rna_features.cpp).
#pragma once

#include <sculpt/cpp/views.hpp>

#include "structures.hpp"

namespace rna {

// The derivation of a structure, heads before the spans below them.
struct StructureDerivation {
  bool is_complete = false;            // false if some pairs are missing
  std::vector<RuleApplication> spans;  // empty: nothing is derived, not even single bases
};

class StructureParser {
 public:
  // Both arguments must outlive this object.
  StructureParser(const PairGrammar& grammar, const sculpt::Host& host)
      : grammar_(grammar), host_(host) {}

  // Returns the derivation. Requires the partners of a nested structure. If the grammar does not
  // derive it, removes the shortest pairs first, and the fewest that make it derivable. Throws if
  // the user asks to stop.
  StructureDerivation find(sculpt::Labels y);

 private:
  // True if the grammar derives y.
  bool derives(sculpt::Labels y);
  // True if it derives y after the fewest pairs are removed.
  bool derives_without_pairs(sculpt::Labels y);

  const PairGrammar& grammar_;
  const sculpt::Host& host_;
  AllowedBases allowed_;
  Structures structure_;  // program of the last structure that was tried
  sculpt::program::Derivation<Structures> derivation_;
  std::vector<std::int64_t> open_;
};

}  // namespace rna
