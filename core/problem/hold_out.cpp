#include "problem/hold_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/random.hpp"

namespace sculpt::core {
namespace {

// For each group, the numbers of its examples, counted from 0.
using Groups = std::vector<std::vector<std::int64_t>>;

Groups singletons(std::int64_t count) {
  Groups groups(static_cast<std::size_t>(count));
  for (std::int64_t k = 0; k < count; ++k) groups[static_cast<std::size_t>(k)] = {k};
  return groups;
}

// Returns the groups in the order of their first examples.
Groups read_groups(const std::string& path, std::int64_t count) {
  std::ifstream file = open_file(path, Exit::missing, "; check \"hold_out.groups\"");
  Groups groups;
  std::unordered_map<std::string, std::size_t> group_of_word;
  std::int64_t lines = 0;
  const auto refuse = [&](const std::string& text) {
    throw Failure(Exit::data, path + ":" + std::to_string(lines) + ": " + text);
  };
  for (std::string line; std::getline(file, line);) {
    ++lines;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (lines == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) refuse("the line is empty; write the group of the example, one word");
    if (line.find_first_of(" \t") != std::string::npos) {
      refuse("the line has more than one word; write only the group of the example");
    }
    if (lines > count) {
      refuse("the line is a group for example " + std::to_string(lines) +
             ", but the split \"train\" has " + std::to_string(count) +
             " examples; remove the line");
    }
    const auto [entry, is_new] = group_of_word.emplace(line, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(lines - 1);
  }
  if (file.bad()) throw Failure(Exit::missing, path + ": cannot be read");
  if (lines < count) {
    refuse("the file ends here, but the split \"train\" has " + std::to_string(count) +
           " examples; write a line for each");
  }
  return groups;
}

// Fisher-Yates shuffle.
void shuffle(Groups& groups, std::int64_t seed) {
  Random random(static_cast<std::uint64_t>(seed), "hold_out");
  for (std::size_t k = groups.size(); k > 1; --k) {
    std::swap(groups[k - 1], groups[random.below(k)]);
  }
}

// Returns [n] 1: held out. The largest groups come first, so that folds are as even as the groups
// allow.
std::vector<std::uint8_t> held_out_fold(Groups groups, const HoldOut& hold_out,
                                        std::int64_t count) {
  std::vector<std::uint8_t> is_held_out(static_cast<std::size_t>(count), 0);
  std::vector<std::size_t> sizes(static_cast<std::size_t>(hold_out.folds), 0);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const auto& group : groups) {
    const auto fewest = std::min_element(sizes.begin(), sizes.end());
    *fewest += group.size();
    if (fewest - sizes.begin() != hold_out.fold) continue;
    for (const std::int64_t k : group) is_held_out[static_cast<std::size_t>(k)] = 1;
  }
  return is_held_out;
}

// The same for a fraction: groups are held out in their order until it is reached.
std::vector<std::uint8_t> held_out_fraction(const Groups& groups, double fraction,
                                            std::int64_t count) {
  std::vector<std::uint8_t> is_held_out(static_cast<std::size_t>(count), 0);
  const double wanted = fraction * static_cast<double>(count);
  double size = 0;
  for (const auto& group : groups) {
    if (size >= wanted) break;
    size += static_cast<double>(group.size());
    for (const std::int64_t k : group) is_held_out[static_cast<std::size_t>(k)] = 1;
  }
  return is_held_out;
}

// The error that there are fewer groups than folds, or fewer than two.
Failure too_few_groups(const HoldOut& hold_out, std::size_t groups, std::int64_t count) {
  const std::string unit = hold_out.groups.empty() ? " example" : " group";
  std::string text = hold_out.position + ": there " + (groups == 1 ? "is " : "are ") +
                     std::to_string(groups) + unit + (groups == 1 ? "" : "s") +
                     "; that is too few " +
                     (hold_out.folds > 0 ? "for " + std::to_string(hold_out.folds) + " folds"
                                         : "to hold some of them out");
  if (count == 1) text += "; split the file into several examples (svmlight_set: `sets`)";
  return {Exit::config, text};
}

}  // namespace

HoldOutSplit split_examples(const HoldOut& hold_out, const Dataset& dataset) {
  if (dataset.split("validation").size() > 0) {
    throw Failure(Exit::config, hold_out.position +
                                    ": the dataset has a split \"validation\"; "
                                    "use either \"hold_out\" or that split, not both");
  }
  return split_examples(hold_out, dataset.split("train"));
}

HoldOutSplit split_examples(const HoldOut& hold_out, Range examples) {
  const std::int64_t count = examples.size();
  Groups groups = hold_out.groups.empty() ? singletons(count) : read_groups(hold_out.groups, count);
  const bool too_many = hold_out.folds > static_cast<std::int64_t>(groups.size());
  if (too_many || groups.size() < 2) {
    throw too_few_groups(hold_out, groups.size(), count);
  }
  shuffle(groups, hold_out.seed);
  const std::vector<std::uint8_t> is_held_out =
      hold_out.folds > 0 ? held_out_fold(groups, hold_out, count)
                         : held_out_fraction(groups, hold_out.fraction, count);
  std::vector<std::int64_t> training;
  std::vector<std::int64_t> held_out;
  for (std::int64_t k = 0; k < count; ++k) {
    const bool is_training = is_held_out[static_cast<std::size_t>(k)] == 0;
    (is_training ? training : held_out).push_back(examples.begin + k);
  }
  if (training.empty()) {
    throw Failure(Exit::config, hold_out.position + ": all " + std::to_string(count) +
                                    " examples are held out; leave some for training");
  }
  return {ExampleList(std::move(training)), ExampleList(std::move(held_out))};
}

}  // namespace sculpt::core
