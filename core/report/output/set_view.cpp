// Sets of labels: words with commas between them, "-" for the empty set, or ascending labels.

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/text/text_parts.hpp"
#include "report/figure/figure.hpp"
#include "report/output/output_view.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_members = 60;
constexpr std::size_t max_member_length = 30;

// A word for each label, and labels that ascend: the members of a set.
bool is_list_of_members(const OutputText& output) {
  return output.is_ascending &&
         static_cast<std::int64_t>(words_of(output.text).size()) == output.label_count;
}

// One word with commas in it, or "-".
bool has_commas(const OutputText& output) {
  const bool has_separator = output.text.find(',') != std::string::npos || output.text == "-";
  return has_separator && words_of(output.text).size() == 1;
}

std::set<std::string> members_of(const OutputText& output) {
  std::set<std::string> members;
  if (is_list_of_members(output)) {
    for (std::string& word : words_of(output.text)) members.insert(std::move(word));
    return members;
  }
  if (output.text == "-") return members;
  std::size_t from = 0;
  while (from <= output.text.size()) {
    const std::size_t end = std::min(output.text.find(',', from), output.text.size());
    members.insert(output.text.substr(from, end - from));
    from = end + 1;
  }
  return members;
}

// True if both are sets. A set of one member has no comma, so one comma in either is enough.
bool are_sets(const OutputText& truth, const OutputText& guess) {
  if (is_list_of_members(truth) && is_list_of_members(guess)) return true;
  return (has_commas(truth) || has_commas(guess)) && words_of(truth.text).size() == 1 &&
         words_of(guess.text).size() == 1;
}

}  // namespace

bool write_sets(Markup& out, const ExampleRecord& example) {
  if (!example.truth.is_known || !example.guess.is_known) return false;
  if (!are_sets(example.truth, example.guess)) return false;
  const std::set<std::string> truth = members_of(example.truth);
  const std::set<std::string> guess = members_of(example.guess);
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
