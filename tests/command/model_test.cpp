// Model files: what they hold, how commands read them, and that damaged models are refused.

#include <doctest/doctest.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// The model with a correct checksum, so that the host reads the bytes before it.
std::string with_right_checksum(std::string model) {
  const std::uint64_t checksum = XXH3_64bits(model.data(), model.size() - sizeof checksum);
  std::memcpy(model.data() + model.size() - sizeof checksum, &checksum, sizeof checksum);
  return model;
}

std::size_t header_size(const std::string& model) {
  std::uint64_t size = 0;
  std::memcpy(&size, model.data() + 8, sizeof size);
  return size;
}

// The model with a changed header of the same length.
template <class Change>
std::string with_header(const std::string& model, Change&& change) {
  const std::size_t size = header_size(model);
  Json header = Json::parse(model.substr(16, size));
  change(header);
  std::string text = header.dump();
  REQUIRE(text.size() <= size);
  text.resize(size, ' ');
  return with_right_checksum(model.substr(0, 16) + text + model.substr(16 + size));
}

}  // namespace

TEST_CASE("a model that is damaged or cut is refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string good = scratch.read("run/model.sculpt");
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, std::size_t{100}, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x40);
    scratch.write("bad.sculpt", bad);
    CHECK(scratch.sculpt({"predict", "bad.sculpt", "words.txt"}).exit == 65);
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{12}, good.size() / 2}) {
    scratch.write("bad.sculpt", good.substr(0, size));
    CHECK(scratch.sculpt({"predict", "bad.sculpt", "words.txt"}).exit == 65);
  }
  CHECK(scratch.sculpt({"predict", "nowhere.sculpt", "words.txt"}).exit == 66);
}

TEST_CASE("a model whose header has values of the wrong type is refused as damaged") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string good = scratch.read("run/model.sculpt");
  const auto refused = [&](const std::string& pointer, const Json& value) {
    CAPTURE(pointer);
    CAPTURE(value.dump());
    scratch.write("bad.sculpt", with_header(good, [&](Json& header) {
                    header.erase("certificate");  // makes room
                    header[Json::json_pointer(pointer)] = value;
                  }));
    const Outcome outcome = scratch.sculpt({"predict", "bad.sculpt", "words.txt"});
    INFO(outcome.err);
    CHECK(outcome.exit == 65);
    CHECK(outcome.err.find("bad.sculpt") != std::string::npos);
  };
  for (const Json& wrong :
       {Json("1"), Json(nullptr), Json::array({1}), Json::object(), Json(1.5)}) {
    refused("/version", wrong);
    refused("/arrays", wrong);
    refused("/arrays/weights", wrong);
    refused("/arrays/weights/offset", wrong);
    refused("/arrays/weights/shape", wrong);
    refused("/arrays/weights/dtype", wrong);
    refused("/config", wrong);
    refused("/config/seed", wrong);
    refused("/components", wrong);
    refused("/components/0", wrong);
  }
  for (const Json& wrong : {Json(7), Json(nullptr), Json::object()}) {
    refused("/config/oracle", wrong);
    refused("/components/0/id", wrong);
  }
  refused("/arrays/weights/offset", -8);
  refused("/arrays/weights/shape", Json::array({1e300}));
  Json deep = 1;
  for (int level = 0; level < 150; ++level) deep = Json::array({deep});
  refused("/config", deep);
}

TEST_CASE("a model with a changed byte in its header is read or refused, without a crash") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string good = scratch.read("run/model.sculpt");
  for (std::size_t at = 8; at < 16 + header_size(good); at += 29) {
    for (const int bit : {0x01, 0x10}) {
      CAPTURE(at);
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ bit);
      scratch.write("bad.sculpt", with_right_checksum(bad));
      const Outcome outcome = scratch.sculpt({"predict", "bad.sculpt", "words.txt"});
      INFO(outcome.err);
      // A changed name may be that of a component that does not exist.
      CHECK((outcome.exit == 0 || outcome.exit == 65 || outcome.exit == 69 || outcome.exit == 78));
    }
  }
}

