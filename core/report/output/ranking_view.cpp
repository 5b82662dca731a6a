// Rankings: the rank of each item on a line of its own, perhaps with a label in front of it.

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_items = 20;  // that are shown
constexpr std::size_t max_source_length = 60;

struct Ranking {
  std::vector<std::string> labels;  // [items] "" if there are none
  std::vector<std::int64_t> ranks;  // [items] from 1 on; equal for ties
};

// A line for each item: a rank, or a label and a rank, where labels are +1, -1 and the like.
std::optional<Ranking> ranking_of(const OutputText& output) {
  const std::vector<std::string> lines = lines_of(output.text);
  const auto count = static_cast<std::int64_t>(lines.size());
  if (count < 2 || (output.label_count != count && output.label_count != 2 * count)) {
    return std::nullopt;
  }
  Ranking ranking;
  for (const std::string& line : lines) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words.size() > 2 || !is_whole_number(words.back())) return std::nullopt;
    ranking.labels.push_back(words.size() == 2 ? words.front() : "");
    ranking.ranks.push_back(std::stoll(words.back()));
  }
  return ranking;
}

// The items from the best rank on.
std::vector<std::size_t> order_of(const Ranking& ranking) {
  std::vector<std::size_t> order(ranking.ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return ranking.ranks[a] < ranking.ranks[b];
  });
  return order;
}

}  // namespace

bool write_rankings(Markup& out, const ExampleRecord& example) {
  const std::optional<Ranking> truth = ranking_of(example.truth);
  const std::optional<Ranking> guess = ranking_of(example.guess);
  if ((example.truth.is_known && !truth) || (example.guess.is_known && !guess)) return false;
  if (!truth && !guess) return false;
  const Ranking& shown = guess ? *guess : *truth;
  const std::vector<std::size_t> order = order_of(shown);
  const bool has_source = !example.source_is_cut && example.source.size() == order.size();
  out << "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"ranking\"><table "
         "class=\"ranking\"><thead><tr><th scope=\"col\">place</th><th scope=\"col\">item</th>";
  if (truth && guess) out << "<th scope=\"col\">rank in the truth</th>";
  if (has_source) out << "<th scope=\"col\" class=\"text\">row of the file</th>";
  out << "</tr></thead><tbody>";
  for (std::size_t k = 0; k < std::min(max_items, order.size()); ++k) {
    const std::size_t item = order[k];
    out << "<tr><th scope=\"row\">" << (k + 1) << "</th><td>" << shown.labels[item];
    if (!shown.labels[item].empty()) out << " ";
    out << "no. " << (item + 1) << "</td>";
    if (truth && guess) {
      out << "<td>";
      if (item < truth->ranks.size()) out << truth->labels[item] << " " << truth->ranks[item];
      out << "</td>";
    }
    if (has_source) {
      out << "<td class=\"text\">" << shortened_text(example.source[item], max_source_length)
          << "</td>";
    }
    out << "</tr>";
  }
  out << "</tbody></table></div>\n";
  if (order.size() > max_items) {
    out << "<p class=\"note\">" << (order.size() - max_items) << " more items.</p>\n";
  }
  return true;
}

}  // namespace sculpt::core
