// Pairs of brackets over a sequence, such as the base pairs of RNA, drawn as arcs.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_length = 400;

using Pair = std::pair<std::size_t, std::size_t>;
using PairSet = std::set<Pair>;

// The last line: a name and the sequence may stand above it.
std::string structure_of(const OutputText& output) {
  const std::vector<std::string> lines = lines_of(output.text);
  return lines.empty() ? "" : lines.back();
}

// The pairs of a text of brackets and dots. Nothing if it is none.
std::optional<PairSet> pairs_of(const OutputText& output) {
  constexpr std::string_view opening = "([{<";
  constexpr std::string_view closing = ")]}>";
  const std::string text = structure_of(output);
  if (text.size() < 3 || text.size() > max_length) return std::nullopt;
  if (static_cast<std::int64_t>(text.size()) != output.label_count) return std::nullopt;
  PairSet pairs;
  std::array<std::vector<std::size_t>, 4> open;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const std::size_t opens = opening.find(text[k]);
    const std::size_t closes = closing.find(text[k]);
    if (opens != std::string_view::npos) {
      open[opens].push_back(k);
    } else if (closes != std::string_view::npos) {
      if (open[closes].empty()) return std::nullopt;
      pairs.emplace(open[closes].back(), k);
      open[closes].pop_back();
    } else if (text[k] != '.') {
      return std::nullopt;
    }
  }
  const bool is_closed =
      std::all_of(open.begin(), open.end(), [](const auto& stack) { return stack.empty(); });
  return is_closed ? std::optional(pairs) : std::nullopt;
}

// The line of the source that has as many letters as there are positions.
std::string letters_of(const ExampleRecord& example, std::size_t length) {
  for (const std::string& line : example.source) {
    for (const std::string& word : words_of(line)) {
      const bool has_letters = std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      });
      if (word.size() == length && has_letters) return word;
    }
  }
  return "";
}

// `sweep`: 1 for arcs above the line, 0 below.
void draw_arcs(Markup& out, const PairSet& pairs, const PairSet* other, bool is_above, double y,
               double step) {
  for (const bool is_wrong : {false, true}) {
    out << "<path class=\"arc";
    if (is_wrong) out << " wrong";
    out << "\" d=\"";
    for (const Pair& pair : pairs) {
      if ((other != nullptr && other->count(pair) == 0) != is_wrong) continue;
      const double from = step * (static_cast<double>(pair.first) + 0.5);
      const double to = step * (static_cast<double>(pair.second) + 0.5);
      out << "M" << Length{from} << " " << Length{y} << "A" << Length{(to - from) / 2} << " "
          << Length{(to - from) / 3.2} << " 0 0 " << (is_above ? 1 : 0) << " " << Length{to} << " "
          << Length{y};
    }
    out << "\"/>";
  }
}

double widest(const std::optional<PairSet>& pairs) {
  std::size_t width = 0;
  for (const Pair& pair : pairs.value_or(PairSet()))
    width = std::max(width, pair.second - pair.first);
  return static_cast<double>(width);
}

}  // namespace

bool write_bracket_pairs(Markup& out, const std::string& id, const ExampleRecord& example) {
  const std::optional<PairSet> truth = pairs_of(example.truth);
  const std::optional<PairSet> guess = pairs_of(example.guess);
  if ((example.truth.is_known && !truth) || (example.guess.is_known && !guess)) return false;
  if (!truth && !guess) return false;
  const std::size_t length =
      std::max(structure_of(example.truth).size(), structure_of(example.guess).size());
  const double step = std::clamp(900.0 / static_cast<double>(length), 5.0, 11.0);
  const double above = 6 + widest(truth) * step / 3.2;
  const double below = 6 + widest(guess) * step / 3.2;
  const double width = step * static_cast<double>(length);
  const std::string letters = letters_of(example, length);
  const double height = above + 16 + below;
  out << "<figure class=\"plain\"><figcaption>pairs: truth above, guess below</figcaption><div "
         "class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"pairs\"><svg class=\"tree\" "
         "role=\"img\" aria-labelledby=\""
      << id << "-t " << id << "-d\" width=\"" << Length{width} << "\" height=\"" << Length{height}
      << "\" viewBox=\"0 0 " << Length{width} << " " << Length{height} << "\"><title id=\"" << id
      << "-t\">Pairs of positions as arcs</title><desc id=\"" << id << "-d\">" << length
      << " positions. The truth has " << truth.value_or(PairSet()).size() << " pairs, the guess "
      << guess.value_or(PairSet()).size()
      << ". Pairs that the other one does not have are dashed.</desc>";
  if (truth) draw_arcs(out, *truth, guess ? &*guess : nullptr, true, above, step);
  if (guess) draw_arcs(out, *guess, truth ? &*truth : nullptr, false, above + 16, step);
  out << "<g text-anchor=\"middle\" class=\"letters\">";
  for (std::size_t k = 0; k < length; ++k) {
    out << "<text x=\"" << Length{step * (static_cast<double>(k) + 0.5)} << "\" y=\""
        << Length{above + 12} << "\">" << (letters.empty() ? "·" : letters.substr(k, 1))
        << "</text>";
  }
  out << "</g></svg></div></figure>\n";
  write_output_texts(out, "pairs", example);
  return true;
}

}  // namespace sculpt::core