TEST_CASE("a model holds no path of a parameter") {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("lexicon.txt", "a b");
  train_small(scratch,
              with_test_plugins({"--set", "features={\"use\":\"ring\",\"lexicon\":\"lexicon.txt\"}",
                                 "--set", "oracle=enumerate"}));
  CHECK(scratch.read("run/config.json").find("lexicon.txt") != std::string::npos);
  const std::string model = scratch.read("run/model.sculpt");
  CHECK(model.find("lexicon") == std::string::npos);
  CHECK(model.find(scratch.folder().string()) == std::string::npos);

  fs::remove(scratch / "lexicon.txt");
  const std::map<std::string, std::string> plugins{{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}};
  const Outcome outcome = scratch.sculpt({"predict", "run", "words.txt"}, plugins);
  INFO(outcome.err);
  CHECK(outcome.exit == 0);

  scratch.write("bad.sculpt", with_header(model, [](Json& header) {
                  header.erase("certificate");
                  header["config"]["features"]["lexicon"] = "/etc/passwd";
                }));
  const Outcome refused = scratch.sculpt({"predict", "bad.sculpt", "words.txt"}, plugins);
  CHECK(refused.exit == 65);
  CHECK(refused.err.find("must not contain paths") != std::string::npos);
}

TEST_CASE("a model of svmlight predicts rows with unknown features after its data is gone") {
  const Scratch scratch;
  scratch.write("rows.txt", "+1 1:1 3:0.5\n-1 2:1\n+1 1:0.5 2:0.25\n-1 3:-1\n");
  scratch.write("rows.json",
                R"({"dataset": {"use": "svmlight", "train": "rows.txt"}, "features": "multiclass",
                    "loss": "zero_one", "oracle": "viterbi",
                    "solver": {"use": "n_slack", "C": 10}})");
  REQUIRE(scratch.sculpt({"train", "rows.json", "--output", "run"}).exit == 0);
  fs::remove(scratch / "rows.txt");
  fs::remove(scratch / "rows.json");
  scratch.write("new.txt", "1:1 9:100\n2:2 4:-7 2000000000:1\n");
  const Outcome outcome = scratch.sculpt({"predict", "run", "new.txt"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out == "+1\n-1\n");
  CHECK(outcome.err.find("ignored 3 values of features above 3") != std::string::npos);
}

TEST_CASE("a run whose data is removed writes its model, with the hash of the data that it read") {
  const Scratch scratch;
  const std::string configs = std::string(SCULPT_TEST_SOURCE) + "/configs/";
  fs::copy_file(configs + "data/words/words.txt", scratch / "words.txt");
  const std::string data = scratch.read("words.txt");
  Process run = scratch.start({"train", configs + "quickstart.json", "--output", "run", "--set",
                               "dataset.train=words.txt", "--set", "dataset.train_folds=[1]",
                               "--set", "dataset.test_folds=[0]", "--set", "solver.C=1e7", "--set",
                               "solver.relative_gap=0"});
  REQUIRE(scratch.wait_for_event(run, "run", "started"));
  fs::remove(scratch / "words.txt");
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const std::string model = scratch.read("run/model.sculpt");
  REQUIRE(model.size() > 16);
  char hash[32];
  std::snprintf(hash, sizeof hash, "xxh3:%016llx",
                static_cast<unsigned long long>(XXH3_64bits(data.data(), data.size())));
  CHECK(Json::parse(model.substr(16, header_size(model)))["data"]["train"] == hash);
}

TEST_CASE(
    "describe MODEL prints the objective, the certificate, the components and the top weights") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Outcome outcome = scratch.sculpt({"describe", "run", "--top", "2"});
  INFO(outcome.out);
  CHECK(outcome.exit == 0);
  CHECK(outcome.err.empty());
  for (const char* text :
       {"small: 12 weights", "learned from 2 examples",
        "minimizes       1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 10\n", "primal  ",
        "dual  ", ", certified\n", "stopped by      relative_gap after ",
        "dataset         org.sculpt.letters ", "oracle          org.sculpt.viterbi ",
        "solver          n_slack\n", "train data      xxh3:", "top weights\n", ", label "}) {
    CAPTURE(text);
    CHECK(outcome.out.find(text) != std::string::npos);
  }
  const std::size_t top = outcome.out.find("top weights\n");
  CHECK(std::count(outcome.out.begin() + static_cast<std::ptrdiff_t>(top), outcome.out.end(),
                   '\n') == 3);
}

