#include "template_reader.hpp"

#include <sculpt/cpp/ascii.hpp>
#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

namespace {

constexpr std::int64_t max_number = 100;      // limit of an offset, and of the length of a prefix
constexpr std::size_t max_templates = 10000;  // in all; each number of a range counts

bool is_word_character(char c) {
  return sculpt::is_letter(c) || sculpt::is_digit(c) || c == '_';
}

const char* name_of(Transform transform) {
  switch (transform) {
    case Transform::lower:
      return "lower";
    case Transform::shape:
      return "shape";
    case Transform::prefix:
      return "prefix";
    case Transform::suffix:
      return "suffix";
    case Transform::none:
      break;
  }
  return "";
}

struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::size_t position = 0;  // in the text
};

// A part with ranges, before they are expanded.
struct PartRange {
  Transform transform = Transform::none;
  std::size_t column = 0;
  NumberRange offset;
  std::optional<NumberRange> length;
};

// A template and its text without ranges and blanks: "prefix(w[0],3)".
struct NamedTemplate {
  std::string name;
  AttributeTemplate attribute;
};

class TemplateReader {
 public:
  TemplateReader(std::size_t number, const std::string& text,
                 const std::vector<std::string>& columns)
      : number_(number), text_(text), columns_(columns) {}

  std::vector<NamedTemplate> read() {
    std::vector<PartRange> parts;
    do {
      parts.push_back(read_part());
    } while (skip_if("|"));
    if (position_ < text_.size()) {
      fail(position_, "the template should end here; join parts with |");
    }
    if (parts.size() == 1) return expand(parts.front());
    NamedTemplate joined;
    for (const PartRange& part : parts) {
      refuse_range(part.offset);
      if (part.length) refuse_range(*part.length);
      add_part(joined, part, part.offset.first, part.length ? part.length->first : 0);
    }
    return {joined};
  }

 private:
  [[noreturn]] void fail(std::size_t position, const std::string& message) const {
    throw sculpt::parameter_error("templates: template " + std::to_string(number_) + ", '" + text_ +
                                  "', character " + std::to_string(position + 1) + ": " + message);
  }

  void refuse_range(const NumberRange& range) const {
    if (range.first == range.last) return;
    fail(range.position,
         "a range beside another part is ambiguous; write one template for each of its numbers");
  }

  PartRange read_part() {
    skip_blanks();
    const std::size_t position = position_;
    std::string word = read_word();
    PartRange part;
    if (skip_if("(")) {
      part.transform = transform_of(word, position);
      skip_blanks();
      const std::size_t column_position = position_;
      word = read_word();
      read_column(part, word, column_position);
      if (part.transform == Transform::prefix || part.transform == Transform::suffix) {
        expect(",", "then a length");
        part.length = read_range(1, "length");
      }
      expect(")", "");
    } else {
      read_column(part, word, position);
    }
    skip_blanks();
    return part;
  }

  // Looks up the column `word`, which is at `position`, and reads the [range] after it.
  void read_column(PartRange& part, const std::string& word, std::size_t position) {
    const auto found = std::find(columns_.begin(), columns_.end(), word);
    if (found == columns_.end()) {
      std::string known;
      for (const std::string& column : columns_) known += (known.empty() ? "" : ", ") + column;
      if (word.empty()) fail(position, "a column is expected, such as " + columns_.front() + "[0]");
      fail(position, "there is no column '" + word + "'; the columns are " + known);
    }
    part.column = static_cast<std::size_t>(found - columns_.begin());
    expect("[", "then the distance of a row, such as " + word + "[0] or " + word + "[-2..2]");
    part.offset = read_range(-max_number, "distance");
    expect("]", "");
  }

  Transform transform_of(const std::string& word, std::size_t position) const {
    for (const Transform known :
         {Transform::lower, Transform::shape, Transform::prefix, Transform::suffix}) {
      if (word == name_of(known)) return known;
    }
    fail(position,
         "there is no function '" + word + "'; the functions are lower, shape, prefix and suffix");
  }

