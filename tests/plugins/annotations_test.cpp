// Tracks and profiles of pairs_fasta: what is read and refused, and the weights they get.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "refusals.hpp"

#include <sculpt/ext/draft/groups.h>

using namespace plugin_test;
using nlohmann::json;

namespace {

const json one_track{{"tracks", {"ss"}}};
const json two_tracks{{"tracks", {"ss", "sa"}}};
const json two_columns{{"profile", 2}};

// Behind a sound first row of two letters.
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
  // 20 letters, 3 and 2 symbols
  return dimension(
      BoundFeatures("alignment#pairs_fasta", {{"alphabet", "protein"}, {"tracks", {"ss", "sa"}}},
                    ">a\nACD\n=ss HEC\n=sa beb\n>b\nA\n=ss H\n=sa b\n", "alignment", features)
          .features);
}

}  // namespace

TEST_CASE(
    "annotations: tracks in several lines, gaps without symbols, rows of gaps without tracks") {
  const std::string text =
      ">a\nA-\nC\n=ss H\n = skipped";  // the blank before = is allowed, the name is not
  CHECK(says(refused_pairs(text, one_track), "data.txt:5:2: '' is no track"));
  CHECK(refused_pairs(">a\nA-\nC\n=ss H\n  =ss E\r\n>b\nAGG\n=ss E??\n", one_track) == "accepted");
  CHECK(refused_pairs(">a\n--\n>b\nAC\n=ss HH\n", one_track) == "accepted");
}

TEST_CASE("annotations: tracks that nobody asked for are refused") {
  CHECK(says(refused_pairs(">a\nAC\n=ss HE\n>b\nAC\n", json::object()),
             "data.txt:3:1: this is a line of a track; name the tracks of the rows in the "
             "parameter `tracks`"));
}

TEST_CASE("annotations: a track with another name is refused") {
  CHECK(says(refused_row("AC\n=sc HE\n", two_tracks, "=ss HE\n=sa be\n"),
             "data.txt:7:1: 'sc' is no track of the parameter `tracks`, which has ss, sa; add it"));
}

TEST_CASE("annotations: a track that is missing is refused") {
  CHECK(says(refused_row("AC\n=ss HE\n", two_tracks, "=ss HE\n=sa be\n"),
             "data.txt:5:1: this row lacks the track 'sa'; write it behind the letters"));
  CHECK(says(refused_pairs(">a\nAC\n>b\nAC\n=ss HE\n", one_track), "data.txt:1:1: this row lacks"));
}

TEST_CASE("annotations: a track that comes twice or too early is refused") {
  CHECK(says(refused_row("AC\n=ss H\n=sa be\n=ss E\n", two_tracks, "=ss HE\n=sa be\n"),
             "data.txt:9:1: the track 'ss' is here twice"));
  CHECK(says(refused_row("AC\n=sa be\n=ss HE\n", two_tracks, "=ss HE\n=sa be\n"),
             "data.txt:7:1: the track 'ss' comes before 'sa'"));
}

TEST_CASE("annotations: a track of another length than its letters is refused") {
  CHECK(says(refused_row("ACG\n=ss H\n=ss E\n", one_track, "=ss HE\n"),
             "data.txt:7:6: the track 'ss' has 2 symbols for 3 letters; write one for each"));
  CHECK(says(refused_row("A-C\n=ss H-E\n", one_track, "=ss HE\n"),
             "data.txt:6:7: the track 'ss' has 3 symbols for 2 letters; take those of its gaps"));
}

TEST_CASE("annotations: symbols are visible characters, without blanks between them") {
  CHECK(says(refused_row("AC\n=ss H\xC3\xA4\n", one_track, "=ss HE\n"),
             "data.txt:6:6: '\xC3\xA4' is no symbol of a track"));
  CHECK(says(refused_row("AC\n=ss H E\n", one_track, "=ss HE\n"),
             "data.txt:6:7: behind the name of a track stand its symbols"));
  CHECK(says(refused_row("AC\n=ss\n", one_track, "=ss HE\n"), "data.txt:6:1: behind the name"));
}

TEST_CASE("annotations: a symbol that the training data have not is refused, ? is none") {
  LiveComponent pairs("alignment#pairs_fasta", one_track);
  pairs.load("train", ">a\nAC\n=ss HE\n>b\nA\n=ss e\n");
  pairs.load("validation", ">a\nAC\n=ss ?E\n>b\nA\n=ss e\n");
  try {
    pairs.load("test", ">a\nAC\n=ss HE\n>b\nAC\n=ss H\n=ss T\n");
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(says(failure.what(),
               "data.txt:7:5: the symbol 'T' is not among EHe, those of the track 'ss' in the "
               "training data; write ? where nothing is known"));
  }
}

