// rna: configs/data/rna/loops.grammar, the features of `closing`, and the loss hamming agree with
// plain recursion over structures (rna_structures.hpp).
#include <doctest/doctest.h>

#include "rna_folding.hpp"
#include "rna_structures.hpp"

#include <sculpt/ext/groups.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

json with_loops(bool canonical, bool stacking, bool closing) {
  return {{"file", std::string(SCULPT_TEST_SOURCE) + "/configs/data/rna/loops.grammar"},
          {"pairs", canonical ? "canonical" : "all"},
          {"stacking", stacking},
          {"closing", closing}};
}

std::vector<double> zeros(const Folding& folding) {
  return std::vector<double>(folding.weights(), 0.0);
}

}  // namespace

TEST_CASE(
    "loops.grammar derives each structure with hairpins of three or more bases exactly once") {
  Random random(631);
  for (int trial = 0; trial < 40; ++trial) {
    const std::string sequence = random_sequence(random, draw(random, 1, 14));
    const bool canonical = trial % 2 == 0 || sequence.size() > 11;
    const Folding folding(sequence, std::string(sequence.size(), '.'),
                          with_loops(canonical, false, false));
    std::vector<Outputs> expected = all_structures(sequence, 3, canonical);
    std::vector<Outputs> found = enumerated(folding.oracle, 0, 10000);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    INFO(sequence);
    REQUIRE(found == expected);
  }
}

TEST_CASE("loops.grammar derives as many structures of long sequences as the recurrence gives") {
  // N(n) = N(n - 1) + sum over h >= 3 of N(h) N(n - 2 - h). Long sequences have loops of all kinds.
  std::vector<double> count{1};
  for (std::size_t n = 1; n <= 60; ++n) {
    count.push_back(count[n - 1]);
    for (std::size_t h = 3; h + 2 <= n; ++h) count[n] += count[h] * count[n - 2 - h];
    if (n % 10 != 0) continue;
    const Folding folding(std::string(n, 'A'), std::string(n, '.'),
                          with_loops(false, false, false));
    CHECK(mean(folding.oracle, folding.query(zeros(folding))).log_z == Approx(std::log(count[n])));
  }
}

TEST_CASE("rna: closing counts the rule inside a pair, and the bases next to the pair") {
  Random random(641);
  for (int trial = 0; trial < 20; ++trial) {
    const std::string sequence = random_sequence(random, 70);
    const Folding drawn(sequence, std::string(70, '.'), with_loops(true, false, true));
    for (const Outputs& y : draws(drawn.oracle, drawn.query(zeros(drawn)), 10)) {
      std::map<std::string, double> expected = closing_features(sequence, y);
      const std::vector<double> found = psi(drawn.bound.features, 0, y);
      for (std::size_t j = 0; j < found.size(); ++j) {
        const std::string name = weight_name(drawn.bound.features, static_cast<std::int64_t>(j));
        if (name.find(" inside ") == std::string::npos) continue;
        INFO(sequence, " ", brackets(y), " ", name);
        REQUIRE(found[j] == expected[name]);
        expected.erase(name);  // so a second weight with this name fails
      }
      REQUIRE(expected.empty());
    }
  }
}

