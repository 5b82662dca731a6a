// chain and multiclass: psi, potentials and pullback agree, weights have names, and bad datasets
// are refused.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "stored_sites.hpp"

#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

using namespace plugin_test;
using nlohmann::json;

namespace {

// The rows of one word for the dataset letters, with 7 numbers for each letter, some of them 0.
std::string random_word(Random& random, int word, int length, int alphabet) {
  std::string text;
  for (int t = 0; t < length; ++t) {
    text += std::to_string(word) + " 0 " + std::to_string(t) + " " +
            static_cast<char>('a' + draw(random, 0, alphabet - 1)) + (t + 1 < length ? " 1" : " 0");
    for (int j = 0; j < 7; ++j) {
      text += " " + std::to_string(draw(random, 0, 2) == 0 ? 0 : draw(random, -3, 3));
    }
    text += "\n";
  }
  return text;
}

// The dataset letters with features bound to it.
struct BoundLetters : BoundFeatures {
  BoundLetters(const std::string& name, const json& parameters, const json& dataset_parameters,
               const std::string& text)
      : BoundFeatures("letters", dataset_parameters, text, name, parameters) {}
};

// Words of 1 to 6 letters. All letters of the alphabet occur.
std::string random_words(Random& random, int alphabet) {
  std::string text;
  for (int k = 0; k < alphabet; ++k) {  // one word for each letter, so that all occur
    std::string word = random_word(random, k, 1, 1);
    word[word.find('a')] = static_cast<char>('a' + k);
    text += word;
  }
  for (int word = alphabet; word < alphabet + 12; ++word) {
    text += random_word(random, word, draw(random, 1, 6), alphabet);
  }
  return text;
}

// Three examples, with no letter, one letter and no letter. No reader of the project makes empty
// examples.
struct EmptySequences : StoredSites {
  static constexpr sculpt::About about{"org.example.empty_sequences", "1", "for tests"};
  EmptySequences() {
    store.end_example(sculpt::Labels(Outputs{}));
    store.add(0, 2);
    store.end_site();
    store.end_example(sculpt::Labels(Outputs{1}));
    store.end_example(sculpt::Labels());
  }
};

// The same, with two labels for each example.
struct TwoLabels : EmptySequences {
  std::int64_t variable_count() const { return 2; }
};

// The same, with an edge in each example.
struct Edges : EmptySequences {
  sculpt_sites sites(std::int64_t example) const {
    static const std::int32_t edge[2] = {0, 0};
    sculpt_sites result = store.sites(example);
    result.edge_count = 1;
    result.edge = edge;
    return result;
  }
};

}  // namespace

TEST_CASE("chain: psi, potentials and pullback agree with every option and alphabet") {
  Random random(29);
  for (const int alphabet : {1, 2, 5}) {
    for (const bool bias : {false, true}) {
      for (const bool start_end : {false, true}) {
        BoundLetters bound("chain", {{"bias", bias}, {"start_end", start_end}}, json::object(),
                           random_words(random, alphabet));
        REQUIRE(dimension(bound.features) == (7 + (bias ? 1 : 0)) * alphabet + alphabet * alphabet +
                                                 (start_end ? 2 * alphabet : 0));
        check_consistency(bound, random);
      }
    }
  }
}

TEST_CASE("chain of order two: psi, potentials and pullback agree with every option") {
  Random random(30);
  for (const int alphabet : {1, 2, 5}) {
    for (const bool start_end : {false, true}) {
      BoundLetters bound("chain", {{"order", 2}, {"start_end", start_end}}, json::object(),
                         random_words(random, alphabet));
      REQUIRE(dimension(bound.features) == 8 * alphabet + alphabet * alphabet +
                                               (start_end ? 2 * alphabet : 0) +
                                               alphabet * alphabet * alphabet);
      check_consistency(bound, random);
    }
  }
}

