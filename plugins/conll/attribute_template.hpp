// attribute_template.hpp - what a template makes of a position of a sentence and its neighbours.
//
// Used by the dataset conll; template_reader.hpp has the grammar.
#pragma once

#include "conll_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

enum class Transform { none, lower, shape, prefix, suffix };

// One value that a template looks at.
struct TemplatePart {
  Transform transform = Transform::none;
  std::size_t column = 0;
  std::int64_t offset = 0;  // of the row, from the position
  std::size_t length = 0;   // of a prefix or suffix, in characters
};

struct AttributeTemplate {
  std::string name;  // as it is written, without ranges and blanks: "prefix(w[0],3)"
  std::vector<TemplatePart> parts;
};

// Appends the attribute "name=value", of several parts "name=value | value". False, and `out` is
// left in pieces, when there is none: a prefix or suffix longer than its word. In front of the
// sentence the value is "begin -1", "begin -2", ..., behind it "end +1", ...: no value of a file
// has a blank, so these are no values, and "name=value | value" has one reading.
bool append_attribute(const AttributeTemplate& attribute_template, const Sentence& sentence,
                      std::size_t position, std::string& out);
