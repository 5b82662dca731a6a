// The features and the oracle `grammar` agree with a list of all trees of short sentences, under
// random grammars.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "grammar_parser.hpp"
#include "random_grammars.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A sentence of at most six words with its trees under a random grammar. The truth is one of them,
// or sometimes a tree outside the grammar.
struct Sentence {
  RandomGrammar grammar;
  std::vector<std::string> words;
  std::vector<TextTree> all;
  TextTree truth;
  bool outside = false;
};

std::optional<Sentence> draw_sentence(Random& random) {
  Sentence drawn;
  drawn.grammar = random_grammar(random);
  for (int k = draw(random, 1, 6); k > 0; --k) {
    drawn.words.push_back(std::string(1, static_cast<char>('a' + draw(random, 0, 2))));
  }
  drawn.all = all_trees(drawn.grammar, drawn.words, 300);
  if (drawn.all.empty()) return std::nullopt;
  drawn.truth = drawn.all[static_cast<std::size_t>(
      draw(random, 0, static_cast<std::int32_t>(drawn.all.size()) - 1))];
  if (draw(random, 0, 5) == 0) {
    RandomGrammar flat;
    flat.rules = {{"ROOT", {"C"}}, {"C", {"B"}}, {"B", {"C"}}, {"C", drawn.words}};
    flat.unary_depth = 4;
    drawn.truth = all_trees(flat, drawn.words, 300).front();
    drawn.outside = std::none_of(drawn.all.begin(), drawn.all.end(), [&](const TextTree& tree) {
      return tree.text == drawn.truth.text;
    });
  }
  return drawn;
}

Parser parser_of(const Sentence& drawn, bool anchors) {
  json parameters = {{"rows", drawn.grammar.rows()}, {"unary_depth", drawn.grammar.unary_depth}};
  if (anchors) parameters["anchors"] = every_anchor;
  return Parser(drawn.truth.text + "\n(ROOT (A a b c))\n",
                word_parameters({{"symbols", {"A", "B", "C"}}}), parameters);
}

// Calls visit(drawn, parser, psi) for random sentences. psi[k] belongs to drawn.all[k].
using Vectors = std::vector<std::vector<double>>;
void each_sentence(
    unsigned seed, int wanted,
    const std::function<void(const Sentence&, const Parser&, const Vectors&)>& visit) {
  Random random(seed);
  while (wanted > 0) {
    const std::optional<Sentence> drawn = draw_sentence(random);
    if (!drawn) continue;
    const Parser parser = parser_of(*drawn, wanted % 2 == 0);
    std::vector<std::string> names;
    for (std::int64_t weight = 0; weight < dimension(parser.features); ++weight) {
      names.push_back(weight_name(parser.features, weight));
    }
    Vectors psi;
    for (const TextTree& tree : drawn->all) {
      std::vector<double>& one = psi.emplace_back();
      for (const std::string& name : names) {
        const auto found = tree.features.find(name);
        one.push_back(found == tree.features.end() ? 0 : found->second);
      }
    }
    visit(*drawn, parser, psi);
    --wanted;
  }
}

// The losses zero_one, difference (brackets of only one tree) and 1 - F1, by their definitions.
double loss_of(const std::string& name, const TextTree& truth, const TextTree& guess) {
  if (name == "zero_one") return truth.text == guess.text ? 0 : 1;
  const auto p = static_cast<double>(guess.brackets.size());
  const auto t = static_cast<double>(truth.brackets.size());
  const double m = matched(truth, guess);
  if (name == "difference") return p + t - 2 * m;
  return p + t == 0 ? 0 : 1 - 2 * m / (p + t);
}

}  // namespace

TEST_CASE("grammar: the outputs of a sentence are its trees, each once, with their features") {
  int large = 0;
  int outside = 0;
  each_sentence(31, 400, [&](const Sentence& drawn, const Parser& parser, const Vectors& psi_of) {
    std::map<std::string, std::size_t> expected;
    for (std::size_t k = 0; k < drawn.all.size(); ++k) expected[drawn.all[k].text] = k;
    REQUIRE(expected.size() == drawn.all.size());
    const std::vector<Outputs> found = enumerated(parser.oracle(), 0, 1000);
    REQUIRE(found.size() == expected.size());
    for (const Outputs& y : found) {
      const std::string text = format(parser.dataset, 0, y);
      REQUIRE(expected.count(text) == 1);
      REQUIRE(psi(parser.features, 0, y) == psi_of[expected[text]]);
      REQUIRE(parse(parser.dataset, 0, text) == y);
    }
    large += drawn.all.size() > 20 ? 1 : 0;
    outside += drawn.outside ? 1 : 0;
  });
  CHECK(large > 30);  // the random grammars are not all trivial
  CHECK(outside > 12);
}

