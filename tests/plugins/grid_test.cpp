// The dataset grid: reading, features and edges, and refusals with their places.
#include <doctest/doctest.h>

#include "edge_kind_calls.hpp"
#include "line_ends.hpp"
#include "random_graphs.hpp"
#include "refusals.hpp"

#include <map>

using namespace plugin_test;
using nlohmann::json;

namespace {

const std::string two_images =
    "image one 2 3\nxoo\nxxo\n0 10 2\n0 0 2\n\nimage two 1 2 unlabelled\no x\n";

std::string refused_images(const std::string& text, const std::string& train = "",
                           const json& parameters = json::object()) {
  return refused_data("grid", text, train, parameters);
}

// The features of a site that are not 0, by name.
std::map<std::string, double> named_row(const LiveComponent& dataset, std::int64_t example,
                                        std::int64_t site) {
  const sculpt_sites sites = sites_of(dataset, example);
  std::map<std::string, double> row;
  for (std::int64_t j = sites.row_from[site]; j < sites.row_from[site + 1]; ++j) {
    if (j > sites.row_from[site]) REQUIRE(sites.index[j - 1] < sites.index[j]);
    REQUIRE(sites.index[j] < shape_of(dataset).feature_count);
    row[feature_name(dataset, sites.index[j])] = sites.value[j];
  }
  return row;
}

using NamedRow = std::map<std::string, double>;

}  // namespace

TEST_CASE("grid reads rows of characters and rows of words, and images without labels") {
  LiveComponent dataset("grid");
  dataset.load("train", two_images);
  REQUIRE(example_count(dataset) == 2);
  CHECK(truth_of(dataset, 0) == Outputs{0, 2, 1, 0, 0, 1});  // sorted: 0, 2, 10
  CHECK_FALSE(is_labelled(dataset, 1));
  CHECK(sites_of(dataset, 0).site_count == 6);
  CHECK(sites_of(dataset, 1).site_count == 2);
  CHECK(shape_of(dataset).state_count == 3);
  CHECK(shape_of(dataset).feature_count == 2);
  CHECK(named_row(dataset, 0, 1) == NamedRow{{"symbol o", 1}});
  CHECK(named_row(dataset, 1, 1) == NamedRow{{"symbol x", 1}});
  LiveComponent other("grid");
  other.load("train", "\xEF\xBB\xBF" + with_crlf(two_images));
  CHECK(other.save() == dataset.save());
  CHECK(truth_of(other, 0) == truth_of(dataset, 0));
}

TEST_CASE("grid: images with 3 numbers a pixel, which stand next to each other") {
  const json colours = {{"mode", "values"}, {"channels", 3}};
  const std::string rows = "image a 2 2\n1 2 3 4 5 6\n.5 0 -1  7 8 9\n0 1\n1 1\n";
  LiveComponent dataset("grid", colours);
  dataset.load("train", rows);
  CHECK(shape_of(dataset).feature_count == 3);
  CHECK(sites_of(dataset, 0).site_count == 4);
  CHECK(named_row(dataset, 0, 0) == NamedRow{{"value 1", 1}, {"value 2", 2}, {"value 3", 3}});
  CHECK(named_row(dataset, 0, 1) == NamedRow{{"value 1", 4}, {"value 2", 5}, {"value 3", 6}});
  CHECK(named_row(dataset, 0, 2) == NamedRow{{"value 1", 0.5}, {"value 3", -1}});
  LiveComponent other("grid", colours);
  other.load("train", "\xEF\xBB\xBF" + with_crlf(rows));
  CHECK(named_row(other, 0, 2) == named_row(dataset, 0, 2));
  json wide = colours;
  wide["window"] = 1;
  LiveComponent window("grid", wide);
  window.load("train", rows);
  CHECK(shape_of(window).feature_count == 9 * 4 - 1);
  const NamedRow row = named_row(window, 0, 0);
  CHECK(row.at("value 2") == 2);
  CHECK(row.at("value 3 at (0, 1)") == 6);
  CHECK(row.at("value 1 at (1, 0)") == 0.5);
  CHECK(row.at("value 1 at (1, 1)") == 7);
  CHECK(row.at("border at (-1, -1)") == 1);
  CHECK(row.size() == 3 + 3 + 2 + 3 + 5);  // itself, three neighbours, a 0 left out, the border
}

