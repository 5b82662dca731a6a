// What a model says about examples, against what the program prints.

#include <cmath>
#include <sstream>

#include "command/host_process.hpp"
#include "host/caller.hpp"

using namespace sculpt::test;

namespace {

constexpr const char* sentences = "the DT B\ncat NN I\n\nit PRP B\nran VBD O\nfar RB O\n";

std::string tagger(const std::string& solver) {
  return R"({"name": "tagger", "dataset": {"use": "conll", "train": "train.txt",
    "templates": ["w[0]", "pos[0]"]},
    "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": )" +
         solver + "}";
}

// A model of the tagger, trained by the program, and examples read for it.
struct Tagger {
  explicit Tagger(const std::string& solver) {
    scratch.write("train.txt", sentences);
    scratch.write("tagger.json", tagger(solver));
    REQUIRE(scratch.sculpt({"train", "tagger.json", "--output", "run"}).exit == 0);
    sculpt_model* opened = nullptr;
    const std::string path = (scratch / "run").string();
    REQUIRE(sculpt_model_open(path.c_str(), &opened, nullptr) == SCULPT_EXIT_REACHED);
    model.reset(opened);
    examples = read_text(session.get(), model, sentences);
  }
  std::string predicted(std::vector<std::string> words) const {
    words.insert(words.begin(), {"predict", "run", "train.txt"});
    return scratch.sculpt(words).out;
  }
  Scratch scratch;
  SessionHandle session = open_session(2);
  ModelHandle model;
  ExamplesHandle examples;
};

const std::string crf = R"({"use": "crf", "C": 10, "relative_gap": 1e-6})";

std::string lines_of(const sculpt_outputs& outputs) {
  std::string lines;
  for (std::int64_t k = 0; k < outputs.first_output[outputs.example_count]; ++k) {
    lines += std::string(outputs.text[k]) + "\n";
  }
  return lines;
}

}  // namespace

TEST_CASE("outputs are those of predict") {
  const Tagger tagger(R"({"use": "n_slack", "C": 10})");
  CHECK(sculpt_examples_count(tagger.examples.get()) == 2);
  auto options = record<sculpt_predict_options>();
  options.has_text = 1;
  auto outputs = record<sculpt_outputs>();
  REQUIRE(sculpt_predict(tagger.examples.get(), &options, &outputs, nullptr) == 0);
  CHECK(outputs.example_count == 2);
  CHECK(lines_of(outputs) == tagger.predicted({}));
  CHECK(std::vector(outputs.first_label, outputs.first_label + 3) ==
        std::vector<std::int64_t>{0, 2, 5});
  CHECK(std::vector(outputs.label, outputs.label + 5) == std::vector<std::int32_t>{0, 1, 0, 2, 2});
  CHECK(outputs.score == nullptr);
}

TEST_CASE("scores, the best outputs and their probabilities are those of predict") {
  const Tagger tagger(crf);
  auto outputs = record<sculpt_outputs>();
  REQUIRE(sculpt_predict_best(tagger.examples.get(), 3, nullptr, &outputs, nullptr) == 0);
  REQUIRE(outputs.first_output[2] == 6);
  std::istringstream lines(tagger.predicted({"--nbest", "3"}));
  std::int64_t k = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# rank")) continue;
    std::istringstream words(line);
    std::string word;
    double score = 0;
    double probability = 0;
    words >> word >> word >> word >> word >> score >> word >> probability;
    CHECK(outputs.score[k] == score);
    CHECK(outputs.probability[k] == probability);
    ++k;
  }
  CHECK(k == 6);
  REQUIRE(sculpt_predict_sample(tagger.examples.get(), 2, 7, nullptr, &outputs, nullptr) == 0);
  CHECK(outputs.first_output[2] == 4);
}

TEST_CASE("marginals sum to 1 in each row, and decide the labels that are asked for") {
  const Tagger tagger(crf);
  auto rows = record<sculpt_rows>();
  REQUIRE(sculpt_predict_marginals(tagger.examples.get(), &rows, nullptr) == 0);
  REQUIRE(rows.first_row[rows.example_count] == 5);
  std::vector<std::int32_t> best;
  for (std::int64_t r = 0; r < 5; ++r) {
    const std::vector<double> p(rows.value + rows.first_value[r],
                                rows.value + rows.first_value[r + 1]);
    CHECK(p.size() == 3);
    CHECK(p[0] + p[1] + p[2] == doctest::Approx(1));
    best.push_back(static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin()));
  }
  auto options = record<sculpt_predict_options>();
  options.choice = SCULPT_BEST_MARGINALS;
  auto outputs = record<sculpt_outputs>();
  REQUIRE(sculpt_predict(tagger.examples.get(), &options, &outputs, nullptr) == 0);
  CHECK(std::vector(outputs.label, outputs.label + 5) == best);
}

