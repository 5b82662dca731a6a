// Texts: kernels of sequences train, predict and refuse on lines of a user's own file.

#include <map>
#include <sstream>

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

// Labelled texts with random words; each of three labels prefers some.
std::vector<std::pair<std::string, std::string>> made_texts(int count) {
  std::mt19937_64 random(31);
  const std::vector<std::string> words{"sol", "mare", "via", "duo", "tres", "rosa"};
  std::vector<std::pair<std::string, std::string>> lines;
  for (int i = 0; i < count; ++i) {
    const int label = i % 3;
    std::string text;
    for (int t = 3 + static_cast<int>(random() % 3); t > 0; --t) {
      const std::size_t word = random() % 2 == 0
                                   ? static_cast<std::size_t>(label) * 2 + random() % 2
                                   : random() % words.size();
      text += (text.empty() ? "" : " ") + words[word];
    }
    lines.emplace_back(std::string(1, static_cast<char>('x' + label)), text);
  }
  return lines;
}

std::string as_texts(const std::vector<std::pair<std::string, std::string>>& lines) {
  std::string text;
  for (const auto& [label, words] : lines) text += label + "\t" + words + "\n";
  return text;
}

Json texts_experiment(const std::string& text, const Json& kernel) {
  Json experiment = experiment_of("texts", text, "multiclass", "zero_one", "viterbi");
  experiment["kernel"] = kernel;
  return experiment;
}

}  // namespace

// Substrings of one symbol are the symbols. So the kernel is that of their counts.
TEST_CASE("spectrum of length 1 on texts has the optimum of counts of characters") {
  const Scratch scratch;
  const auto lines = made_texts(24);
  std::string counts;
  for (const auto& [label, text] : lines) {
    std::map<int, int> count;
    for (const char c : text) ++count[c];
    counts += std::to_string(label[0]);
    for (const auto& [symbol, times] : count) {
      counts += " " + std::to_string(symbol) + ":" + std::to_string(times);
    }
    counts += "\n";
  }
  const Json by_counts =
      trained(scratch, experiment_of("svmlight", counts, {{"use", "multiclass"}, {"bias", false}},
                                     "zero_one", "viterbi"));
  const Json by_texts = trained(
      scratch, texts_experiment(as_texts(lines),
                                {{"use", "spectrum"}, {"length", 1}, {"normalized", false}}));
  CHECK(by_texts["certified"] == true);
  check_same_optimum(by_texts, by_counts);
}

TEST_CASE("a model of texts predicts new texts after the training data are gone") {
  const Scratch scratch;
  const auto lines = made_texts(30);
  scratch.write("train.txt", as_texts(lines));
  Json experiment = texts_experiment("", {{"use", "subsequence"}, {"length", 2}});
  experiment["dataset"]["train"] = "train.txt";
  experiment["dataset"]["symbols"] = "words";
  const Json end = trained(scratch, experiment);
  fs::remove(scratch / "train.txt");
  std::string bare;
  for (const auto& line : lines) bare += line.second + "\n";
  scratch.write("new.txt", bare);
  const Outcome predicted = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(predicted.err);
  REQUIRE(predicted.exit == 0);
  std::istringstream guesses(predicted.out);
  double wrong = 0;
  for (const auto& line : lines) {
    std::string guess;
    REQUIRE(std::getline(guesses, guess));
    if (guess != line.first) ++wrong;
  }
  CHECK(wrong / static_cast<double>(lines.size()) == end["train"]["error"].get<double>());
  CHECK(wrong < 4);

  scratch.write("bad.txt", "sol\nduo \xFFtres\n");
  const Outcome refused = scratch.sculpt({"predict", "run", "bad.txt"});
  CHECK(refused.exit == exit_data);
  CHECK(contains(refused.err, "bad.txt:2:5: not UTF-8; convert the file"));
}
