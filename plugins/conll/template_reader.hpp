// template_reader.hpp - the grammar of the parameter `templates`.
//
//   template = part { "|" part }
//   part     = column "[" range "]" | ("lower" | "shape") "(" column "[" range "]" ")"
//            | ("prefix" | "suffix") "(" column "[" range "]" "," range ")"
//   range    = number [ ".." number ]
//
// Blanks between tokens are ignored. A range stands for one template per number. Only templates
// with one part may contain ranges. Called by conll.cpp.
#pragma once

#include "attribute_template.hpp"

// Returns the templates of all `texts`, in their order. Ranges count up; the leftmost range varies
// slowest. Throws a parameter error with the text and the position.
std::vector<AttributeTemplate> read_templates(const std::vector<std::string>& texts,
                                              const std::vector<std::string>& columns);

// True if the text consists of letters, digits and _.
bool is_column_name(std::string_view text);
