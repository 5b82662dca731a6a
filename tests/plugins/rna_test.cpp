// rna: the derived structures, the features and the oracle agree with plain recursion over
// structures (rna_structures.hpp).
#include <doctest/doctest.h>

#include "rna_folding.hpp"
#include "rna_structures.hpp"

#include <sculpt/ext/groups.h>

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A grammar, with the least number of bases between the bases of a pair.
struct PairGrammar {
  std::string name;
  json rules;  // null: the default grammar
  int min_between;
};
// Dowell and Eddy, figure 2.
const std::vector<PairGrammar> pair_grammars = {
    {"G6", nullptr, 2},
    {"G5", {"S -> . S | ( S ) S | empty"}, 0},
    {"G4", {"S -> . S | T | empty", "T -> T . | ( S ) | T ( S )"}, 0},
    {"G3", {"S -> ( S ) | . L | R . | L S", "L -> ( S ) | . L", "R -> R . | empty"}, 1},
};

json parameters_of(const PairGrammar& form, bool canonical, bool stacking = false) {
  json parameters = {{"pairs", canonical ? "canonical" : "all"}, {"stacking", stacking}};
  if (!form.rules.is_null()) parameters["rules"] = form.rules;
  return parameters;
}

}  // namespace

TEST_CASE("rna: a grammar derives each structure with large enough hairpins exactly once") {
  Random random(601);
  for (const PairGrammar& form : pair_grammars) {
    for (int trial = 0; trial < 60; ++trial) {
      const std::string sequence = random_sequence(random, draw(random, 1, 10));
      const bool canonical = trial % 2 == 0;
      const Folding folding(sequence, std::string(sequence.size(), '.'),
                            parameters_of(form, canonical));
      std::vector<Outputs> expected = all_structures(sequence, form.min_between, canonical);
      std::vector<Outputs> found = enumerated(folding.oracle, 0, 10000);
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      INFO(form.name, " ", sequence);
      REQUIRE(found == expected);
    }
  }
}

TEST_CASE("rna: if all letters pair there are as many structures as the recurrence gives") {
  // N(n) = N(n - 1) + sum over h >= 2 of N(h) N(n - 2 - h): the first base is single, or it pairs
  std::vector<double> count{1};
  for (std::size_t n = 1; n <= 40; ++n) {
    count.push_back(count[n - 1]);
    for (std::size_t h = 2; h + 2 <= n; ++h) count[n] += count[h] * count[n - 2 - h];
    if (n % 13 != 1) continue;
    const Folding folding(std::string(n, 'A'), std::string(n, '.'),
                          parameters_of(pair_grammars[0], false));
    const OracleQuery query = folding.query(std::vector<double>(folding.weights(), 0.0));
    CHECK(mean(folding.oracle, query).log_z == Approx(std::log(count[n])));
  }
}

TEST_CASE("rna: psi counts rules, letters, pairs and stacked pairs of G6") {
  Random random(607);
  for (int trial = 0; trial < 300; ++trial) {
    const bool canonical = trial % 3 > 0;
    const std::string sequence = random_sequence(random, draw(random, 1, 12));
    const std::vector<Outputs> all = all_structures(sequence, 2, canonical);
    const Outputs& y =
        all[static_cast<std::size_t>(draw(random, 0, static_cast<std::int32_t>(all.size()) - 1))];
    const Folding folding(sequence, brackets(y), parameters_of(pair_grammars[0], canonical, true));
    REQUIRE(truth_of(folding.bound.dataset, 0) == y);
    std::map<std::string, double> expected = g6_features(sequence, y);
    const std::vector<double> found = psi(folding.bound.features, 0, y);
    for (std::size_t j = 0; j < found.size(); ++j) {
      const std::string name = weight_name(folding.bound.features, static_cast<std::int64_t>(j));
      INFO(sequence, " ", brackets(y), " ", name);
      REQUIRE(found[j] == expected[name]);
      expected.erase(name);  // so a second weight with this name fails
    }
    REQUIRE(expected.empty());
  }
}

