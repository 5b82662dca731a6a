// Tracks and profiles of pairs_fasta: what the reader accepts and refuses, and their weights.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "refusals.hpp"

#include <sculpt/ext/groups.h>

using namespace plugin_test;
using nlohmann::json;

namespace {

const json one_track{{"tracks", {"ss"}}};
const json two_tracks{{"tracks", {"ss", "sa"}}};
const json two_columns{{"profile", 2}};

// The message for a second row, after a valid first row of two letters.
std::string refused_row(const std::string& second, const json& parameters,
                        const std::string& beside_first) {
  return refused_pairs(">a\nAC\n" + beside_first + ">b\n" + second, parameters);
}

std::string refused_features(const json& dataset, const json& features) {
  const std::string text = dataset.contains("tracks")
                               ? ">a\nAC\n=ss HE\n=sa be\n>b\nAC\n=ss HE\n=sa be\n"
                               : ">a\nAC\n>b\nAC\n";
  return refusal_of(SCULPT_E_UNSUPPORTED, [&] {
    BoundFeatures("alignment#pairs_fasta", dataset, text, "alignment", features);
  });
}

std::int64_t weights(const json& features) {
  // 20 letters; the tracks have 3 and 2 symbols
  return dimension(
      BoundFeatures("alignment#pairs_fasta", {{"alphabet", "protein"}, {"tracks", {"ss", "sa"}}},
                    ">a\nACD\n=ss HEC\n=sa beb\n>b\nA\n=ss H\n=sa b\n", "alignment", features)
          .features);
}

}  // namespace

TEST_CASE(
    "annotations: tracks may have several lines, gaps have no symbols, rows of gaps no tracks") {
  const std::string text =
      ">a\nA-\nC\n=ss H\n = skipped";  // the blank before = is allowed, the name is not
  CHECK(contains(refused_pairs(text, one_track), "data.txt:5:2: '' is not a track"));
  CHECK(refused_pairs(">a\nA-\nC\n=ss H\n  =ss E\r\n>b\nAGG\n=ss E??\n", one_track) == "accepted");
  CHECK(refused_pairs(">a\n--\n>b\nAC\n=ss HH\n", one_track) == "accepted");
}

TEST_CASE("annotations: tracks that no parameter names are refused") {
  CHECK(contains(
      refused_pairs(">a\nAC\n=ss HE\n>b\nAC\n", json::object()),
      "data.txt:3:1: this line belongs to a track, but no tracks are declared; name them in "
      "the parameter `tracks`"));
}

TEST_CASE("annotations: a track with another name is refused") {
  CHECK(contains(
      refused_row("AC\n=sc HE\n", two_tracks, "=ss HE\n=sa be\n"),
      "data.txt:7:1: 'sc' is not a track of the parameter `tracks`, which has ss, sa; add it"));
}

TEST_CASE("annotations: a track that is missing is refused") {
  CHECK(contains(refused_row("AC\n=ss HE\n", two_tracks, "=ss HE\n=sa be\n"),
                 "data.txt:5:1: this row lacks the track 'sa'; write it after the letters"));
  CHECK(contains(refused_pairs(">a\nAC\n>b\nAC\n=ss HE\n", one_track),
                 "data.txt:1:1: this row lacks"));
}

TEST_CASE("annotations: a track that comes twice or too early is refused") {
  CHECK(contains(refused_row("AC\n=ss H\n=sa be\n=ss E\n", two_tracks, "=ss HE\n=sa be\n"),
                 "data.txt:9:1: the track 'ss' occurs twice"));
  CHECK(contains(refused_row("AC\n=sa be\n=ss HE\n", two_tracks, "=ss HE\n=sa be\n"),
                 "data.txt:7:1: the track 'ss' comes before 'sa'"));
}

TEST_CASE("annotations: a track of another length than its letters is refused") {
  CHECK(contains(
      refused_row("ACG\n=ss H\n=ss E\n", one_track, "=ss HE\n"),
      "data.txt:7:6: the track 'ss' has 2 symbols for 3 letters; write one symbol for each"));
  CHECK(contains(
      refused_row("A-C\n=ss H-E\n", one_track, "=ss HE\n"),
      "data.txt:6:7: the track 'ss' has 3 symbols for 2 letters; remove the symbols of its gaps"));
}

