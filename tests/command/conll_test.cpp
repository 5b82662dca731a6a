// Sequences from files in columns (conll): models without their data, the output of predict,
// metrics, and refusals.

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <set>
#include <sstream>
#include <tuple>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

using TokenRow = std::vector<std::string>;
using Rows = std::vector<TokenRow>;  // one sentence

// The sentences of a file in columns, which are separated by blank lines.
std::vector<Rows> sentences_in(const std::string& text) {
  std::vector<Rows> sentences(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    TokenRow row;
    for (std::string word; words >> word;) row.push_back(word);
    if (!row.empty()) {
      sentences.back().push_back(row);
    } else if (!sentences.back().empty()) {
      sentences.emplace_back();
    }
  }
  if (sentences.back().empty()) sentences.pop_back();
  return sentences;
}

std::string text_of(const std::vector<Rows>& sentences, std::size_t columns) {
  std::string text;
  for (const Rows& sentence : sentences) {
    for (const TokenRow& row : sentence) {
      for (std::size_t k = 0; k < columns; ++k) text += (k > 0 ? " " : "") + row.at(k);
      text += "\n";
    }
    text += "\n";
  }
  return text;
}

// The chunks of B- and I- labels in one column: begin, end, type. An I- label that continues no
// chunk begins one.
std::set<std::tuple<std::size_t, std::size_t, std::string>> chunks_of(const Rows& sentence,
                                                                      std::size_t column) {
  std::set<std::tuple<std::size_t, std::size_t, std::string>> chunks;
  for (std::size_t begin = 0; begin < sentence.size();) {
    const std::string& label = sentence[begin].at(column);
    std::size_t end = begin + 1;
    if (label != "O") {
      const std::string type = label.substr(2);
      while (end < sentence.size() && sentence[end].at(column) == "I-" + type) ++end;
      chunks.insert({begin, end, type});
    }
    begin = end;
  }
  return chunks;
}

// The F1 of the guesses in the last column against the truths in the column before it.
double chunk_f1(const std::vector<Rows>& sentences) {
  double correct = 0;
  double all = 0;
  for (const Rows& sentence : sentences) {
    const std::size_t last = sentence.front().size() - 1;
    const auto truth = chunks_of(sentence, last - 1);
    const auto guess = chunks_of(sentence, last);
    for (const auto& chunk : guess) correct += static_cast<double>(truth.count(chunk));
    all += static_cast<double>(truth.size() + guess.size());
  }
  return 2 * correct / all;
}

double token_error(const std::vector<Rows>& sentences) {
  double wrong = 0;
  double tokens = 0;
  for (const Rows& sentence : sentences) {
    for (const TokenRow& row : sentence) {
      wrong += row[row.size() - 1] == row[row.size() - 2] ? 0 : 1;
      tokens += 1;
    }
  }
  return wrong / tokens;
}

const std::string small_conll_experiment = R"({
    "dataset": {"use": "conll", "train": "train.txt"}, "features": "chain", "loss": "hamming",
    "oracle": "viterbi", "solver": {"use": "n_slack", "C": 100}})";

const std::string small_data =
    "the DT B-NP\ncat NN I-NP\nsleeps VBZ B-VP\n. . O\n\n"
    "it PRP B-NP\nsees VBZ B-VP\na DT B-NP\ndog NN I-NP\n. . O\n";

}  // namespace

TEST_CASE("a model of conll labels text with unknown words after its data is gone") {
  const Scratch scratch;
  scratch.write("train.txt", small_data);
  scratch.write("small.json", small_conll_experiment);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  fs::remove(scratch / "train.txt");
  fs::remove(scratch / "small.json");
  scratch.write("new.txt", "the DT\r\nzebra NN\r\nyawns VBZ\r\n. .\r\n\r\n\r\nit PRP\r\n");
  const Outcome outcome = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "the DT B-NP\nzebra NN I-NP\nyawns VBZ B-VP\n. . O\n\nit PRP B-NP\n\n");
  CHECK(outcome.err.find("2 of 5 words are unknown") != std::string::npos);
}

