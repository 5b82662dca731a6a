// attribute_template.hpp - computes an attribute of a position of a sentence from a template.
//
// Used by the dataset conll. template_reader.hpp describes the grammar.
#pragma once

#include "conll_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

enum class Transform { none, lower, shape, prefix, suffix };

// One value that a template reads.
struct TemplatePart {
  Transform transform = Transform::none;
  std::size_t column = 0;
  std::int64_t offset = 0;  // of the row, relative to the position
  std::size_t length = 0;   // of a prefix or suffix, in characters
};

struct AttributeTemplate {
  std::string name;  // as written, without ranges and blanks: "prefix(w[0],3)"
  std::vector<TemplatePart> parts;
};

// Appends the attribute: "name=value", or "name=value | value" for several parts. Returns false if
// there is none, because a word is shorter than the prefix or suffix; `out` is then incomplete.
// Before the sentence the value is "begin -1", "begin -2", ..., and after it "end +1", .... Values
// of files contain no blanks, so attributes are unambiguous.
bool append_attribute(const AttributeTemplate& attribute_template, const Sentence& sentence,
                      std::size_t position, std::string& out);
