// predict --given: labels that the data have are kept, and the best of such outputs is found.

#include <doctest/doctest.h>

#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {


const char* const tagged =
    "the D\ncat N\nsees V\nthe D\nold N\n\nold D\ncat N\nsees V\n\nthe D\nold D\ncat N\n\n";

Outcome train_tagger(const Scratch& scratch, const std::string& solver, const std::string& oracle) {
  scratch.write("train.txt", tagged);
  scratch.write("tags.json",
                R"({"dataset": {"use": "conll", "columns": ["w"], "templates": ["w[0]"],
      "train": "train.txt"}, "features": "chain", "loss": "hamming", "oracle": ")" +
                    oracle + R"(", "solver": )" + solver + "}");
  return scratch.sculpt({"train", "tags.json", "--output", "run", "--force"});
}

// The last field of each row, by sentence. Rows of --nbest that begin with # end a sentence.
std::vector<std::vector<std::string>> last_fields(const std::string& text) {
  std::vector<std::vector<std::string>> sentences(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) {
      if (!sentences.back().empty()) sentences.emplace_back();
      continue;
    }
    sentences.back().push_back(line.substr(line.find_last_of(" \t") + 1));
  }
  if (sentences.back().empty()) sentences.pop_back();
  return sentences;
}

bool agrees(const std::vector<std::string>& labels, const std::vector<std::string>& given) {
  for (std::size_t t = 0; t < given.size(); ++t) {
    if (given[t] != "?" && given[t] != labels.at(t)) return false;
  }
  return true;
}

Outcome predict_given(const Scratch& scratch, const std::string& file) {
  return scratch.sculpt({"predict", "run", file, "--given", "--set", "dataset.unseen_labels=free"});
}

}  // namespace

TEST_CASE("predict --given prints the first of all outputs that keeps the given labels") {
  for (const std::string solver :
       {R"({"use": "n_slack", "C": 10})", R"({"use": "crf", "C": 10})"}) {
    for (const std::string oracle : {"viterbi", "enumerate"}) {
      CAPTURE(solver);
      CAPTURE(oracle);
      const Scratch scratch;
      REQUIRE(train_tagger(scratch, solver, oracle).exit == 0);
      scratch.write("words.txt", "the\nold\ncat\nsees\n\n");
      const auto ranked =
          last_fields(scratch.sculpt({"predict", "run", "words.txt", "--nbest", "1000"}).out);
      REQUIRE(ranked.size() == 81);
      for (const std::string given : {"????", "V???", "?N??", "??V?", "???D", "V?D?", "NNNN"}) {
        CAPTURE(given);
        const std::vector<std::string> words = {"the", "old", "cat", "sees"};
        std::string text;
        std::vector<std::string> labels;
        for (std::size_t t = 0; t < words.size(); ++t) {
          labels.emplace_back(1, given[t]);
          text += words[t] + " " + labels.back() + "\n";
        }
        scratch.write("given.txt", text + "\n");
        const Outcome outcome = predict_given(scratch, "given.txt");
        INFO(outcome.err);
        REQUIRE(outcome.exit == 0);
        std::size_t first = 0;
        while (!agrees(ranked[first], labels)) ++first;
        CHECK(last_fields(outcome.out) == std::vector<std::vector<std::string>>(1, ranked[first]));
      }
    }
  }
}

TEST_CASE("predict --given keeps a label against many factors that share one table") {
  const Scratch scratch;
  const auto star = [](const std::string& name, const std::string& centre,
                       const std::vector<std::string>& leaves) {
    std::string text = "graph " + name + "\n" + centre + " 1:1\n";
    for (const std::string& leaf : leaves) text += leaf + " 1:1\n";
    for (std::size_t k = 0; k < leaves.size(); ++k)
      text += "edge 1 " + std::to_string(k + 2) + "\n";
    return text;
  };
  const std::vector<std::string> all_a(30, "a");
  scratch.write("train.txt", star("one", "a", all_a) + star("two", "b", {30, "b"}));
  scratch.write("star.json", R"({"dataset": {"use": "graph", "train": "train.txt"},
      "features": "graph", "loss": "hamming", "oracle": "viterbi",
      "solver": {"use": "crf", "C": 1000}})");
  REQUIRE(scratch.sculpt({"train", "star.json", "--output", "run"}).exit == 0);
  std::vector<std::string> leaves = all_a;
  leaves.back() = "?";
  scratch.write("given.txt", star("three", "b", leaves));
  const Outcome outcome = scratch.sculpt({"predict", "run", "given.txt", "--given"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  std::string labels;
  for (const char character : outcome.out) {
    if (character == 'a' || character == 'b') labels += character;
  }
  CHECK(labels == "b" + std::string(29, 'a') + "b");
}

TEST_CASE("predict --given keeps the known letters of a word") {
  const Scratch scratch;
  scratch.write("train.txt", "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n");
  scratch.write("letters.json", R"({"dataset": {"use": "letters", "train": "train.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi",
      "solver": {"use": "crf", "C": 10}})");
  REQUIRE(scratch.sculpt({"train", "letters.json", "--output", "run"}).exit == 0);
  for (const std::string known : {"a", "b"}) {
    scratch.write("some.txt", "1 0 0 " + known + " 1 10\n1 0 1 ? 0 01\n");
    CHECK(scratch.sculpt({"predict", "run", "some.txt", "--given"}).out.substr(0, 1) == known);
  }
}

