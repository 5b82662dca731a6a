#include "rna_structures.hpp"

namespace plugin_test {

namespace {

bool can_pair(char a, char b) {
  const std::string both{a, b};
  for (const char* known : {"AU", "UA", "CG", "GC", "GU", "UG"}) {
    if (both == known) return true;
  }
  return false;
}

// Enumerates all structures of a sequence, base by base.
struct StructureSearch {
  const std::string& sequence;
  int min_between;
  bool canonical;
  Outputs y;
  std::vector<std::int32_t> open;
  std::vector<Outputs> found;

  // Base i is single, opens a pair or closes the last open pair.
  void assign_from(std::int32_t i) {
    const auto here = static_cast<std::size_t>(i);
    if (here == sequence.size()) {
      if (open.empty()) found.push_back(y);
      return;
    }
    y[here] = i;
    assign_from(i + 1);
    open.push_back(i);
    assign_from(i + 1);
    open.pop_back();
    if (open.empty()) return;
    const std::int32_t partner = open.back();
    const auto there = static_cast<std::size_t>(partner);
    if (i - partner - 1 < min_between) return;
    if (canonical && !can_pair(sequence[there], sequence[here])) return;
    open.pop_back();
    y[here] = partner;
    y[there] = i;
    assign_from(i + 1);
    open.push_back(partner);
    y[there] = partner;
    y[here] = i;
  }
};

std::string dots(std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += " .";
  return text;
}

// Counts the features of `closing` for each pair, by the rules of loops.grammar.
struct ClosingCounts {
  const std::string& x;
  const Outputs& y;
  std::map<std::string, double> count;

  std::size_t partner(std::size_t i) const { return static_cast<std::size_t>(y[i]); }
  std::string letters(std::size_t i) const { return {x[i], x[partner(i)]}; }

  void pair(std::size_t i) {
    const std::size_t j = partner(i);
    std::vector<std::size_t> opens;
    for (std::size_t k = i + 1; k < j; ++k) {
      if (partner(k) <= k) continue;
      opens.push_back(k);
      k = partner(k);
    }
    std::string rule = "Loop ->";
    bool left = false;
    bool right = false;
    if (opens.empty()) {
      const std::size_t length = j - i - 1;
      rule += length < 10 ? dots(length) : dots(10) + " Run";
      left = true;
      right = length < 10;
    } else if (opens.size() > 1) {
      rule += " Multi";
    } else {
      const std::size_t before = opens[0] - i - 1;
      const std::size_t behind = j - partner(opens[0]) - 1;
      left = before > 0;
      right = behind > 0;
      if (before > 4) {
        rule += dots(5) + (behind > 0 ? " Both ." : " Left");
      } else {
        rule += dots(before) + (behind > 4 ? " Right" + dots(5) : " ( Loop )" + dots(behind));
      }
    }
    const std::string inside = " inside " + letters(i);
    count[rule + inside] += 1;
    const std::string both = std::string(1, x[i + 1]) + " " + x[j - 1];
    if (left && right) count[rule + ", " + both + inside] += 1;
    if (left != right) count[rule + ", " + (left ? x[i + 1] : x[j - 1]) + inside] += 1;
  }
};

// Counts the features of the grammar G6.
struct G6Counts {
  const std::string& x;
  const Outputs& y;
  std::map<std::string, double> count;

  std::size_t partner(std::size_t i) const { return static_cast<std::size_t>(y[i]); }
  std::string letters(std::size_t i) const { return {x[i], x[partner(i)]}; }

  // The first bases of the units in [begin, end): single bases, and outermost pairs.
  std::vector<std::size_t> units(std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> first;
    for (std::size_t i = begin; i < end; i = partner(i) + 1) first.push_back(i);
    return first;
  }
  void sequence_of(const std::vector<std::size_t>& first) {
    for (const std::size_t i : first) {
      if (partner(i) == i) {
        count["L -> ."] += 1;
        count[std::string("L -> ., ") + x[i]] += 1;
      } else {
        count["L -> ( F )"] += 1;
        count["L -> ( F ), " + letters(i)] += 1;
        inside(i);
      }
    }
  }
  void inside(std::size_t i) {
    const std::vector<std::size_t> first = units(i + 1, partner(i));
    if (first.size() == 1 && partner(first[0]) != first[0]) {
      count["F -> ( F )"] += 1;
      count["F -> ( F ), " + letters(first[0])] += 1;
      count["F -> ( F ), " + letters(first[0]) + " inside " + letters(i)] += 1;
      return inside(first[0]);
    }
    count["F -> L S"] += 1;
    if (first.size() > 2) count["S -> L S"] += static_cast<double>(first.size() - 2);
    count["S -> L"] += 1;
    sequence_of(first);
  }
};

}  // namespace

std::string random_sequence(Random& random, int bases) {
  std::string sequence;
  for (int i = 0; i < bases; ++i) sequence += "ACGU"[draw(random, 0, 3)];
  return sequence;
}

std::vector<Outputs> all_structures(const std::string& sequence, int min_between, bool canonical) {
  StructureSearch search{sequence, min_between, canonical, Outputs(sequence.size()), {}, {}};
  search.assign_from(0);
  return search.found;
}

std::string brackets(const Outputs& y) {
  std::string text;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto here = static_cast<std::int32_t>(i);
    text += y[i] == here ? '.' : y[i] > here ? '(' : ')';
  }
  return text;
}

Outputs partners(const std::string& brackets) {
  Outputs y(brackets.size());
  Outputs open;
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = static_cast<std::int32_t>(i);
    if (brackets[i] == '(') open.push_back(y[i]);
    if (brackets[i] != ')') continue;
    std::swap(y[i], y[static_cast<std::size_t>(open.back())]);
    open.pop_back();
  }
  return y;
}

std::map<std::string, double> g6_features(const std::string& sequence, const Outputs& y) {
  G6Counts features{sequence, y, {}};
  const std::vector<std::size_t> first = features.units(0, y.size());
  if (first.size() > 1) features.count["S -> L S"] += static_cast<double>(first.size() - 1);
  features.count["S -> L"] += 1;
  features.sequence_of(first);
  return features.count;
}

std::map<std::string, double> closing_features(const std::string& sequence, const Outputs& y) {
  ClosingCounts closed{sequence, y, {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (closed.partner(i) > i) closed.pair(i);
  }
  return closed.count;
}

}  // namespace plugin_test
