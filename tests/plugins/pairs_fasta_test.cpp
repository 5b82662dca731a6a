// The dataset pairs_fasta: reading, writing and refusals. Also the weights of `alignment`, the loss
// q, and components that do not fit.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "count_calls.hpp"
#include "line_ends.hpp"
#include "oracle_calls.hpp"
#include "refusals.hpp"

#include <sculpt/ext/items.h>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

struct Pairs : LiveComponent {
  explicit Pairs(const std::string& text, const json& parameters = json::object())
      : LiveComponent("alignment#pairs_fasta", parameters) {
    load("train", text);
    bind(nullptr);
    seal();
  }
};

std::vector<std::int64_t> items(const LiveComponent& dataset, const Outputs& y) {
  std::vector<std::int64_t> result(100);
  std::int64_t count = 0;
  ErrorText error;
  error.check(dataset.extension<sculpt_ext_items>(SCULPT_EXT_ITEMS)
                  .items(dataset.self(), 0, view(y), result.data(), 100, &count, error.raw()));
  result.resize(static_cast<std::size_t>(count));
  return result;
}

std::string refused_text(const LiveComponent& dataset, const std::string& text) {
  return refusal_of([&] { parse(dataset, 0, text); });
}

}  // namespace

TEST_CASE("pairs_fasta: rows in lines of any length are read as moves") {
  const Pairs pairs(">a\nAC-G\n>b\n-CTg\n\n\n>a, the second\r\nA\r\n C-\r\n>b\nG-\nT\n");
  CHECK(example_count(pairs) == 2);
  CHECK(truth_of(pairs, 0) == Outputs{0, 0, 1, 0, 2, 0});
  CHECK(truth_of(pairs, 1) == Outputs{0, 0, 0, 1, 2});
}

TEST_CASE("pairs_fasta: adjacent gaps are sorted, those in b first") {
  CHECK(truth_of(Pairs(">a\n-A-CA-G\n>b\nA-C-AG-\n"), 0) == Outputs{0, 0, 1, 1, 2, 2, 0, 1, 2});
}

TEST_CASE("pairs_fasta: trim_ends removes gaps at the ends, and may leave an empty alignment") {
  const json trim{{"trim_ends", true}};
  CHECK(truth_of(Pairs(">a\nA-CAG-\n>b\n-GC-GT\n", trim), 0) == Outputs{1, 1, 0, 1, 0});
  CHECK(truth_of(Pairs(">a\nA-\n>b\n-G\n", trim), 0).empty());
  CHECK(is_labelled(Pairs(">a\nA-\n>b\n-G\n", trim), 0));
}

TEST_CASE("pairs_fasta: sequences of different lengths without gaps are unlabelled") {
  const Pairs pairs(">a\nACG\n>b\nAC\n\n>a\nAC\n>b\nGG\n");
  CHECK(!is_labelled(pairs, 0));
  CHECK(truth_of(pairs, 1) == Outputs{0, 0, 0, 0});
}

TEST_CASE("pairs_fasta: the parts of an alignment are its pairs in upper case") {
  const Pairs pairs(">a\nACg-T\n>b\nA-gGt\n");
  CHECK(items(pairs, truth_of(pairs, 0)) == std::vector<std::int64_t>{0});
  // i * (m + 1) + j
  CHECK(items(pairs, {0, 0, 0, 1, 2, 0, 0}) == std::vector<std::int64_t>{0});
  CHECK(items(pairs, {1, 0, 0, 2, 1, 0}) == std::vector<std::int64_t>{5 * 1 + 0, 5 * 3 + 2});
  CHECK(items(pairs, {}).empty());
}

TEST_CASE("pairs_fasta: the text of outputs reads back") {
  const Pairs pairs(">a\nACgT\n>b\nCGG\n");
  const std::vector<std::pair<Outputs, std::string>> cases{
      {{0, 0, 1, 0, 0, 0}, "ACgT -CGG"}, {{0, 0, 0, 2, 1, 0}, "A-Cg CG-G"},
      {{2, 1, 0, 0}, "3:gT 2:GG"},       {{0, 2, 0}, "1:A 3:G"},
      {{0, 0, 2, 1}, "-A C-"},           {{}, "-"}};
  for (const auto& [y, text] : cases) {
    CHECK(format(pairs, 0, y) == text);
    CHECK(parse(pairs, 0, text) == y);
  }
  CHECK(parse(pairs, 0, "acGT -cgg") == Outputs{0, 0, 1, 0, 0, 0});
}