TEST_CASE("psi of a chain of order two counts every three labels in a row") {
  Random random(32);
  const BoundLetters one("chain", {{"start_end", true}}, json::object(), random_words(random, 3));
  const BoundLetters two("chain", {{"order", 2}, {"start_end", true}}, json::object(),
                         random_words(random, 3) + random_word(random, 99, 5, 3));
  const std::int64_t example = example_count(two.dataset) - 1;
  const std::vector<double> sum = psi(two.features, example, {0, 2, 1, 2, 1});
  std::vector<double> triples(27);
  triples[0 * 9 + 2 * 3 + 1] = 1;
  triples[2 * 9 + 1 * 3 + 2] = 1;
  triples[1 * 9 + 2 * 3 + 1] = 1;
  CHECK(std::vector<double>(sum.end() - 27, sum.end()) == triples);
  CHECK(dimension(two.features) == dimension(one.features) + 27);
}

TEST_CASE("a chain of order two announces its order and answers as order one if triples weigh 0") {
  Random random(34);
  const std::string text = random_words(random, 4);
  const BoundLetters one("chain", {{"start_end", true}}, json::object(), text);
  const BoundLetters two("chain", {{"order", 2}, {"start_end", true}}, json::object(), text);
  const std::uint32_t chain = SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE;
  CHECK(classes_of(two.features) == SCULPT_GRAPH_ORDER_TWO);
  const LiveComponent viterbi("viterbi");
  std::vector<double> w = normal_vector(random, static_cast<std::size_t>(dimension(one.features)));
  for (std::int64_t example = 0; example < example_count(one.dataset); ++example) {
    const sculpt_factor_graph& graph = graph_of(two.features, example);
    const bool short_one = graph.variable_count < 3;
    CHECK((graph.classes & chain) == (short_one ? chain : 0));
    CHECK((graph.classes & SCULPT_GRAPH_ORDER_TWO) != 0);
    std::vector<double> longer = w;
    longer.resize(static_cast<std::size_t>(dimension(two.features)));
    CHECK(solve(viterbi, graph, potentials(two.features, example, longer)).output ==
          solve(viterbi, graph_of(one.features, example), potentials(one.features, example, w))
              .output);
  }
  // no word has three letters, so there are no triples
  const BoundLetters pairs("chain", {{"order", 2}}, json::object(), random_word(random, 1, 2, 3));
  CHECK((classes_of(pairs.features) & (chain | SCULPT_GRAPH_ORDER_TWO)) ==
        (chain | SCULPT_GRAPH_ORDER_TWO));
}

TEST_CASE("chain of order two refuses labels whose triples are too many to number") {
  struct ManyLabels : EmptySequences {
    std::int32_t state_count() const { return 1291; }
  };
  LiveComponent dataset(sculpt::Dataset<ManyLabels>::component);
  CHECK_NOTHROW(LiveComponent("chain").bind(&dataset));
  CHECK_THROWS_WITH(LiveComponent("chain", {{"order", 2}}).bind(&dataset),
                    "order 2 needs a weight for each triple of labels, but "
                    "org.example.empty_sequences has 1291 labels, more than 1290; set \"order\": "
                    "1");
}

TEST_CASE("multiclass: psi, potentials and pullback agree with every option") {
  Random random(31);
  for (const int alphabet : {1, 2, 5}) {
    for (const bool bias : {false, true}) {
      BoundLetters bound("multiclass", {{"bias", bias}}, {{"unit", "letter"}},
                         random_words(random, alphabet));
      REQUIRE(dimension(bound.features) == (7 + (bias ? 1 : 0)) * alphabet);
      check_consistency(bound, random);
    }
  }
}

TEST_CASE("a chain of length one has the potentials and the answers of multiclass") {
  Random random(37);
  const std::string text = random_words(random, 4);
  const BoundLetters single("multiclass", {{"bias", true}}, {{"unit", "letter"}}, text);
  const BoundLetters chain("chain", json::object(), {{"unit", "letter"}}, text);
  const LiveComponent viterbi("viterbi");
  for (std::int64_t example = 0; example < example_count(chain.dataset); ++example) {
    std::vector<double> w =
        normal_vector(random, static_cast<std::size_t>(dimension(chain.features)));
    const std::vector<double> chain_theta = potentials(chain.features, example, w);
    w.resize(static_cast<std::size_t>(dimension(single.features)));
    const std::vector<double> single_theta = potentials(single.features, example, w);
    REQUIRE(chain_theta == single_theta);
    REQUIRE(graph_of(chain.features, example).classes == classes_of(chain.features));
    REQUIRE(solve(viterbi, graph_of(chain.features, example), chain_theta).output ==
            solve(viterbi, graph_of(single.features, example), single_theta).output);
  }
  CHECK(classes_of(chain.features) == classes_of(single.features));
}

