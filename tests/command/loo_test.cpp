// sculpt loo against training without each example from nothing.

#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "command/loo_runs.hpp"

using namespace sculpt::test;

namespace {

// The training data of a small experiment, split into examples.
struct ListedData {
  Json experiment;
  std::vector<std::string> examples;  // the text of each

  std::string text_without(std::size_t left_out) const {
    std::string text;
    for (std::size_t i = 0; i < examples.size(); ++i) text += i == left_out ? "" : examples[i];
    return text;
  }
};

// `by_word`: an example is all lines with the same first word. Otherwise it is a line.
ListedData listed(Json experiment, bool by_word = false) {
  ListedData data{std::move(experiment), {}};
  std::istringstream lines(data.experiment["dataset"]["train"]["text"].get<std::string>());
  std::string line, word;
  while (std::getline(lines, line)) {
    const std::string first = line.substr(0, line.find(' '));
    if (!by_word || data.examples.empty() || first != word) data.examples.emplace_back();
    word = first;
    data.examples.back() += line + "\n";
  }
  return data;
}

// Words as those of chain_experiment(), with noise in the inputs. Without it an optimum may give
// two labels the same score.
Json word_experiment(int fixed_length = 0) {
  Json experiment = chain_experiment(fixed_length);
  std::istringstream lines(experiment["dataset"]["train"]["text"].get<std::string>());
  const auto noise = random_rows(14 * 8, 4, 13);
  std::string text, line;
  for (std::size_t k = 0; std::getline(lines, line); ++k) {
    std::istringstream words(line);
    std::string word;
    for (int column = 0; words >> word; ++column) {
      const bool is_input = column >= 5;
      if (is_input) {
        word = number(std::stod(word) + 0.2 * noise.at(k)[static_cast<std::size_t>(column - 5)]);
      }
      text += (column == 0 ? "" : " ") + word;
    }
    text += "\n";
  }
  return with(experiment, "/dataset/train/text", text);
}

Json binary_experiment() {
  std::string text;
  for (const std::vector<double>& row : random_rows(24, 3, 7)) {
    text += (row[0] + 0.5 * row[1] > 0 ? "1" : "-1") + svmlight({row[1], row[2], row[0]}) + "\n";
  }
  return experiment_of("svmlight", text, "multiclass", "zero_one", "viterbi");
}

Json taxonomy_experiment() {
  std::string text;
  const auto rows = random_rows(24, 3, 11);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<double> row = rows[i];
    row[i % 3] += 1.5;
    text += std::to_string(1 + i % 3) + svmlight(row) + "\n";
  }
  const Json nodes = {"1 a", "2 a", "3 b", "a 0", "b 0"};
  Json experiment = experiment_of("svmlight", text, {{"use", "taxonomy"}, {"nodes", nodes}},
                                  "zero_one", "viterbi");
  experiment["loss"] = {{"use", "tree_loss"}, {"nodes", nodes}};
  return experiment;
}

// [n] the loss of each example under a model trained without it, with the same C/n.
std::vector<double> losses_by_training(const Scratch& scratch, const ListedData& data) {
  std::vector<double> losses;
  const auto n = static_cast<double>(data.examples.size());
  for (std::size_t i = 0; i < data.examples.size(); ++i) {
    Json experiment = with(data.experiment, "/dataset/train/text", data.text_without(i));
    experiment["dataset"]["test"] = {{"text", data.examples[i]}};
    experiment["solver"]["C"] = experiment["solver"]["C"].get<double>() * (n - 1) / n;
    const Json end = trained(scratch, experiment, "brute", {"--threads", "1"});
    losses.push_back(end["test"]["loss"].get<double>());
  }
  return losses;
}

struct ListLine {
  std::string by, certain;
  double loss = 0;
};

// Trains the experiment, and returns the lines of loo --list.
std::vector<ListLine> left_out(const Scratch& scratch, const Json& experiment,
                               const std::vector<std::string>& more = {}) {
  trained(scratch, experiment);
  std::vector<std::string> words{"loo", "run", "--list"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  std::istringstream in(outcome.out);
  std::string line;
  std::getline(in, line);
  CHECK(line == "# example by certain loss");
  std::vector<ListLine> out;
  std::int64_t example = 0;
  for (ListLine entry; in >> example >> entry.by >> entry.certain >> entry.loss;) {
    CHECK(example == static_cast<std::int64_t>(out.size()));
    out.push_back(entry);
  }
  return out;
}

std::size_t count_of(const std::vector<ListLine>& lines, const std::string& by) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const ListLine& line) { return line.by == by; }));
}