TEST_CASE("annotations: symbols are visible characters, without blanks between them") {
  CHECK(contains(refused_row("AC\n=ss H\xC3\xA4\n", one_track, "=ss HE\n"),
                 "data.txt:6:6: '\xC3\xA4' is not a symbol of a track"));
  CHECK(contains(refused_row("AC\n=ss H E\n", one_track, "=ss HE\n"),
                 "data.txt:6:7: a line of a track is its name, a blank and its symbols"));
  CHECK(contains(refused_row("AC\n=ss\n", one_track, "=ss HE\n"),
                 "data.txt:6:1: a line of a track is its name"));
}

TEST_CASE("annotations: a symbol that is not in the training data is refused, but ? is allowed") {
  LiveComponent pairs("alignment#pairs_fasta", one_track);
  pairs.load("train", ">a\nAC\n=ss HE\n>b\nA\n=ss e\n");
  pairs.load("validation", ">a\nAC\n=ss ?E\n>b\nA\n=ss e\n");
  try {
    pairs.load("test", ">a\nAC\n=ss HE\n>b\nAC\n=ss H\n=ss T\n");
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(contains(failure.what(),
                   "data.txt:7:5: the symbol 'T' is not among EHe, those of the track 'ss' in the "
                   "training data; write ? for an unknown symbol"));
  }
}

TEST_CASE("annotations: letters after a track and tracks before the letters are refused") {
  CHECK(contains(refused_row("AC\n=ss HE\nG\n", one_track, "=ss HE\n"),
                 "data.txt:7:1: letters come after a track or a profile of their row"));
  CHECK(contains(refused_row("=ss HE\nAC\n", one_track, "=ss HE\n"),
                 "data.txt:5:1: this row has no letters yet"));
}

TEST_CASE("annotations: names of tracks are single words and distinct") {
  for (const char* const name : {"", "a b", "a\tb"}) {
    CHECK_THROWS_AS(LiveComponent("alignment#pairs_fasta", {{"tracks", {name}}}), CallFailed);
  }
  CHECK_THROWS_AS(LiveComponent("alignment#pairs_fasta", {{"tracks", {"ss", "sa", "ss"}}}),
                  CallFailed);
}

TEST_CASE("annotations: profiles with a wrong number of columns or lines are refused") {
  const std::string sound = "@ 1 2\n@ 3 4\n";
  CHECK(refused_row("AC\n", two_columns, sound) == "accepted");  // a row may have no profile
  CHECK(contains(refused_row("AC\n@ 1\n", two_columns, sound),
                 "data.txt:7:1: this line of a profile must have 2 numbers, as the parameter "
                 "`profile` sets, not 1"));
  CHECK(contains(refused_row("AC\n@ 1 2 3\n", two_columns, sound),
                 "data.txt:7:7: this line of a profile must"));
  CHECK(contains(refused_row("A-C\n@ 1 2\n", two_columns, sound),
                 "data.txt:7:1: the profile ends here, after 1 of 2 letters"));
  CHECK(contains(refused_row("AC\n" + sound + "@ 5 6\n", two_columns, sound),
                 "data.txt:9:1: the row has 2 letters, but this is one more line of its profile"));
  CHECK(contains(refused_row("AC\n@1 2\n", two_columns, sound),
                 "data.txt:7:2: the @ of a profile has no blank after it"));
  CHECK(contains(
      refused_row("AC\n@ 1 2\n", json::object(), ""),
      "data.txt:5:1: this line belongs to a profile, but no profiles are declared; set the "
      "parameter `profile`"));
}

TEST_CASE("annotations: entries of profiles that are no finite numbers or too large are refused") {
  const auto number = [](const std::string& text) {
    return refused_row("A\n@ 1 " + text + "\n", two_columns, "");
  };
  CHECK(contains(number("x"), "data.txt:5:5: 'x' is not a number of a profile"));
  CHECK(contains(number("nan"), "data.txt:5:5: 'nan' is not a number of a profile"));
  CHECK(contains(number("inf"), "data.txt:5:5: 'inf' is not a number of a profile"));
  CHECK(contains(number("-1e7"), "data.txt:5:5: '-1e7' is out of range for a profile"));
}