  NumberRange read_range(std::int64_t lower, const std::string& meaning) {
    skip_blanks();
    NumberRange range;
    range.position = position_;
    range.first = read_number(lower, meaning);
    range.last = skip_if("..") ? read_number(lower, meaning) : range.first;
    if (range.last < range.first) fail(range.position, "the range is descending; swap its ends");
    return range;
  }

  // Reads a number in [lower, max_number].
  std::int64_t read_number(std::int64_t lower, const std::string& meaning) {
    skip_blanks();
    const std::size_t plus = position_ < text_.size() && text_[position_] == '+' ? 1 : 0;
    const char* const begin = text_.data() + position_ + plus;
    const char* const end = text_.data() + text_.size();
    std::int64_t value = 0;
    const auto [stop, problem] = std::from_chars(begin, end, value);
    const bool two_signs = plus == 1 && begin != end && *begin == '-';
    if (stop == begin || two_signs) fail(position_, "a number is expected");
    if (problem != std::errc() || value < lower || value > max_number) {
      fail(position_, "this " + meaning + " is outside [" + std::to_string(lower) + ", " +
                          std::to_string(max_number) + "]");
    }
    position_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  std::string read_word() {
    const std::size_t from = position_;
    while (position_ < text_.size() && is_word_character(text_[position_])) ++position_;
    return text_.substr(from, position_ - from);
  }

  void skip_blanks() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  // Skips blanks and then `sign`. Returns false if something else follows the blanks.
  bool skip_if(std::string_view sign) {
    skip_blanks();
    if (!std::string_view(text_).substr(position_).starts_with(sign)) return false;
    position_ += sign.size();
    return true;
  }
  // Skips `sign`, or throws. `next`: what follows the sign, for the message.
  void expect(std::string_view sign, const std::string& next) {
    if (skip_if(sign)) return;
    fail(position_, "'" + std::string(sign) + "' is expected" + (next.empty() ? "" : ", " + next));
  }

  // Returns one template for each number of the ranges.
  std::vector<NamedTemplate> expand(const PartRange& part) const {
    std::vector<NamedTemplate> all;
    const NumberRange lengths = part.length.value_or(NumberRange());
    for (std::int64_t offset = part.offset.first; offset <= part.offset.last; ++offset) {
      for (std::int64_t length = lengths.first; length <= lengths.last; ++length) {
        add_part(all.emplace_back(), part, offset, length);
      }
    }
    return all;
  }

  void add_part(NamedTemplate& target, const PartRange& part, std::int64_t offset,
                std::int64_t length) const {
    std::string name = columns_[part.column] + "[" + std::to_string(offset) + "]";
    if (part.length) name += "," + std::to_string(length);
    if (part.transform != Transform::none) {
      name = std::string(name_of(part.transform)) + "(" + name + ")";
    }
    target.name += (target.name.empty() ? "" : "|") + name;
    target.attribute.parts.push_back(
        {" | ", part.transform, part.column, offset, static_cast<std::size_t>(length)});
  }

  std::size_t number_;
  const std::string& text_;
  const std::vector<std::string>& columns_;
  std::size_t position_ = 0;
};

}  // namespace

std::vector<AttributeTemplate> read_templates(const std::vector<std::string>& texts,
                                              const std::vector<std::string>& columns) {
  std::vector<AttributeTemplate> all;
  std::unordered_set<std::string> names;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const std::string subject = "templates: template " + std::to_string(k + 1) + ", '" + texts[k];
    for (NamedTemplate& entry : TemplateReader(k + 1, texts[k], columns).read()) {
      if (!names.insert(entry.name).second) {
        throw sculpt::parameter_error(subject + "', repeats the attribute " + entry.name +
                                      "; list each attribute once");
      }
      if (all.size() == max_templates) {
        throw sculpt::parameter_error(subject + "', exceeds the limit of " +
                                      std::to_string(max_templates) +
                                      " attributes for a token; shorten the ranges");
      }
      // Values of files contain no blanks, so "name=value | value" is unambiguous.
      entry.attribute.parts.front().before = entry.name + "=";
      all.push_back(std::move(entry.attribute));
    }
  }
  if (all.empty()) {
    throw sculpt::parameter_error("templates is empty; list an attribute, such as " +
                                  columns.front() + "[0]");
  }
  return all;
}

bool is_column_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word_character);
}