TEST_CASE("an unknown test label is refused by evaluate, or counted as wrong on request") {
  const Scratch scratch;
  scratch.write("train.txt", small_data);
  scratch.write("small.json", small_conll_experiment);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  scratch.write("new.txt", "the DT B-NP\nzebra NN B-XP\n\n");
  const Outcome refused = scratch.sculpt({"evaluate", "run", "new.txt"});
  CHECK(refused.exit == 65);
  CHECK(refused.err.find("new.txt:2:10: ") != std::string::npos);
  CHECK(refused.err.find("--set dataset.unseen_labels=wrong") != std::string::npos);
  const Outcome wrong = scratch.sculpt(
      {"evaluate", "run", "new.txt", "--json", "--set", "dataset.unseen_labels=wrong"});
  INFO(wrong.err);
  REQUIRE(wrong.exit == 0);
  CHECK(Json::parse(wrong.out)["token_error"] == 0.5);
  CHECK(Json::parse(wrong.out)["label_error"] == 0.5);
  CHECK(Json::parse(wrong.out)["sequence_error"] == 1);  // the DT is right, but no guess is B-XP
  const Outcome other =
      scratch.sculpt({"evaluate", "run", "new.txt", "--set", "dataset.templates=[\"pos[0]\"]"});
  CHECK(other.exit == 78);
  CHECK(other.err.find("`templates` cannot be changed once a model is trained") !=
        std::string::npos);
}

TEST_CASE("conll refuses ragged rows with exit 65 and bad templates with exit 78") {
  const Scratch scratch;
  scratch.write("small.json", small_conll_experiment);
  scratch.write("train.txt", small_data + "\nlonely\n");
  const Outcome ragged = scratch.sculpt({"train", "small.json"});
  CHECK(ragged.exit == 65);
  CHECK(ragged.err.find(
            "train.txt:12:7: has 1 column, 'lonely', where 9 of 10 rows have 3, such as line 1") !=
        std::string::npos);

  scratch.write("train.txt", small_data);
  const Outcome bad =
      scratch.sculpt({"train", "small.json", "--set", "dataset.templates=[\"w[0]\",\"w[1\"]"});
  CHECK(bad.exit == 78);
  CHECK(bad.err.find("conll: templates: template 2, 'w[1', character 4: ']' is expected") !=
        std::string::npos);
}

TEST_CASE("a model keeps the patterns of its file, and bad patterns are refused with their place") {
  const Scratch scratch;
  scratch.write("train.txt", small_data);
  scratch.write("small.json", small_conll_experiment);
  scratch.write("chunking.template", "# CRF++\nU00:%x[0,0]\nU01:%x[-1,1]/%x[0,1]\nB\n");
  const std::vector<std::string> command = {
      "train", "small.json", "--output", "run", "--set", "dataset.pattern_file=chunking.template"};
  REQUIRE(scratch.sculpt(command).exit == 0);
  fs::remove(scratch / "train.txt");
  fs::rename(scratch / "chunking.template", scratch / "moved");
  scratch.write("new.txt", "the DT\ncat NN\n");
  const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(predicted.err);
  CHECK(predicted.out == "the DT B-NP\ncat NN I-NP\n\n");
  const Outcome described = scratch.sculpt({"describe", "run"});
  CHECK(described.out.find("U01:_B-1/DT") != std::string::npos);

  scratch.write("train.txt", small_data);
  scratch.write("chunking.template", "U00:%x[0,0]\n\nB01:%x[0,0]\n");
  std::vector<std::string> other = command;
  other.push_back("--force");
  const Outcome refused = scratch.sculpt(other);
  CHECK(refused.exit == 65);
  CHECK(refused.err.find("chunking.template:3:5: patterns with values that begin with B") !=
        std::string::npos);
}

