// The features and the oracle `homolog`, and the loss `decoy`, agree with a list of all alignments
// with all candidates. Also pairs_fasta with decoys.
#include <doctest/doctest.h>

#include "alignment_outputs.hpp"
#include "bound_features.hpp"
#include "oracle_calls.hpp"
#include "refusals.hpp"

#include <algorithm>
#include <cmath>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A sequence with candidates. The homolog is the last candidate; in a file it is the first.
struct DrawnCandidates {
  AlignmentTask task;  // b is the homolog
  std::vector<std::string> candidates;
  std::string file() const {
    std::string text = task.file();
    for (std::size_t k = 0; k + 1 < candidates.size(); ++k) text += ">c\n" + candidates[k] + "\n";
    return text;
  }
  // All alignments with candidate k; the outputs begin with k.
  std::vector<Outputs> all(std::size_t k) const {
    AlignmentTask with = task;
    with.b = candidates[k];
    std::vector<Outputs> result = all_alignments(with);
    for (Outputs& y : result) y.insert(y.begin(), static_cast<std::int32_t>(k));
    return result;
  }
  // All outputs. With a truth, the only output of its candidate is the truth.
  std::vector<Outputs> outputs(const Outputs* truth) const {
    std::vector<Outputs> result;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (truth != nullptr && static_cast<std::size_t>(truth->front()) == k) {
        result.push_back(*truth);
        continue;
      }
      const std::vector<Outputs> of_one = all(k);
      result.insert(result.end(), of_one.begin(), of_one.end());
    }
    return result;
  }
};

DrawnCandidates draw_candidates(Random& random) {
  DrawnCandidates drawn{draw_alignment_task(random, 3), {}};
  for (int k = draw(random, 0, 2); k > 0; --k) {
    drawn.candidates.push_back(draw_alignment_task(random, 3).b);
  }
  drawn.candidates.push_back(drawn.task.b);
  return drawn;
}

struct BoundHomolog {
  BoundHomolog(const DrawnCandidates& drawn, const std::string& loss_name)
      : bound("alignment#pairs_fasta", {{"decoys", true}}, drawn.file(), "alignment#homolog",
              drawn.task.parameters()),
        loss(loss_name),
        oracle("alignment#homolog", json::object(), SCULPT_KIND_ORACLE) {
    loss.bind(&bound.dataset, &bound.features);
    loss.seal();
    oracle.bind(&bound.dataset, &bound.features, &loss);
    oracle.seal();
  }
  std::vector<double> psi_of(const Outputs& y) const { return psi(bound.features, 0, y); }

  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
};

}  // namespace

TEST_CASE("homolog: argmax is the best of all outputs, with a truth and without") {
  Random random(921);
  for (int trial = 0; trial < 300; ++trial) {
    const DrawnCandidates drawn = draw_candidates(random);
    const BoundHomolog homolog(drawn, trial % 2 == 0 ? "alignment#decoy" : "zero_one");
    const std::vector<double> w =
        normal_vector(random, static_cast<std::size_t>(dimension(homolog.bound.features)));
    const std::vector<Outputs> any = drawn.outputs(nullptr);
    const Outputs truth =
        any[static_cast<std::size_t>(draw(random, 0, static_cast<int>(any.size()) - 1))];
    for (const double loss_weight : {-1.0, 0.0, 1.0, 2.5}) {  // -1: without a truth
      const bool labelled = loss_weight >= 0;
      const OracleQuery query{0, w, truth, std::max(0.0, loss_weight), labelled};
      double best = -1e300;
      double z = 0;
      for (const Outputs& y : labelled ? drawn.outputs(&truth) : any) {
        const double score = dot(w, homolog.psi_of(y));
        const double delta = labelled && y[0] != truth[0] ? query.loss_weight : 0;
        best = std::max(best, score + delta);
        z += std::exp(score + delta);
      }
      const Solution answer = argmax(homolog.oracle, query);
      CHECK(answer.flags == SCULPT_ANSWER_EXACT);
      CHECK(answer.value == Approx(best).epsilon(1e-11));
      const double delta = labelled ? loss(homolog.loss, 0, truth, answer.output) : 0;
      CHECK(dot(w, homolog.psi_of(answer.output)) + query.loss_weight * delta ==
            Approx(best).epsilon(1e-11));
      if (trial % 2 == 0) CHECK(mean(homolog.oracle, query).log_z == Approx(std::log(z)));
    }
    for (const auto& [counts, entry] : frontier(homolog.oracle, homolog.loss, {0, w, truth, 1})) {
      double best = -1e300;
      for (const Outputs& y : drawn.outputs(&truth)) {
        if ((y[0] != truth[0]) == (counts[0] > 0)) best = std::max(best, dot(w, homolog.psi_of(y)));
      }
      CHECK(entry.score == Approx(best).epsilon(1e-11));
    }
  }
}

