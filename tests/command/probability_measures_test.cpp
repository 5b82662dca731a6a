// The metrics of probabilities in train, evaluate and sweep, and how --marginals lines up with
// predict.

#include <doctest/doctest.h>

#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

constexpr int exit_no_metric = 64;

const std::string known_words =
    "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n";

}  // namespace

TEST_CASE("the examples behind the log-loss are counted if labels are unknown") {
  const Scratch scratch;
  scratch.write("test.txt", "1 0 0 a 1 10\n1 0 1 ? 0 01\n2 0 0 c 1 11\n2 0 1 a 0 10\n");
  scratch.write("words.txt", known_words);
  scratch.write("words.json",
                R"({"dataset": {"use": "letters", "train": "words.txt", "test": "test.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": "crf"})");
  const Outcome trained = scratch.sculpt({"train", "words.json", "--output", "run"});
  REQUIRE(trained.exit == 0);
  CHECK(contains(trained.out, "2 examples (log_loss: 1)"));
  const Outcome outcome = scratch.sculpt({"evaluate", "run", "test.txt", "--json"});
  CHECK(Json::parse(outcome.out) == scratch.finished("run")["test"]);
  CHECK(Json::parse(outcome.out)["log_loss_examples"] == 1);
  CHECK(contains(scratch.sculpt({"evaluate", "run", "test.txt"}).out, "log_loss_examples   1\n"));
  scratch.write("test.txt", "1 0 0 a 1 10\n1 0 1 ? 0 01\n");
  const Json none = Json::parse(scratch.sculpt({"evaluate", "run", "test.txt", "--json"}).out);
  CHECK(none["log_loss_examples"] == 0);
  CHECK_FALSE(none.contains("log_loss"));
}

TEST_CASE("a sweep chooses by the log-loss of held-out data") {
  const Scratch scratch;
  scratch.write("words.txt", known_words + "3 0 0 b 1 01\n3 0 1 a 0 01\n4 0 0 c 0 10\n");
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": "crf"})");
  const auto sweep = [&](const std::string& solvers, const std::string& metric) {
    return scratch.sculpt({"sweep", "words.json", "--set", solvers, "--set", "solver.C=1,100",
                           "--folds", "2", "--best", metric, "--output", "sweep", "--force"});
  };
  const Outcome outcome = sweep("solver.use=crf", "log_loss");
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json table = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(table.size() == 2);
  std::vector<double> means;
  for (const Json& row : table) {
    CHECK_FALSE(row["validation"].contains("log_loss_examples"));
    means.push_back(row["validation"]["log_loss"]["mean"].get<double>());
  }
  CHECK(means[0] != means[1]);
  const Json config = Json::parse(scratch.read("sweep/best/config.json"));
  CHECK(config["solver"]["C"] == (means[0] < means[1] ? 1 : 100));
  CHECK(sweep("solver.use=n_slack,crf", "log_loss").exit == 0);
  const Outcome none = sweep("solver.use=n_slack,one_slack", "log_loss");
  CHECK(none.exit == exit_no_metric);
  CHECK(contains(none.err, "there is no metric \"log_loss\" on held-out data"));
}

