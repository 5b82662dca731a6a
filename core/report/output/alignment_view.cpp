// Alignments: two rows of equal length, with "-" where one row has a gap.

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t row_length = 60;
constexpr std::size_t max_columns = 1200;
constexpr char gap = '-';

struct Alignment {
  std::string prefix;  // words before the rows, such as the number of a candidate
  std::string a;
  std::string b;
  std::int64_t begin_a = 0;  // the position of the first letter of each row
  std::int64_t begin_b = 0;
};

// Removes "17:" in front of a row, and returns 17 - 1.
std::int64_t take_begin(std::string& row) {
  const std::size_t colon = row.find(':');
  if (colon > 9 || !is_whole_number(row.substr(0, colon))) return 0;
  const std::int64_t begin = std::stoll(row.substr(0, colon)) - 1;
  row.erase(0, colon + 1);
  return begin;
}

std::optional<Alignment> alignment_of(const OutputText& output) {
  std::vector<std::string> words = words_of(output.text);
  if (words.size() < 2 || words.size() > 3) return std::nullopt;
  // As many labels as words are tags. An alignment has a label for each column, at least.
  if (output.label_count <= 3) return std::nullopt;
  Alignment alignment;
  alignment.b = std::move(words.back());
  alignment.a = std::move(words[words.size() - 2]);
  if (words.size() == 3) alignment.prefix = words.front();
  alignment.begin_a = take_begin(alignment.a);
  alignment.begin_b = take_begin(alignment.b);
  const auto is_letter = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == gap || c == '*';
  };
  const bool has_letters = std::all_of(alignment.a.begin(), alignment.a.end(), is_letter) &&
                           std::all_of(alignment.b.begin(), alignment.b.end(), is_letter);
  if (!has_letters || alignment.a.size() != alignment.b.size()) return std::nullopt;
  if (alignment.a.empty() || alignment.a.size() > max_columns) return std::nullopt;
  return alignment;
}

using Pairs = std::set<std::pair<std::int64_t, std::int64_t>>;

// [columns] the pair of aligned positions; {-1, -1} for a gap.
std::vector<std::pair<std::int64_t, std::int64_t>> pairs_of(const Alignment& alignment) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  std::int64_t i = alignment.begin_a;
  std::int64_t j = alignment.begin_b;
  for (std::size_t k = 0; k < alignment.a.size(); ++k) {
    const bool has_a = alignment.a[k] != gap;
    const bool has_b = alignment.b[k] != gap;
    pairs.emplace_back(has_a && has_b ? i : -1, has_a && has_b ? j : -1);
    i += has_a ? 1 : 0;
    j += has_b ? 1 : 0;
  }
  return pairs;
}

// Lower case marks positions of less certainty, not other letters.
bool is_same_letter(char a, char b) {
  constexpr int case_bit = 0x20;
  return (a | case_bit) == (b | case_bit);
}

// One letter for each column: | equal letters, : other letters, a blank for a gap, x for a pair
// that the other alignment does not have.
std::string marks_of(const Alignment& alignment, const Pairs* known) {
  std::string marks;
  const auto pairs = pairs_of(alignment);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const bool is_pair = pairs[k].first >= 0;
    const bool is_wrong = is_pair && known != nullptr && known->count(pairs[k]) == 0;
    marks += !is_pair                                         ? ' '
             : is_wrong                                       ? 'x'
             : is_same_letter(alignment.a[k], alignment.b[k]) ? '|'
                                                              : ':';
  }
  return marks;
}

void write_alignment(Markup& out, const std::string& name, const Alignment& alignment,
                     const Pairs* known) {
  const std::string marks = marks_of(alignment, known);
  out << "<figure class=\"plain\"><figcaption>" << name;
  if (!alignment.prefix.empty()) out << " (candidate " << alignment.prefix << ")";
  out << "</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" << name
      << "\"><pre>";
  for (std::size_t from = 0; from < marks.size(); from += row_length) {
    if (from > 0) out << "\n\n";
    out << alignment.a.substr(from, row_length) << "\n<span class=\"marks\">"
        << marks.substr(from, row_length) << "</span>\n"
        << alignment.b.substr(from, row_length);
  }
  out << "</pre></div></figure>\n";
}

}  // namespace

bool write_alignments(Markup& out, const ExampleRecord& example) {
  const std::optional<Alignment> truth = alignment_of(example.truth);
  const std::optional<Alignment> guess = alignment_of(example.guess);
  if (!truth && !guess) return false;
  if ((example.truth.is_known && !truth) || (example.guess.is_known && !guess)) return false;
  out << "<div class=\"pair\">";
  if (truth) write_alignment(out, "truth", *truth, nullptr);
  const bool is_same = truth && guess && example.truth.text == example.guess.text;
  if (guess && !is_same) {
    Pairs known;
    if (truth) {
      for (const auto& pair : pairs_of(*truth)) known.insert(pair);
    }
    write_alignment(out, "guess", *guess, truth ? &known : nullptr);
  }
  out << "</div>\n<p class=\"note\">| equal letters, : other letters";
  if (!is_same && truth && guess) out << ", x a pair that the truth does not have";
  if (is_same) out << "; the guess is the same";
  out << "</p>\n";
  return true;
}

}  // namespace sculpt::core
