#include "grid_file.hpp"

#include <algorithm>

namespace {

using sculpt::Field;

constexpr std::int64_t max_pixels = std::int64_t{1} << 28;  // limit for an image

// True if a piece of character_size() has the number of bytes that its first byte requires.
bool is_character(std::string_view piece) {
  const auto lead = static_cast<unsigned char>(piece[0]);
  if (lead < 0x80) return piece.size() == 1;
  if (lead < 0xC2 || lead > 0xF4) return false;
  return piece.size() == (lead < 0xE0 ? 2U : lead < 0xF0 ? 3U : 4U);
}

class GridFileReader {
 public:
  GridFileReader(sculpt::LineReader& reader, std::int64_t channels)
      : reader_(reader), channels_(channels) {}

  GridFile read() {
    while (reader_.next()) {
      if (reader_.fields().empty()) continue;
      read_header(reader_.fields());
      const GridImage image = file_.images.back();
      for (std::int32_t row = 0; row < image.height; ++row) {
        read_row(image, row, "pixels", entries_of_pixel(),
                 [this](Field field) { add_entry(field); });
      }
      if (!image.is_labelled) continue;
      for (std::int32_t row = 0; row < image.height; ++row) {
        read_row(image, row, "labels", 1, [this](Field field) {
          file_.label.push_back(file_.labels.number(field.text, reader_.number(), field.column));
        });
      }
    }
    return std::move(file_);
  }

 private:
  void read_header(const std::vector<Field>& fields) {
    if (fields[0].text != "image") {
      throw reader_.error(fields[0].column,
                          sculpt::shown(fields[0].text) +
                              (file_.images.empty() ? " is before the first image; begin it "
                                                      "with a line `image NAME H W`"
                                                    : " follows the last row of " + name_ +
                                                          "; begin another image with a line "
                                                          "`image NAME H W`"));
    }
    const bool unlabelled = fields.size() == 5 && fields[4].text == "unlabelled";
    if (fields.size() != 4 && !unlabelled) {
      throw reader_.error(fields.size() > 4 ? fields[4].column : 0,
                          "the first line of this image is malformed; write `image NAME H W`, and "
                          "`unlabelled` after it if no rows of labels follow");
    }
    const std::int64_t height = read_size(fields[2], "height");
    const std::int64_t width = read_size(fields[3], "width");
    if (height > max_pixels / width) {
      throw reader_.error(fields[2].column, "this image has more than " +
                                                std::to_string(max_pixels) +
                                                " pixels; cut it into smaller ones");
    }
    name_ = "image " + sculpt::shown(fields[1].text);
    header_line_ = reader_.number();
    file_.images.push_back({static_cast<std::int32_t>(height), static_cast<std::int32_t>(width),
                            !unlabelled, reader_.number()});
  }

  // Reads a height or a width. `name`: which of them, for messages.
  std::int64_t read_size(Field field, const std::string& name) const {
    const std::int64_t value =
        reader_.clamped_integer(field, "a " + name + "; write a whole number");
    if (value < 1 || value > max_pixels) {
      throw reader_.error(field.column, "the " + name + " " + sculpt::shortened(field.text) +
                                            " is outside [1, " + std::to_string(max_pixels) + "]");
    }
    return value;
  }

  std::size_t entries_of_pixel() const {
    return static_cast<std::size_t>(std::max<std::int64_t>(channels_, 1));
  }

  // Calls add(field) for each entry of the next row: a word. A pixel has `per_pixel` entries. If
  // the row is one word with as many characters as it has entries, each character is an entry.
  template <class Add>
  void read_row(const GridImage& image, std::int32_t row, const std::string& kind,
                std::size_t per_pixel, Add add) {
    do {
      if (!reader_.next()) throw too_few_rows(image, row, kind, "the file ends");
    } while (reader_.fields().empty());
    const std::vector<Field>& fields = reader_.fields();
    if (fields[0].text == "image") throw too_few_rows(image, row, kind, "another image begins");
    const std::size_t width = static_cast<std::size_t>(image.width) * per_pixel;
    if (fields.size() == width) {
      for (const Field field : fields) add(field);
      return;
    }
    const Field first = fields[0];
    characters_.clear();
    if (fields.size() == 1) read_characters(first);
    const std::size_t entries = fields.size() == 1 ? characters_.size() : fields.size();
    if (entries != width) {
      const bool too_many_words = entries > width && fields.size() > 1;
      throw reader_.error(too_many_words ? fields[width].column : first.column,
                          "row " + std::to_string(row + 1) + " of the " + kind + " of " + name_ +
                              " has " + std::to_string(entries) + " entries; the image is " +
                              std::to_string(image.width) + " wide" +
                              (kind == "pixels" ? remedy_of_pixels(entries, image) : ""));
    }
    for (const Field field : characters_) add(field);
  }

  // What to do about a row of pixels with this number of entries.
  std::string remedy_of_pixels(std::size_t entries, const GridImage& image) const {
    const auto width = static_cast<std::size_t>(image.width);
    const std::string expected =
        channels_ > 1
            ? " and a pixel has " + std::to_string(channels_) + " numbers (\"channels\"), so " +
                  std::to_string(width * entries_of_pixel()) + " are expected"
            : "";
    const std::string remedy =
        entries % width == 0
            ? "add --set dataset.channels=" + std::to_string(entries / width) +
                  (channels_ == 0 ? " --set dataset.mode=values" : "") +
                  " if these are the numbers of each pixel, one pixel after the other"
            : "correct the row; for several numbers a pixel add --set dataset.channels=N";
    return expected + "; " + remedy +
           ", or use the dataset `graph` for parts of images that are not pixels in rows";
  }

  // Splits a word into characters_.
  void read_characters(Field word) {
    for (std::size_t begin = 0; begin < word.text.size();) {
      const std::string_view rest = word.text.substr(begin);
      const Field character{rest.substr(0, sculpt::character_size(rest)), word.column + begin};
      if (!is_character(character.text)) {
        throw reader_.error(character.column,
                            sculpt::shown(character.text) +
                                " is not a character in UTF-8; save the file as UTF-8, or write "
                                "the entries of a row with blanks between them");
      }
      characters_.push_back(character);
      begin += character.text.size();
    }
  }

  // `event`: what follows the last row, such as "the file ends".
  sculpt::Error too_few_rows(const GridImage& image, std::int32_t row, const std::string& kind,
                             const std::string& event) const {
    return reader_.error(
        0, event + " after " + std::to_string(row) + " of " + std::to_string(image.height) +
               " rows of " + kind + " of " + name_ + ", which begins in line " +
               std::to_string(header_line_) + "; write all rows" +
               (kind == "labels" && row == 0 ? ", or `unlabelled` after the width" : ""));
  }

  void add_entry(Field field) {
    if (channels_ > 0) {
      file_.value.push_back(reader_.real(field, "the value of a pixel"));
    } else {
      file_.symbol.push_back(file_.symbols.number(field.text, reader_.number(), field.column));
    }
  }

  sculpt::LineReader& reader_;
  const std::int64_t channels_;
  GridFile file_;
  std::string name_;               // of the current image, for messages
  std::int64_t header_line_ = 0;   // of the current image
  std::vector<Field> characters_;  // of the current row
};

}  // namespace

std::int32_t WordTable::number(std::string_view text, std::int64_t line, std::size_t column) {
  const auto [found, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::int32_t>(entries_.size()));
  if (is_new) entries_.push_back({std::string(text), line, column});
  return found->second;
}

GridFile read_grid_file(sculpt::LineReader& reader, std::int64_t channels) {
  return GridFileReader(reader, channels).read();
}
