// template_reader.hpp - the grammar of templates.
//
//   template = part { "|" part }
//   part     = column "[" range "]" | ("lower" | "shape") "(" column "[" range "]" ")"
//            | ("prefix" | "suffix") "(" column "[" range "]" "," range ")"
//   range    = number [ ".." number ]
//
// Blanks between the words of this grammar do not count. A range stands for one template for each
// of its numbers, and only where the template has one part.
#pragma once

#include "attribute_template.hpp"

// All templates that `texts` stand for, in their order; ranges count up, the left one slowest.
// Throws a parameter error that says which text is wrong and where.
std::vector<AttributeTemplate> read_templates(const std::vector<std::string>& texts,
                                              const std::vector<std::string>& columns);

// Letters, digits and _.
bool is_column_name(std::string_view text);
