// The metrics of the dataset conll agree with the sets of chunks behind the labels. They also agree
// with sequences counted by hand under the rules of conlleval.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include "live_component.hpp"

using namespace plugin_test;
using nlohmann::json;
using Labels = std::vector<std::string>;

namespace {

// A dataset trained with these labels, and the number of each label.
class LabelledDataset {
 public:
  explicit LabelledDataset(const std::set<std::string>& labels)
      : dataset_("conll", {{"templates", {"w[0]"}}}) {
    std::string rows;
    for (const std::string& label : labels) {
      numbers_[label] = static_cast<std::int32_t>(numbers_.size());
      rows += "x X " + label + "\n";
    }
    dataset_.load("train", rows);
  }
  Outputs output(const Labels& labels) const {
    Outputs y;
    for (const std::string& label : labels) y.push_back(numbers_.at(label));
    return y;
  }
  const LiveComponent& dataset() const { return dataset_; }

 private:
  LiveComponent dataset_;
  std::map<std::string, std::int32_t> numbers_;
};

Labels split_words(const std::string& text) {
  std::istringstream words(text);
  Labels labels;
  for (std::string word; words >> word;) labels.push_back(word);
  return labels;
}

struct ChunkCounts {
  std::int64_t correct, guessed, in_truth;
};
bool operator==(const ChunkCounts& a, const ChunkCounts& b) {
  return std::tie(a.correct, a.guessed, a.in_truth) == std::tie(b.correct, b.guessed, b.in_truth);
}
std::ostream& operator<<(std::ostream& out, const ChunkCounts& counts) {
  return out << counts.correct << " of " << counts.guessed << " guessed, " << counts.in_truth
             << " true";
}

// The counts of chunks of one sentence, taken from the sums of the metrics.
ChunkCounts chunk_counts(const std::string& truth, const std::string& guess) {
  const Labels true_labels = split_words(truth);
  const Labels guessed_labels = split_words(guess);
  std::set<std::string> all(true_labels.begin(), true_labels.end());
  all.insert(guessed_labels.begin(), guessed_labels.end());
  const LabelledDataset labelled(all);
  std::vector<double> sums(5);
  ErrorText error;
  const Outputs y = labelled.output(true_labels);
  const Outputs other = labelled.output(guessed_labels);
  error.check(
      labelled.dataset()
          .extension<sculpt_ext_metrics>(SCULPT_EXT_METRICS)
          .add(labelled.dataset().session(), 0, view(y), view(other), sums.data(), error.raw()));
  return {std::llround(sums[2]), std::llround(sums[3]), std::llround(sums[4])};
}

// begin, end, type
using Chunk = std::tuple<std::size_t, std::size_t, std::string>;
using Chunks = std::set<Chunk>;

Chunks random_chunks(std::mt19937& random, std::size_t length) {
  Chunks chunks;
  for (std::size_t t = 0; t < length;) {
    const std::size_t end = std::min<std::size_t>(length, t + 1 + random() % 3);
    if (random() % 3 > 0) chunks.insert({t, end, random() % 2 == 0 ? "X" : "Y-Z"});
    t = end;
  }
  return chunks;
}

// The tags of a scheme for chunks: first, inside, last and alone; O outside. With
// `first_only_between` or `last_only_between` that tag is written only between two chunks of the
// same type.
struct Scheme {
  const char* name;
  const char *first, *inside, *last, *alone;
  bool first_only_between = false;
  bool last_only_between = false;
};

bool has_neighbour(const Chunks& chunks, const Chunk& chunk, bool before) {
  const auto& [begin, end, type] = chunk;
  for (const auto& [other_begin, other_end, other_type] : chunks) {
    if (type == other_type && (before ? other_end == begin : other_begin == end)) return true;
  }
  return false;
}

Labels labels_of(const Chunks& chunks, std::size_t length, const Scheme& scheme) {
  Labels labels(length, "O");
  for (const Chunk& chunk : chunks) {
    const auto& [begin, end, type] = chunk;
    for (std::size_t t = begin; t < end; ++t) {
      const bool first = t == begin;
      const bool last = t + 1 == end;
      std::string tag = scheme.inside;
      if (first) tag = scheme.first;
      if (last) tag = scheme.last;
      if (first && *scheme.last == 'I') tag = scheme.first;  // IOB has no tag for the last
      if (first && last) tag = scheme.alone;
      if (scheme.first_only_between && first && !has_neighbour(chunks, chunk, true)) tag = "I";
      if (scheme.last_only_between && last && !has_neighbour(chunks, chunk, false)) tag = "I";
      labels[t] = tag + "-" + type;
    }
  }
  return labels;
}

const Scheme schemes[] = {
    {"IOB1", "B", "I", "I", "B", true, false},
    {"IOB2", "B", "I", "I", "B"},
    {"IOE1", "I", "I", "E", "E", false, true},
    {"IOE2", "I", "I", "E", "E"},
    {"IOBES", "B", "I", "E", "S"},
    {"BILOU", "B", "I", "L", "U"},
};

}  // namespace

