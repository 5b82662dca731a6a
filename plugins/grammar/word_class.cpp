#include "word_class.hpp"

#include <algorithm>
#include <array>
#include <sculpt/cpp/ascii.hpp>

namespace grammar {

namespace {

// The first matching ending counts, so longer ones come first.
constexpr std::array<std::string_view, 14> endings{
    "able", "ment", "ness", "ing", "ion", "ity", "est", "ous", "ive", "ed", "ly", "er", "al", "s"};
// The smallest number of letters before an ending.
constexpr std::size_t min_stem = 3;

std::string_view ending_of(std::string_view word) {
  for (const std::string_view ending : endings) {
    if (word.size() >= ending.size() + min_stem && word.ends_with(ending)) return ending;
  }
  return {};
}

}  // namespace

std::string word_class(std::string_view word, bool ending) {
  const bool lower = std::any_of(word.begin(), word.end(), sculpt::is_lower);
  const bool capitals = !lower && std::count_if(word.begin(), word.end(), sculpt::is_upper) > 1;
  std::string name = "(";
  const auto add = [&](const std::string& part) { name += (name.size() > 1 ? "," : "") + part; };
  if (capitals) add("caps");
  if (!capitals && !word.empty() && sculpt::is_upper(word.front())) add("cap");
  if (std::any_of(word.begin(), word.end(), sculpt::is_digit)) add("digit");
  if (word.find('-') != std::string_view::npos) add("dash");
  if (ending && !ending_of(word).empty()) add("-" + std::string(ending_of(word)));
  return name + ")";
}

}  // namespace grammar
