// Mistakes in data files. Each test checks the exit code, the place, what was found and the remedy.

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string labelled_rows = "+1 1:1 3:0.5\n-1 2:1\n+1 1:0.5 2:0.25\n-1 3:-1\n";

// Writes rows.txt and an experiment on it: a class for each row.
void write_rows_experiment(const Scratch& scratch, const std::string& text) {
  scratch.write("rows.txt", text);
  scratch.write("rows.json",
                R"({"dataset": {"use": "svmlight", "train": "rows.txt"}, "features": "multiclass",
                    "loss": "zero_one", "oracle": "enumerate",
                    "solver": {"use": "n_slack", "C": 10}})");
}

Outcome train_rows(const Scratch& scratch, const std::string& text) {
  write_rows_experiment(scratch, text);
  return scratch.sculpt({"train", "rows.json"});
}

void check_rows_refused(const std::string& text, const std::vector<std::string>& texts) {
  const Scratch scratch;
  check_refused(scratch, train_rows(scratch, text), 65, texts);
}

void check_letters_refused(const std::string& text, const std::vector<std::string>& texts) {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("words.txt", text);
  check_refused(scratch, scratch.sculpt({"train", "small.json"}), 65, texts);
}

// Checks that a message has no control characters except line ends, and that it is UTF-8.
void check_printable(const std::string& text) {
  CHECK(std::none_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F;
  }));
  CHECK_NOTHROW(Json(text).dump());  // throws unless the text is UTF-8
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
  return out;
}

// A model without the parts that depend on the bytes of the data file: the hash of the data, and
// the checksum at the end of the model.
std::string model_without_hashes(const Scratch& scratch, const std::string& run) {
  const std::string model = scratch.read(run + "/model.sculpt");
  std::uint64_t header_size = 0;
  REQUIRE(model.size() > 16 + sizeof header_size);
  std::memcpy(&header_size, model.data() + 8, sizeof header_size);
  Json header = Json::parse(model.substr(16, header_size));
  CHECK(header["data"].size() == 1);
  header.erase("data");
  const std::size_t arrays = 16 + header_size;
  return header.dump() + model.substr(arrays, model.size() - arrays - sizeof(std::uint64_t));
}

}  // namespace

TEST_CASE("line ends and a byte order mark change only the hash of the data in a model") {
  const std::string byte_order_mark = "\xEF\xBB\xBF";
  const auto check_equal = [](const Scratch& scratch, const std::string& config,
                              const std::string& data, const std::vector<std::string>& forms) {
    REQUIRE(scratch.sculpt({"train", config, "--output", "plain"}).exit == 0);
    const std::string plain = model_without_hashes(scratch, "plain");
    const std::string guesses = scratch.sculpt({"predict", "plain", data}).out;
    for (const std::string& form : forms) {
      scratch.write(data, form);
      REQUIRE(scratch.sculpt({"train", config, "--output", "run", "--force"}).exit == 0);
      CHECK(model_without_hashes(scratch, "run") == plain);
      CHECK(scratch.sculpt({"predict", "plain", data}).out == guesses);
    }
  };
  const Scratch svmlight;
  write_rows_experiment(svmlight, labelled_rows);
  check_equal(svmlight, "rows.json", "rows.txt",
              {with_crlf(labelled_rows), byte_order_mark + labelled_rows,
               byte_order_mark + with_crlf(labelled_rows)});
  const Scratch letters;
  write_small_experiment(letters);
  const std::string words = letters.read("words.txt");
  check_equal(letters, "small.json", "words.txt",
              {with_crlf(words), byte_order_mark + words, byte_order_mark + with_crlf(words)});
}

TEST_CASE("a feature index below 0 is refused") {
  check_rows_refused("1 1:1\n-1 -1:1\n", {"rows.txt:2:4: index -1 ", "count features from 1"});
}

TEST_CASE("feature indices that do not increase are refused") {
  check_rows_refused("1 1:1\n-1 2:1 1:1\n",
                     {"rows.txt:2:8: index 1 follows index 2", "sort the row"});
  check_rows_refused("1 1:1\n-1 2:1 2:1\n",
                     {"rows.txt:2:8: index 2 follows index 2", "name each index once"});
}

TEST_CASE("values that are infinite or not numbers are refused") {
  for (const char* value : {"inf", "-inf", "nan", "infinity", "0x10", "1,5", ""}) {
    CAPTURE(value);
    check_rows_refused(
        std::string("1 1:1\n-1 1:") + value + "\n",
        {"rows.txt:2:6: '" + std::string(value) + "'", "a finite number is expected"});
  }
}