TEST_CASE("a reversed sequence with transposed transitions has the reversed answer") {
  Random random(41);
  std::vector<std::string> rows;
  std::string forward = random_words(random, 3);
  std::string backward = forward;
  const int length = 6;
  for (int t = 0; t < length; ++t) {
    std::string inputs;
    for (int j = 0; j < 7; ++j) inputs += " " + std::to_string(draw(random, -3, 3));
    rows.push_back(inputs);
  }
  for (int t = 0; t < length; ++t) {
    const std::string place = "99 0 " + std::to_string(t) + (t + 1 < length ? " a 1" : " a 0");
    forward += place + rows[static_cast<std::size_t>(t)] + "\n";
    backward += place + rows[static_cast<std::size_t>(length - 1 - t)] + "\n";
  }
  const BoundLetters forward_chain("chain", {{"start_end", true}}, json::object(), forward);
  const BoundLetters backward_chain("chain", {{"start_end", true}}, json::object(), backward);
  const std::int64_t example = example_count(forward_chain.dataset) - 1;
  const LiveComponent viterbi("viterbi");
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<double> w =
        normal_vector(random, static_cast<std::size_t>(dimension(forward_chain.features)));
    std::vector<double> reversed = w;
    const std::size_t transitions = 8 * 3;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) {
        reversed[transitions + 3 * b + a] = w[transitions + 3 * a + b];
      }
      std::swap(reversed[transitions + 9 + a], reversed[transitions + 12 + a]);
    }
    Outputs y = solve(viterbi, graph_of(forward_chain.features, example),
                      potentials(forward_chain.features, example, w))
                    .output;
    std::reverse(y.begin(), y.end());
    REQUIRE(solve(viterbi, graph_of(backward_chain.features, example),
                  potentials(backward_chain.features, example, reversed))
                .output == y);
  }
}

TEST_CASE("the weights of chain have names") {
  Random random(43);
  const BoundLetters bound("chain", {{"start_end", true}}, json::object(), random_words(random, 2));
  CHECK(weight_name(bound.features, 0) == "pixel 0, label a");
  CHECK(weight_name(bound.features, 2 * 6 + 1) == "pixel 6, label b");
  CHECK(weight_name(bound.features, 2 * 7) == "bias, label a");
  CHECK(weight_name(bound.features, 2 * 8 + 1) == "transition a->b");
  CHECK(weight_name(bound.features, 2 * 8 + 2) == "transition b->a");
  CHECK(weight_name(bound.features, 2 * 8 + 4) == "start a");
  CHECK(weight_name(bound.features, 2 * 8 + 7) == "end b");
  CHECK(dimension(bound.features) == 2 * 8 + 8);
}

TEST_CASE("the weights of triples of a chain of order two come last and have names") {
  Random random(44);
  const BoundLetters bound("chain", {{"order", 2}, {"start_end", true}}, json::object(),
                           random_words(random, 2));
  CHECK(weight_name(bound.features, 2 * 8 + 1) == "transition a->b");
  CHECK(weight_name(bound.features, 2 * 8 + 7) == "end b");
  CHECK(weight_name(bound.features, 2 * 8 + 8) == "transition a->a->a");
  CHECK(weight_name(bound.features, 2 * 8 + 8 + 3) == "transition a->b->b");
  CHECK(weight_name(bound.features, 2 * 8 + 8 + 4) == "transition b->a->a");
  CHECK(dimension(bound.features) == 2 * 8 + 8 + 8);
}