TEST_CASE("describe MODEL shows no weight that is 0") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1\n2 1:-1 900:1\n");
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})");
  REQUIRE(scratch.sculpt({"train", "rows.json", "--output", "run"}).exit == 0);
  const std::string out = scratch.sculpt({"describe", "run", "--top", "1000"}).out;
  INFO(out);
  CHECK(contains(out, ": 1800 weights, 2 of them not 0"));
  const auto top = out.begin() + static_cast<std::ptrdiff_t>(out.find("top weights\n"));
  CHECK(std::count(top, out.end(), '\n') == 3);
}

TEST_CASE("describe of a dataset prints an example of its data and its splits") {
  const Scratch scratch;
  const std::string out = scratch.sculpt({"describe", "svmlight"}).out;
  INFO(out);
  for (const char* text : {"indices from 1 or 0 on", "list of text; default []", "\n    train ",
                           "\n    test ", "\n    +1 1:1 3:0.5 # a comment\n"}) {
    CAPTURE(text);
    CHECK(contains(out, text));
  }
}

TEST_CASE("describe MODEL prints the formulation of the run") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto objective = [&](const std::vector<std::string>& sets) {
    std::vector<std::string> words{"--force", "--set", "solver.max_passes=2"};
    for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
    train_small(scratch, words);
    const std::string out = scratch.sculpt({"describe", "run"}).out;
    const std::size_t begin = out.find("minimizes       ") + 16;
    return out.substr(begin, out.find('\n', begin) - begin);
  };
  CHECK(objective({"solver.slack_norm=2", "solver.C=0.25"}) ==
        "1/2 ||w||^2 + C/2n sum of squared slacks, margin rescaling by the root of the loss, C = "
        "0.25");
  CHECK(objective({"solver.rescaling=slack"}) ==
        "1/2 ||w||^2 + C/n sum of slacks, slack rescaling, C = 10");
  CHECK(objective({"solver.C=inf"}) ==
        "1/2 ||w||^2 without slacks (hard margin), margin rescaling");
  CHECK(objective({"features={\"use\":\"chain\",\"nonnegative\":[\"transitions\"]}"}) ==
        "1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 10, 4 weights at least 0");
}

TEST_CASE("a run that ends by oracle_exhausted prints that it is the optimum up to rounding") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome =
      scratch.sculpt({"train", "small.json", "--output", "run", "--set", "solver.relative_gap=0"});
  const Json event = scratch.finished("run");
  REQUIRE(event["certified"] == true);
  CHECK(event["relative_gap"].get<double>() <= 1e-9);
  const bool exhausted = event["stopped_by"] == "oracle_exhausted";
  CHECK(outcome.exit == (exhausted ? 3 : 0));  // a gap of exactly 0 is a target
  CHECK((outcome.out.find(", proved, target 0 % not reached: it is the optimum up to rounding") !=
         std::string::npos) == exhausted);
}

TEST_CASE("a primal that is only a lower bound is printed as at least by train and describe") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome =
      scratch.sculpt({"train", "small.json", "--output", "run", "--set", "oracle=icm"});
  CHECK(outcome.exit == 3);
  CHECK(outcome.out.find("primal          at least ") != std::string::npos);
  const Outcome summary = scratch.sculpt({"describe", "run"});
  CHECK(summary.out.find("primal          at least ") != std::string::npos);
}