TEST_CASE(
    "a value above the largest double and an index above 2147483647 are refused as too large") {
  check_rows_refused("1 1:1\n-1 1:1e999\n", {"rows.txt:2:6: '1e999' is too large", "1.79e308"});
  check_rows_refused("1 1:1\n-1 1111111111222222222233:1\n",
                     {"rows.txt:2:4: index 1111111111222222222233 is outside [0, 2147483647]"});
}

TEST_CASE(
    "a feature that is too large to compute with is refused with its line for any width of w") {
  for (const char* wide : {"3:1", "5000000:1"}) {
    CAPTURE(wide);
    check_rows_refused(std::string("1 1:1\n-1 2:-2e150 ") + wide + "\n",
                       {"rows.txt:2: its features have magnitude 2e+150", "set \"scaling\""});
  }
}

TEST_CASE("a value that is too large is refused even if it cancels in the features of the truth") {
  const Scratch scratch;
  scratch.write("queries.txt",
                "2 qid:1 1:1 2:1e160\n2 qid:1 1:1\n1 qid:1 1:2 2:1e160\n1 qid:1 1:0\n"
                "2 qid:2 1:3\n1 qid:2 1:1\n");
  scratch.write("queries.json",
                R"({"dataset": {"use": "svmrank", "train": "queries.txt"}, "features": "ranking",
                    "loss": "pair_error", "oracle": "ranking",
                    "solver": {"use": "n_slack", "C": 10}})");
  check_refused(
      scratch, scratch.sculpt({"train", "queries.json"}), 65,
      {"queries.txt:1: its features have magnitude 1e+160 at feature 2", "set \"scaling\""});
}

TEST_CASE("a label that is not a whole number is refused") {
  check_rows_refused("1 1:1\n1.5 1:2\n", {"rows.txt:2:1: '1.5' is not a label", "whole number"});
  check_rows_refused("1 1:1\n99999999999999999999 1:2\n",
                     {"rows.txt:2:1: '99999999999999999999' is too large"});
}

TEST_CASE("a training example without its output is refused with its line") {
  check_rows_refused("1 1:1\n# a comment\n1:2\n2 1:3\n",
                     {"rows.txt:3: unlabelled", "needs a true output"});
  check_letters_refused("1 0 0 a 0 10\n2 0 0 ? 0 10\n3 1 0 a 0 10\n", {"words.txt:2: unlabelled"});
}

TEST_CASE("a label that does not occur in training is refused in the test split") {
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  scratch.write("other.txt", "-1 1:1\n\n 3 1:1\n");
  check_refused(
      scratch, scratch.sculpt({"train", "rows.json", "--set", "dataset.test=other.txt"}), 65,
      {"svmlight: ", "other.txt:3:2: label 3 ", "(-1, +1)", "dataset.unseen_labels=wrong"});
}

TEST_CASE("a label that does not occur in training is refused by evaluate and predict") {
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  REQUIRE(scratch.sculpt({"train", "rows.json", "--output", "run"}).exit == 0);
  scratch.write("other.txt", "-1 1:1\n3 1:1\n");
  for (const char* command : {"evaluate", "predict"}) {
    check_refused(scratch, scratch.sculpt({command, "run", "other.txt"}), 65,
                  {"other.txt:2:1: label 3 ", "(-1, +1)", "remove it from the row"});
  }
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "words"}).exit == 0);
  scratch.write("other.txt", "1 0 0 a 1 1 0 0\n1 0 1 z 0 0 1 0\n");
  for (const char* command : {"evaluate", "predict"}) {
    check_refused(scratch, scratch.sculpt({command, "words", "other.txt"}), 65,
                  {"other.txt:2:7: 'z' is not in the alphabet", "ab", "write ?"});
  }
}

TEST_CASE("ragged rows of letters are refused") {
  check_letters_refused(
      "1 0 0 a 1 1 0 0\n1 0 1 b 0 0 1\n",
      {"words.txt:2:11: has 2 inputs where the first row has 3", "the same number"});
  check_letters_refused("1 0 0 a 1 1 0 0\n1 0 1 b\n",
                        {"words.txt:2:1: has 4 columns", "write word, fold, position"});
  check_letters_refused("1 0 0 a 1 100\n1 0 1 b 0 0 1 0\n",
                        {"words.txt:2:13: '1' is one column too many", "as in the first row"});
}

TEST_CASE("test data with another number of inputs than the training data is refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  scratch.write("wide.txt", "1 0 0 a 0 1 0 0 1\n");
  check_refused(scratch, scratch.sculpt({"evaluate", "run", "wide.txt"}), 65,
                {"wide.txt:1:1: has 4 inputs", "has 3", "the same number"});
}

