// A label for each position of a sequence: words with their tags, or the letters of a word.

#include <algorithm>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/figure/chart_style.hpp"
#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_positions = 80;
constexpr std::size_t max_word_length = 24;

// The labels of the positions; empty if the text has another number of them.
std::vector<std::string> labels_of(const OutputText& output) {
  std::vector<std::string> words = words_of(output.text);
  if (static_cast<std::int64_t>(words.size()) == output.label_count && words.size() > 1)
    return words;
  if (words.size() != 1) return {};
  std::vector<std::string> characters = characters_of(words.front());
  const bool fits = static_cast<std::int64_t>(characters.size()) == output.label_count;
  return fits && characters.size() > 1 ? characters : std::vector<std::string>();
}

// The first column of the source, if it has a row for each position.
std::vector<std::string> tokens_of(const ExampleRecord& example, std::size_t count) {
  std::vector<std::string> tokens;
  if (example.source_is_cut) return tokens;
  for (const std::string& line : example.source) {
    const std::vector<std::string> words = words_of(line);
    if (!words.empty()) tokens.push_back(words.front());
  }
  // A column with the same word in each row is a name of the whole example.
  const bool is_text = tokens.size() == count &&
                       std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) {
                         return token != tokens.front();
                       });
  return is_text ? tokens : std::vector<std::string>();
}

}  // namespace

bool write_tags(Markup& out, const ExampleRecord& example, LabelColours& colours) {
  const std::vector<std::string> truth = labels_of(example.truth);
  const std::vector<std::string> guess = labels_of(example.guess);
  if ((example.truth.is_known && truth.empty()) || (example.guess.is_known && guess.empty())) {
    return false;
  }
  if (truth.empty() && guess.empty()) return false;
  const std::size_t count = std::max(truth.size(), guess.size());
  const std::vector<std::string> tokens = tokens_of(example, count);
  for (const auto* labels : {&truth, &guess}) {
    for (const std::string& label : *labels) colours.emplace(label, colours.size());
  }
  out << "<p class=\"tags\">";
  for (std::size_t k = 0; k < std::min(count, max_positions); ++k) {
    const std::string right = k < truth.size() ? truth[k] : "";
    const std::string found = k < guess.size() ? guess[k] : "";
    const std::string& shown = right.empty() ? found : right;
    const bool is_wrong = !truth.empty() && !guess.empty() && right != found;
    out << "<span class=\"tag " << colour_class(colours.at(shown));
    if (is_wrong) out << " wrong";
    out << "\">";
    if (!tokens.empty()) {
      out << "<b>" << shortened_text(tokens[k], max_word_length) << "</b>";
    }
    out << "<span>" << shortened_text(shown, max_word_length) << "</span>";
    if (is_wrong) {
      out << "<em>✗ " << (found.empty() ? "none" : shortened_text(found, max_word_length))
          << "</em>";
    }
    out << "</span> ";
  }
  if (count > max_positions) out << "… " << (count - max_positions) << " more";
  out << "</p>\n";
  return true;
}

}  // namespace sculpt::core