TEST_CASE("predict --given without any label predicts, and keeps whole truths") {
  const Scratch scratch;
  REQUIRE(train_tagger(scratch, R"({"use": "n_slack", "C": 10})", "viterbi").exit == 0);
  scratch.write("words.txt", "the\nold\ncat\n\n");
  CHECK(scratch.sculpt({"predict", "run", "words.txt", "--given"}).out ==
        scratch.sculpt({"predict", "run", "words.txt"}).out);
  scratch.write("labelled.txt", "the V\nold V\ncat D\n\n");
  CHECK(last_fields(scratch.sculpt({"predict", "run", "labelled.txt", "--given"}).out) ==
        std::vector<std::vector<std::string>>{{"V", "V", "D"}});
}

TEST_CASE("labels that stand for none are not measured") {
  const Scratch scratch;
  REQUIRE(train_tagger(scratch, R"({"use": "n_slack", "C": 10})", "viterbi").exit == 0);
  scratch.write("some.txt", "the D\nold ?\ncat V\n\n");
  const Outcome outcome = scratch.sculpt(
      {"evaluate", "run", "some.txt", "--json", "--set", "dataset.unseen_labels=free"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(Json::parse(outcome.out)["token_error"] == 0.5);
  CHECK(outcome.err.find("1 token has a label that does not occur in the training data; it is "
                         "taken for no label") != std::string::npos);
}

TEST_CASE("evaluate says which examples the metrics of probabilities leave out") {
  const Scratch scratch;
  REQUIRE(train_tagger(scratch, R"({"use": "crf", "C": 10})", "viterbi").exit == 0);
  scratch.write("some.txt", "the D\nold ?\ncat V\n\nthe D\n\n");
  const Outcome outcome = scratch.sculpt(
      {"evaluate", "run", "some.txt", "--json", "--set", "dataset.unseen_labels=free"});
  REQUIRE(outcome.exit == 0);
  CHECK(Json::parse(outcome.out).contains("log_loss"));
  CHECK(outcome.err.find("leave out 1 example with labels that are not known") !=
        std::string::npos);
}

TEST_CASE("no chunk is counted where the label stands for none, and none reaches across it") {
  const Scratch scratch;
  scratch.write("train.txt", "the B-N\ncat I-N\nsees O\n\nold B-N\nfat I-N\ncat I-N\nsees O\n\n");
  scratch.write("tags.json",
                R"({"dataset": {"use": "conll", "columns": ["w"], "templates": ["w[0]"],
      "train": "train.txt"}, "features": "chain", "loss": "hamming", "oracle": "viterbi",
      "solver": {"use": "n_slack", "C": 100}})");
  REQUIRE(scratch.sculpt({"train", "tags.json", "--output", "run"}).exit == 0);
  const auto chunk_f1 = [&](const std::string& text) {
    scratch.write("some.txt", text);
    const Outcome outcome = scratch.sculpt(
        {"evaluate", "run", "some.txt", "--json", "--set", "dataset.unseen_labels=free"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return Json::parse(outcome.out)["chunk_f1"];
  };
  // The guess is right: B-N I-N O.
  CHECK(chunk_f1("the B-N\ncat I-N\nsees O\n\n") == 1);
  // One wrong chunk, and tokens without a label that would be right: F1 is that of the labels.
  CHECK(chunk_f1("the O\ncat O\nsees B-N\n\nthe ?\ncat ?\nsees ?\n\n") == 0);
  // "fat" has no label: neither the truth nor the guess has a chunk of three tokens.
  CHECK(chunk_f1("old B-N\nfat ?\ncat O\nsees O\n\n") == doctest::Approx(2.0 / 3));
}

TEST_CASE("predict --given is refused with other ways to print, and for oracles without it") {
  const Scratch scratch;
  REQUIRE(train_tagger(scratch, R"({"use": "n_slack", "C": 10})", "viterbi").exit == 0);
  scratch.write("some.txt", "the D\nold ?\n\n");
  check_refused(scratch, scratch.sculpt({"predict", "run", "some.txt", "--given", "--scores"}),
                exit_usage, {"exclude each other"});
  check_refused(scratch, scratch.sculpt({"predict", "run", "some.txt", "--given"}), exit_data,
                {"some.txt:2:5: label '?' does not occur in the training data (D, N, V)",
                 "take it for no label (free)"});
  scratch.write("pairs.fa", ">a\nGGGAAACCC\n(((...)))\n");
  scratch.write("pairs.json", R"({"dataset": {"use": "dot_bracket", "train": "pairs.fa"},
      "features": "rna", "loss": "missed", "oracle": "rna", "solver": {"use": "n_slack", "C": 1}})");
  REQUIRE(scratch.sculpt({"train", "pairs.json", "--output", "rna"}).exit == 0);
  check_refused(scratch, scratch.sculpt({"predict", "rna", "pairs.fa", "--given"}), exit_config,
                {"rna does not complete given labels (sculpt.complete/1)"});
  check_refused(scratch, scratch.sculpt({"predict", "rna", "pairs.fa", "--given", "--nbest", "2"}),
                exit_config, {"needs a map_solver, and rna is none", "use --given alone"});
}

namespace {

// The numbers behind a word in the lines that begin with #: "probability".
std::vector<double> numbers_after(const std::string& text, const std::string& word) {
  std::vector<double> numbers;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(word + " ");
    if (!line.starts_with('#') || at == std::string::npos) continue;
    numbers.push_back(std::stod(line.substr(at + word.size() + 1)));
  }
  return numbers;
}

constexpr const char* label_names = "DNV";

}  // namespace

