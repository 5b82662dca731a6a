#include "template_reader.hpp"

#include <sculpt/cpp/ascii.hpp>
#include <sculpt/cpp/error.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

namespace {

constexpr std::int64_t most = 100;            // limit of an offset, and of the length of a prefix
constexpr std::size_t max_templates = 10000;  // in all; each number of a range counts

bool is_word(char c) {
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
  std::size_t place = 0;  // in the text
};

// A part with ranges, before they are expanded.
struct PartRange {
  Transform transform = Transform::none;
  std::size_t column = 0;
  NumberRange offset;
  std::optional<NumberRange> length;
};

class TemplateReader {
 public:
  TemplateReader(std::size_t number, const std::string& text,
                 const std::vector<std::string>& columns)
      : number_(number), text_(text), columns_(columns) {}

  std::vector<AttributeTemplate> read() {
    std::vector<PartRange> parts;
    do {
      parts.push_back(read_part());
    } while (take("|"));
    if (at_ < text_.size()) fail(at_, "the template should end here; join parts with |");
    if (parts.size() == 1) return each_of(parts.front());
    AttributeTemplate joined;
    for (const PartRange& part : parts) {
      refuse_range(part.offset);
      if (part.length) refuse_range(*part.length);
      add_part(joined, part, part.offset.first, part.length ? part.length->first : 0);
    }
    return {joined};
  }

 private:
  [[noreturn]] void fail(std::size_t place, const std::string& what) const {
    throw sculpt::parameter_error("templates: template " + std::to_string(number_) + ", '" + text_ +
                                  "', character " + std::to_string(place + 1) + ": " + what);
  }

  void refuse_range(const NumberRange& range) const {
    if (range.first == range.last) return;
    fail(range.place,
         "a range beside another part could be meant in several ways; write one "
         "template for each of its numbers");
  }

  PartRange read_part() {
    skip_blanks();
    const std::size_t place = at_;
    std::string word = read_word();
    PartRange part;
    if (take("(")) {
      part.transform = transform_of(word, place);
      skip_blanks();
      const std::size_t column_place = at_;
      word = read_word();
      read_access(part, word, column_place);
      if (part.transform == Transform::prefix || part.transform == Transform::suffix) {
        expect(",", "and a length");
        part.length = read_range(1, "length");
      }
      expect(")", "");
    } else {
      read_access(part, word, place);
    }
    skip_blanks();
    return part;
  }

  // Reads [range] after its column.
  void read_access(PartRange& part, const std::string& word, std::size_t place) {
    const auto found = std::find(columns_.begin(), columns_.end(), word);
    if (found == columns_.end()) {
      std::string known;
      for (const std::string& column : columns_) known += (known.empty() ? "" : ", ") + column;
      if (word.empty()) fail(place, "a column is expected, such as " + columns_.front() + "[0]");
      fail(place, "there is no column '" + word + "'; the columns are " + known);
    }
    part.column = static_cast<std::size_t>(found - columns_.begin());
    expect("[", "and the distance of a row, such as " + word + "[0] or " + word + "[-2..2]");
    part.offset = read_range(-most, "distance");
    expect("]", "");
  }

  Transform transform_of(const std::string& word, std::size_t place) const {
    for (const Transform known :
         {Transform::lower, Transform::shape, Transform::prefix, Transform::suffix}) {
      if (word == name_of(known)) return known;
    }
    fail(place, "there is no function '" + word + "'; lower, shape, prefix and suffix are known");
  }

  NumberRange read_range(std::int64_t least, const std::string& meaning) {
    skip_blanks();
    NumberRange range;
    range.place = at_;
    range.first = read_number(least, meaning);
    range.last = take("..") ? read_number(least, meaning) : range.first;
    if (range.last < range.first) fail(range.place, "the range runs backwards; swap its ends");
    return range;
  }

  std::int64_t read_number(std::int64_t least, const std::string& meaning) {
    skip_blanks();
    const std::size_t plus = at_ < text_.size() && text_[at_] == '+' ? 1 : 0;
    const char* const begin = text_.data() + at_ + plus;
    const char* const end = text_.data() + text_.size();
    std::int64_t value = 0;
    const auto [stop, problem] = std::from_chars(begin, end, value);
    const bool two_signs = plus == 1 && begin != end && *begin == '-';
    if (stop == begin || two_signs) fail(at_, "a number is expected");
    if (problem != std::errc() || value < least || value > most) {
      fail(at_, "this " + meaning + " is outside [" + std::to_string(least) + ", " +
                    std::to_string(most) + "]");
    }
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  std::string read_word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view sign) {
    skip_blanks();
    if (!std::string_view(text_).substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void expect(std::string_view sign, const std::string& more) {
    if (take(sign)) return;
    fail(at_, "'" + std::string(sign) + "' is expected" + (more.empty() ? "" : ", " + more));
  }

  std::vector<AttributeTemplate> each_of(const PartRange& part) const {
    std::vector<AttributeTemplate> all;
    const NumberRange lengths = part.length.value_or(NumberRange());
    for (std::int64_t offset = part.offset.first; offset <= part.offset.last; ++offset) {
      for (std::int64_t length = lengths.first; length <= lengths.last; ++length) {
        add_part(all.emplace_back(), part, offset, length);
      }
    }
    return all;
  }

  void add_part(AttributeTemplate& to, const PartRange& part, std::int64_t offset,
                std::int64_t length) const {
    std::string name = columns_[part.column] + "[" + std::to_string(offset) + "]";
    if (part.length) name += "," + std::to_string(length);
    if (part.transform != Transform::none) {
      name = std::string(name_of(part.transform)) + "(" + name + ")";
    }
    to.name += (to.name.empty() ? "" : "|") + name;
    to.parts.push_back({part.transform, part.column, offset, static_cast<std::size_t>(length)});
  }

  std::size_t number_;
  const std::string& text_;
  const std::vector<std::string>& columns_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<AttributeTemplate> read_templates(const std::vector<std::string>& texts,
                                              const std::vector<std::string>& columns) {
  std::vector<AttributeTemplate> all;
  std::unordered_set<std::string> names;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    const std::string place = "templates: template " + std::to_string(k + 1) + ", '" + texts[k];
    for (AttributeTemplate& read : TemplateReader(k + 1, texts[k], columns).read()) {
      if (!names.insert(read.name).second) {
        throw sculpt::parameter_error(place + "', gives " + read.name +
                                      " a second time; name each attribute once");
      }
      if (all.size() == max_templates) {
        throw sculpt::parameter_error(place + "', is one too many: tokens get " +
                                      std::to_string(max_templates) +
                                      " attributes at most; shorten the ranges");
      }
      all.push_back(std::move(read));
    }
  }
  if (all.empty()) {
    throw sculpt::parameter_error("templates is empty; name an attribute, such as " +
                                  columns.front() + "[0]");
  }
  return all;
}

bool is_column_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word);
}
