// Clustering of the items of a document, from training to prediction.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Feature 1 marks pairs of one cluster, feature 2 pairs of different clusters. Document 3 deviates
// a little from this.
const std::string pairs = R"(1 0 1 1 1:1
1 0 2 -1 2:1
1 1 2 -1 1:0.5 2:1
1 2 3 1 1:1 2:0.25
1 0 3 -1
2 0 1 -1 2:1
2 0 2 1 1:1
2 1 2 -1 2:1
3 0 1 1 1:1
3 1 2 1 1:1
3 0 2 1 2:0.5
3 2 3 -1 1:0.25 2:0.5
)";

Outcome train_clusters(const Scratch& scratch, const std::string& text, const std::string& loss,
                       const std::string& oracle, const std::vector<std::string>& more = {}) {
  scratch.write("pairs.txt", text);
  scratch.write("clusters.json", R"({
  "dataset": {"use": "item_pairs", "train": "pairs.txt"}, "features": "clustering",
  "loss": )" + loss + R"(,
  "oracle": )" + oracle + R"(,
  "solver": {"use": "n_slack", "C": 100}})");
  std::vector<std::string> words{"train", "clusters.json"};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

constexpr const char* rounded =
    R"(["agglomerative", {"use": "clustering_lp", "answers": "rounded"}])";

}  // namespace

