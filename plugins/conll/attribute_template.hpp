// attribute_template.hpp - computes an attribute of a position of a sentence from a template.
//
// Used by the dataset conll. template_reader.hpp and pattern_reader.hpp describe the grammars.
#pragma once

#include "conll_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

enum class Transform { none, lower, shape, prefix, suffix };

// One value that a template reads.
struct TemplatePart {
  std::string before;  // the text in front of the value
  Transform transform = Transform::none;
  std::size_t column = 0;
  std::int64_t offset = 0;  // of the row, relative to the position
  std::size_t length = 0;   // of a prefix or suffix, in characters
};

struct AttributeTemplate {
  std::vector<TemplatePart> parts;
  std::string end;  // the text behind the last value
  // What stands for values of rows outside the sentence, with the distance after it.
  std::string before_sentence = "begin ";
  std::string after_sentence = "end ";

  // True if the attribute is the value of the token in this column.
  bool is_value_of(std::size_t column) const {
    return parts.size() == 1 && parts[0].transform == Transform::none &&
           parts[0].column == column && parts[0].offset == 0;
  }
};

// Appends the attribute: the values with the texts between them. Returns false if there is none,
// because a word is shorter than the prefix or suffix; `out` is then incomplete. Values outside the
// sentence are "begin -1", "begin -2", ..., and "end +1", ....
bool append_attribute(const AttributeTemplate& attribute_template, const Sentence& sentence,
                      std::size_t position, std::string& out);
