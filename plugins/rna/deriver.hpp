// deriver.hpp - how a grammar derives a structure, or what it can of one that it does not derive.
//
// Scratch of one thread: a program of the structure alone, O(n^2) for n bases. Used by the sessions
// of the features rna.
#pragma once

#include <sculpt/cpp/views.hpp>

#include "structures.hpp"

namespace rna {

// The derivation of a structure, heads before what they hold.
struct Derived {
  bool whole = false;       // else without some of its pairs
  std::vector<Span> spans;  // none: nothing of it is derived, not even single bases
};

class Deriver {
 public:
  // Both must live as long.
  Deriver(const PairGrammar& grammar, const sculpt::Host& host) : grammar_(grammar), host_(host) {}

  // Requires the partners of a nested structure. Where the grammar does not derive it, that of what
  // is left without its shortest pairs: without so many of them that one fewer would not do. Throws
  // when the user asks to stop.
  Derived find(sculpt::Labels y);

 private:
  bool derives(sculpt::Labels y);
  bool derives_without_pairs(sculpt::Labels y);

  const PairGrammar& grammar_;
  const sculpt::Host& host_;
  Allowed allowed_;
  Structures structure_;  // the program of the last one that was tried
  sculpt::program::Derivation<Structures> derivation_;
  std::vector<std::int64_t> open_;
};

}  // namespace rna