TEST_CASE("chain refuses outputs that do not fit its example") {
  Random random(47);
  const BoundLetters bound("chain", json::object(), json::object(), random_words(random, 2));
  CHECK_THROWS_WITH(psi(bound.features, 0, {0, 1}),
                    "an output of this example has 1 labels, not 2");
  CHECK_THROWS_WITH(psi(bound.features, 0, {2}), "label 2 is outside [0, 2)");
  CHECK_THROWS_WITH(psi(bound.features, 0, {-1}), "label -1 is outside [0, 2)");
}

TEST_CASE("multiclass refuses sequences and points to chain") {
  Random random(53);
  CHECK_THROWS_WITH(
      BoundLetters("multiclass", json::object(), json::object(), "1 0 0 a 1 5\n1 0 1 a 0 5\n"),
      "gives an example one label, but example 0 of org.sculpt.letters has 2 sites; use the "
      "features `chain` for sequences");
}

TEST_CASE("features refuse a dataset without sites") {
  LiveComponent features("chain");
  CHECK_THROWS_WITH(features.bind(nullptr), "needs a component with sculpt.sites/1; there is none");
}

TEST_CASE("multiclass enumerates its classes up to the limit") {
  Random random(59);
  const BoundLetters bound("multiclass", json::object(), {{"unit", "letter"}},
                           random_words(random, 4));
  const auto& table = bound.features.extension<sculpt_ext_enumerate>(SCULPT_EXT_ENUMERATE);
  Outputs seen;
  const sculpt_visit visit = [](void* context, sculpt_labels y) -> sculpt_status {
    static_cast<Outputs*>(context)->push_back(y.size == 1 ? y.data[0] : -1);
    return SCULPT_OK;
  };
  ErrorText error;
  std::int64_t count = 0;
  error.check(table.enumerate(bound.features.session(), 0, 4, visit, &seen, &count, error.raw()));
  CHECK(count == 4);
  CHECK(seen == Outputs{0, 1, 2, 3});
  seen.clear();
  error.check(table.enumerate(bound.features.session(), 0, 3, visit, &seen, &count, error.raw()));
  CHECK(count == 4);
  CHECK(seen.empty());
}

TEST_CASE("an empty sequence has no features of chain and the empty output of viterbi") {
  LiveComponent dataset(sculpt::Dataset<EmptySequences>::component);
  LiveComponent chain("chain", {{"start_end", true}});
  chain.bind(&dataset);
  const std::vector<double> w(static_cast<std::size_t>(dimension(chain)), 1.0);
  CHECK(psi(chain, 0, {}) == std::vector<double>(w.size()));
  CHECK(pullback(chain, 0, {}) == std::vector<double>(w.size()));
  CHECK(graph_of(chain, 0).variable_count == 0);
  CHECK(graph_of(chain, 0).theta_size == 0);
  const Solution found =
      solve(LiveComponent("viterbi"), graph_of(chain, 0), potentials(chain, 0, w));
  CHECK(found.output.empty());
  CHECK(found.flags == SCULPT_ANSWER_EXACT);
  CHECK(potentials(chain, 1, w) == std::vector<double>{5, 5});  // 2 + bias + start + end
  CHECK(truth_of(dataset, 0).empty());
  CHECK(is_labelled(dataset, 0));
  CHECK_FALSE(is_labelled(dataset, 2));
}

TEST_CASE("chain and multiclass refuse datasets that they cannot label") {
  LiveComponent two_labels(sculpt::Dataset<TwoLabels>::component);
  LiveComponent edges(sculpt::Dataset<Edges>::component);
  CHECK_THROWS_WITH(LiveComponent("chain").bind(&two_labels),
                    "labels every position, but org.example.empty_sequences has a fixed number of "
                    "labels for each example");
  CHECK_THROWS_WITH(LiveComponent("chain").bind(&edges),
                    "joins neighbours in reading order, but example 0 of "
                    "org.example.empty_sequences has its own edges; use the features `graph`");
  CHECK_THROWS_WITH(LiveComponent("multiclass").bind(&two_labels),
                    "gives an example one label, but org.example.empty_sequences has 2 labels for "
                    "each example");
}