TEST_CASE("evaluate and predict accept another oracle, and other keys of dataset and oracle") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Outcome exact = scratch.sculpt({"predict", "run", "words.txt"});
  for (const char* set : {"oracle=enumerate", "oracle.max_cells=1000", "oracle.use=icm"}) {
    CAPTURE(set);
    const Outcome other = scratch.sculpt({"predict", "run", "words.txt", "--set", set});
    INFO(other.err);
    CHECK(other.exit == 0);
    CHECK(other.out == exact.out);
  }
  // The refusal shows that the other oracle was asked.
  for (const char* command : {"predict", "evaluate"}) {
    const Outcome other = scratch.sculpt(
        {command, "run", "words.txt", "--set", "oracle=enumerate", "--set", "oracle.max_states=1"});
    INFO(other.err);
    CHECK(other.exit == 78);
    CHECK(other.err.find("enumerate: example ") != std::string::npos);
  }
  const std::string file = std::string(SCULPT_BUILT_PLUGINS) + "/icm.so";
  fs::copy_file(file, scratch / "mine.so");
  CHECK(scratch.sculpt({"predict", "run", "words.txt", "--set", "oracle=./mine.so#icm"}).out ==
        exact.out);
  const auto refused = [&](const std::string& set, int exit, const std::string& text) {
    CAPTURE(set);
    const Outcome outcome = scratch.sculpt({"predict", "run", "words.txt", "--set", set});
    INFO(outcome.err);
    CHECK(outcome.exit == exit);
    CHECK(outcome.err.find("--set " + set + ": ") != std::string::npos);
    CHECK(outcome.err.find(text) != std::string::npos);
    CHECK(outcome.err.find("damaged") == std::string::npos);
  };
  refused("solver.C=3", 78, "cannot be changed once a model is trained");
  refused("features=multiclass", 78, "cannot be changed once a model is trained");
  refused("dataset.use=conll", 78, "cannot be changed once a model is trained");
  refused("dataset.train=words.txt", 78, "the command line names");
  refused("dataset.train.text=0", 78, "the command line names");
  refused("oracle.max_cell=3", 78, "max_cells");
  refused("oracle=viterbo", 78, "viterbi");
}

TEST_CASE("describe MODEL --json prints the header and needs no plugin") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, with_test_plugins({"--set", "loss=alarm"}));
  const std::string model = scratch.read("run/model.sculpt");
  const Outcome outcome = scratch.sculpt({"describe", "run", "--json", "--top", "0"});
  CHECK(outcome.exit == 0);
  Json json = Json::parse(outcome.out);
  CHECK(json.at("weights") == Json::array());
  json.erase("weights");
  CHECK(json == Json::parse(model.substr(16, header_size(model))));

  // The names are those that the training has stored.
  const Outcome summary = scratch.sculpt({"describe", "run"});
  CHECK(summary.exit == 0);
  CHECK(summary.err.find("\"org.test.alarm\"") != std::string::npos);
  CHECK(summary.err.find("the names of the weights are those of the training") !=
        std::string::npos);
  CHECK(summary.out.find("loss            org.test.alarm 1.0.0\n") != std::string::npos);
  CHECK(summary.out.find("pixel 0, label a") != std::string::npos);
  // A model of an earlier version has none.
  scratch.write("old.sculpt",
                with_header(model, [](Json& header) { header.erase("weight_names"); }));
  const Outcome old = scratch.sculpt({"describe", "old.sculpt"});
  CHECK(old.exit == 0);
  CHECK(old.err.find("weights are shown by number") != std::string::npos);
  CHECK(old.out.find("weight 0") != std::string::npos);
}

TEST_CASE("describe refuses a model whose header has a number in place of a section") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string good = scratch.read("run/model.sculpt");
  for (const char* pointer : {"/certificate", "/name", "/data", "/components/0/version"}) {
    CAPTURE(pointer);
    scratch.write("bad.sculpt", with_header(good, [&](Json& header) {
                    header[Json::json_pointer(pointer)] = 7;
                  }));
    const Outcome outcome = scratch.sculpt({"describe", "bad.sculpt"});
    INFO(outcome.err);
    CHECK(outcome.exit == 65);
    CHECK(outcome.err.find("bad.sculpt: ") != std::string::npos);
  }
}