TEST_CASE("clusters: training is certified by the linear program, and predict prints clusters") {
  const Scratch scratch;
  const Outcome outcome =
      train_clusters(scratch, pairs, R"("rand_error")", rounded, {"--output", "run"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json end = scratch.finished("run");
  CHECK(end["certified"] == true);
  CHECK(end["train"]["examples"] == 3);
  CHECK(end["train"]["rand_error"].get<double>() == doctest::Approx(0));
  CHECK(end["train"]["mitre_f1"].get<double>() == doctest::Approx(1));
  scratch.write("new.txt", "1 0 2 ? 1:1\n1 0 1 ? 2:1\nitems 9 1\n");
  const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(predicted.err);
  REQUIRE(predicted.exit == 0);
  CHECK(predicted.out == "0 1 0\n0\n");
}

TEST_CASE("clusters: the linear program and the enumeration of partitions reach the same optimum") {
  const Scratch scratch;
  REQUIRE(train_clusters(scratch, pairs, R"("rand_error")", rounded, {"--output", "lp"}).exit == 0);
  REQUIRE(train_clusters(scratch, pairs, R"("rand_error")", R"("clustering_enumeration")",
                         {"--output", "all"})
              .exit == 0);
  const auto primal = [&](const char* run) {
    return scratch.finished(run)["primal"].get<double>();
  };
  CHECK(primal("lp") == doctest::Approx(primal("all")).epsilon(2e-3));  // both to a gap of 1e-3
}

TEST_CASE("clusters: the objective of relaxed answers is not below the objective of outputs") {
  const Scratch scratch;
  REQUIRE(
      train_clusters(scratch, pairs, R"("rand_error")", R"("clustering_lp")", {"--output", "run"})
          .exit == 0);
  const Json relaxed = scratch.finished("run");
  CHECK(relaxed["objective"] == "relaxed");
  CHECK(relaxed["certified"] == true);
  REQUIRE(train_clusters(scratch, pairs, R"("rand_error")", R"("clustering_enumeration")",
                         {"--output", "all"})
              .exit == 0);
  CHECK(relaxed["primal"].get<double>() >= scratch.finished("all")["dual"].get<double>());
}

TEST_CASE("clusters: n_slack and one_slack reach the same optimum with MITRE in two formulations") {
  const Scratch scratch;
  for (const char* formulation : {"solver.rescaling=slack", "solver.slack_norm=2"}) {
    CAPTURE(formulation);
    for (const char* solver : {"n_slack", "one_slack"}) {
      const Outcome outcome = train_clusters(
          scratch, pairs, R"("mitre")", R"("clustering_enumeration")",
          {"--force", "--output", solver, "--set", formulation, "--set",
           std::string("solver.use=") + solver, "--set", "solver.relative_gap=1e-4"});
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      CHECK(scratch.finished(solver)["certified"] == true);
    }
    const auto primal = [&](const char* run) {
      return scratch.finished(run)["primal"].get<double>();
    };
    CHECK(primal("n_slack") == doctest::Approx(primal("one_slack")).epsilon(2e-4));
  }
}

TEST_CASE("clusters: training for MITRE with a greedy oracle is not certified") {
  const Scratch scratch;
  // The greedy oracle finds at most the maximum, so its dual is at most the optimum.
  REQUIRE(train_clusters(scratch, pairs, R"("mitre")", R"("clustering_enumeration")",
                         {"--output", "all"})
              .exit == 0);
  train_clusters(scratch, pairs, R"("mitre")", R"("agglomerative")", {"--output", "greedy"});
  const Json greedy = scratch.finished("greedy");
  CHECK(greedy["certified"] == false);
  CHECK(greedy["dual"].get<double>() <=
        scratch.finished("all")["primal"].get<double>() * (1 + 1e-9));
}

TEST_CASE("threads: clusters give the same model on one thread and on two") {
  const Scratch scratch;
  for (const char* threads : {"1", "2"}) {
    const Outcome outcome =
        train_clusters(scratch, pairs, R"("rand_error")", R"("clustering_lp")",
                       {"--threads", threads, "--output", std::string("run") + threads});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
  }
  CHECK(scratch.read("run1/model.sculpt") == scratch.read("run2/model.sculpt"));
}

TEST_CASE("clusters: a document that is too large for an oracle is refused before the run") {
  const Scratch scratch;
  const std::string enumeration = R"({"use": "clustering_enumeration", "max_items": 4})";
  scratch.write("large.txt", "1 0 1 1 1:1\nitems 2 5\n2 0 4 -1 2:1\n");
  for (const char* oracle :
       {R"("clustering_enumeration")", R"(["agglomerative", "clustering_lp"])"}) {
    CAPTURE(oracle);
    const std::string last = oracle[0] == '[' ? "oracle.1" : "oracle";
    check_refused(
        scratch,
        train_clusters(scratch, pairs, R"("rand_error")", oracle,
                       {"--set", "dataset.test=large.txt", "--set", last + ".max_items=4"}),
        78, {".max_items=4: ", "example 4, a document of 5 items", "max_items = 4"});
  }
  REQUIRE(
      train_clusters(scratch, pairs, R"("rand_error")", enumeration, {"--output", "run"}).exit ==
      0);
  check_refused(scratch, scratch.sculpt({"predict", "run", "large.txt"}), 78,
                {"example 1, a document of 5 items", "use the oracle clustering_lp"});
}

TEST_CASE("clusters: wrong data and combinations that cannot work are refused with the remedy") {
  const Scratch scratch;
  check_refused(
      scratch, train_clusters(scratch, pairs, R"("mitre")", R"("clustering_lp")"), 78,
      {"clusters.json:4:", "needs a loss that is a sum over pairs, but org.sculpt.mitre is not"});
  check_refused(
      scratch,
      train_clusters(scratch, pairs, R"("rand_error")", R"("clustering_lp")",
                     {"--set", "solver.rescaling=slack"}),
      78, {"clusters.json:4:", "gives relaxed answers, which need \"rescaling\": \"margin\""});
  check_refused(
      scratch,
      train_clusters(scratch, pairs + "3 1 3 1\n", R"("rand_error")", R"("agglomerative")"), 65,
      {"pairs.txt:12:3: items 2 and 3 are marked as different", "line 13"});
  check_refused(
      scratch,
      train_clusters(scratch, "items 1 3\n1 0 3 1 1:1\n", R"("rand_error")", R"("agglomerative")"),
      65, {"pairs.txt:2:5: item 3 is too large: line 1 gives"});
  check_refused(
      scratch,
      train_clusters(scratch, pairs + "4 0 1 ? 1:1\n", R"("rand_error")", R"("agglomerative")"), 65,
      {"pairs.txt:13:3: document 4 is unlabelled"});
}