// The lines agree with the losses: all of them, or only those that are certain.
void check_lines(const std::vector<ListLine>& lines, const std::vector<double>& losses,
                 bool only_certain) {
  REQUIRE(lines.size() == losses.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(i);
    CAPTURE(lines[i].by);
    if (only_certain && lines[i].certain == "no") continue;
    CHECK(lines[i].loss == doctest::Approx(losses[i]).epsilon(1e-5));
  }
}

std::size_t certain_count(const std::vector<ListLine>& lines) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [](const ListLine& line) { return line.certain == "yes"; }));
}

// For outputs that can be listed: of a run of a small gap, of one that is continued, and what is
// certain at a large gap.
void check_against_training(const Scratch& scratch, const ListedData& data) {
  const std::vector<double> losses = losses_by_training(scratch, data);
  const auto small = left_out(scratch, data.experiment);
  check_lines(small, losses, false);
  CHECK(certain_count(small) + 1 >= small.size());
  const Json rough = with(data.experiment, "/solver/relative_gap", 0.02);
  check_lines(left_out(scratch, rough), losses, false);
  const auto large = left_out(scratch, rough, {"--relative-gap", "0.02"});
  check_lines(large, losses, true);
  CHECK(certain_count(large) <= certain_count(small));
}

}  // namespace

TEST_CASE("loo agrees with training without each example: classes, with and without a kernel") {
  const Scratch scratch;
  for (const Json& kernel : {Json(), rbf(0.5)}) {
    CAPTURE(kernel.dump());
    Json experiment = multiclass_of(24);
    if (!kernel.is_null()) experiment["kernel"] = kernel;
    check_against_training(scratch, listed(experiment));
  }
}

TEST_CASE("loo agrees with training without each example: sequences, with and without a kernel") {
  const Scratch scratch;
  for (const Json& kernel : {Json(), rbf(0.5)}) {
    CAPTURE(kernel.dump());
    Json experiment = word_experiment();
    if (!kernel.is_null()) experiment["kernel"] = kernel;
    check_against_training(scratch, listed(experiment, true));
  }
}

TEST_CASE("loo agrees with training without each example: two classes, a taxonomy, other slacks") {
  const Scratch scratch;
  check_against_training(scratch, listed(binary_experiment()));
  check_against_training(scratch, listed(taxonomy_experiment()));
  Json squared = with(multiclass_of(18, 5), "/solver/slack_norm", 2);
  check_against_training(scratch, listed(squared));
  Json slack = with(word_experiment(), "/solver/rescaling", "slack");
  check_against_training(scratch, listed(slack, true));
}

// Words of eight letters have 6561 outputs, which are too many to list. Inputs of 0 and 1 give
// equal scores at an optimum of norm 1.
TEST_CASE("loo agrees with training without each example if outputs cannot be listed") {
  const Scratch scratch;
  const ListedData data = listed(word_experiment(8), true);
  const auto lines = left_out(scratch, data.experiment);
  check_lines(lines, losses_by_training(scratch, data), false);
  CHECK(certain_count(lines) == 0);
  CHECK(count_of(lines, "ball") == 0);
}

// An example of weight 0 is one without a price. The weights of the others stay.
TEST_CASE("loo agrees with training with the weight 0 for each example") {
  const Scratch scratch;
  const ListedData data = listed(multiclass_of(18));
  Json experiment = data.experiment;
  experiment["dataset"]["weights"] = "weights.txt";
  const auto write_weights = [&](std::size_t zero) {
    std::string text;
    for (std::size_t i = 0; i < data.examples.size(); ++i) {
      text += i == zero ? "0\n" : i == 4 ? "0\n" : i % 3 == 0 ? "2.5\n" : "0.5\n";
    }
    scratch.write("weights.txt", text);
  };
  std::vector<double> losses;
  for (std::size_t i = 0; i < data.examples.size(); ++i) {
    write_weights(i);
    experiment["dataset"]["test"] = {{"text", data.examples[i]}};
    losses.push_back(trained(scratch, experiment, "brute")["test"]["loss"].get<double>());
  }
  experiment["dataset"].erase("test");
  write_weights(data.examples.size());
  const auto lines = left_out(scratch, experiment);
  check_lines(lines, losses, false);
  CHECK(lines[4].by == "unused");
}

TEST_CASE("loo of frank_wolfe and n_slack agree") {
  const Scratch scratch;
  const Json experiment = multiclass_of(36);
  const auto n_slack = left_out(scratch, experiment);
  Json other = experiment;
  other["solver"] = {{"use", "frank_wolfe"}, {"C", 20}, {"relative_gap", 1e-7}};
  const auto frank_wolfe = left_out(scratch, other);
  REQUIRE(n_slack.size() == frank_wolfe.size());
  for (std::size_t i = 0; i < n_slack.size(); ++i) CHECK(n_slack[i].loss == frank_wolfe[i].loss);
}