TEST_CASE("grid: a row of pixels with too many or too few numbers is refused with `channels`") {
  const std::string graph =
      ", or use the dataset `graph` for parts of images that are not pixels in rows";
  CHECK(refused_images("image a 1 2\n1 2 3 4 5 6\n0 1\n", "", {{"mode", "values"}}) ==
        "data.txt:2:5: row 1 of the pixels of image 'a' has 6 entries; the image is 2 wide; add "
        "--set dataset.channels=3 if these are the numbers of each pixel, one pixel after "
        "the other" +
            graph);
  CHECK(refused_images("image a 1 2\n1 2 3 4\n0 1\n") ==
        "data.txt:2:5: row 1 of the pixels of image 'a' has 4 entries; the image is 2 wide; add "
        "--set dataset.channels=2 --set dataset.mode=values if these are the numbers of "
        "each pixel, one pixel after the other" +
            graph);
  CHECK(
      refused_images("image a 1 2\n1 2 3 4 5\n0 1\n", "", {{"mode", "values"}, {"channels", 3}}) ==
      "data.txt:2:1: row 1 of the pixels of image 'a' has 5 entries; the image is 2 wide and a "
      "pixel has 3 numbers (\"channels\"), so 6 are expected; correct the row; for several "
      "numbers a pixel add --set dataset.channels=N" +
          graph);
}

TEST_CASE("a window of grid describes a pixel by its neighbours and by the border") {
  LiveComponent dataset("grid", {{"window", 1}});
  dataset.load("train", two_images);
  CHECK(shape_of(dataset).feature_count == 9 * 3 - 1);
  CHECK(named_row(dataset, 0, 0) == NamedRow{{"border at (-1, -1)", 1},
                                             {"border at (-1, 0)", 1},
                                             {"border at (-1, 1)", 1},
                                             {"border at (0, -1)", 1},
                                             {"symbol x", 1},
                                             {"symbol o at (0, 1)", 1},
                                             {"border at (1, -1)", 1},
                                             {"symbol x at (1, 0)", 1},
                                             {"symbol x at (1, 1)", 1}});
  // names are distinct
  std::map<std::string, int> names;
  for (std::int64_t j = 0; j < shape_of(dataset).feature_count; ++j)
    ++names[feature_name(dataset, j)];
  CHECK(names.size() == 26);
  LiveComponent values("grid", {{"window", 1}, {"mode", "values"}});
  values.load("train", "image v 1 2\n0.5 -2e1\na b\nimage w 1 2\n01\na b\n");
  CHECK(shape_of(values).feature_count == 9 * 2 - 1);
  const NamedRow row = named_row(values, 0, 1);
  CHECK(row.size() == 9);  // 7 of them are borders
  CHECK(row.at("value") == -20);
  CHECK(row.at("value at (0, -1)") == 0.5);
  CHECK(row.at("border at (0, 1)") == 1);
  CHECK(named_row(values, 1, 0).count("value") == 0);  // entries of 0 are left out
  CHECK(named_row(values, 1, 0).at("value at (0, 1)") == 1);
}