TEST_CASE("perplexity is left out where positions of outputs are no labels") {
  const Scratch scratch;
  scratch.write("pairs.fa", ">a\nGGGAAACCC\n(((...)))\n");
  scratch.write("pairs.json", R"({"dataset": {"use": "dot_bracket", "train": "pairs.fa"},
      "features": "rna", "loss": "missed", "oracle": "rna", "solver": {"use": "crf", "C": 1}})");
  const Outcome trained = scratch.sculpt({"train", "pairs.json", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(scratch.finished("run")["train"].contains("log_loss"));
  CHECK_FALSE(scratch.finished("run")["train"].contains("perplexity"));
  CHECK_FALSE(contains(scratch.sculpt({"evaluate", "run", "pairs.fa"}).out, "perplexity"));
}

TEST_CASE("--best by probabilities of labels is refused before the cells if the oracle has none") {
  const Scratch scratch;
  scratch.write("pairs.fa", ">a\nGGGAAACCC\n(((...)))\n>b\nGGAAACC\n((...))\n");
  scratch.write("pairs.json", R"({"dataset": {"use": "dot_bracket", "train": "pairs.fa"},
      "features": "rna", "loss": "missed", "oracle": "rna", "solver": {"use": "crf", "C": 1}})");
  for (const std::string metric : {"perplexity", "calibration_error"}) {
    const Outcome outcome = scratch.sculpt(
        {"sweep", "pairs.json", "--folds", "2", "--best", metric, "--output", "sweep", "--force"});
    check_refused(scratch, outcome, exit_no_metric,
                  {"needs the probabilities of single labels", "use --best log_loss"});
    CHECK_FALSE(fs::exists(scratch / "sweep/cells"));
  }
  CHECK(scratch
            .sculpt({"sweep", "pairs.json", "--folds", "2", "--best", "log_loss", "--output",
                     "sweep", "--force"})
            .exit != exit_no_metric);
}

TEST_CASE("train says that probabilities are approximate, and what helps messages to converge") {
  const Scratch scratch;
  std::string text;
  for (const std::string name : {"one", "two"}) {
    text += "graph " + name + "\na 1:1\nb 2:1\na 1:1\nedge 1 2\nedge 2 3\nedge 1 3\n";
  }
  scratch.write("train.txt", text);
  scratch.write("ring.json", R"({"dataset": {"use": "graph", "train": "train.txt"},
      "features": "graph", "loss": "hamming", "oracle": "belief_propagation",
      "solver": {"use": "crf", "C": 1}})");
  const std::string approximate = "log Z of this oracle is an approximation, and so are the prob";
  const Outcome trained = scratch.sculpt({"train", "ring.json", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 3);
  CHECK(contains(trained.err, approximate));
  CHECK_FALSE(contains(trained.err, "did not converge"));
  CHECK(contains(scratch.sculpt({"evaluate", "run", "train.txt"}).err, approximate));
  const Outcome rough =
      scratch.sculpt({"train", "ring.json", "--output", "rough", "--set",
                      R"(oracle={"use": "belief_propagation", "max_iterations": 1})"});
  CHECK(contains(rough.err, "belief_propagation: the messages did not converge before"));
  CHECK(contains(rough.err, "set \"damping\""));
}

TEST_CASE("marginals of sentences have an empty line where the outputs have one") {
  const Scratch scratch;
  scratch.write("train.txt", "the D\ncat N\nsees V\n\nold D\ncat N\n\n");
  scratch.write("tags.json",
                R"({"dataset": {"use": "conll", "columns": ["w"], "templates": ["w[0]"],
      "train": "train.txt"}, "features": "chain", "loss": "hamming", "oracle": "viterbi",
      "solver": "crf"})");
  const Outcome trained = scratch.sculpt({"train", "tags.json", "--output", "run"});
  REQUIRE(trained.exit == 0);
  CHECK(contains(trained.err, "data: 5 positions, 3 labels, 4 inputs\n"));
  const std::string described = scratch.sculpt({"describe", "run"}).out;
  CHECK(contains(described, "data            3 labels, 4 inputs\n"));
  CHECK(contains(described, "learned from 2 examples\n"));
  std::istringstream outputs(scratch.sculpt({"predict", "run", "train.txt"}).out);
  std::istringstream marginals(scratch.sculpt({"predict", "run", "train.txt", "--marginals"}).out);
  std::string row, output;
  std::getline(marginals, row);
  CHECK(row == "# D N V");
  int lines = 0;
  while (std::getline(outputs, output)) {
    REQUIRE(std::getline(marginals, row));
    CHECK(row.empty() == output.empty());
    ++lines;
  }
  CHECK(lines == 7);
  CHECK_FALSE(std::getline(marginals, row));
}