TEST_CASE("pairs_fasta: text that is no alignment of the two sequences is refused") {
  const Pairs pairs(">a\nACGT\n>b\nCGG\n");
  CHECK(contains(refused_text(pairs, "ACGT"), "write both rows with a blank between them"));
  CHECK(
      contains(refused_text(pairs, "ACT CGG"), "row a differs from its sequence from letter 3 on"));
  CHECK(contains(refused_text(pairs, "ACG CGGA"), "row b differs from its sequence"));
  CHECK(contains(refused_text(pairs, "ACG CG"), "the rows have 3 and 2 characters"));
  CHECK(contains(refused_text(pairs, "A-C C-G"), "both rows have a gap in column 2"));
  CHECK(contains(refused_text(pairs, "5:A 1:C"),
                 "'5' is not the number of a letter of row a, which has 4 letters"));
  CHECK(contains(refused_text(pairs, "x:A 1:C"), "'x' is not the number of a letter of row a"));
  CHECK(contains(refused_text(pairs, "1: 1:"), "equally long"));
}

TEST_CASE("pairs_fasta: rows of unequal length are refused") {
  CHECK(contains(refused_pairs(">a\nAC-G\n>b\nACG\n"),
                 "data.txt:2:4: the rows have 4 and 3 characters"));
  CHECK(contains(refused_pairs(">a\nACG\n>b\nAC\n-GT\n"), "data.txt:5:2: the rows have"));
}

TEST_CASE("pairs_fasta: a column of two gaps is refused") {
  CHECK(contains(refused_pairs(">a\nA-G\n>b\nA-G\n"), "data.txt:4:2: both rows have a gap here"));
  CHECK(contains(refused_pairs(">a\nA-G\n>b\nA\n-G\n"), "data.txt:5:1: both rows have a gap here"));
}

TEST_CASE("pairs_fasta: letters outside the alphabet are refused") {
  CHECK(contains(refused_pairs(">a\nAC\n>b\nAE\n", {{"alphabet", "dna"}}),
                 "data.txt:4:2: the letter 'E' is not in the alphabet ACGT; remove it"));
  CHECK(refusal_of([] { Pairs{">a\nACX\n>b\nAbj\n", {{"alphabet", "protein"}}}; }) == "accepted");
  Pairs pairs(">a\nACG\n>b\nA\n");
  try {
    LiveComponent other("alignment#pairs_fasta");
    other.load("train", ">a\nACG\n>b\nA\n");
    other.load("test", ">a\nAC\n>b\n Ag\nt\n");
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(contains(failure.what(),
                   "data.txt:5:1: the letter 't' is not in the alphabet ACG, the "
                   "letters of the training data"));
  }
}

TEST_CASE("pairs_fasta: characters other than letters and gaps are refused") {
  CHECK(contains(refused_pairs(">a\nAC~G\n>b\nACGT\n"),
                 "data.txt:2:3: '~' is neither a letter nor a gap; write gaps as - or ."));
  CHECK(contains(refused_pairs(">a\nAC?G\n>b\nACGT\n"),
                 "data.txt:2:3: '?' is neither a letter nor a gap; write X or N for an unknown"));
  CHECK(contains(refused_pairs(">a\nAC\n>b\n1AC\n"),
                 "data.txt:4:1: '1' is neither a letter nor a gap; remove numbers from rows"));
  CHECK(contains(refused_pairs(">a\nAC\n>b\nA\xC3\xA4\n"), "data.txt:4:2: '\xC3\xA4' is neither"));
  CHECK(contains(refused_pairs(">a\nAC GT\n>b\nACGT\n"),
                 "data.txt:2:4: there is a blank inside a row"));
}

TEST_CASE("pairs_fasta: blocks that do not have two rows are refused") {
  CHECK(contains(refused_pairs(">a\nAC\n>b\nAC\n>c\nAC\n"), "data.txt:5:1: this is a third row"));
  CHECK(contains(refused_pairs(">a\nAC\n\n>b\nAC\n"), "data.txt:1:1: this row has no second row"));
  CHECK(contains(refused_pairs(">a\nAC\n>b\nAC\n\n>c\nAC\n"),
                 "data.txt:6:1: this row has no second row"));
  CHECK(contains(refused_pairs("AC\n>b\nAC\n"), "data.txt:1:1: this row has no name"));
  CHECK(contains(refused_pairs(">a\n>b\nAC\n"), "data.txt:1:1: no row follows this name"));
  CHECK(contains(refused_pairs(">a\nAC\n>b\n"), "data.txt:3:1: no row follows this name"));
  CHECK(contains(refused_pairs("\n\n"), "data.txt:1:1: no examples"));
}

