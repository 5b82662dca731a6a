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
  std::ifstream file = open_file(path, Exit::missing, "; check the path");
  Groups groups;
  std::unordered_map<std::string, std::size_t> known;
  std::int64_t lines = 0;
  const auto refuse = [&](const std::string& what) {
    throw Failure(Exit::data, path + ":" + std::to_string(lines) + ": " + what);
  };
  for (std::string line; std::getline(file, line);) {
    ++lines;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (lines == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) refuse("the line is empty; write the group of the example, one word");
    if (line.find_first_of(" \t") != std::string::npos) {
      refuse("more than one word; write the group of the example alone");
    }
    if (lines > count) {
      refuse("a group for example " + std::to_string(lines) + ", but the split \"train\" has " +
             std::to_string(count));
    }
    const auto [found, is_new] = known.emplace(line, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(lines - 1);
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
  std::vector<std::uint8_t> held(static_cast<std::size_t>(count), 0);
  std::vector<std::size_t> sizes(static_cast<std::size_t>(hold_out.folds), 0);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& one, const auto& other) { return one.size() > other.size(); });
  for (const auto& group : groups) {
    const auto fewest = std::min_element(sizes.begin(), sizes.end());
    *fewest += group.size();
    if (fewest - sizes.begin() != hold_out.fold) continue;
    for (const std::int64_t k : group) held[static_cast<std::size_t>(k)] = 1;
  }
  return held;
}

std::vector<std::uint8_t> held_out_part(const Groups& groups, double fraction, std::int64_t count) {
  std::vector<std::uint8_t> held(static_cast<std::size_t>(count), 0);
  const double wanted = fraction * static_cast<double>(count);
  double size = 0;
  for (const auto& group : groups) {
    if (size >= wanted) break;
    size += static_cast<double>(group.size());
    for (const std::int64_t k : group) held[static_cast<std::size_t>(k)] = 1;
  }
  return held;
}

Failure too_few(const HoldOut& hold_out, std::size_t groups, std::int64_t count) {
  const std::string what = hold_out.groups.empty() ? " example" : " group";
  std::string text = hold_out.place + ": there " + (groups == 1 ? "is " : "are ") +
                     std::to_string(groups) + what + (groups == 1 ? "" : "s") +
                     "; that is too few " +
                     (hold_out.folds > 0 ? "for " + std::to_string(hold_out.folds) + " folds"
                                         : "to hold some of them out");
  if (count == 1) text += "; have the dataset deal its file to several (svmlight_set: `sets`)";
  return {Exit::config, text};
}

}  // namespace

HoldOutSplit split_examples(const HoldOut& hold_out, const Dataset& dataset) {
  if (dataset.split("validation").size() > 0) {
    throw Failure(Exit::config, hold_out.place +
                                    ": the dataset has a split \"validation\" of its "
                                    "own; hold out examples or name that split, not both");
  }
  return split_examples(hold_out, dataset.split("train"));
}

HoldOutSplit split_examples(const HoldOut& hold_out, Range examples) {
  const std::int64_t count = examples.size();
  Groups groups = hold_out.groups.empty() ? singletons(count) : read_groups(hold_out.groups, count);
  const bool too_many = hold_out.folds > static_cast<std::int64_t>(groups.size());
  if (too_many || groups.size() < 2) {
    throw too_few(hold_out, groups.size(), count);
  }
  shuffle(groups, hold_out.seed);
  const std::vector<std::uint8_t> held = hold_out.folds > 0
                                             ? held_out_fold(groups, hold_out, count)
                                             : held_out_part(groups, hold_out.fraction, count);
  std::vector<std::int64_t> training;
  std::vector<std::int64_t> held_out;
  for (std::int64_t k = 0; k < count; ++k) {
    (held[static_cast<std::size_t>(k)] != 0 ? held_out : training).push_back(examples.begin + k);
  }
  if (training.empty()) {
    throw Failure(Exit::config, hold_out.place + ": holds all " + std::to_string(count) +
                                    " examples out; leave some to learn from");
  }
  return {ExampleList(std::move(training)), ExampleList(std::move(held_out))};
}

}  // namespace sculpt::core