TEST_CASE("scores of classes are those of predict --scores") {
  const Scratch scratch;
  const SessionHandle session = open_session();
  const ModelHandle model = trained(session.get());
  const std::string path = (scratch / "points.sculpt").string();
  REQUIRE(sculpt_model_save(model.get(), path.c_str(), nullptr) == 0);
  scratch.write("points.txt", points);
  std::istringstream printed(scratch.sculpt({"predict", path, "points.txt", "--scores"}).out);
  std::string names;
  std::getline(printed, names);
  const ExamplesHandle examples = read_text(session.get(), model, points);
  auto rows = record<sculpt_rows>();
  REQUIRE(sculpt_predict_scores(examples.get(), &rows, nullptr) == 0);
  CHECK(rows.first_row[rows.example_count] == 5);
  for (std::int64_t k = 0; k < rows.first_value[5]; ++k) {
    double score = 0;
    printed >> score;
    CHECK(rows.value[k] == score);
  }
}

TEST_CASE("metrics are those of evaluate --json") {
  const Tagger tagger(crf);
  const char* json = nullptr;
  REQUIRE(sculpt_evaluate(tagger.examples.get(), nullptr, &json, nullptr) == 0);
  const Outcome printed = tagger.scratch.sculpt({"evaluate", "run", "train.txt", "--json"});
  CHECK(Json::parse(json) == Json::parse(printed.out));
}

TEST_CASE("examples that are not measured are told, and data without any label are refused") {
  Said said;
  const SessionHandle session = open_session(1, &said);
  const ModelHandle model = trained(session.get());
  const ExamplesHandle partly = read_text(session.get(), model, "1 1:1\n2:1\n");
  const char* json = nullptr;
  REQUIRE(sculpt_evaluate(partly.get(), nullptr, &json, nullptr) == 0);
  CHECK(Json::parse(json)["examples"] == 1);
  CHECK(said.messages.find(
            "left out 1 unlabelled example of the text of the caller; 1 are measured") !=
        std::string::npos);
  const ExamplesHandle unlabelled = read_text(session.get(), model, "1:1\n");
  const Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_evaluate(unlabelled.get(), nullptr, &json, failure);
  });
  CHECK(end.exit == SCULPT_EXIT_DATA);
  CHECK(end.text.starts_with("the text of the caller: contains no labelled example"));
}

TEST_CASE("approximate probabilities are told, as evaluate tells them") {
  const Scratch scratch;
  const std::string ring = "graph g\na 1:1\nb 2:1\na 1:1\nedge 1 2\nedge 2 3\nedge 1 3\n";
  scratch.write("train.txt", ring + ring);
  scratch.write("ring.json", R"({"dataset": {"use": "graph", "train": "train.txt"},
      "features": "graph", "loss": "hamming", "oracle": "belief_propagation",
      "solver": {"use": "crf", "C": 1}})");
  REQUIRE(scratch.sculpt({"train", "ring.json", "--output", "run"}).exit == 3);
  const std::string printed = scratch.sculpt({"evaluate", "run", "train.txt"}).err;
  REQUIRE(printed.find("log Z of this oracle is an approximation") != std::string::npos);

  Said said;
  const SessionHandle session = open_session(1, &said);
  const std::string path = (scratch / "run").string();
  sculpt_model* opened = nullptr;
  REQUIRE(sculpt_model_open(path.c_str(), &opened, nullptr) == SCULPT_EXIT_REACHED);
  const ModelHandle model(opened);
  const ExamplesHandle examples = read_text(session.get(), model, ring);
  CHECK(said.messages.empty());
  auto rows = record<sculpt_rows>();
  REQUIRE(sculpt_predict_marginals(examples.get(), &rows, nullptr) == SCULPT_EXIT_REACHED);
  CHECK(said.messages == printed);
  said.messages.clear();
  const char* json = nullptr;
  REQUIRE(sculpt_evaluate(examples.get(), nullptr, &json, nullptr) == SCULPT_EXIT_REACHED);
  CHECK(said.messages == printed);
}

TEST_CASE("the bytes of a model are a model, and the names of its weights those of describe") {
  const Tagger tagger(R"({"use": "n_slack", "C": 10})");
  const std::string bytes = bytes_of(tagger.model);
  sculpt_model* copied = nullptr;
  REQUIRE(sculpt_model_from_bytes(bytes.data(), static_cast<std::int64_t>(bytes.size()), &copied,
                                  nullptr) == 0);
  const ModelHandle copy(copied);
  CHECK(bytes_of(copy) == bytes);
  const char* names = nullptr;
  REQUIRE(sculpt_model_weight_names(tagger.session.get(), copied, &names, nullptr) == 0);
  std::int64_t dimension = 0;
  sculpt_model_weights(copied, &dimension);
  const std::string text = names;
  CHECK(std::count(text.begin(), text.end(), '\n') == dimension);
  CHECK(text.find("w[0]=cat, label I\n") != std::string::npos);
}

TEST_CASE("examples outlive their session and their model") {
  ExamplesHandle examples;
  {
    const SessionHandle session = open_session();
    examples = read_text(session.get(), trained(session.get()), points);
  }
  auto outputs = record<sculpt_outputs>();
  REQUIRE(sculpt_predict(examples.get(), nullptr, &outputs, nullptr) == 0);
  CHECK(std::vector(outputs.label, outputs.label + 5) == std::vector<std::int32_t>{0, 1, 1, 0, 1});
}
