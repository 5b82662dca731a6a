// rna: truths that the grammar does not derive, and what their psi is of.
#include <doctest/doctest.h>

#include "rna_folding.hpp"
#include "rna_structures.hpp"

#include <algorithm>

using namespace plugin_test;
using nlohmann::json;

namespace {

// Takes the shortest pairs out one by one, the leftmost of equal ones first, until `fits`.
template <class Fits>
Outputs without_shortest(Outputs y, const Fits& fits) {
  while (!fits(y)) {
    std::size_t best = y.size();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto width = [&](std::size_t k) { return y[k] - static_cast<std::int32_t>(k); };
      if (width(i) > 0 && (best == y.size() || width(i) < width(best))) best = i;
    }
    REQUIRE(best < y.size());
    const auto partner = static_cast<std::size_t>(y[best]);
    y[best] = static_cast<std::int32_t>(best);
    y[partner] = static_cast<std::int32_t>(partner);
  }
  return y;
}

// So many hairpins of one base, which G6 does not have, side by side.
Folding hairpins(int count) {
  std::string sequence;
  std::string structure;
  for (int k = 0; k < count; ++k) sequence += "GAC", structure += "(.)";
  return Folding(sequence, structure, json::object());
}

}  // namespace

TEST_CASE(
    "rna: a truth beyond the grammar lies outside, and its psi is that of what is left of it") {
  const Folding folding("GGAACGACA", "((..)(.))", json::object(), "item_losses#difference");
  const std::vector<double> w(folding.weights(), 0.0);
  const Solution answer = argmax(folding.oracle, folding.question(w, 1));
  CHECK(has(answer, SCULPT_ANSWER_TRUTH_OUTSIDE));
  CHECK(answer.value == 4);  // three pairs of its own are not possible, two others are
  CHECK(psi(folding.parts.features, 0, partners("((..)(.))")) ==
        psi(folding.parts.features, 0, partners("((..)...)")));

  // a pair of A and C: derived, but not allowed. It has the weights of its rules alone.
  const Folding odd("ACCGC", "(...)", json::object());
  CHECK(has(argmax(odd.oracle, odd.question(std::vector<double>(odd.weights(), 0.0))),
            SCULPT_ANSWER_TRUTH_OUTSIDE));
  const std::vector<double> features = psi(odd.parts.features, 0, partners("(...)"));
  for (std::size_t j = 0; j < features.size(); ++j) {
    const std::string name = weight_name(odd.parts.features, static_cast<std::int64_t>(j));
    if (name.starts_with("L -> ( F )")) CHECK(features[j] == (name == "L -> ( F )" ? 1 : 0));
  }
  const Folding all("ACCGC", "(...)", {{"pairs", "all"}});
  CHECK_FALSE(has(argmax(all.oracle, all.question(std::vector<double>(all.weights(), 0.0))),
                  SCULPT_ANSWER_TRUTH_OUTSIDE));
}

TEST_CASE("rna: of a truth that is not derived so many pairs are left out as it takes one by one") {
  Random random(641);
  int changed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::string sequence = random_sequence(random, draw(random, 4, 11));
    const std::vector<Outputs> all = all_structures(sequence, 0, false);
    const std::vector<Outputs> derived = all_structures(sequence, 2, false);
    const Outputs& truth =
        all[static_cast<std::size_t>(draw(random, 0, static_cast<std::int32_t>(all.size()) - 1))];
    const Outputs left = without_shortest(truth, [&](const Outputs& y) {
      return std::find(derived.begin(), derived.end(), y) != derived.end();
    });
    const Folding folding(sequence, brackets(truth), {{"pairs", "all"}});
    INFO(brackets(truth), " ", brackets(left));
    std::map<std::string, double> expected = g6_features(sequence, left);
    const std::vector<double> found = psi(folding.parts.features, 0, truth);
    for (std::size_t j = 0; j < found.size(); ++j) {
      const std::string name = weight_name(folding.parts.features, static_cast<std::int64_t>(j));
      REQUIRE(found[j] == expected[name]);
    }
    changed += left == truth ? 0 : 1;
  }
  CHECK(changed > 50);
}

TEST_CASE("rna: of a grammar that wants pairs, a truth keeps those that it takes") {
  const json wants_pairs = {{"pairs", "all"}, {"rules", {"S -> ( S ) | ( L )", "L -> . L | ."}}};
  const auto features_of = [&](const std::string& structure) {
    const Folding folding(std::string(structure.size(), 'A'), structure, wants_pairs);
    return psi(folding.parts.features, 0, partners(structure));
  };
  CHECK(features_of("((()))") == features_of("((..))"));
  CHECK(features_of("(()())") == features_of("(....)"));
  const std::vector<double> nothing = features_of(".()()");
  CHECK(std::count(nothing.begin(), nothing.end(), 0.0) == std::ssize(nothing));
}

TEST_CASE("rna: psi of a truth that is not derived is found once, by halves") {
  const int count = 100;
  const Folding folding = hairpins(count);
  const LiveComponent& features = folding.parts.features;
  const Outputs truth = truth_of(folding.parts.dataset, 0);
  const int before = features.polls();
  const std::vector<double> found = psi(features, 0, truth);
  const int polls_of_program = 3 * 301 * 302 / 2 / 4096 + 1;
  CHECK(features.polls() - before <= 10 * polls_of_program);  // 9 halvings; one by one, 100
  CHECK(features.polls() - before >= polls_of_program);
  CHECK(found == psi(features, 0, Outputs(partners(std::string(300, '.')))));
  const int behind = features.polls();
  CHECK(psi(features, 0, truth) == found);
  CHECK(features.polls() == behind);
  const std::vector<double> w(folding.weights(), 0.0);
  argmax(folding.oracle, folding.question(w));  // finds the program of the sequence
  const int asked = features.polls();
  CHECK(has(argmax(folding.oracle, folding.question(w)), SCULPT_ANSWER_TRUTH_OUTSIDE));
  CHECK(features.polls() == asked);  // and nothing for the truth
}