TEST_CASE("grammar: argmax is the best of all trees, with every loss and without a loss") {
  Random random(37);
  each_sentence(41, 500, [&](const Sentence& drawn, const Parser& parser, const Vectors& psi_of) {
    const auto d = static_cast<std::size_t>(dimension(parser.features));
    for (int trial = 0; trial < 3; ++trial) {
      OracleQuery query{0, trial == 0 ? small_integers(random, d) : normal_vector(random, d),
                        truth_of(parser.dataset, 0), trial == 1 ? 0.0 : 1.0};
      for (const auto& [name, oracle] : parser.oracles) {
        double best = -1e300;
        for (std::size_t k = 0; k < drawn.all.size(); ++k) {
          best = std::max(best, dot(query.w, psi_of[k]) +
                                    query.loss_weight * loss_of(name, drawn.truth, drawn.all[k]));
        }
        const Solution answer = argmax(oracle, query);
        REQUIRE(close(answer.value, best, 1e-9));
        REQUIRE((answer.flags & SCULPT_ANSWER_EXACT) != 0);
        REQUIRE(((answer.flags & SCULPT_ANSWER_TRUTH_OUTSIDE) != 0) == drawn.outside);
        const double own =
            dot(query.w, psi(parser.features, 0, answer.output)) +
            query.loss_weight * loss(parser.losses.at(name), 0, query.truth, answer.output);
        REQUIRE(close(answer.value, own, 1e-9));
      }
    }
  });
}

TEST_CASE("grammar: the frontier has the best tree for each number of brackets and matches") {
  Random random(43);
  each_sentence(47, 300, [&](const Sentence& drawn, const Parser& parser, const Vectors& psi_of) {
    const auto d = static_cast<std::size_t>(dimension(parser.features));
    const OracleQuery query{0, normal_vector(random, d), truth_of(parser.dataset, 0)};
    std::map<Counts, double> expected;
    for (std::size_t k = 0; k < drawn.all.size(); ++k) {
      const Counts counts{static_cast<std::int64_t>(matched(drawn.truth, drawn.all[k])),
                          static_cast<std::int64_t>(drawn.all[k].brackets.size())};
      const double score = dot(query.w, psi_of[k]);
      const auto [place, is_new] = expected.try_emplace(counts, score);
      if (!is_new) place->second = std::max(place->second, score);
    }
    const auto found = frontier(parser.oracle("f1"), parser.losses.at("f1"), query);
    REQUIRE(found.size() == expected.size());
    for (const auto& [counts, entry] : found) {
      REQUIRE(expected.count(counts) == 1);
      REQUIRE(close(entry.score, expected[counts], 1e-9));
      REQUIRE(close(entry.score, dot(query.w, psi(parser.features, 0, entry.output)), 1e-9));
    }
  });
}

TEST_CASE("grammar: log Z and the mean are those of all trees") {
  Random random(53);
  each_sentence(59, 300, [&](const Sentence& drawn, const Parser& parser, const Vectors& psi_of) {
    const auto d = static_cast<std::size_t>(dimension(parser.features));
    OracleQuery query{0, normal_vector(random, d), {}};
    query.labelled = false;
    double z = 0;
    std::vector<double> sum(d, 0.0);
    for (std::size_t k = 0; k < drawn.all.size(); ++k) {
      const double p = std::exp(dot(query.w, psi_of[k]));
      z += p;
      for (std::size_t j = 0; j < d; ++j) sum[j] += p * psi_of[k][j];
    }
    const Mean found = mean(parser.oracle(), query);
    REQUIRE(close(found.log_z, std::log(z), 1e-9));
    for (std::size_t j = 0; j < d; ++j) REQUIRE(close(found.psi[j], sum[j] / z, 1e-9));
  });
}

TEST_CASE("grammar: a sentence of n words has as many binary trees as Catalan's number n - 1") {
  std::string text = "(ROOT (S (S a) (S a)))\n(ROOT (S a))\n";
  for (int n = 1; n <= 40; ++n) {
    for (int k = 0; k < n; ++k) text += "a ";
    text += "\n";
  }
  const Parser parser(text, word_parameters(), json::object());
  REQUIRE(dimension(parser.features) == 3);
  double log_catalan = 0;  // of n - 1: C(m) = C(m - 1) (4 m - 2) / (m + 1)
  for (int n = 1; n <= 40; ++n) {
    const int m = n - 1;
    if (m > 0) log_catalan += std::log((4.0 * m - 2) / (m + 1));
    OracleQuery query{n + 1, {0, 0, 0}, {}};
    query.labelled = false;
    CHECK(mean(parser.oracle(), query).log_z == Approx(log_catalan));
    if (n > 8) continue;
    CHECK(enumerated(parser.oracle(), n + 1, 1000).size() ==
          static_cast<std::size_t>(std::lround(std::exp(log_catalan))));
  }
}
