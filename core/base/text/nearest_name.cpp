#include "base/text/nearest_name.hpp"

#include <algorithm>

namespace sculpt::core {
namespace {

// Other case, or - in place of _, is a typing error, not another name.
std::string folded(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return out;
}

// "map" of "mean_average_precision"; "" for a single word.
std::string initials_of(std::string_view name) {
  std::string initials;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name[at] != '_' && (at == 0 || name[at - 1] == '_')) initials += name[at];
  }
  return initials.size() < 2 ? "" : initials;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // distance[j] is the distance of the first i letters of a to the first j letters of b. The two
  // previous rows are kept; swaps need the older one.
  std::vector<std::size_t> before_previous(b.size() + 1), previous(b.size() + 1);
  std::vector<std::size_t> distance(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) distance[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_previous, previous);
    std::swap(previous, distance);
    distance[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[j] = std::min({previous[j] + 1, distance[j - 1] + 1, substituted});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) distance[j] = std::min(distance[j], before_previous[j - 2] + 1);
    }
  }
  return distance[b.size()];
}

std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& known) {
  // A longer text is no typing error, and would cost time.
  constexpr std::size_t max_length = 200;
  if (word.size() > max_length) return std::nullopt;
  const std::string mistyped = folded(word);
  std::optional<std::string> nearest;
  std::size_t min_distance = max_length;
  for (const std::string& name : known) {
    const std::size_t length = std::max(word.size(), name.size());
    const std::size_t allowed = std::min(std::max<std::size_t>(1, length / 3), length - 1);
    const std::size_t distance = edit_distance(mistyped, folded(name));
    if (distance > allowed || distance >= min_distance) continue;
    min_distance = distance;
    nearest = name;
  }
  if (nearest) return nearest;
  const auto abbreviated = std::find_if(known.begin(), known.end(), [&](const std::string& name) {
    return !mistyped.empty() && initials_of(folded(name)) == mistyped;
  });
  return abbreviated == known.end() ? std::nullopt : std::optional(*abbreviated);
}

std::string suggest_name(std::string_view word, const std::vector<std::string>& known) {
  if (const auto nearest = nearest_name(word, known)) return "did you mean \"" + *nearest + "\"?";
  if (known.empty()) return "there are none";
  std::string text = "known: ";
  for (std::size_t i = 0; i < known.size(); ++i) {
    text += (i == 0 ? "\"" : ", \"") + known[i] + "\"";
  }
  return text;
}

}  // namespace sculpt::core