TEST_CASE("the edges of grid join each pair of neighbours once, by direction") {
  Random random(83);
  for (int trial = 0; trial < 40; ++trial) {
    const int height = draw(random, 1, 5);
    const int width = draw(random, 1, 5);
    std::string text = "image i " + std::to_string(height) + " " + std::to_string(width) + "\n";
    for (int row = 0; row < 2 * height; ++row) {
      text += std::string(static_cast<std::size_t>(width), 'a') + "\n";
    }
    for (const bool eight : {false, true}) {
      LiveComponent dataset("grid", {{"neighbours", eight ? "8" : "4"}});
      dataset.load("train", text);
      std::map<std::pair<int, int>, std::string> found;
      for (const auto& [from, to, kind] : edges_of(dataset, 0)) found[{from, to}] = kind;
      // all pairs of pixels, by their distance
      std::map<std::pair<int, int>, std::string> expected;
      for (int a = 0; a < height * width; ++a) {
        for (int b = 0; b < height * width; ++b) {
          const int down = b / width - a / width;
          const int right = b % width - a % width;
          if (down == 0 && right == 1) expected[{a, b}] = "right";
          if (down == 1 && right == 0) expected[{a, b}] = "down";
          if (eight && down == 1 && right == 1) expected[{a, b}] = "down right";
          if (eight && down == 1 && right == -1) expected[{a, b}] = "down left";
        }
      }
      REQUIRE(found == expected);
      REQUIRE(edges_of(dataset, 0).size() == expected.size());
    }
  }
}

TEST_CASE("grid refuses ragged images, with their place") {
  const std::string remedy =
      "; correct the row; for several numbers a pixel add --set dataset.channels=N, or use the "
      "dataset `graph` for parts of images that are not pixels in rows";
  CHECK(refused_images("image a 2 3\nxox\nxo\n0 0 0\n0 0 0\n") ==
        "data.txt:3:1: row 2 of the pixels of image 'a' has 2 entries; the image is 3 wide" +
            remedy);
  CHECK(refused_images("image a 1 3\nxox\n0 0 0 0\n") ==
        "data.txt:3:7: row 1 of the labels of image 'a' has 4 entries; the image is 3 wide");
  CHECK(refused_images("image a 1 3\nx o\n0 0 0\n") ==
        "data.txt:2:1: row 1 of the pixels of image 'a' has 2 entries; the image is 3 wide" +
            remedy);
}

TEST_CASE("grid splits rows only into characters of UTF-8, and reads words of any bytes") {
  const auto not_a_character = [](const std::string& place, const std::string& bytes) {
    return "data.txt:" + place + ": '" + bytes +
           "' is not a character in UTF-8; save the file as UTF-8, or write the entries of a row "
           "with blanks between them";
  };
  CHECK(refused_images("image a 1 3\nx\xB0x\n000\n") == not_a_character("2:1", "x\xB0"));
  CHECK(refused_images("image a 1 3\nxox\n0\xE9"
                       "0\n") == not_a_character("3:2", "\xE9"));
  CHECK(refused_images("image a 1 2\nx\xE2\x82\n00\n") == not_a_character("2:2", "\xE2\x82"));
  CHECK(refused_images("image a 1 2\nx\xFF\n00\n") == not_a_character("2:2", "\xFF"));
  LiveComponent dataset("grid");
  dataset.load("train", "image a 1 4\nx\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\n0 \xE9 1 0\n");
  CHECK(named_row(dataset, 0, 2) == NamedRow{{"symbol \xE2\x82\xAC", 1}});
  CHECK(format(dataset, 0, {0, 1, 2, 0}) == "0 1 \xE9 0\n");
  CHECK(parse(dataset, 0, "0 1 \xE9 0") == Outputs{0, 1, 2, 0});
}

TEST_CASE("grid refuses images with missing or superfluous rows, with their place") {
  CHECK(refused_images("image a 2 1\nx\nimage b 1 1\nx\n0\n") ==
        "data.txt:3:1: another image begins after 1 of 2 rows of pixels of image 'a', which begins "
        "in line 1; write all rows");
  CHECK(
      refused_images("image a 1 2\nxo\n") ==
      "data.txt:2:1: the file ends after 0 of 1 rows of labels of image 'a', which begins in line "
      "1; write all rows, or `unlabelled` after the width");
  CHECK(refused_images("image a 1 2\nxo\n0 0\n0 0\n") ==
        "data.txt:4:1: '0' follows the last row of image 'a'; begin another image with a line "
        "`image NAME H W`");
  CHECK(refused_images("xo\n") ==
        "data.txt:1:1: 'xo' is before the first image; begin it with a line `image NAME H W`");
}