TEST_CASE("a file without examples is refused") {
  for (const char* text : {"", "\n\n", "# only a comment\n", "\xEF\xBB\xBF"}) {
    check_rows_refused(text, {"svmlight: ", "rows.txt:1:1: no examples", "write rows such as"});
  }
  check_letters_refused("\n", {"letters: ", "words.txt:1:1: no words", "write rows"});
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  scratch.write("empty.txt", "");
  for (const char* split : {"dataset.validation=empty.txt", "dataset.test=empty.txt"}) {
    check_refused(scratch, scratch.sculpt({"train", "rows.json", "--set", split}), 65,
                  {"empty.txt:1:1: no examples"});
  }
}

TEST_CASE("a split train without examples is refused even if the dataset accepts it") {
  const Scratch scratch;
  scratch.write("keys.json",
                R"({"dataset": {"use": "keys", "train": {"text": ""}, "must": "be"},
                    "features": "keys", "loss": "keys", "oracle": "keys", "solver": "n_slack"})");
  check_refused(scratch, scratch.sculpt(with_test_plugins({"train", "keys.json"})), 65,
                {"keys: ", "the split \"train\" contains no examples"});
}

TEST_CASE("a split validation or test without examples is refused like train") {
  const Scratch scratch;
  scratch.write("keys.json",
                R"({"dataset": {"use": "keys", "train": {"text": "0 1"}, "must": "be"},
                    "features": "keys", "loss": "keys", "oracle": "keys", "solver": "n_slack"})");
  for (const std::string split : {"validation", "test"}) {
    check_refused(scratch,
                  scratch.sculpt(with_test_plugins(
                      {"train", "keys.json", "--set", "dataset." + split + "={\"text\": \"\"}"})),
                  65, {"keys: ", "\"" + split + "\" contains no examples"});
    fs::remove_all(scratch / "runs");
  }
}

TEST_CASE("data that is a folder, a device or absent is reported as missing") {
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  fs::create_directory(scratch / "folder");
  const auto train_on = [&](const std::string& path) {
    return scratch.sculpt({"train", "rows.json", "--set", "dataset.train=" + path});
  };
  check_refused(scratch, train_on("folder"), 66,
                {(scratch / "folder").string() + ": is a folder", "the path of a file"});
  check_refused(scratch, train_on("nowhere.txt"), 66,
                {"nowhere.txt: cannot be opened", "check the path",
                 "; the path comes from \"dataset.train\"\n"});
  check_refused(scratch, train_on("rows.txt/x"), 66, {"rows.txt/x: cannot be opened"});
  const Outcome pipe = scratch.run({"bash", "-c",
                                    "cat rows.txt | '" SCULPT_TEST_BINARY
                                    "' train rows.json --set dataset.train=/dev/stdin"});
  check_refused(scratch, pipe, 66, {"/dev/stdin: is not a regular file", "write it to one"});
}

TEST_CASE("the message for missing data names SCULPT_DATA if the path was written with it") {
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  const std::string set = "dataset.test=${env:SCULPT_DATA:.}/nowhere.txt";
  const std::map<std::string, std::string> environment{{"SCULPT_DATA", scratch.folder().string()}};
  const std::vector<std::string> texts{"nowhere.txt: cannot be opened",
                                       "; the path comes from \"dataset.test\", with "
                                       "SCULPT_DATA = " +
                                           scratch.folder().string()};
  check_refused(scratch, scratch.sculpt({"train", "rows.json", "--set", set}, environment), 66,
                texts);
  // A resumed run reads the hashes of the data first.
  fs::create_directory(scratch / "run");
  const Outcome resumed = scratch.sculpt(
      {"train", "rows.json", "--set", set, "--output", "run", "--resume"}, environment);
  check_refused(scratch, resumed, 66, texts);
  const Outcome unset = scratch.run(
      {"env", "-u", "SCULPT_DATA", SCULPT_TEST_BINARY, "train", "rows.json", "--set", set});
  check_refused(scratch, unset, 66, {"; set SCULPT_DATA to the folder of the data"});
}

TEST_CASE("a model that is a pipe is reported as not a regular file") {
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  const Outcome pipe = scratch.run(
      {"bash", "-c", "cat rows.txt | '" SCULPT_TEST_BINARY "' predict /dev/stdin rows.txt"});
  check_refused(scratch, pipe, 66,
                {"/dev/stdin: is not a regular file", "copy its content to a file"});
}