TEST_CASE("with --given the k best and the marginals are those of the outputs that agree") {
  for (const std::string solver :
       {R"({"use": "crf", "C": 10})", R"({"use": "crf", "C": 300, "temperature": 0.5})"}) {
    for (const std::string oracle : {"viterbi", "enumerate"}) {
      CAPTURE(solver);
      CAPTURE(oracle);
      const Scratch scratch;
      REQUIRE(train_tagger(scratch, solver, oracle).exit == 0);
      scratch.write("words.txt", "the\nold\ncat\nsees\n\n");
      const std::string all =
          scratch.sculpt({"predict", "run", "words.txt", "--nbest", "1000"}).out;
      const auto ranked = last_fields(all);
      const std::vector<double> probabilities = numbers_after(all, "probability");
      const std::vector<double> scores = numbers_after(all, "score");
      REQUIRE(probabilities.size() == 81);
      for (const std::string given : {"V???", "?N??", "V?D?", "NNNN"}) {
        CAPTURE(given);
        std::vector<std::string> labels;
        std::string text;
        for (std::size_t t = 0; t < given.size(); ++t) {
          labels.emplace_back(1, given[t]);
          text += std::vector<std::string>{"the", "old", "cat", "sees"}[t] + " " + given[t] + "\n";
        }
        scratch.write("given.txt", text + "\n");
        const auto predict = [&](const std::vector<std::string>& options) {
          std::vector<std::string> words = {"predict", "run",   "given.txt",
                                            "--given", "--set", "dataset.unseen_labels=free"};
          words.insert(words.end(), options.begin(), options.end());
          const Outcome outcome = scratch.sculpt(words);
          INFO(outcome.err);
          REQUIRE(outcome.exit == 0);
          return outcome.out;
        };
        double sum = 0;  // of those that agree
        std::vector<std::size_t> agreeing;
        for (std::size_t k = 0; k < ranked.size(); ++k) {
          if (!agrees(ranked[k], labels)) continue;
          agreeing.push_back(k);
          sum += probabilities[k];
        }
        const std::string best = predict({"--nbest", "1000"});
        const auto found = last_fields(best);
        const std::vector<double> conditional = numbers_after(best, "probability");
        REQUIRE(found.size() == agreeing.size());
        double marginals[4][3] = {};
        for (std::size_t k = 0; k < found.size(); ++k) {
          CHECK(agrees(found[k], labels));
          CHECK(numbers_after(best, "score")[k] == doctest::Approx(scores[agreeing[k]]));
          CHECK(conditional[k] == doctest::Approx(probabilities[agreeing[k]] / sum));
          for (std::size_t t = 0; t < 4; ++t) {
            marginals[t][std::string(label_names).find(found[k][t])] += conditional[k];
          }
        }
        std::istringstream lines(predict({"--marginals"}));
        std::string names;
        std::getline(lines, names);
        CHECK(names == "# D N V");
        for (const auto& row : marginals) {
          for (const double expected : row) {
            double p = -1;
            REQUIRE(static_cast<bool>(lines >> p));
            CHECK(p == doctest::Approx(expected).epsilon(1e-9));
            if (expected == 0) CHECK(p == 0);
          }
        }
        for (const auto& drawn : last_fields(predict({"--sample", "20"}))) {
          CHECK(agrees(drawn, labels));
        }
        CHECK(agrees(last_fields(predict({"--decode", "max-marginal"})).at(0), labels));
      }
    }
  }
}

TEST_CASE("with --given a model without probabilities lists the k best that agree, with scores") {
  const Scratch scratch;
  REQUIRE(train_tagger(scratch, R"({"use": "n_slack", "C": 10})", "viterbi").exit == 0);
  scratch.write("given.txt", "the ?\nold N\n\n");
  const Outcome outcome = scratch.sculpt({"predict", "run", "given.txt", "--given", "--nbest",
                                          "100", "--set", "dataset.unseen_labels=free"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(last_fields(outcome.out).size() == 3);
  CHECK_FALSE(contains(outcome.out, "probability"));
}