TEST_CASE("loo retrains few examples, and reports where outputs come from") {
  const Scratch scratch;
  trained(scratch, multiclass_of(36));
  const auto lines = left_out(scratch, multiclass_of(36));
  const Outcome outcome = scratch.sculpt({"loo", "run", "--json"});
  const Json json = Json::parse(outcome.out);
  for (const char* const by : {"unused", "ball", "retrained"}) {
    CAPTURE(by);
    CHECK(json[by] == count_of(lines, by));
    CHECK(json[by] > 0);
  }
  CHECK(json["name"] == "small");
  CHECK(json["examples"] == 36);
  CHECK(json["retrained"] < 18);
  CHECK(json["retrained_fraction"].get<double>() ==
        doctest::Approx(json["retrained"].get<double>() / 36));
  CHECK(json["missed_target"] == 0);
  CHECK(json["passes"] >= json["retrained"]);
  CHECK(json["oracle_calls"] >= 35 * json["passes"].get<int>());
  CHECK(json["seconds"].is_number());
  CHECK(!json.contains("xi_alpha_bound"));
  double sum = 0;
  for (const ListLine& line : lines) sum += line.loss;
  CHECK(json["loss"].get<double>() == doctest::Approx(sum / 36));
  CHECK(json["error"] == json["loss"]);
  const Outcome table = scratch.sculpt({"loo", "run"});
  CHECK(table.exit == 0);
  for (const char* const row : {"loss ", "error ", "unused ", "ball ", "retrained ", "certain "}) {
    CHECK(contains(table.out, row));
  }
}

TEST_CASE("threads: loo does not depend on the number of threads") {
  for (const Json& experiment :
       {multiclass_of(36), with(multiclass_of(36), "/kernel", rbf(0.5)), chain_experiment()}) {
    const Scratch scratch;
    trained(scratch, with(experiment, "/solver/relative_gap", 1e-3));
    Json json[2];
    for (const int k : {0, 1}) {
      const std::string threads = k == 0 ? "1" : "4";
      json[k] = Json::parse(scratch.sculpt({"loo", "run", "--json", "--threads", threads}).out);
      json[k].erase("seconds");
    }
    CHECK(json[0] == json[1]);
    CHECK(scratch.sculpt({"loo", "run", "--list", "--threads", "1"}).out ==
          scratch.sculpt({"loo", "run", "--list", "--threads", "4"}).out);
  }
}

TEST_CASE("loo --examples draws by the seed") {
  const Scratch scratch;
  trained(scratch, multiclass_of(36));
  const auto drawn = [&](const std::string& seed) {
    const Outcome outcome =
        scratch.sculpt({"loo", "run", "--list", "--examples", "10", "--seed", seed});
    CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 11);
    return outcome.out;
  };
  CHECK(drawn("1") == drawn("1"));
  CHECK(drawn("1") != drawn("2"));
  const Outcome more = scratch.sculpt({"loo", "run", "--examples", "100", "--json"});
  CHECK(Json::parse(more.out)["examples"] == 36);
}

// The bound holds, and each example without alpha adds nothing to it.
TEST_CASE("loo prints the xi-alpha bound of two classes, which is not below the error") {
  const Scratch scratch;
  for (const double C : {1.0, 20.0, 500.0}) {
    CAPTURE(C);
    const auto lines = left_out(scratch, with(binary_experiment(), "/solver/C", C));
    const Json json = Json::parse(scratch.sculpt({"loo", "run", "--json"}).out);
    const double bound = json["xi_alpha_bound"].get<double>();
    CHECK(bound >= json["error"].get<double>());
    CHECK(bound <= 1 - static_cast<double>(count_of(lines, "unused")) / 24);
  }
}

TEST_CASE("loo leaves out the examples of the training alone, not those held out") {
  const Scratch scratch;
  const Json experiment = multiclass_of(36);
  trained(scratch, experiment, "run", {"--set", "hold_out={\"folds\": 3, \"fold\": 1}"});
  const Outcome held_out = scratch.sculpt({"loo", "run", "--json"});
  INFO(held_out.err);
  CHECK(Json::parse(held_out.out)["examples"] == 24);
}

TEST_CASE("loo ends on request, as other commands do") {
  const Scratch scratch;
  trained(scratch, multiclass_of(900, 1000), "run", {"--set", "solver.relative_gap=1e-3"});
  Process process = scratch.start({"loo", "run"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.signal(SIGINT);
  const Outcome outcome = process.wait();
  INFO(outcome.err);
  CHECK(outcome.exit == 130);
  CHECK(outcome.out.empty());
}