TEST_CASE("grid refuses bad headers, with their place") {
  const std::string write =
      "the first line of this image is malformed; write `image NAME H W`, and `unlabelled` after "
      "it if no rows of labels follow";
  CHECK(refused_images("image a 2\n") == "data.txt:1:1: " + write);
  CHECK(refused_images("image a 2 2 unlabeled\n") == "data.txt:1:13: " + write);
  CHECK(refused_images("image a 0 2\n") == "data.txt:1:9: the height 0 is outside [1, 268435456]");
  CHECK(refused_images("image a 2 x\n") ==
        "data.txt:1:11: 'x' is not a width; write a whole number");
  CHECK(refused_images("image a 100000 100000\n") ==
        "data.txt:1:9: this image has more than 268435456 pixels; cut it into smaller ones");
}

TEST_CASE("grid refuses unknown symbols and labels and bad values, with their place") {
  const std::string train = "image a 1 2\nxo\n0 1\n";
  CHECK(refused_images("image b 1 2\nox\n1 2\n", train) ==
        "data.txt:3:3: label '2' does not occur in the training data (0, 1); correct it, or write "
        "`image NAME H W unlabelled` and no rows of labels");
  CHECK(refused_images("image b 1 2\noz\n1 1\n", train) ==
        "data.txt:2:2: symbol 'z' does not occur in the training data (o, x); correct it, or train "
        "with it, too");
  CHECK(refused_images("image b 1 2\n1 x\n0 0\n", "", {{"mode", "values"}}) ==
        "data.txt:2:3: 'x' is not the value of a pixel; a finite number is expected");
  CHECK(refused_images("image b 1 2\n1 inf\n0 0\n", "", {{"mode", "values"}}) ==
        "data.txt:2:3: 'inf' is not the value of a pixel; a finite number is expected");
  CHECK(refused_images("image b 1 99999999999999999999\n") ==
        "data.txt:1:11: the width 99999999999999999999 is outside [1, 268435456]");
  CHECK(refused_images("\n") ==
        "data.txt:1:1: no images; write `image NAME H W`, H rows of pixels and H rows of labels");
  CHECK(refused_images("image a 1 1 unlabelled\nx\n") ==
        "data.txt:1:1: no image has labels, so there is nothing to learn; write the rows of labels "
        "after the rows of pixels");
}

TEST_CASE("grid prints rows of labels and reads them back") {
  LiveComponent dataset("grid");
  dataset.load("train", two_images);
  const Outputs y = {0, 1, 2, 2, 1, 0};
  CHECK(format(dataset, 0, y) == "0 2 10\n10 2 0\n");
  CHECK(parse(dataset, 0, format(dataset, 0, y)) == y);
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0"), "there are 2 labels where 6 are expected");
  CHECK_THROWS_WITH(parse(dataset, 0, "0 0 0 0 0 7"),
                    "'7' does not occur in the training data (0, 2, 10)");
}

TEST_CASE("grid restored from a model reads new images like the trained one") {
  for (const std::string mode : {"category", "values"}) {
    const json parameters = {{"window", 1}, {"mode", mode}};
    LiveComponent learned("grid", parameters);
    learned.load("train", "image a 2 2\n12\n21\n0 1\n1 1\n");
    LiveComponent restored("grid", parameters);
    const std::string state = learned.save();
    restored.restore(state);
    CHECK(restored.save() == state);
    const std::string image = "image b 1 2\n21\n1 0\n";
    learned.load("test", image);
    restored.load("predict", image);
    CHECK(truth_of(restored, 0) == truth_of(learned, 1));
    CHECK(named_row(restored, 0, 0) == named_row(learned, 1, 0));
    for (std::size_t size = 0; size < state.size(); ++size) {
      CHECK_THROWS_WITH(LiveComponent("grid", parameters).restore(state.substr(0, size)),
                        "its state in the model is damaged or of another version; use the plugin "
                        "version that wrote the model, or train again");
    }
  }
}