TEST_CASE("rna: with closing, rules and the bases next to a pair are multinomials given the pair") {
  const Folding folding("ACGU", "....", with_loops(true, true, true));
  std::vector<std::int32_t> group(folding.weights());
  const auto& table = folding.bound.features.extension<sculpt_ext_groups>(SCULPT_EXT_GROUPS);
  REQUIRE(table.groups(folding.bound.features.self(), group.data(), nullptr) == SCULPT_OK);
  CHECK(*std::max_element(group.begin(), group.end()) < dimension(folding.bound.features));
  std::map<std::int32_t, std::size_t> size;
  for (const std::int32_t number : group) ++size[number];
  std::map<std::string, std::set<std::int32_t>> groups_of;  // by the condition and the event
  for (std::size_t j = 0; j < group.size(); ++j) {
    const std::string name = weight_name(folding.bound.features, static_cast<std::int64_t>(j));
    const std::size_t comma = name.find(", ");
    const std::size_t inside = name.find(" inside ");
    const bool has_comma = comma != std::string::npos;
    INFO(name);
    if (inside == std::string::npos) {
      const bool of_loop = name.starts_with("Loop ->");
      if (!has_comma) CHECK((group[j] == -1) == of_loop);  // Loop has groups only with a pair
      if (has_comma) continue;
      groups_of[of_loop ? "none" : name.substr(0, name.find(' '))].insert(group[j]);
    } else {
      REQUIRE(group[j] >= 0);
      const std::string given = name.substr(inside);
      groups_of[has_comma ? name.substr(0, comma) + given : "Loop" + given].insert(group[j]);
      if (!has_comma) CHECK(size[group[j]] == 41);  // rules of Loop
      if (has_comma) CHECK((size[group[j]] == 4 || size[group[j]] == 16 || size[group[j]] == 6));
    }
  }
  std::set<std::int32_t> seen;
  for (const auto& group_of : groups_of) {
    INFO(group_of.first);
    REQUIRE(group_of.second.size() == 1);
    CHECK(seen.insert(*group_of.second.begin()).second);
  }
}

TEST_CASE("rna: with loops, stacking and closing the answer is the best of all structures") {
  Random random(643);
  for (int trial = 0; trial < 40; ++trial) {
    const std::string sequence = random_sequence(random, draw(random, 5, 12));
    const std::vector<Outputs> all = all_structures(sequence, 3, trial % 2 == 0);
    const Outputs& truth =
        all[static_cast<std::size_t>(draw(random, 0, static_cast<std::int32_t>(all.size()) - 1))];
    const Folding folding(sequence, brackets(truth), with_loops(trial % 2 == 0, true, true),
                          "item_losses#difference", {{"extra", 0.3}});
    const std::vector<double> w = normal_vector(random, folding.weights());
    double best = -1e300;
    for (const Outputs& y : all) {
      best = std::max(
          best, dot(w, psi(folding.bound.features, 0, y)) + 2 * loss(*folding.loss, 0, truth, y));
    }
    const Solution found = argmax(folding.oracle, folding.query(w, 2));
    REQUIRE(found.value == Approx(best));
    REQUIRE(dot(w, psi(folding.bound.features, 0, found.output)) +
                2 * loss(*folding.loss, 0, truth, found.output) ==
            Approx(best));
    REQUIRE_FALSE(has(found, SCULPT_ANSWER_TRUTH_OUTSIDE));
  }
}

TEST_CASE("rna: hamming by scores agrees with hamming by the frontier and by all structures") {
  Random random(647);
  for (int trial = 0; trial < 100; ++trial) {
    const std::string sequence = random_sequence(random, draw(random, 1, 9));
    const std::vector<Outputs> all = all_structures(sequence, 2, false);
    const Outputs& truth =
        all[static_cast<std::size_t>(draw(random, 0, static_cast<std::int32_t>(all.size()) - 1))];
    const Folding folding(sequence, brackets(truth), {{"pairs", "all"}}, "hamming",
                          {{"normalize", trial % 2 == 1}});
    const OracleQuery query = folding.query(normal_vector(random, folding.weights()), 1.5);
    double best = -1e300;
    for (const Outputs& y : all) {
      best = std::max(best, dot(query.w, psi(folding.bound.features, 0, y)) +
                                1.5 * loss(*folding.loss, 0, truth, y));
    }
    double by_frontier = -1e300;
    for (const auto& [counts, entry] : frontier(folding.oracle, *folding.loss, query)) {
      by_frontier =
          std::max(by_frontier, entry.score + 1.5 * loss(*folding.loss, 0, truth, entry.output));
    }
    REQUIRE(argmax(folding.oracle, query).value == Approx(best));
    REQUIRE(by_frontier == Approx(best));
    // mean() supports only losses in the scores
    REQUIRE(std::isfinite(mean(folding.oracle, query).log_z));
  }
}
