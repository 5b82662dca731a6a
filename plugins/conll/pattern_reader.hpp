// pattern_reader.hpp - the patterns of CRF++ and Wapiti, as templates.
//
//   pattern = "U" { text | value }     an attribute: the text, and the values of columns
//           | "B" text                 the transitions, which `chain` has anyway
//           | "*" text                 both
//   value   = "%x[" row "," column "]" | "%X[" row "," column "]"    %X: in small letters
//
// One pattern a line. A # at the beginning or after a blank begins a comment. Values outside the
// sentence are _B-1, _B-2, ..., and _B+1, .... Source: the manuals of CRF++ (Kudo 2005) and Wapiti
// (Lavergne, Cappe and Yvon 2010). Called by conll.cpp.
#pragma once

#include "attribute_template.hpp"

// Returns the patterns that give attributes, in their order. Throws E_DATA, also for patterns with
// values that belong to transitions, regular expressions, and columns that do not exist.
std::vector<AttributeTemplate> read_patterns(sculpt::LineReader& reader,
                                             const std::vector<std::string>& columns);
