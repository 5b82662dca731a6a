// Sets of labels: words with commas between them, and "-" for the empty set.

#include <algorithm>
#include <set>
#include <vector>

#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"
#include "report/output/text_parts.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_members = 60;
constexpr std::size_t max_member_length = 30;

std::set<std::string> members_of(const std::string& text) {
  std::set<std::string> members;
  if (text == "-") return members;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t end = std::min(text.find(',', from), text.size());
    members.insert(text.substr(from, end - from));
    from = end + 1;
  }
  return members;
}

bool is_set(const OutputText& output) {
  const bool has_separator = output.text.find(',') != std::string::npos || output.text == "-";
  return has_separator && output.text.find_first_of(" \t\n") == std::string::npos;
}

}  // namespace

bool write_sets(Markup& out, const ExampleRecord& example) {
  const bool is_any_set = is_set(example.truth) || is_set(example.guess);
  if (!is_any_set || !example.truth.is_known || !example.guess.is_known) return false;
  if (words_of(example.truth.text).size() > 1 || words_of(example.guess.text).size() > 1)
    return false;
  const std::set<std::string> truth = members_of(example.truth.text);
  const std::set<std::string> guess = members_of(example.guess.text);
  std::set<std::string> all = truth;
  all.insert(guess.begin(), guess.end());
  if (all.size() > max_members) return false;
  out << "<p class=\"tags\">";
  for (const std::string& member : all) {
    const bool is_missing = guess.count(member) == 0;
    const bool is_wrong = truth.count(member) == 0;
    out << "<span class=\"tag";
    if (is_missing || is_wrong) out << " wrong";
    out << "\"><span>" << shortened_text(member, max_member_length) << "</span>";
    if (is_missing) out << "<em>✗ missing</em>";
    if (is_wrong) out << "<em>✗ too much</em>";
    out << "</span> ";
  }
  if (all.empty()) out << "the empty set, rightly";
  out << "</p>\n";
  return true;
}

}  // namespace sculpt::core