TEST_CASE(
    "rna: rules of a symbol, letters of a base and pairs given the outer pair are multinomials") {
  for (const bool stacking : {false, true}) {
    const Folding folding("ACGU", "....", parameters_of(pair_grammars[0], true, stacking));
    std::vector<std::int32_t> group(folding.weights());
    const auto& table = folding.bound.features.extension<sculpt_ext_groups>(SCULPT_EXT_GROUPS);
    REQUIRE(table.groups(folding.bound.features.self(), group.data(), nullptr) == SCULPT_OK);
    CHECK(*std::max_element(group.begin(), group.end()) < dimension(folding.bound.features));
    std::map<std::string, std::map<std::int32_t, double>> sizes;  // by the common part of the names
    for (std::size_t j = 0; j < group.size(); ++j) {
      std::string name = weight_name(folding.bound.features, static_cast<std::int64_t>(j));
      const std::size_t event = name.find(", ");
      const std::size_t outer = name.find(" inside ");
      name = event == std::string::npos   ? name.substr(0, 1)
             : outer == std::string::npos ? name.substr(0, event)
                                          : name.substr(0, event) + name.substr(outer);
      sizes[name][group[j]] += 1;
    }
    std::map<std::int32_t, std::string> seen;
    for (const auto& [name, groups] : sizes) {
      REQUIRE(groups.size() == 1);
      const auto [number, size] = *groups.begin();
      const bool replaced = stacking && name == "F -> ( F )";  // by the stacked pairs
      CHECK((number == -1) == replaced);
      CHECK(size == (name.size() == 1 ? 2 : name == "L -> ." ? 4 : 6));
      CHECK(seen.emplace(number, name).second);
    }
    CHECK(sizes.size() == (stacking ? 12 : 6));
  }
}

TEST_CASE("rna: the answer is the best of all structures, with a loss and without") {
  struct Loss {
    std::string name;
    json parameters = json::object();
  };
  const std::vector<Loss> losses = {{"item_losses#difference"},
                                    {"item_losses#f1"},
                                    {"item_losses#missed"},
                                    {"hamming"},
                                    {"zero_one"},
                                    {"item_losses#difference", {{"normalize", true}}}};
  Random random(613);
  for (int trial = 0; trial < 600; ++trial) {
    const PairGrammar& form = pair_grammars[static_cast<std::size_t>(trial) % pair_grammars.size()];
    const Loss& loss_form = losses[static_cast<std::size_t>(trial / 4) % losses.size()];
    const bool canonical = draw(random, 0, 1) == 0;
    const std::string sequence = random_sequence(random, draw(random, 1, 8));
    const std::vector<Outputs> all = all_structures(sequence, form.min_between, canonical);
    const Outputs& truth =
        all[static_cast<std::size_t>(draw(random, 0, static_cast<std::int32_t>(all.size()) - 1))];
    const bool stacking = form.name == "G6" && trial % 8 == 0;
    const Folding folding(sequence, brackets(truth), parameters_of(form, canonical, stacking),
                          loss_form.name, loss_form.parameters);
    std::vector<std::vector<double>> features;
    for (const Outputs& y : all) features.push_back(psi(folding.bound.features, 0, y));
    for (const double loss_weight : {0.0, 1.0, 2.5}) {
      const std::vector<double> w = trial % 2 == 0 ? normal_vector(random, folding.weights())
                                                   : small_integers(random, folding.weights());
      const auto value = [&](std::size_t k) {
        const double cost = loss_weight > 0 ? loss(*folding.loss, 0, truth, all[k]) : 0.0;
        return dot(w, features[k]) + loss_weight * cost;
      };
      double best = value(0);
      for (std::size_t k = 1; k < all.size(); ++k) best = std::max(best, value(k));
      const Solution found = argmax(folding.oracle, folding.query(w, loss_weight));
      INFO(form.name, " ", loss_form.name, " ", sequence, " ", brackets(found.output));
      const auto place = std::find(all.begin(), all.end(), found.output);
      REQUIRE(place != all.end());
      REQUIRE(found.value == Approx(best));
      REQUIRE(value(static_cast<std::size_t>(place - all.begin())) == Approx(best));
      REQUIRE(has(found, SCULPT_ANSWER_EXACT));
      REQUIRE_FALSE(has(found, SCULPT_ANSWER_TRUTH_OUTSIDE));
    }
  }
}