TEST_CASE("chunk metrics agree with sets of chunks in every scheme") {
  for (const Scheme& scheme : schemes) {
    CAPTURE(scheme.name);
    std::set<std::string> all = {"O"};
    for (const char* tag : {"B", "I", scheme.first, scheme.inside, scheme.last, scheme.alone}) {
      for (const char* type : {"-X", "-Y-Z"}) all.insert(std::string(tag) + type);
    }
    const LabelledDataset labelled(all);
    std::mt19937 random(7);
    std::vector<std::pair<Outputs, Outputs>> pairs;
    double correct = 0, guessed = 0, in_truth = 0, wrong = 0, tokens = 0;
    for (int sentence = 0; sentence < 500; ++sentence) {
      const std::size_t length = 1 + random() % 9;
      const Chunks truth = random_chunks(random, length);
      const Chunks guess = random() % 3 == 0 ? truth : random_chunks(random, length);
      for (const Chunk& chunk : guess) correct += static_cast<double>(truth.count(chunk));
      guessed += static_cast<double>(guess.size());
      in_truth += static_cast<double>(truth.size());
      const Labels true_labels = labels_of(truth, length, scheme);
      const Labels guessed_labels = labels_of(guess, length, scheme);
      for (std::size_t t = 0; t < length; ++t) wrong += true_labels[t] != guessed_labels[t] ? 1 : 0;
      tokens += static_cast<double>(length);
      pairs.emplace_back(labelled.output(true_labels), labelled.output(guessed_labels));
    }
    const json values = metrics(labelled.dataset(), pairs);
    CHECK(values["token_error"] == wrong / tokens);
    CHECK(values["chunk_precision"] == correct / guessed);
    CHECK(values["chunk_recall"] == correct / in_truth);
    const double precision = correct / guessed;
    const double recall = correct / in_truth;
    CHECK(values["chunk_f1"].get<double>() ==
          doctest::Approx(2 * precision * recall / (precision + recall)).epsilon(1e-12));
  }
}

