#include "check/variants/longer_data.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <sstream>

#include "base/text/message_text.hpp"
#include "base/text/text_parts.hpp"

namespace sculpt::core {
namespace {

using Texts = std::vector<std::string>;
// Joins two texts. Returns "" if this way does not fit them.
using Join = std::function<std::string(const std::string&, const std::string&)>;

Texts split_at(const std::string& text, char separator) {
  Texts parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// The examples of a text: its lines, or its blocks of lines.
struct Records {
  Texts texts;
  bool are_blocks = false;

  std::string text() const { return joined(texts, are_blocks ? "\n\n" : "\n") + "\n"; }
};

Records records_of(const std::string& text) {
  Records records;
  bool is_after_blank = true;
  for (const std::string& line : split_at(text, '\n')) {
    if (line.empty()) {
      records.are_blocks = records.are_blocks || !is_after_blank;
      is_after_blank = true;
      continue;
    }
    if (is_after_blank) {
      records.texts.push_back(line);
    } else {
      records.texts.back() += "\n" + line;
    }
    is_after_blank = false;
  }
  if (records.are_blocks && records.texts.size() > 1) return records;
  return {records.texts.empty() ? Texts() : split_at(records.texts.front(), '\n'), false};
}

Join with_separator(const std::string& separator) {
  return [separator](const std::string& a, const std::string& b) { return a + separator + b; };
}

// "ab xy" and "c z" give "abc xyz".
std::string join_words(const std::string& a, const std::string& b) {
  Texts words = words_of(a);
  const Texts other = words_of(b);
  if (words.size() < 2 || words.size() != other.size()) return "";
  for (std::size_t k = 0; k < words.size(); ++k) words[k] += other[k];
  return joined(words, " ");
}

// With the delimiter |, "a b | x y" and "c | z" give "a b  c | x y  z".
Join join_parts(char delimiter, const std::string& separator) {
  return [delimiter, separator](const std::string& a, const std::string& b) -> std::string {
    Texts parts = split_at(a, delimiter);
    const Texts other = split_at(b, delimiter);
    if (parts.size() < 2 || parts.size() != other.size()) return "";
    for (std::size_t k = 0; k < parts.size(); ++k) parts[k] += separator + other[k];
    return joined(parts, std::string(1, delimiter));
  };
}

// Joins the lines of two blocks one by one. Headings, and lines that are equal, stay once.
std::string join_lines(const std::string& a, const std::string& b) {
  Texts lines = split_at(a, '\n');
  const Texts other = split_at(b, '\n');
  if (lines.size() != other.size()) return "";
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const bool is_heading = lines[k].starts_with('>') || lines[k].starts_with('#');
    if (!is_heading && lines[k] != other[k]) lines[k] += other[k];
  }
  return joined(lines, "\n");
}

std::vector<Join> joins_for(const Records& records) {
  if (records.are_blocks) return {with_separator("\n"), join_lines};
  std::vector<Join> joins = {with_separator(" "), join_words};
  for (const char delimiter : {'\t', '|', ';'}) {
    for (const char* separator : {" ", "", ","}) joins.push_back(join_parts(delimiter, separator));
  }
  for (const char* separator : {"", ",", "\t", ";"}) joins.push_back(with_separator(separator));
  return joins;
}

// Returns records whose sizes add up to `target`, beginning with record `first`. Empty: none found.
std::vector<std::size_t> records_with_sum(std::span<const std::int64_t> sizes, std::int64_t target,
                                          std::size_t first) {
  std::vector<std::size_t> chosen;
  std::int64_t missing = target;
  std::size_t skipped = 0;  // records in turn that were too large
  for (std::size_t k = first; missing > 0 && skipped < sizes.size(); k = (k + 1) % sizes.size()) {
    if (sizes[k] <= 0 || sizes[k] > missing) {
      ++skipped;
      continue;
    }
    chosen.push_back(k);
    missing -= sizes[k];
    skipped = 0;
  }
  return missing == 0 && chosen.size() > 1 ? chosen : std::vector<std::size_t>();
}

// Returns the records to join for each new example.
std::vector<std::vector<std::size_t>> choose_records(std::span<const std::int64_t> sizes) {
  std::vector<std::vector<std::size_t>> chosen;
  for (const std::int64_t target : {2, 3, 4, 5, 6, 7, 8, 9, 13}) {
    const bool is_there = std::find(sizes.begin(), sizes.end(), target) != sizes.end();
    const std::size_t wanted = target == 6 ? 2 : is_there ? 0 : 1;
    std::vector<std::vector<std::size_t>> found;
    for (std::size_t first = 0; first < sizes.size() && found.size() < wanted; ++first) {
      std::vector<std::size_t> records = records_with_sum(sizes, target, first);
      const bool is_known = std::find(found.begin(), found.end(), records) != found.end();
      if (!records.empty() && !is_known) found.push_back(std::move(records));
    }
    chosen.insert(chosen.end(), found.begin(), found.end());
  }
  return chosen;
}

}  // namespace

std::vector<LongerText> longer_texts(const std::string& text, std::span<const std::int64_t> sizes) {
  const Records records = records_of(text);
  if (records.texts.empty() || records.texts.size() != sizes.size()) return {};
  const std::vector<std::vector<std::size_t>> chosen = choose_records(sizes);
  if (chosen.empty()) return {};
  std::vector<LongerText> texts;
  for (const Join& join : joins_for(records)) {
    Records all = records;
    LongerText longer;
    for (const std::vector<std::size_t>& parts : chosen) {
      std::string record = records.texts[parts.front()];
      for (std::size_t k = 1; k < parts.size() && !record.empty(); ++k) {
        record = join(record, records.texts[parts[k]]);
      }
      if (record.empty()) break;
      longer.examples.push_back(static_cast<std::int64_t>(all.texts.size()));
      all.texts.push_back(std::move(record));
    }
    if (longer.examples.size() < chosen.size()) continue;
    longer.text = all.text();
    const bool is_known = std::any_of(texts.begin(), texts.end(), [&](const LongerText& other) {
      return other.text == longer.text;
    });
    if (!is_known) texts.push_back(std::move(longer));
  }
  return texts;
}

std::string text_with_empty_line(const std::string& text) {
  Records records = records_of(text);
  if (records.are_blocks || records.texts.size() < 2) return "";
  records.texts.insert(records.texts.begin() + 1, "");
  return records.text();
}

}  // namespace sculpt::core
