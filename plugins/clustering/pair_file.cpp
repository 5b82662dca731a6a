#include "pair_file.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace clustering {

namespace {

class PairFileReader {
 public:
  PairFileReader(sculpt::LineReader& reader, std::int64_t max_items)
      : reader_(reader), max_items_(max_items) {}

  PairFile read() {
    while (reader_.next()) {
      reader_.cut_comment('#');
      const std::span<const sculpt::Field> fields = reader_.fields(4);
      if (fields.empty()) continue;
      if (fields.front().text == "items") {
        read_items(fields);
      } else {
        read_pair(fields);
      }
    }
    if (file_.documents.empty()) {
      throw reader_.error_at(1, 0, "no rows; write rows such as `1 0 1 -1 1:0.5 3:1`");
    }
    for (const Document& document : file_.documents) refuse_repeats(document);
    return std::move(file_);
  }

 private:
  // Reads "items document N".
  void read_items(std::span<const sculpt::Field> fields) {
    if (fields.size() != 3) {
      throw reader_.error(
          fields.front().column,
          "this line is not `items document N`; write a document and how many items it has");
    }
    const std::int64_t number = document_number(fields[1]);
    if (!file_.documents.empty() && file_.documents.back().number == number) {
      throw reader_.error(fields.front().column,
                          "document " + std::to_string(number) + " began on line " +
                              std::to_string(file_.documents.back().line) +
                              "; write its line `items` once, before its rows");
    }
    begin_document(number, fields[1]);
    const std::int64_t items = reader_.clamped_integer(fields[2], "a number of items");
    if (items < 1 || items > max_items_) {
      throw reader_.error(fields[2].column,
                          "a document has 1 to max_items = " + std::to_string(max_items_) +
                              " items, not " + sculpt::shortened(fields[2].text));
    }
    file_.documents.back().items = items;
    items_line_ = reader_.number();
  }

  // Reads "document i j same index:value ...".
  void read_pair(std::span<const sculpt::Field> fields) {
    const std::int64_t number = document_number(fields.front());
    if (fields.size() < 4) {
      throw reader_.error(fields.front().column,
                          "this row is too short; write a document, two items and whether they are "
                          "the same: 1, -1 or ?");
    }
    if (file_.documents.empty() || file_.documents.back().number != number) {
      begin_document(number, fields.front());
    }
    Document& document = file_.documents.back();
    ItemPair pair;
    pair.line = reader_.number();
    pair.column = fields[1].column;
    pair.first = read_item(fields[1]);
    pair.second = read_item(fields[2]);
    if (pair.first == pair.second) {
      throw reader_.error(fields[2].column,
                          "item " + std::to_string(pair.first) +
                              " is paired with itself; write two different items");
    }
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
    const std::optional<bool> same = read_link(fields[3]);
    if (document.pairs.empty()) document.is_labelled = same.has_value();
    if (document.is_labelled != same.has_value()) {
      throw reader_.error(fields[3].column,
                          std::string("this row has ") + (same ? "a label" : "no label") +
                              ", but the first row of the document has " + (same ? "none" : "one") +
                              "; label all rows of a document, or none");
    }
    pair.is_same_cluster = same.value_or(false);
    file_.entries.add_row(reader_, fields[3].end());
    ++rows_;
    document.pairs.push_back(pair);
  }

  std::int64_t document_number(sculpt::Field field) const {
    return reader_.integer(field, "a document; a whole number is expected, or `items`");
  }

  void begin_document(std::int64_t number, sculpt::Field field) {
    const auto [entry, is_new] = first_lines_.try_emplace(number, reader_.number());
    if (!is_new) {
      throw reader_.error(field.column,
                          "document " + std::to_string(number) + " began on line " +
                              std::to_string(entry->second) +
                              " and ended before this row; put the rows of a document together");
    }
    Document document;
    document.number = number;
    document.line = reader_.number();
    document.first_row = rows_;
    file_.documents.push_back(std::move(document));
    items_line_.reset();
  }

  std::int32_t read_item(sculpt::Field field) {
    const std::int64_t number =
        reader_.clamped_integer(field, "an item; these are whole numbers from 0");
    Document& document = file_.documents.back();
    if (number < 0) {
      throw reader_.error(field.column, "item " + sculpt::shortened(field.text) +
                                            " is below 0; count items from 0");
    }
    if (items_line_ && number >= document.items) {
      throw reader_.error(field.column,
                          "item " + sculpt::shortened(field.text) + " is too large: line " +
                              std::to_string(*items_line_) + " gives the document " +
                              std::to_string(document.items) + " items, which count from 0");
    }
    if (number >= max_items_) {
      throw reader_.error(field.column, "item " + sculpt::shortened(field.text) +
                                            " is beyond max_items = " + std::to_string(max_items_) +
                                            "; raise max_items, or count items from 0");
    }
    document.items = std::max(document.items, number + 1);
    return static_cast<std::int32_t>(number);
  }

  std::optional<bool> read_link(sculpt::Field field) const {
    if (field.text == "?") return {};
    const std::string meaning = "1 (the same), -1 (not) or ? (unknown)";
    const std::int64_t same = reader_.clamped_integer(field, meaning);
    if (same != 1 && same != -1) {
      throw reader_.error(field.column, sculpt::shown(field.text) + " is not " + meaning);
    }
    return same == 1;
  }

  // Throws at the second row of a pair.
  void refuse_repeats(const Document& document) const {
    std::vector<const ItemPair*> pairs;
    for (const ItemPair& pair : document.pairs) pairs.push_back(&pair);
    std::sort(pairs.begin(), pairs.end(), [](const ItemPair* a, const ItemPair* b) {
      return std::tie(a->first, a->second, a->line) < std::tie(b->first, b->second, b->line);
    });
    for (std::size_t k = 1; k < pairs.size(); ++k) {
      const ItemPair& previous = *pairs[k - 1];
      const ItemPair& pair = *pairs[k];
      if (previous.first != pair.first || previous.second != pair.second) continue;
      throw reader_.error_at(pair.line, pair.column,
                             "items " + std::to_string(pair.first) + " and " +
                                 std::to_string(pair.second) + " are a pair on line " +
                                 std::to_string(previous.line) + " already; write each pair once");
    }
  }

  sculpt::LineReader& reader_;
  std::int64_t max_items_;
  PairFile file_;
  std::size_t rows_ = 0;
  std::map<std::int64_t, std::int64_t> first_lines_;  // document, its first line
  std::optional<std::int64_t> items_line_;            // the line `items` of the last document
};

}  // namespace

PairFile read_pair_file(sculpt::LineReader& reader, std::int64_t max_items) {
  return PairFileReader(reader, max_items).read();
}

}  // namespace clustering