TEST_CASE("annotations: a model stores the symbols of tracks") {
  LiveComponent learned("alignment#pairs_fasta", two_tracks);
  learned.load("train", ">a\nAC\n=ss HE\n=sa be\n>b\nA\n=ss ?\n=sa i\n");
  const std::string state = learned.save();
  LiveComponent restored("alignment#pairs_fasta", two_tracks);
  restored.restore(state);
  CHECK(contains(
      [&] {
        try {
          restored.load("predict", ">a\nA\n=ss H\n=sa x\n>b\nA\n=ss E\n=sa b\n");
        } catch (const CallFailed& failure) {
          return std::string(failure.what());
        }
        return std::string("accepted");
      }(),
      "the symbol 'x' is not among bei"));
  CHECK(restored.save() == state);
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent damaged("alignment#pairs_fasta", two_tracks);
    CHECK_THROWS_AS(damaged.restore(state.substr(0, size)), CallFailed);
  }
  LiveComponent one_track_only("alignment#pairs_fasta", one_track);
  CHECK_THROWS_AS(one_track_only.restore(state), CallFailed);
  LiveComponent unlearned("alignment#pairs_fasta", {{"alphabet", "protein"}, {"tracks", {"ss"}}});
  CHECK_THROWS_AS(unlearned.load("test", ">a\nA\n=ss H\n>b\nA\n=ss H\n"), CallFailed);
}

TEST_CASE("alignment: the number of weights is the sum of the sizes of the tables") {
  CHECK(weights({{"model", "match"}}) == 3 * 2 + 2);
  const std::int64_t simple = 20 * 20 + 3 * 3 + 2 * 2;
  CHECK(weights({{"model", "simple"}, {"symmetric", false}}) == simple + 2);
  CHECK(weights({{"model", "simple"}}) == 210 + 6 + 3 + 2);
  const std::int64_t anova2 = simple + 60 * 60 + 40 * 40 + 6 * 6;
  CHECK(weights({{"model", "anova2"}, {"symmetric", false}, {"window", 1}}) == 3 * anova2 + 2);
  CHECK(weights({{"model", "tensor"}, {"gaps", "linear"}}) == 120 * 121 / 2 + 1);
}

TEST_CASE("alignment: models of several tracks are refused without tracks") {
  for (const char* const model : {"anova2", "tensor"}) {
    CHECK(contains(
        refused_features(json::object(), {{"model", model}}),
        std::string("the model ") + model + " combines tracks, but the dataset has only letters"));
  }
}

TEST_CASE("alignment: more weights than max_weights are refused and counted") {
  CHECK(contains(
      refused_features(two_tracks, {{"model", "tensor"}, {"max_weights", 35}}),
      "has 36 weights of letters, ss, sa, but `max_weights` allows only 35; use a smaller"));
  CHECK(contains(refused_features(two_tracks, {{"window", 1}, {"max_weights", 26}}),
                 "has 27 weights of all pairs and offsets, but `max_weights` allows only 26"));
  CHECK(refused_features(two_tracks, {{"model", "tensor"}, {"max_weights", 36}}) == "accepted");
}

TEST_CASE("alignment: products of more symbols than an integer holds are refused") {
  std::string symbols;
  for (char c = '!'; c <= '~'; ++c) symbols += c;
  std::string row = "\n" + std::string(symbols.size(), 'A') + "\n";
  json names = json::array();
  for (int t = 0; t < 200; ++t) {
    names.push_back("t" + std::to_string(t));
    row += "=t" + std::to_string(t) + " " + symbols + "\n";
  }
  try {
    BoundFeatures("alignment#pairs_fasta", {{"tracks", names}}, ">a" + row + ">b" + row,
                  "alignment", {{"model", "tensor"}});
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(contains(failure.what(), "has more than 10^15 weights of letters, t0"));
  }
}

TEST_CASE("alignment: the weights of one table and offset form a group, others have none") {
  const BoundFeatures bound("alignment#pairs_fasta", {{"tracks", {"ss"}}, {"profile", 2}},
                            ">a\nAC\n=ss HE\n@ 1 2\n@ 3 4\n>b\nAC\n=ss HE\n", "alignment",
                            {{"window", 1}});
  std::vector<std::int32_t> group(static_cast<std::size_t>(dimension(bound.features)), 7);
  ErrorText error;
  error.check(bound.features.extension<sculpt_ext_groups>(SCULPT_EXT_GROUPS)
                  .groups(bound.features.self(), group.data(), error.raw()));
  CHECK(group == std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, -1, -1,  //
                                           2, 2, 2, 3, 3, 3, -1, -1,  //
                                           4, 4, 4, 5, 5, 5, -1, -1, -1, -1});
}