TEST_CASE("a file without read permission is reported as missing") {
  const Scratch scratch;
  write_rows_experiment(scratch, labelled_rows);
  fs::permissions(scratch / "rows.txt", fs::perms::none);
  std::vector<std::string> words{SCULPT_TEST_BINARY, "train", "rows.json"};
  if (::geteuid() == 0) {  // root may read everything, so the test runs as nobody
    fs::permissions(scratch.folder(), fs::perms::all);
    words.insert(words.begin(), {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
    std::vector<std::string> describe{words.begin(), words.begin() + 4};
    describe.insert(describe.end(), {SCULPT_TEST_BINARY, "describe", "svmlight"});
    if (scratch.run(describe).exit != 0) {
      std::cout << "SKIPPED: nobody may not run " SCULPT_TEST_BINARY ", or not read its plugins\n";
      return;
    }
  }
  check_refused(scratch, scratch.run(words), 66,
                {"rows.txt: cannot be opened", "Permission denied"});
}

TEST_CASE("binary data is refused at its first byte with a printable message") {
  std::string binary(
      "\x7F"
      "ELF\x02\x01\x01\x00\x1B[31m\xFF\xFE",
      16);
  for (int k = 0; k < 5000; ++k) binary += static_cast<char>(k * 37 % 256);
  const Scratch scratch;
  const Outcome outcome = train_rows(scratch, binary);
  check_refused(scratch, outcome, 65,
                {"rows.txt:1:1: '\\x7fELF\\x02\\x01\\x01\\x00\\x1b[31m\\xff\\xfe", "not a label",
                 "whole number is expected"});
  check_printable(outcome.err);
  const Scratch letters;
  write_small_experiment(letters);
  letters.write("words.txt", binary);
  const Outcome words = letters.sculpt({"train", "small.json"});
  check_refused(letters, words, 65, {"words.txt:1:1: has ", "columns; write word, fold"});
  check_printable(words.err);
}

TEST_CASE("a line of a megabyte is read, and a message quotes only its beginning") {
  std::string row = "-1";
  for (int index = 1; row.size() < 1'000'000; ++index) row += " " + std::to_string(index) + ":0.5";
  const Scratch scratch;
  const Outcome trained = train_rows(scratch, "1 1:1\n" + row + "\n");
  INFO(trained.err);
  CHECK(trained.exit == 0);

  const std::string long_text(1'000'000, 'x');
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 " + long_text, "...' has no colon; write index:value"},
      {"1 1:" + long_text, "...' is not a value; a finite number is expected"},
      {long_text + " 1:1", "...' is not a label; a whole number is expected"}};
  for (const auto& [wrong, message] : cases) {
    const Scratch other;
    const Outcome outcome = train_rows(other, "1 1:1\n" + wrong + "\n");
    check_refused(other, outcome, 65, {"rows.txt:2:", message});
    CHECK(outcome.err.size() < 500);
  }
}

TEST_CASE("messages escape control characters and broken UTF-8 of data, but no letters") {
  const Scratch scratch;
  const Outcome rows_outcome = train_rows(scratch, "1 1:1\n1 1:\x1B]0;title\x07\xC3\xA9\xE9\n");
  check_refused(scratch, rows_outcome, 65,
                {"rows.txt:2:5: '\\x1b]0;title\\x07\xC3\xA9\\xe9' is not a value"});
  check_printable(rows_outcome.err);
  write_small_experiment(scratch);
  scratch.write("new.txt", "1 0 0 \xC2\x9B 0 1 0 0\n");  // U+009B begins an escape sequence
  const Outcome words = scratch.sculpt(
      {"train", "small.json", "--set", "dataset.test_folds=null", "--set", "dataset.test=new.txt"});
  check_refused(scratch, words, 65, {"new.txt:1:7: '\\u009b' is not in the alphabet"});
  check_printable(words.err);
  scratch.write("key.json", "{\"\\u001b[31mred\": 1}");
  const Outcome key = scratch.sculpt({"train", "key.json"});
  check_refused(scratch, key, 78, {"key.json:1:2: ", "\\x1b[31mred"});
  check_printable(key.err);
}

TEST_CASE("control characters in names from a plugin break neither the events nor the terminal") {
  const Scratch scratch;
  scratch.write("keys.json",
                R"({"dataset": {"use": "keys", "train": {"text": "0 1 1"}, "must": "be"},
                    "features": "keys", "loss": "keys", "oracle": "keys", "solver": "n_slack"})");
  const Outcome trained =
      scratch.sculpt(with_test_plugins({"train", "keys.json", "--output", "run"}));
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  check_printable(trained.out);
  check_printable(trained.err);
  CHECK(scratch.finished("run")["train"]["wrong\\x1b[31m\\xff"] == 1);
  scratch.write("new.txt", "0 1\n");
  const Outcome evaluated = scratch.sculpt({"evaluate", "run", "new.txt", "--json"},
                                           {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}});
  CHECK(evaluated.exit == 0);
  check_printable(evaluated.out);
  CHECK(Json::parse(evaluated.out).contains("wrong\\x1b[31m\\xff"));
}