TEST_CASE("pairs_fasta: a model stores the letters") {
  const Pairs learned(">a\nTAc\n>b\nAG\n");
  LiveComponent restored("alignment#pairs_fasta");
  restored.restore(learned.save());
  restored.load("predict", ">a\nGATT\n>b\nC\n");
  restored.bind(nullptr);
  restored.seal();
  CHECK(restored.save() == learned.save());
  LiveComponent features("alignment", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&restored);
  features.seal();
  CHECK(dimension(features) == 4 * 5 / 2 + 2);
  const std::string state = learned.save();
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent damaged("alignment#pairs_fasta");
    CHECK_THROWS_AS(damaged.restore(state.substr(0, size)), CallFailed);
  }
  LiveComponent unlearned("alignment#pairs_fasta");
  CHECK_THROWS_AS(unlearned.load("test", ">a\nA\n>b\nA\n"), CallFailed);
}

TEST_CASE("alignment: the number of weights is that of the papers") {
  const auto size = [](const json& parameters) {
    return dimension(BoundFeatures("alignment#pairs_fasta", {{"alphabet", "protein"}},
                                   ">a\nA\n>b\nA\n", "alignment", parameters)
                         .features);
  };
  CHECK(size({{"model", "match"}, {"gaps", "linear"}}) == 3);
  CHECK(size({{"gaps", "linear"}}) == 211);
  CHECK(size({{"gaps", "affine"}}) == 212);
  CHECK(size({{"symmetric", false}, {"gaps", "linear"}}) == 401);
  CHECK(size({{"symmetric", false}, {"window", 2}}) == 5 * 400 + 2);
}

TEST_CASE("alignment: U counts as T") {
  const auto psi_of = [](const char* text) {
    const BoundFeatures bound("alignment#pairs_fasta", {{"alphabet", "dna"}}, text, "alignment");
    return psi(bound.features, 0, {0, 0, 0, 0});
  };
  CHECK(psi_of(">a\nAU\n>b\nuC\n") == psi_of(">a\nAT\n>b\nTC\n"));
}

TEST_CASE("alignment: pairs with wildcards have no weights") {
  const BoundFeatures bound("alignment#pairs_fasta", {{"alphabet", "dna"}}, ">a\nAN\n>b\nNC\n",
                            "alignment", {{"window", 1}});
  for (const double value : psi(bound.features, 0, {0, 0, 0, 0})) CHECK(value == 0);
}

TEST_CASE("alignment: numbers that are no alignment are refused") {
  const BoundFeatures bound("alignment#pairs_fasta", json::object(), ">a\nAC\n>b\nACC\n",
                            "alignment");
  for (const Outputs& y : {Outputs{0}, Outputs{0, 0}, Outputs{0, 0, 3}, Outputs{0, 0, -1},
                           Outputs{-1, 0, 0}, Outputs{0, 3, 0}, Outputs{0, 0, 0, 0, 0}}) {
    CHECK_THROWS_AS(psi(bound.features, 0, y), CallFailed);
    CHECK_THROWS_AS(format(bound.dataset, 0, y), CallFailed);
    CHECK_THROWS_AS(items(bound.dataset, y), CallFailed);
  }
}

