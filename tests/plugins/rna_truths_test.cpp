// rna: truths that the grammar does not derive, and their psi, which is that of fewer pairs.
#include <doctest/doctest.h>

#include "rna_folding.hpp"
#include "rna_structures.hpp"

#include <algorithm>

using namespace plugin_test;
using nlohmann::json;

namespace {

// Removes the shortest pairs one by one until fits(y). Of equally short pairs the leftmost is
// first.
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

// `count` hairpins of one base, one after the other. G6 does not derive them.
Folding hairpins(int count) {
  std::string sequence;
  std::string structure;
  for (int k = 0; k < count; ++k) sequence += "GAC", structure += "(.)";
  return Folding(sequence, structure, json::object());
}

}  // namespace

TEST_CASE(
    "rna: a truth outside the grammar is flagged, and its psi is that of its remaining pairs") {
  const Folding folding("GGAACGACA", "((..)(.))", json::object(), "item_losses#difference");
  const std::vector<double> w(folding.weights(), 0.0);
  const Solution answer = argmax(folding.oracle, folding.query(w, 1));
  CHECK(has(answer, SCULPT_ANSWER_TRUTH_OUTSIDE));
  CHECK(answer.value == 4);  // none of the three pairs of the truth, and one other
  CHECK(psi(folding.bound.features, 0, partners("((..)(.))")) ==
        psi(folding.bound.features, 0, partners("((..)...)")));

  // the pair of A and C is derived but not allowed, so it has only the weights of its rules
  const Folding odd("ACCGC", "(...)", json::object());
  CHECK(has(argmax(odd.oracle, odd.query(std::vector<double>(odd.weights(), 0.0))),
            SCULPT_ANSWER_TRUTH_OUTSIDE));
  const std::vector<double> features = psi(odd.bound.features, 0, partners("(...)"));
  for (std::size_t j = 0; j < features.size(); ++j) {
    const std::string name = weight_name(odd.bound.features, static_cast<std::int64_t>(j));
    if (name.starts_with("L -> ( F )")) CHECK(features[j] == (name == "L -> ( F )" ? 1 : 0));
  }
  const Folding all("ACCGC", "(...)", {{"pairs", "all"}});
  CHECK_FALSE(has(argmax(all.oracle, all.query(std::vector<double>(all.weights(), 0.0))),
                  SCULPT_ANSWER_TRUTH_OUTSIDE));
}

TEST_CASE("rna: psi of a truth that is not derived leaves out the fewest shortest pairs") {
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
    const std::vector<double> found = psi(folding.bound.features, 0, truth);
    for (std::size_t j = 0; j < found.size(); ++j) {
      const std::string name = weight_name(folding.bound.features, static_cast<std::int64_t>(j));
      REQUIRE(found[j] == expected[name]);
    }
    changed += left == truth ? 0 : 1;
  }
  CHECK(changed > 50);
}

TEST_CASE("rna: with a grammar that needs pairs, psi of a truth keeps the pairs that it derives") {
  const json wants_pairs = {{"pairs", "all"}, {"rules", {"S -> ( S ) | ( L )", "L -> . L | ."}}};
  const auto features_of = [&](const std::string& structure) {
    const Folding folding(std::string(structure.size(), 'A'), structure, wants_pairs);
    return psi(folding.bound.features, 0, partners(structure));
  };
  CHECK(features_of("((()))") == features_of("((..))"));
  CHECK(features_of("(()())") == features_of("(....)"));
  const std::vector<double> nothing = features_of(".()()");
  CHECK(std::count(nothing.begin(), nothing.end(), 0.0) == std::ssize(nothing));
}

TEST_CASE("rna: psi of a truth that is not derived is found once, by bisection") {
  const int count = 100;
  const Folding folding = hairpins(count);
  const LiveComponent& features = folding.bound.features;
  const Outputs truth = truth_of(folding.bound.dataset, 0);
  const int before = features.polls();
  const std::vector<double> found = psi(features, 0, truth);
  const int polls_of_program = 3 * 301 * 302 / 2 / 4096 + 1;
  CHECK(features.polls() - before <= 10 * polls_of_program);  // 9 bisection steps; one by one: 100
  CHECK(features.polls() - before >= polls_of_program);
  CHECK(found == psi(features, 0, Outputs(partners(std::string(300, '.')))));
  const int behind = features.polls();
  CHECK(psi(features, 0, truth) == found);
  CHECK(features.polls() == behind);
  const std::vector<double> w(folding.weights(), 0.0);
  argmax(folding.oracle, folding.query(w));  // builds the program of the sequence
  const int with_program = features.polls();
  CHECK(has(argmax(folding.oracle, folding.query(w)), SCULPT_ANSWER_TRUTH_OUTSIDE));
  CHECK(features.polls() == with_program);  // and does no work for the truth
}
