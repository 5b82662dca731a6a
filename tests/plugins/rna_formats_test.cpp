// dot_bracket: files of other programs, and predictions that can be read again.
#include <doctest/doctest.h>

#include "line_ends.hpp"
#include "refusals.hpp"
#include "rna_structures.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

// "((..))" of each labelled example of the split train, "-" of the others.
std::string structures_of(const std::string& text, const json& parameters = json::object()) {
  LiveComponent dataset("rna#dot_bracket", parameters);
  dataset.load("train", text);
  std::string all;
  for (std::int64_t k = 0; k < example_count(dataset); ++k) {
    all += (k > 0 ? " " : "") +
           (is_labelled(dataset, k) ? format(dataset, k, truth_of(dataset, k)) : "-");
  }
  return all;
}

std::string refused(const std::string& text, const json& parameters = json::object()) {
  return refused_data("rna#dot_bracket", text, "", parameters);
}

// The structure ((..)) of GGAACC, one base a row.
const std::string ct_rows =
    "1 G 0 2 6 1\n2 G 1 3 5 2\n3 A 2 4 0 3\n4 A 3 5 0 4\n5 C 4 6 2 5\n6 C 5 0 1 6\n";
const std::string bpseq_rows = "1 G 6\n2 g 5\n3 A 0\n4 a 0\n5 C 2\n6 C 1\n";

}  // namespace

TEST_CASE("dot_bracket `(((....))) (-1.20)`: energies behind a structure are read and ignored") {
  for (const std::string energy : {"(-1.20)", "( -1.20)", "-1.20", "[ -3.40]", "{ -3.10 d=2.50}",
                                   "(E=-1.2)", "+0.5 kcal/mol", "-1.20 -3.4"}) {
    CAPTURE(energy);
    CHECK(structures_of(">a\nGGAACC\n((..)) " + energy + "\n>b\nGGAACC\n(....)\t" + energy) ==
          "((..)) (....)");
  }
  CHECK(refused(">a\nGGAACC\n((. .))\n") ==
        "data.txt:3:4: ' ' is neither a dot nor a bracket; write . for a single base, ( and ) for "
        "a pair");
  CHECK(refused(">a\nGGAACC\n((..)) good\n").starts_with("data.txt:3:7: ' ' is neither"));
  CHECK(refused(">a\nGGAACC\n((.)) (-1.20)\n").starts_with("data.txt:3:6: there are 5 dots"));
}

TEST_CASE("dot_bracket reads output of RNAfold, RNAsubopt and CONTRAfold, with and without names") {
  CHECK(structures_of("GGAACC\n((..)) (-1.20)\nACGU\n....\nGGG\nCCC\n") == "((..)) .... - -");
  CHECK(structures_of(">a\nGGAACC\n((..)) ( -1.20)\n((||)) [ -1.30]\n((..)) { -1.20 d=0.10}\n"
                      " frequency of mfe structure in ensemble 0.5; ensemble diversity 1.2\n"
                      ">b\nACGU\n") == "((..)) -");
  LiveComponent suboptimal("rna#dot_bracket");
  suboptimal.load("train", "GGAACC   -120    100\n((..)) -1.20\n(....) -0.20\n...... 0.00\n");
  CHECK(example_count(suboptimal) == 1);
  CHECK(suboptimal.log() ==
        std::vector<std::string>{
            "data.txt: left out 2 structures behind the first one of a sequence"});
  CHECK(structures_of(">a\nGGAACC\n>structure\n((..))\n>b\nACGU\n>structure\n....\n") ==
        "((..)) ....");
  CHECK(structures_of("# File a.dp\n; of RNA STRAND\nGGAACC\n((..))\n") == "((..))");
}

TEST_CASE("dot_bracket reads ct files, also of several records, with energies and comments") {
  const std::string text = "# from mfold\n  6 ENERGY = -1.2  first one\n" + ct_rows +
                           "\n6 dG = -3\n" + ct_rows + "6 third\n" + ct_rows + "\n\n";
  CHECK(structures_of(text) == "((..)) ((..)) ((..))");
  CHECK(structures_of("\xEF\xBB\xBF" + with_crlf(text)) == "((..)) ((..)) ((..))");
  LiveComponent dataset("rna#dot_bracket");
  dataset.load("train", text);
  dataset.load("predict", text);
  CHECK(format(dataset, 3, truth_of(dataset, 3)) == ">first one\nGGAACC\n((..))");
  CHECK(format(dataset, 4, truth_of(dataset, 4)) == "GGAACC\n((..))");
}