TEST_CASE("alignment: needs its own dataset and features, and a loss whose counts it supports") {
  LiveComponent other("mlsvml");
  other.load("train", "1 1:1\n");
  other.bind(nullptr);
  other.seal();
  LiveComponent features("alignment", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_WITH_AS(
      features.bind(&other),
      "aligns the sequences of pairs_fasta without decoys; set dataset.use to it and "
      "dataset.decoys to false, or use the features homolog",
      CallFailed);
  LiveComponent q("alignment#q");
  CHECK_THROWS_AS(q.bind(&other), CallFailed);

  const BoundFeatures bound("alignment#pairs_fasta", json::object(), ">a\nAC\n>b\nACC\n",
                            "alignment");
  const LiveComponent hamming("hamming");
  LiveComponent oracle("alignment", json::object(), SCULPT_KIND_ORACLE);
  try {
    oracle.bind(&bound.dataset, &bound.features, &hamming);
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(failure.status() == SCULPT_E_UNSUPPORTED);
    CHECK(contains(failure.what(),
                   "cannot count the errors of an alignment, only whether there are any"));
  }
}

TEST_CASE("q: has the values of an example by Joachims, Yu and Elber") {
  // Joachims, Yu, Elber: one output has one of three pairs right. The other is shifted by one, so
  // no pair is right, but all are within four.
  const BoundFeatures bound("alignment#pairs_fasta", json::object(), ">a\nACGT\n>b\nACGT\n",
                            "alignment");
  LiveComponent q("alignment#q", {{"within", 4}});
  q.bind(&bound.dataset, &bound.features);
  q.seal();
  const Outputs truth{0, 0, 0, 0, 0, 1, 2};
  const Outputs one_right{0, 0, 0, 2, 0, 0, 1};
  const Outputs none_right{0, 0, 2, 0, 0, 0, 1};
  CHECK(loss(q, 0, truth, none_right) == 0);
  const json found = metrics(q, {{truth, one_right}, {truth, none_right}});
  CHECK(found["q_exact"].get<double>() == Approx(1.0 / 6));
  CHECK(found["q_within"].get<double>() == Approx(1));
  CHECK(found["pairs_found"].get<double>() == Approx(1.0 / 6));
  CHECK(counts_of(q).front().name == "within_4");
  CHECK(metrics(q, {}, {truth})["q_exact"].get<double>() == 0);
}

TEST_CASE("q: a truth without pairs costs nothing, by the loss and by counts") {
  const BoundFeatures bound("alignment#pairs_fasta", json::object(), ">a\nacgt\n>b\nAC\n",
                            "alignment");
  LiveComponent q("alignment#q", {{"within", 0}});
  q.bind(&bound.dataset, &bound.features);
  q.seal();
  CHECK(loss(q, 0, {0, 0, 0, 0}, {}) == 0);
  CHECK(loss_of_counts(q, {0, 0, 0, 0}, {5}) == 0);
}

TEST_CASE("pairs_fasta `MKV*LA`: * is a letter of its own, and a wildcard of proteins") {
  const std::string text = ">a\nMKV*LA\n>b\nMKVAL*\n";
  LiveComponent learned("alignment#pairs_fasta");
  learned.load("train", text);
  learned.load("test", ">a\nMK\n>b\nL*\n");
  CHECK(format(learned, 0, truth_of(learned, 0)) == "MKV*LA MKVAL*");
  CHECK(parse(learned, 0, "MKV*LA MKVAL*") == truth_of(learned, 0));
  CHECK(refused_pairs(text, {{"alphabet", "protein"}}) == "accepted");
  CHECK(
      contains(refused_pairs(text, {{"alphabet", "dna"}}), "data.txt:2:4: the letter '*' is not"));
  CHECK(contains(refused_pairs(">a\nAC*\n>b\nACG\n", {{"alphabet", "dna"}}),
                 "data.txt:2:3: the letter '*' is not in the alphabet ACGT"));
  // 6 letters: A K L M V *
  const BoundFeatures features("alignment#pairs_fasta", json::object(), text, "alignment",
                               {{"gaps", "linear"}});
  CHECK(dimension(features.features) == 6 * 7 / 2 + 1);
  CHECK(weight_name(features.features, 0) == "* with *");
}

TEST_CASE(
    "pairs_fasta reads gaps as dots, comments, CRLF, a byte order mark, and no last line end") {
  const std::string text = "; from HMMER\n>a\nA.C-g\n# b\n>b\nATCg-\n\n\n>c\nAC\n>d\nACG";
  for (const std::string& file : {text, "\xEF\xBB\xBF" + with_crlf(text), text + "\n\n \n"}) {
    LiveComponent dataset("alignment#pairs_fasta");
    dataset.load("train", file);
    REQUIRE(example_count(dataset) == 2);
    CHECK(format(dataset, 0, truth_of(dataset, 0)) == "A-Cg- ATC-g");
    CHECK_FALSE(is_labelled(dataset, 1));
  }
  CHECK(contains(refused_pairs(">a\n>b\nAC\n"), "data.txt:1:1: no row follows this name"));
}

TEST_CASE("pairs_fasta: predictions as fasta have their names, and can be read again") {
  const json fasta = {{"output", "fasta"}, {"alphabet", "dna"}, {"trim_ends", true}};
  LiveComponent dataset("alignment#pairs_fasta", fasta);
  dataset.load("predict", ">one  a\nACGT\n>two\nCGTTT\n");
  // Letters 2 and 3 of a over 1 and 2 of b; a letter of b under a gap; then a pair.
  const Outputs y = {1, 0, 0, 0, 2, 0};
  const std::string text = format(dataset, 0, y);
  CHECK(text == ">one  a\nACG-T-\n>two\n-CGTTT\n");
  LiveComponent again("alignment#pairs_fasta", fasta);
  again.load("train", text + "\n");
  CHECK(truth_of(again, 0) == y);
  // Nothing aligned: every letter faces a gap.
  const std::string nothing = format(dataset, 0, Outputs{});
  CHECK(nothing == ">one  a\nACGT-----\n>two\n----CGTTT\n");
  again.load("test", nothing);
  CHECK(truth_of(again, 1).empty());
  CHECK(is_labelled(again, 1));
}