TEST_CASE("irregular labels count as conlleval counts them") {
  // an I after an O, or at the beginning, begins a chunk
  CHECK(chunk_counts("O B-X I-X", "O I-X I-X") == ChunkCounts{1, 1, 1});
  CHECK(chunk_counts("I-X I-X O", "B-X I-X O") == ChunkCounts{1, 1, 1});
  // an I of another type begins a chunk and ends the one before
  CHECK(chunk_counts("B-X B-Y I-Y", "B-X I-Y I-Y") == ChunkCounts{2, 2, 2});
  CHECK(chunk_counts("B-Y I-X I-X", "B-Y I-Y I-X") == ChunkCounts{0, 2, 2});
  // an E without a B is a chunk by itself; an E after an I ends the chunk
  CHECK(chunk_counts("O E-X O", "O S-X O") == ChunkCounts{1, 1, 1});
  CHECK(chunk_counts("I-X E-X I-X", "B-X E-X S-X") == ChunkCounts{2, 2, 2});
  CHECK(chunk_counts("E-X E-X", "S-X S-X") == ChunkCounts{2, 2, 2});
  // an I after an S or E begins a chunk, even of the same type
  CHECK(chunk_counts("S-X I-X", "B-X B-X") == ChunkCounts{2, 2, 2});
  // an S inside a chunk splits it
  CHECK(chunk_counts("B-X S-X I-X", "B-X B-X B-X") == ChunkCounts{3, 3, 3});
  // the same begin but another end, the same end but another begin
  CHECK(chunk_counts("B-X I-X O", "B-X O O") == ChunkCounts{0, 1, 1});
  CHECK(chunk_counts("B-X I-X I-X", "O B-X I-X") == ChunkCounts{0, 1, 1});
  // a chunk up to the end of the sentence
  CHECK(chunk_counts("B-X I-X", "B-X I-X") == ChunkCounts{1, 1, 1});
  CHECK(chunk_counts("B-X I-X", "B-X B-X") == ChunkCounts{0, 2, 1});
  // labels without a type
  CHECK(chunk_counts("B I O B", "B I O I") == ChunkCounts{2, 2, 2});
  // hyphens in a type
  CHECK(chunk_counts("B-X-1 I-X-2", "B-X-1 B-X-2") == ChunkCounts{2, 2, 2});
}

TEST_CASE("chunk metrics do not join chunks of two sentences") {
  const LabelledDataset labelled({"B-X", "I-X", "O"});
  const Outputs one = labelled.output({"B-X"});
  const Outputs on = labelled.output({"I-X"});
  const json values = metrics(labelled.dataset(), {{one, one}, {on, on}});
  CHECK(values["chunk_f1"] == 1);
  CHECK(metrics(labelled.dataset(), {{one, one}, {on, one}})["chunk_f1"] == 1);
}

TEST_CASE("chunk metrics are undefined for labels that are no chunks, and without chunks") {
  const LabelledDataset tags({"NN", "VB", "O"});
  const Outputs y = tags.output({"NN", "VB", "O"});
  const json values = metrics(tags.dataset(), {{y, tags.output({"NN", "NN", "O"})}});
  CHECK(values["token_error"] == 1.0 / 3);
  for (const char* name : {"chunk_precision", "chunk_recall", "chunk_f1"}) {
    CHECK(std::isnan(values[name].get<double>()));
  }
  const LabelledDataset mixed({"B-X", "NN"});
  const Outputs both = mixed.output({"B-X", "NN"});
  CHECK(std::isnan(metrics(mixed.dataset(), {{both, both}})["chunk_f1"].get<double>()));
  const LabelledDataset chunks({"B-X", "O"});
  const Outputs outside = chunks.output({"O", "O"});
  CHECK(std::isnan(metrics(chunks.dataset(), {{outside, outside}})["chunk_f1"].get<double>()));
  CHECK(std::isnan(metrics(chunks.dataset(), {})["token_error"].get<double>()));
}

TEST_CASE("a sentence without an output is all wrong, and one without chunks has precision 0") {
  const LabelledDataset labelled({"B-X", "I-X", "O"});
  const Outputs y = labelled.output({"B-X", "I-X", "O"});
  const json lost = metrics(labelled.dataset(), {{y, y}}, {y});
  CHECK(lost["token_error"] == 0.5);
  CHECK(lost["chunk_precision"] == 1);
  CHECK(lost["chunk_recall"] == 0.5);
  const json none = metrics(labelled.dataset(), {{y, labelled.output({"O", "O", "O"})}});
  CHECK(none["chunk_precision"] == 0);
  CHECK(none["chunk_recall"] == 0);
  CHECK(none["chunk_f1"] == 0);
}

TEST_CASE("conll refuses outputs of another length than the truth") {
  const LabelledDataset labelled({"B-X", "O"});
  CHECK_THROWS_WITH(metrics(labelled.dataset(), {{{0, 1}, {0}}}),
                    "the truth has 2 labels and the guess 1");
}
