// ProgramOracle (sculpt/program/oracle.hpp) refuses losses that break their contract, unknown
// counts, slices outside a frontier, and frontiers that need too much memory. Tested with the
// oracle rna.
#include <doctest/doctest.h>

#include "rna_folding.hpp"
#include "rna_structures.hpp"

#include <sculpt/sculpt.hpp>

using namespace plugin_test;
using nlohmann::json;

namespace {

// Declares itself linear in a count that has the limit 2, which is a contradiction.
class CutOff {
 public:
  static constexpr sculpt::About about{"org.example.cut_off", "1.0.0", "min(2, errors)"};
  static constexpr sculpt_count counts[] = {sculpt::counted("errors", 2)};
  double loss(std::int64_t, sculpt::Labels truth, sculpt::Labels guess) const {
    double errors = 0;
    for (std::size_t k = 0; k < truth.size(); ++k) errors += truth[k] == guess[k] ? 0 : 1;
    return std::min(2.0, errors);
  }
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> of) const {
    return static_cast<double>(of[0]);
  }
  double count_slopes(std::int64_t, sculpt::Labels, std::span<double> slope) const {
    slope[0] = 1;
    return 0;
  }
};

constexpr const char* not_begun =
    "this sequence of calls has not begun, or another call on the session has ended it; begin it "
    "again";

}  // namespace

TEST_CASE("a loss that declares itself linear in a count with a limit is refused at bind") {
  const BoundFeatures bound("rna#dot_bracket", json::object(), ">x\nGAAC\n(..)\n", "rna");
  LiveComponent cut_off(sculpt::Loss<CutOff>::component);
  cut_off.bind(&bound.dataset, &bound.features);
  LiveComponent oracle("rna", json::object(), SCULPT_KIND_ORACLE);
  CHECK_THROWS_WITH(oracle.bind(&bound.dataset, &bound.features, &cut_off),
                    "org.example.cut_off offers slopes of its counts, but limits its count "
                    "'errors' to 2; a loss that is linear in its counts sets no limit");
}

TEST_CASE("a slice outside the frontier is refused, and the frontier stays open") {
  const Folding folding("GAAC", "(..)", json::object());
  const OracleQuery query = folding.query(std::vector<double>(folding.weights(), 0.0));
  OracleFrontier frontier(folding.oracle, query, {{"errors", 3, 0, 0}});
  CHECK_THROWS_WITH(frontier.slice(0), not_begun);
  frontier.begin();
  REQUIRE(frontier.shape().size[0] == 3);  // (..) and .... with two errors
  for (const std::int64_t first : {-1, 3, 1000000}) {
    CHECK_THROWS_WITH(frontier.slice(first), ("there is no count " + std::to_string(first) +
                                              "; begin a frontier, and stay within its size")
                                                 .c_str());
  }
  CHECK(frontier.slice(0).front() == 0);
  CHECK(frontier.slice(1).front() == -std::numeric_limits<double>::infinity());
  CHECK(frontier.slice(2).front() == 0);
}

TEST_CASE("an example without an output opens no frontier") {
  const Folding bare("GAAA", "....", {{"rules", {"S -> ( S ) | ( . . )"}}});
  const OracleQuery query = bare.query(std::vector<double>(bare.weights(), 0.0));
  OracleFrontier frontier(bare.oracle, query, {{"errors", 3, 0, 0}});
  frontier.begin();
  CHECK((frontier.shape().flags & SCULPT_ANSWER_NO_OUTPUT) != 0);
  CHECK_THROWS_WITH(frontier.slice(0), not_begun);
}

TEST_CASE("a frontier with a count that the oracle does not support is refused") {
  const Folding folding("GAAC", "(..)", json::object());
  const OracleQuery query = folding.query(std::vector<double>(folding.weights(), 0.0));
  OracleFrontier frontier(folding.oracle, query, {{"shifts", 3, 0, 0}});
  CHECK_THROWS_WITH(frontier.begin(),
                    "counts errors, matched, predicted, but this frontier is a function of "
                    "'shifts': count it in the features, or use another loss");
}

TEST_CASE("a frontier whose program has too many nodes is refused before memory is allocated") {
  // G6 has three symbols: 3 * 21 * 22 / 2 = 693 nodes for 20 bases without a pair
  const BoundFeatures bound("rna#dot_bracket", json::object(),
                            ">x\n" + std::string(20, 'A') + "\n" + std::string(20, '.') + "\n",
                            "rna");
  LiveComponent loss("zero_one");
  loss.bind(&bound.dataset, &bound.features);
  const auto answer = [&](std::int64_t max_cells) {
    LiveComponent oracle("rna", {{"max_cells", max_cells}}, SCULPT_KIND_ORACLE);
    oracle.bind(&bound.dataset, &bound.features, &loss);
    return argmax(oracle,
                  {0, std::vector<double>(static_cast<std::size_t>(dimension(bound.features))),
                   truth_of(bound.dataset, 0), 1});
  };
  CHECK((answer(693).flags & SCULPT_ANSWER_EXACT) != 0);
  CHECK_THROWS_WITH(
      answer(692),
      "this frontier is over a program of 693 nodes of 24 bytes, more than max_cells = 692; raise "
      "max_cells if every thread has memory for them, or use a loss that is linear in its counts");
}