TEST_CASE("homolog: with a truth the k best and draws are its outputs") {
  Random random(922);
  for (int trial = 0; trial < 60; ++trial) {
    const DrawnCandidates drawn = draw_candidates(random);
    const BoundHomolog homolog(drawn, "alignment#decoy");
    const Outputs truth = drawn.all(drawn.candidates.size() - 1).front();
    const OracleQuery query{
        0, normal_vector(random, static_cast<std::size_t>(dimension(homolog.bound.features))),
        truth, 0};
    std::vector<Outputs> expected = drawn.outputs(&truth);
    std::vector<Outputs> found;
    for (const Solution& one : k_best(homolog.oracle, query, expected.size() + 1)) {
      CHECK(one.value == Approx(dot(query.w, homolog.psi_of(one.output))));
      found.push_back(one.output);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
    for (const Outputs& y : draws(homolog.oracle, query, 5)) {
      CHECK(std::binary_search(expected.begin(), expected.end(), y));
    }
  }
}

TEST_CASE("homolog: decoys win ties because they come before the homolog") {
  AlignmentTask task{"AC", "AC"};
  const DrawnCandidates drawn{task, {"AC", "CA", "AC"}};
  const BoundHomolog homolog(drawn, "alignment#decoy");
  CHECK(truth_of(homolog.bound.dataset, 0) == Outputs{2, 0, 0, 0, 0});
  const std::vector<double> zero(static_cast<std::size_t>(dimension(homolog.bound.features)), 0.0);
  CHECK(argmax(homolog.oracle, {0, zero, {}, 0, false}).output[0] == 0);
}

TEST_CASE(
    "homolog: psi is that of the alignment with the candidate, also with tracks and profiles") {
  Random random(923);
  for (int trial = 0; trial < 100; ++trial) {
    const AlignmentTask task = draw_annotated_task(random, 4);
    // the same row is the decoy and the homolog
    const std::string file = task.file();
    const std::string decoy = file.substr(file.find(">b"));
    const BoundFeatures pair("alignment#pairs_fasta", task.dataset_parameters(), file, "alignment",
                             task.parameters());
    json with_decoys = task.dataset_parameters();
    with_decoys["decoys"] = true;
    const BoundFeatures homolog("alignment#pairs_fasta", with_decoys, file + decoy,
                                "alignment#homolog", task.parameters());
    const std::vector<double> w =
        normal_vector(random, static_cast<std::size_t>(dimension(pair.features)));
    LiveComponent oracle("alignment#homolog", json::object(), SCULPT_KIND_ORACLE);
    oracle.bind(&homolog.dataset, &homolog.features);
    oracle.seal();
    double best = -1e300;
    for (const Outputs& y : all_alignments(task)) {
      best = std::max(best, dot(w, psi(pair.features, 0, y)));
      for (const int candidate : {0, 1}) {
        Outputs with = y;
        with.insert(with.begin(), candidate);
        CHECK(psi(homolog.features, 0, with) == psi(pair.features, 0, y));
      }
    }
    CHECK(argmax(oracle, {0, w, {}, 0, false}).value == Approx(best));
  }
}

TEST_CASE("pairs_fasta: with decoys the text names the aligned row") {
  LiveComponent pairs("alignment#pairs_fasta", {{"decoys", true}});
  pairs.load("train", ">a\nAC-G\n>b\nA-TG\n>c\nGG\n>d\nT\n");
  pairs.bind(nullptr);
  pairs.seal();
  const std::vector<std::pair<Outputs, std::string>> cases{{{2, 0, 0, 0, 1, 2, 0}, "2 AC-G A-TG"},
                                                           {{0, 0, 0, 0, 1, 0}, "3 ACG G-G"},
                                                           {{1, 2, 0, 0}, "4 3:G 1:T"},
                                                           {{0}, "3 -"}};
  CHECK(truth_of(pairs, 0) == cases[0].first);
  for (const auto& [y, text] : cases) {
    CHECK(format(pairs, 0, y) == text);
    CHECK(parse(pairs, 0, text) == y);
  }
  for (const char* const text : {"5 -", "1 -", "x", "", "2", "3 A T"}) {
    CHECK_THROWS_AS(parse(pairs, 0, text), CallFailed);
  }
  for (const Outputs& y : {Outputs{}, Outputs{3}, Outputs{-1}, Outputs{1, 0}}) {
    CHECK_THROWS_AS(format(pairs, 0, y), CallFailed);
  }
}

TEST_CASE("pairs_fasta: decoys with gaps are refused, and decoys without the parameter decoys") {
  const std::string three = ">a\nA-\n>b\nAC\n>c\nA-\n";
  CHECK(refused_pairs(three, {{"decoys", true}})
            .find("data.txt:6:2: this row is a decoy, which must have no gaps") !=
        std::string::npos);
  CHECK(refused_pairs(">a\nA-\n>b\nAC\n>c\nA\n", json::object())
            .find("data.txt:5:1: this is a third row; put a blank line between two pairs, or set "
                  "the parameter `decoys`") != std::string::npos);
}

TEST_CASE("homolog: a truth is an output for any order of its gaps") {
  for (const char* text : {">a\nAC--\n>h\n--CA\n>d\nAA\n", ">a\n--AC\n>h\nCA--\n>d\nAA\n"}) {
    const BoundFeatures bound("alignment#pairs_fasta", {{"decoys", true}}, text,
                              "alignment#homolog");
    LiveComponent decoy("alignment#decoy");
    decoy.bind(&bound.dataset, &bound.features);
    decoy.seal();
    LiveComponent oracle("alignment#homolog", json::object(), SCULPT_KIND_ORACLE);
    oracle.bind(&bound.dataset, &bound.features, &decoy);
    oracle.seal();
    OracleQuery query{0, std::vector<double>(static_cast<std::size_t>(dimension(bound.features))),
                      truth_of(bound.dataset, 0), 1};
    CHECK((argmax(oracle, query).flags & SCULPT_ANSWER_TRUTH_OUTSIDE) == 0);
  }
}

TEST_CASE("homolog: needs a dataset with decoys and a loss that supports them") {
  LiveComponent pairs("alignment#pairs_fasta");
  pairs.load("train", ">a\nA\n>b\nA\n");
  pairs.bind(nullptr);
  pairs.seal();
  LiveComponent features("alignment#homolog", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_AS(features.bind(&pairs), CallFailed);
  LiveComponent decoy("alignment#decoy");
  CHECK_THROWS_AS(decoy.bind(&pairs), CallFailed);

  const DrawnCandidates drawn{AlignmentTask{"AC", "AC"}, {"AC", "AC"}};
  const BoundHomolog homolog(drawn, "alignment#decoy");
  LiveComponent alignment("alignment", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_AS(alignment.bind(&homolog.bound.dataset), CallFailed);
  LiveComponent q("alignment#q");
  CHECK_THROWS_AS(q.bind(&homolog.bound.dataset), CallFailed);
  LiveComponent oracle("alignment#homolog", json::object(), SCULPT_KIND_ORACLE);
  const LiveComponent hamming("hamming");
  CHECK_THROWS_AS(oracle.bind(&homolog.bound.dataset, &homolog.bound.features, &hamming),
                  CallFailed);
  const Outputs truth{1, 0, 0, 0, 0};
  const json found =
      metrics(homolog.loss, {{truth, {1, 0, 0, 1, 2, 0}}, {truth, {0, 0, 0, 0, 0}}}, {truth});
  CHECK(found["decoy_error"].get<double>() == Approx(2.0 / 3));
}