TEST_CASE("rna: log Z, the mean and the k best agree with the list of all structures") {
  Random random(617);
  for (int trial = 0; trial < 120; ++trial) {
    const PairGrammar& form = pair_grammars[static_cast<std::size_t>(trial) % pair_grammars.size()];
    const std::string sequence = random_sequence(random, draw(random, 1, 8));
    const std::vector<Outputs> all = all_structures(sequence, form.min_between, false);
    const Folding folding(sequence, brackets(all[0]),
                          parameters_of(form, false, form.name == "G6"));
    const std::vector<double> w = normal_vector(random, folding.weights());
    std::vector<double> scores;
    std::vector<double> expected(w.size(), 0.0);
    double z = 0;
    for (const Outputs& y : all) {
      const std::vector<double> features = psi(folding.bound.features, 0, y);
      scores.push_back(dot(w, features));
      z += std::exp(scores.back());
      for (std::size_t j = 0; j < w.size(); ++j) {
        expected[j] += std::exp(scores.back()) * features[j];
      }
    }
    const Mean found = mean(folding.oracle, folding.query(w));
    REQUIRE(found.log_z == Approx(std::log(z)));
    for (std::size_t j = 0; j < w.size(); ++j) {
      REQUIRE(found.psi[j] == Approx(expected[j] / z).epsilon(1e-9));
    }
    std::sort(scores.rbegin(), scores.rend());
    const std::vector<Solution> ranked = k_best(folding.oracle, folding.query(w), 20);
    REQUIRE(ranked.size() == std::min<std::size_t>(20, all.size()));
    for (std::size_t k = 0; k < ranked.size(); ++k) REQUIRE(ranked[k].value == Approx(scores[k]));
  }
}

TEST_CASE("rna: a sequence that the grammar does not cover has no output") {
  const json stem = {{"rules", {"S -> ( S ) | ( . . )"}}};
  const Folding covered("GAAC", "(..)", stem);
  const std::vector<double> w(covered.weights(), 0.0);
  CHECK(argmax(covered.oracle, covered.query(w)).output == partners("(..)"));
  const Folding bare("GAAA", "....", stem);
  const Solution answer = argmax(bare.oracle, bare.query(w));
  CHECK(has(answer, SCULPT_ANSWER_NO_OUTPUT));
  CHECK(has(answer, SCULPT_ANSWER_TRUTH_OUTSIDE));
  CHECK(psi(bare.bound.features, 0, partners("....")) == w);
}

TEST_CASE("rna: letters that stand for several bases do not pair and have no weight") {
  const Folding folding(">x\nGNAAC\n", {{"ambiguous", "single"}}, {{"pairs", "all"}}, "",
                        json::object());
  const std::vector<Outputs> found = enumerated(folding.oracle, 0, 100);
  CHECK(found.size() == 3);  // no pair, G with A, G with C
  for (const Outputs& y : found) CHECK(y[1] == 1);
  const std::vector<double> features = psi(folding.bound.features, 0, partners("....."));
  double singles = 0;
  for (std::size_t j = 0; j < features.size(); ++j) {
    const std::string name = weight_name(folding.bound.features, static_cast<std::int64_t>(j));
    if (name.starts_with("L -> .,")) singles += features[j];
  }
  CHECK(singles == 4);
}

TEST_CASE("rna: a sequence of 250 bases has a finite log Z and a structure of its length") {
  Random random(619);
  const std::string sequence = random_sequence(random, 250);
  const Folding folding(sequence, std::string(250, '.'), {{"stacking", true}});
  const std::vector<double> w = normal_vector(random, folding.weights());
  CHECK(std::isfinite(mean(folding.oracle, folding.query(w)).log_z));
  CHECK(argmax(folding.oracle, folding.query(w)).output.size() == 250);
}
