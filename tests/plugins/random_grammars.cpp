#include "random_grammars.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace plugin_test {

namespace {

bool is_symbol(const std::string& text) {
  return text[0] >= 'A' && text[0] <= 'Z';
}

std::string length_name(int words) {
  if (words <= 5) return std::to_string(words);
  return words <= 10 ? "6-10" : words <= 20 ? "11-20" : "21 or more";
}

void append(TextTree& to, const TextTree& more) {
  to.text += " " + more.text;
  for (const auto& [name, value] : more.features) to.features[name] += value;
  to.brackets.insert(to.brackets.end(), more.brackets.begin(), more.brackets.end());
}

// Enumerates all trees of a sentence.
class TreeEnumeration {
 public:
  TreeEnumeration(const RandomGrammar& grammar, const std::vector<std::string>& words,
                  std::size_t most)
      : grammar_(grammar), words_(words), most_(most) {}

  // All trees of `symbol` over the words [from, to). `above`: the symbols of the chain of unary
  // rules down to `symbol`.
  std::vector<TextTree> trees_of(const std::string& symbol, int from, int to,
                                 const std::vector<std::string>& above) {
    std::vector<TextTree> result;
    for (const TextRule& rule : grammar_.rules) {
      if (rule.left != symbol) continue;
      const bool unary = rule.right.size() == 1 && is_symbol(rule.right[0]);
      if (unary) {
        const std::string& child_symbol = rule.right[0];
        const bool twice = std::find(above.begin(), above.end(), child_symbol) != above.end();
        if (twice || static_cast<int>(above.size()) > grammar_.unary_depth) continue;
        std::vector<std::string> chain = above;
        chain.push_back(child_symbol);
        for (const TextTree& child : trees_of(child_symbol, from, to, chain)) {
          TextTree tree;
          append(tree, child);
          add_tree(tree, rule, from, {from, to}, result);
        }
      } else {
        TextTree empty;
        sequences(rule, 0, {from}, to, empty, result);
      }
      if (result.size() > most_) too_many = true;
      if (too_many) return {};
    }
    return result;
  }

  bool too_many = false;

 private:
  // trees_of() at the start of a chain, stored because many trees share these subtrees.
  const std::vector<TextTree>& stored_trees_of(const std::string& symbol, int from, int to) {
    const auto [known, fresh] = known_trees_.try_emplace({symbol, from, to});
    if (fresh) known->second = trees_of(symbol, from, to, {symbol});
    return known->second;
  }

  // Adds the trees with `rule` from its item k on. `boundaries`: where the items before k begin and
  // end.
  void sequences(const TextRule& rule, std::size_t k, const std::vector<int>& boundaries, int to,
                 const TextTree& before, std::vector<TextTree>& result) {
    if (too_many || result.size() > most_) return;
    if (k == rule.right.size()) {
      if (boundaries.back() == to) add_tree(before, rule, boundaries.front(), boundaries, result);
      return;
    }
    const int from = boundaries.back();
    const int left = static_cast<int>(rule.right.size() - k) - 1;
    for (int end = from + 1; end + left <= to; ++end) {
      std::vector<int> longer = boundaries;
      longer.push_back(end);
      if (!is_symbol(rule.right[k])) {
        if (end > from + 1 || words_[static_cast<std::size_t>(from)] != rule.right[k]) continue;
        TextTree next = before;
        next.text += " " + rule.right[k];
        sequences(rule, k + 1, longer, to, next, result);
        continue;
      }
      for (const TextTree& child : stored_trees_of(rule.right[k], from, end)) {
        TextTree next = before;
        append(next, child);
        sequences(rule, k + 1, longer, to, next, result);
      }
    }
  }

  void add_tree(TextTree tree, const TextRule& rule, int from, const std::vector<int>& boundaries,
                std::vector<TextTree>& result) const {
    const int to = boundaries.back();
    const auto word = [&](int place) { return words_[static_cast<std::size_t>(place)]; };
    const std::string name = rule.text();
    tree.text = "(" + rule.left + tree.text + ")";
    tree.features[name] += 1;
    tree.features[name + ", first " + word(from)] += 1;
    tree.features[name + ", last " + word(to - 1)] += 1;
    tree.features[name + ", length " + length_name(to - from)] += 1;
    for (std::size_t k = 1; k < rule.right.size(); ++k) {
      const std::string item = name + ", item " + std::to_string(k);
      tree.features[item + " ends with " + word(boundaries[k] - 1)] += 1;
      tree.features[item + " before " + word(boundaries[k])] += 1;
    }
    const bool preterminal = rule.right.size() == 1 && !is_symbol(rule.right[0]);
    if (rule.left != "ROOT" && !preterminal) tree.brackets.emplace_back(rule.left, from, to);
    result.push_back(std::move(tree));
  }

  const RandomGrammar& grammar_;
  const std::vector<std::string>& words_;
  std::size_t most_;
  std::map<std::tuple<std::string, int, int>, std::vector<TextTree>> known_trees_;
};

}  // namespace

std::string TextRule::text() const {
  std::string text = left + " ->";
  for (const std::string& item : right) text += " " + item;
  return text;
}

std::vector<std::string> RandomGrammar::rows() const {
  std::vector<std::string> rows;
  for (const TextRule& rule : rules) rows.push_back(rule.text());
  return rows;
}

RandomGrammar random_grammar(Random& random) {
  const std::vector<std::string> symbols{"A", "B", "C"};
  const std::vector<std::string> words{"a", "b", "c"};
  const auto one_of = [&](const std::vector<std::string>& from) {
    return from[static_cast<std::size_t>(draw(random, 0, 2))];
  };
  RandomGrammar grammar;
  grammar.unary_depth = draw(random, 0, 3);
  std::set<std::string> known;
  const auto add = [&](const std::string& left, int longest) {
    TextRule rule{left, {}};
    for (int k = draw(random, 1, longest); k > 0; --k) {
      rule.right.push_back(draw(random, 0, 2) == 0 ? one_of(words) : one_of(symbols));
    }
    if (known.insert(rule.text()).second) grammar.rules.push_back(rule);
  };
  for (int k = draw(random, 1, 3); k > 0; --k) add("ROOT", 3);
  for (int k = draw(random, 4, 12); k > 0; --k) add(one_of(symbols), draw(random, 1, 4));
  for (const std::string& symbol : symbols) add(symbol, 1);
  return grammar;
}

std::vector<TextTree> all_trees(const RandomGrammar& grammar, const std::vector<std::string>& words,
                                std::size_t most) {
  TreeEnumeration enumeration(grammar, words, most);
  std::vector<TextTree> all =
      enumeration.trees_of("ROOT", 0, static_cast<int>(words.size()), {"ROOT"});
  return enumeration.too_many ? std::vector<TextTree>() : all;
}

double matched(const TextTree& truth, const TextTree& guess) {
  return static_cast<double>(
      std::count_if(guess.brackets.begin(), guess.brackets.end(), [&](const auto& bracket) {
        return std::find(truth.brackets.begin(), truth.brackets.end(), bracket) !=
               truth.brackets.end();
      }));
}

}  // namespace plugin_test
