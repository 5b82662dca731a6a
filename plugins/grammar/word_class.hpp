// word_class.hpp - what a word looks like, for words that training has rarely or never seen.
//
//   (cap,digit,dash,-ing)      "cap" or "caps" for a capital in front or throughout; a digit or a
//                              dash somewhere in it; one of some endings of English
//
// Classes of this kind: Klein and Manning, ACL 2003; Petrov et al., ACL 2006. The brackets keep
// them apart from all words. Used by the dataset trees.
#pragma once

#include <string>
#include <string_view>

namespace grammar {

// Without `ending` the class is coarser: what a word falls back to whose class is not known.
std::string word_class(std::string_view word, bool ending = true);

}  // namespace grammar
