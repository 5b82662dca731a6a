// Files of parses and of structures through the binary: what predict writes can be read again, and
// a model that predicts the same for all examples gets a warning.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Trains x.json into the folder "run". The data are in train.txt and, if there are any, test.txt.
Outcome train_on(const Scratch& scratch, const std::string& dataset, const std::string& features,
                 const std::string& loss, const std::string& oracle, const std::string& train,
                 const std::string& test = "") {
  scratch.write("train.txt", train);
  if (!test.empty()) scratch.write("test.txt", test);
  scratch.write("x.json", R"({"dataset": {)" + dataset + R"(, "train": "train.txt")" +
                              (test.empty() ? "" : R"(, "test": "test.txt")") +
                              R"(}, "features": ")" + features + R"(", "loss": ")" + loss +
                              R"(", "oracle": ")" + oracle +
                              R"(", "solver": {"use": "n_slack", "C": 10}})");
  return scratch.sculpt({"train", "x.json", "--output", "run"});
}

// Checks that predict prints this for data.txt, and the same again for what it printed.
void check_reads_back(const Scratch& scratch, const std::string& data, const std::string& printed) {
  scratch.write("data.txt", data);
  const Outcome first = scratch.sculpt({"predict", "run", "data.txt"});
  INFO(first.err);
  REQUIRE(first.exit == 0);
  CHECK(first.out == printed);
  scratch.write("again.txt", first.out);
  CHECK(scratch.sculpt({"predict", "run", "again.txt"}).out == printed);
}

constexpr const char* some_trees =
    "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n(S (NP (NN cats)) (VP (VBZ sleep)))\n";

}  // namespace

TEST_CASE("trees: lines without a parse keep their places in predict, and tables count them") {
  const Scratch scratch;
  const Outcome trained =
      train_on(scratch, R"("use": "trees")", "grammar", "f1", "grammar", some_trees,
               "(S (NP (NN a)) (VP (VBZ b)))\n\n(())\n(S (NP (NN c)) (VP (VBZ d)))\n");
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(contains(trained.out, "2 examples and 2 without output; left out 2 unlabelled"));
  CHECK(contains(trained.err, "test.txt:2: this line and 1 other are empty"));
  CHECK(scratch.finished("run")["test"]["unlabelled"] == 2);
  check_reads_back(scratch, "### sentence: a b\nNN/VBZ a/NN\nNN\n\nDT NN VBZ\n",
                   "\n\n\n(ROOT (S (NP (DT DT) (NN NN)) (VP (VBZ VBZ))))\n");
  scratch.write("data.txt", "(S (NP (NN a)) (-LRB- () (VP (VBZ b)))\n");
  const Outcome refused = scratch.sculpt({"evaluate", "run", "data.txt"});
  CHECK(refused.exit == exit_data);
  CHECK(contains(refused.err, "data.txt:1:23: the tag '-LRB-' has the bracket ( as its word"));
}

TEST_CASE("trees: training data with empty lines is read again by verify") {
  const Scratch scratch;
  REQUIRE(train_on(scratch, R"("use": "trees")", "grammar", "f1", "grammar",
                   std::string("### 1\n") + some_trees + "\n" + some_trees)
              .exit == 0);
  const Outcome verified = scratch.sculpt({"verify", "run"});
  INFO(verified.err);
  CHECK(verified.exit == 0);
}

TEST_CASE("dot_bracket: predict prints records that evaluate reads") {
  const Scratch scratch;
  const std::string records = ">a\nGGGAAAACCC\n(((....)))\n>b\nGCAAAAGC\n((....))\n";
  REQUIRE(train_on(scratch, R"("use": "dot_bracket")", "rna", "f1", "rna", records).exit == 0);
  check_reads_back(scratch, "gggAAAAccc\n>b  c\nGCAA\nAAGC\n(......) (-0.40)\n",
                   "gggAAAAccc\n(((....)))\n>b  c\nGCAAAAGC\n((....))\n");
  CHECK(scratch.sculpt({"predict", "run", "data.txt", "--set", "dataset.output=structure"}).out ==
        "(((....)))\n((....))\n");
}

TEST_CASE("a model that folds nothing gets a warning in all tables") {
  const Scratch scratch;
  const std::string empty = "are empty: no guess has a part, such as a pair, a bracket or a label";
  const Outcome trained =
      train_on(scratch, R"("use": "dot_bracket")", "rna", "difference", "rna",
               ">a\nGGGAAAACCC\n..........\n>b\nGCAAAAGC\n........\n>c\nGGAAAACC\n........\n",
               ">a\nGGGAAAACCC\n(((....)))\n>b\nGCAAAAGC\n((....))\n");
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  CHECK(contains(trained.out, "warning: all 2 predictions " + empty));
  const Json event = scratch.finished("run");
  CHECK(contains(event["test"]["warning"].get<std::string>(), empty));
  CHECK_FALSE(event["train"].contains("warning"));  // the truths have no pairs either
  const Outcome evaluated = scratch.sculpt({"evaluate", "run", "test.txt", "--json"});
  CHECK(contains(evaluated.err, "warning: all 2 predictions " + empty));
  CHECK(contains(Json::parse(evaluated.out)["warning"].get<std::string>(), empty));
}

TEST_CASE("a model that predicts one class, or one label everywhere, gets a warning") {
  const Scratch scratch;
  const Outcome classes = train_on(scratch, R"("use": "svmlight")", "multiclass", "zero_one",
                                   "viterbi", "1 1:1\n1 1:2\n2 1:-1\n", "1 1:3\n2 1:1\n2 1:4\n");
  INFO(classes.err);
  REQUIRE(classes.exit == 0);
  CHECK(contains(classes.out, "warning: all 3 predictions are the same, '1'; try a larger C"));
  CHECK_FALSE(scratch.finished("run")["train"].contains("warning"));
  scratch.write("one.txt", "1 1:3\n1 1:1\n");  // one class is right here
  CHECK_FALSE(contains(scratch.sculpt({"evaluate", "run", "one.txt"}).err, "warning"));
  const Scratch tags;
  const Outcome tagged =
      train_on(tags, R"("use": "conll", "columns": ["w"], "templates": ["w[0]"])", "chain",
               "hamming", "viterbi", "a O\nb O\n\nc B\n", "a O\nb B\n\nb O\n");
  REQUIRE(tagged.exit == 0);
  CHECK(contains(tagged.out,
                 "warning: all 2 predictions have one label everywhere, such as 'O O'; try"));
}