TEST_CASE("annotations: letters stand before them, and something before them is refused") {
  CHECK(says(refused_row("AC\n=ss HE\nG\n", one_track, "=ss HE\n"),
             "data.txt:7:1: all letters of a row stand before its tracks and its profile"));
  CHECK(says(refused_row("=ss HE\nAC\n", one_track, "=ss HE\n"),
             "data.txt:5:1: a row begins with its letters"));
}

TEST_CASE("annotations: names of tracks are words, each of its own") {
  for (const char* const name : {"", "a b", "a\tb"}) {
    CHECK_THROWS_AS(LiveComponent("alignment#pairs_fasta", {{"tracks", {name}}}), CallFailed);
  }
  CHECK_THROWS_AS(LiveComponent("alignment#pairs_fasta", {{"tracks", {"ss", "sa", "ss"}}}),
                  CallFailed);
}

TEST_CASE("annotations: profiles with other numbers than were said are refused") {
  const std::string sound = "@ 1 2\n@ 3 4\n";
  CHECK(refused_row("AC\n", two_columns, sound) == "accepted");  // none is allowed
  CHECK(says(refused_row("AC\n@ 1\n", two_columns, sound),
             "data.txt:7:1: a line of a profile has 2 numbers, as the parameter `profile` says, "
             "this one has 1"));
  CHECK(says(refused_row("AC\n@ 1 2 3\n", two_columns, sound), "data.txt:7:7: a line of"));
  CHECK(says(refused_row("A-C\n@ 1 2\n", two_columns, sound),
             "data.txt:7:1: the profile ends here, behind 1 of 2 letters"));
  CHECK(says(refused_row("AC\n" + sound + "@ 5 6\n", two_columns, sound),
             "data.txt:9:1: the row has 2 letters, and this line of its profile is for one more"));
  CHECK(says(refused_row("AC\n@1 2\n", two_columns, sound), "data.txt:7:2: a blank stands"));
  CHECK(says(refused_row("AC\n@ 1 2\n", json::object(), ""),
             "data.txt:5:1: this is a line of a profile; set the parameter `profile`"));
}

TEST_CASE("annotations: numbers that are none, not finite or too large are refused") {
  const auto number = [](const std::string& text) {
    return refused_row("A\n@ 1 " + text + "\n", two_columns, "");
  };
  CHECK(says(number("x"), "data.txt:5:5: 'x' is not a number of a profile"));
  CHECK(says(number("nan"), "data.txt:5:5: 'nan' is not a number of a profile"));
  CHECK(says(number("inf"), "data.txt:5:5: 'inf' is not a number of a profile"));
  CHECK(says(number("-1e7"), "data.txt:5:5: '-1e7' is beyond what profiles may have"));
}

TEST_CASE("annotations: a model keeps the symbols of tracks") {
  LiveComponent learned("alignment#pairs_fasta", two_tracks);
  learned.load("train", ">a\nAC\n=ss HE\n=sa be\n>b\nA\n=ss ?\n=sa i\n");
  const std::string state = learned.save();
  LiveComponent again("alignment#pairs_fasta", two_tracks);
  again.restore(state);
  CHECK(says(
      [&] {
        try {
          again.load("predict", ">a\nA\n=ss H\n=sa x\n>b\nA\n=ss E\n=sa b\n");
        } catch (const CallFailed& failure) {
          return std::string(failure.what());
        }
        return std::string("accepted");
      }(),
      "the symbol 'x' is not among bei"));
  CHECK(again.save() == state);
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent damaged("alignment#pairs_fasta", two_tracks);
    CHECK_THROWS_AS(damaged.restore(state.substr(0, size)), CallFailed);
  }
  LiveComponent fewer("alignment#pairs_fasta", one_track);
  CHECK_THROWS_AS(fewer.restore(state), CallFailed);
  LiveComponent unlearned("alignment#pairs_fasta", {{"alphabet", "protein"}, {"tracks", {"ss"}}});
  CHECK_THROWS_AS(unlearned.load("test", ">a\nA\n=ss H\n>b\nA\n=ss H\n"), CallFailed);
}

TEST_CASE("alignment: the weights of models are as many as their tables say") {
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
    CHECK(says(refused_features(json::object(), {{"model", model}}),
               std::string("the model ") + model +
                   " takes tracks together, and the dataset has "
                   "none beside the letters"));
  }
}

TEST_CASE("alignment: more weights than allowed are refused, with their number") {
  CHECK(says(refused_features(two_tracks, {{"model", "tensor"}, {"max_weights", 35}}),
             "has 36 weights of letters, ss, sa, and `max_weights` allows 35; take a smaller"));
  CHECK(says(refused_features(two_tracks, {{"window", 1}, {"max_weights", 26}}),
             "has 27 weights of all pairs and offsets, and `max_weights` allows 26"));
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
    CHECK(says(failure.what(), "has more than 10^15 weights of letters, t0"));
  }
}

TEST_CASE("alignment: the weights of a table and an offset are a group, others are in none") {
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