TEST_CASE("a model of CoNLL-U with listed patterns prints CoNLL-U with its guesses") {
  const Scratch scratch;
  const std::string rest = "\t_\t_\t_\t_\t_\t_\n";
  scratch.write("train.txt", "# 1\n1\tde\t_\tADP" + rest + "2\tel\t_\tDET" + rest +
                                 "\n1\tel\t_\tDET" + rest + "2\tsol\t_\tNOUN" + rest);
  Json experiment = Json::parse(small_conll_experiment);
  experiment["dataset"]["format"] = "conllu";
  experiment["dataset"]["patterns"] = {"U00:%x[0,1]", "B"};
  scratch.write("small.json", experiment.dump());
  const Outcome trained = scratch.sculpt({"train", "small.json", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  scratch.write("new.txt", "# x\n1-2\tdel\t_\t_" + rest + "1\tde\t_\t_" + rest + "2\tel\t_\t_" +
                               rest + "\n1\tsol\t_\t_" + rest);
  const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(predicted.err);
  CHECK(predicted.exit == 0);
  CHECK(predicted.out == "# x\n1-2\tdel\t_\t_" + rest + "1\tde\t_\tADP" + rest + "2\tel\t_\tDET" +
                             rest + "\n1\tsol\t_\tNOUN" + rest + "\n");
}

TEST_CASE("labels that are not chunks have no chunk metrics in the text and in JSON") {
  const Scratch scratch;
  scratch.write("train.txt", "the DT\ncat NN\n\nit PRP\n");
  scratch.write("small.json", small_conll_experiment);
  const Outcome trained =
      scratch.sculpt({"train", "small.json", "--output", "run", "--set", "dataset.columns=[\"w\"]",
                      "--set", "dataset.templates=[\"w[0]\"]"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(trained.out.find("token_error 0, chunk_precision -, chunk_recall -, chunk_f1 -,") !=
        std::string::npos);
  const Outcome measured = scratch.sculpt({"evaluate", "run", "train.txt", "--json"});
  const Json values = Json::parse(measured.out);
  CHECK(values["token_error"] == 0);
  CHECK(values["chunk_f1"].is_null());
}

TEST_CASE("labels and words that need more than 2^31 weights are refused with their bytes") {
  const Scratch scratch;
  constexpr std::int64_t distinct = 47000;
  std::string rows;
  for (std::int64_t k = 0; k < distinct; ++k) {
    const std::string number = std::to_string(k);
    rows += "w" + number + " L" + number + "\n";
    if (k % 20 == 19) rows += "\n";
  }
  scratch.write("train.txt", rows);
  scratch.write("small.json", small_conll_experiment);
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--set", "dataset.columns=[\"w\"]",
                                          "--set", "dataset.templates=[\"w[0]\"]"});
  CHECK(outcome.exit == 78);
  // attributes and the bias for each label, and the transitions
  const std::int64_t weights = (distinct + 1) * distinct + distinct * distinct;
  CHECK(outcome.err.find("chain: has " + std::to_string(weights) + " weights, " +
                         std::to_string(8 * weights) + " bytes (32.9 GiB)") != std::string::npos);
}

TEST_CASE(
    "on CoNLL-2000 evaluate measures what predict prints, and raw text gets the same labels") {
  const auto train = shared_data("conll2000/train.txt");
  const auto test = shared_data("conll2000/test.txt");
  if (!train || !test) return;
  const Scratch scratch;
  fs::copy_file(*train, scratch / "train.txt");
  const Outcome trained =
      scratch.sculpt({"train", std::string(SCULPT_TEST_SOURCE) + "/configs/conll2000.json",
                      "--output", "run", "--set", "dataset.train=train.txt", "--set",
                      "dataset.train_sentences=200", "--set", "solver.C=10"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  fs::remove(scratch / "train.txt");

  std::vector<Rows> truth = sentences_in(scratch.run({"cat", test->c_str()}).out);
  truth.resize(500);
  scratch.write("labelled.txt", text_of(truth, 3));
  const Outcome labelled = scratch.sculpt({"predict", "run", "labelled.txt"});
  REQUIRE(labelled.exit == 0);
  const std::vector<Rows> guesses = sentences_in(labelled.out);
  CHECK(text_of(guesses, 3) == scratch.read("labelled.txt"));
  CHECK(text_of(guesses, 4) == labelled.out);
  CHECK(token_error(guesses) < 0.12);  // B-NP alone is wrong at 74 of 100 tokens

  const Json values =
      Json::parse(scratch.sculpt({"evaluate", "run", "labelled.txt", "--json"}).out);
  CHECK(values["token_error"].get<double>() == doctest::Approx(token_error(guesses)));
  CHECK(values["chunk_f1"].get<double>() == doctest::Approx(chunk_f1(guesses)).epsilon(1e-12));

  scratch.write("raw.txt", text_of(truth, 2));
  const Outcome raw = scratch.sculpt({"predict", "run", "raw.txt"});
  REQUIRE(raw.exit == 0);
  std::vector<Rows> stripped = guesses;
  for (Rows& sentence : stripped) {
    for (TokenRow& row : sentence) row.erase(row.begin() + 2);
  }
  CHECK(raw.out == text_of(stripped, 3));
}
