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

class Enumeration {
 public:
  Enumeration(const RandomGrammar& grammar, const std::vector<std::string>& words, std::size_t most)
      : grammar_(grammar), words_(words), most_(most) {}

  // `above`: the symbols of the chain that ends here, this one the last.
  std::vector<TextTree> under(const std::string& symbol, int from, int to,
                              const std::vector<std::string>& above) {
    std::vector<TextTree> result;
    for (const TextRule& rule : grammar_.rules) {
      if (rule.left != symbol) continue;
      const bool unary = rule.right.size() == 1 && is_symbol(rule.right[0]);
      if (unary) {
        const std::string& below = rule.right[0];
        const bool twice = std::find(above.begin(), above.end(), below) != above.end();
        if (twice || static_cast<int>(above.size()) > grammar_.unary_depth) continue;
        std::vector<std::string> chain = above;
        chain.push_back(below);
        for (const TextTree& child : under(below, from, to, chain)) {
          TextTree tree;
          append(tree, child);
          finish(tree, rule, from, {from, to}, result);
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
  // under() at the head of a chain, kept: many trees share what is below.
  const std::vector<TextTree>& below(const std::string& symbol, int from, int to) {
    const auto [known, fresh] = kept_.try_emplace({symbol, from, to});
    if (fresh) known->second = under(symbol, from, to, {symbol});
    return known->second;
  }

  // What follows item `k` on; `seams` are where the items so far begin and end.
  void sequences(const TextRule& rule, std::size_t k, const std::vector<int>& seams, int to,
                 const TextTree& before, std::vector<TextTree>& result) {
    if (too_many || result.size() > most_) return;
    if (k == rule.right.size()) {
      if (seams.back() == to) finish(before, rule, seams.front(), seams, result);
      return;
    }
    const int from = seams.back();
    const int left = static_cast<int>(rule.right.size() - k) - 1;
    for (int end = from + 1; end + left <= to; ++end) {
      std::vector<int> longer = seams;
      longer.push_back(end);
      if (!is_symbol(rule.right[k])) {
        if (end > from + 1 || words_[static_cast<std::size_t>(from)] != rule.right[k]) continue;
        TextTree next = before;
        next.text += " " + rule.right[k];
        sequences(rule, k + 1, longer, to, next, result);
        continue;
      }
      for (const TextTree& child : below(rule.right[k], from, end)) {
        TextTree next = before;
        append(next, child);
        sequences(rule, k + 1, longer, to, next, result);
      }
    }
  }

  void finish(TextTree tree, const TextRule& rule, int from, const std::vector<int>& seams,
              std::vector<TextTree>& result) const {
    const int to = seams.back();
    const auto word = [&](int place) { return words_[static_cast<std::size_t>(place)]; };
    const std::string name = rule.text();
    tree.text = "(" + rule.left + tree.text + ")";
    tree.features[name] += 1;
    tree.features[name + ", first " + word(from)] += 1;
    tree.features[name + ", last " + word(to - 1)] += 1;
    tree.features[name + ", length " + length_name(to - from)] += 1;
    for (std::size_t k = 1; k < rule.right.size(); ++k) {
      const std::string item = name + ", item " + std::to_string(k);
      tree.features[item + " ends with " + word(seams[k] - 1)] += 1;
      tree.features[item + " before " + word(seams[k])] += 1;
    }
    const bool preterminal = rule.right.size() == 1 && !is_symbol(rule.right[0]);
    if (rule.left != "ROOT" && !preterminal) tree.brackets.emplace_back(rule.left, from, to);
    result.push_back(std::move(tree));
  }

  const RandomGrammar& grammar_;
  const std::vector<std::string>& words_;
  std::size_t most_;
  std::map<std::tuple<std::string, int, int>, std::vector<TextTree>> kept_;
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
  Enumeration enumeration(grammar, words, most);
  std::vector<TextTree> all =
      enumeration.under("ROOT", 0, static_cast<int>(words.size()), {"ROOT"});
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