TEST_CASE("dot_bracket reads bpseq files, also of several records") {
  const std::string text = "Filename: a.bpseq\nOrganism: x 1\n" + bpseq_rows + "# b\n" +
                           bpseq_rows + bpseq_rows.substr(0, bpseq_rows.size() - 1);
  CHECK(structures_of(text) == "((..)) ((..)) ((..))");
  CHECK(structures_of(with_crlf(text), {{"format", "bpseq"}}) == "((..)) ((..)) ((..))");
  LiveComponent dataset("rna#dot_bracket");
  dataset.load("predict", text);
  CHECK(format(dataset, 0, truth_of(dataset, 0)) == ">a.bpseq\nGgAaCC\n((..))");
  CHECK(format(dataset, 1, truth_of(dataset, 1)) == ">b\nGgAaCC\n((..))");
}

TEST_CASE("dot_bracket: bad rows of ct and bpseq are refused with their place") {
  CHECK(refused("6 x\n1 G 0 2 6 1\n2 G 1 3 5 2\n") ==
        "data.txt:1:1: the record has 2 rows for its 6 bases; write a row for each base");
  CHECK(refused("6 x\n1 G 0 2 6 1\n6 y\n").starts_with("data.txt:3:1: this is no row of a base"));
  CHECK(refused("1 x\n" + ct_rows) ==
        "data.txt:3:1: this is a row more than the 1 bases that line 1 announces; correct the "
        "number there");
  CHECK(refused(ct_rows) ==
        "data.txt:1:1: a record of a ct file begins with the number of its bases; write it, then a "
        "name");
  CHECK(refused("1 G 0\n3 C 0\n") ==
        "data.txt:2:1: this is base 3 where base 2 is expected; write a row for each base, in "
        "order");
  CHECK(refused("1 G 0\n 2 C\n").starts_with("data.txt:2:2: this is no row of a base"));
  CHECK(refused("1 G 2\n2 C 0\n") ==
        "data.txt:1:5: base 1 has the partner 2, whose partner is 0 (line 2); write both in both "
        "rows");
  CHECK(refused("1 G 1\n").starts_with("data.txt:1:5: base 1 has the partner 1, itself"));
  CHECK(refused("1 G 7\n").starts_with("data.txt:1:5: base 1 has the partner 7, but there are 1"));
  CHECK(refused("1 X 0\n").starts_with("data.txt:1:3: 'X' is not a letter of RNA"));
  CHECK(refused("1 - 0\n").starts_with("data.txt:1:3: '-' is a gap of an alignment"));
}

TEST_CASE("dot_bracket: pseudoknots are named, or removed if that is asked for") {
  const std::string knot = "1 G 3\n2 C 4\n3 C 1\n4 G 2\n";
  const json remove = {{"pseudoknots", "remove"}};
  CHECK(refused(knot) ==
        "data.txt:2:5: the pair 2-4 crosses 1-3: a pseudoknot, which grammars of nested pairs "
        "cannot have; write 0 for both bases, or set pseudoknots to remove");
  CHECK(structures_of(knot, remove) == "(.).");
  CHECK(structures_of(">a\nACGUACGU\n([{)A]}a\n>b\nACGU\nA()a\n", remove) == "(..).... .().");
  LiveComponent dataset("rna#dot_bracket", remove);
  dataset.load("train", ">a\nACGUACGU\n([{)A]}a\n");
  CHECK(dataset.log() == std::vector<std::string>{"data.txt: left out 3 pairs of pseudoknots"});
}

TEST_CASE("dot_bracket `..GG-A`: gaps of an alignment are refused in their own line") {
  const std::string remedy =
      " is a gap of an alignment; remove the gaps from the sequence, and the same columns from its "
      "structure";
  CHECK(refused(">a\nGGAACC\n((..))\n>b\n..GG-A\n...()).\n") == "data.txt:5:1: '.'" + remedy);
  CHECK(refused(">b\n  --GGA\n") == "data.txt:2:3: '-'" + remedy);
  CHECK(refused("GGAA~CC\n") == "data.txt:1:5: '~'" + remedy);
  CHECK(refused("# STOCKHOLM 1.0\na ACGU\n").starts_with("data.txt:1:1: this is an alignment"));
}

TEST_CASE("dot_bracket: predictions have their name and sequence, and can be read again") {
  const std::string text = ">one  of two\nggA\nACt\n((..))\n>\nGGAACC\n";
  LiveComponent dataset("rna#dot_bracket");
  dataset.load("predict", text);
  const std::string first = format(dataset, 0, truth_of(dataset, 0));
  const std::string second = format(dataset, 1, partners("(....)"));
  CHECK(first == ">one  of two\nggAACt\n((..))");
  CHECK(second == "GGAACC\n(....)");
  CHECK(parse(dataset, 0, first) == truth_of(dataset, 0));
  CHECK(parse(dataset, 1, second) == partners("(....)"));
  CHECK(structures_of(first + "\n" + second + "\n") == "((..)) (....)");
  LiveComponent bare("rna#dot_bracket", {{"output", "structure"}});
  bare.load("predict", text);
  CHECK(format(bare, 0, truth_of(bare, 0)) == "((..))");
}
