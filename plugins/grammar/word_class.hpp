// word_class.hpp - the class of a word by its form, for words that are rare or missing in training.
//
//   (cap,digit,dash,-ing)      "cap" or "caps" if the first letter or all letters are capitals; a
//                              digit or a dash anywhere in it; one of some English endings
//
// Sources for such classes: Klein and Manning, ACL 2003; Petrov et al., ACL 2006. The parentheses
// distinguish them from all words. Used by the dataset trees.
#pragma once

#include <string>
#include <string_view>

namespace grammar {

// Returns the class of a word. Without `ending` the class is coarser, for words whose class is
// unknown.
std::string word_class(std::string_view word, bool ending = true);

}  // namespace grammar
