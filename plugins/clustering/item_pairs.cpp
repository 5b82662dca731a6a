#include "item_pairs.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "link_truth.hpp"
#include "partition.hpp"

namespace clustering {

namespace {

constexpr std::int64_t state_version = 2;

void require_labels(const PairFile& file, const sculpt::LineReader& reader) {
  for (const Document& document : file.documents) {
    if (document.is_labelled) continue;
    const ItemPair& first = document.pairs.front();
    throw reader.error_at(first.line, first.column,
                          "document " + std::to_string(document.number) +
                              " is unlabelled, but training needs its clusters; write 1 or -1 for "
                              "its pairs, or remove the document");
  }
}

}  // namespace

void ItemPairs::load(std::string_view split, const sculpt::Source& source) {
  store_.begin_split(split, source.path());
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  PairFile file = read_pair_file(reader, max_items_);
  base_.apply(file.entries, reader, !has_learned_);
  if (!has_learned_) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no features before the split 'train' is loaded; load it first");
    }
    feature_count_ = file.entries.feature_count();
    has_learned_ = true;
  }
  if (split == "train") require_labels(file, reader);
  for (const Document& document : file.documents) {
    for (std::size_t p = 0; p < document.pairs.size(); ++p) {
      file.entries.copy_row(document.first_row + p, feature_count_, store_);
      store_.end_site();
      store_.add_edge(document.pairs[p].first, document.pairs[p].second);
    }
    items_.push_back(document.items);
    state_count_ = std::max(state_count_, static_cast<std::int32_t>(document.items));
    const auto truth =
        document.is_labelled ? clusters_of_links(document, reader) : std::vector<std::int32_t>();
    store_.end_example(document.is_labelled ? sculpt::Labels(truth) : sculpt::Labels(),
                       document.line);
  }
  file.entries.warn_of_ignored(host_, source.path(), feature_count_);
}

void ItemPairs::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  check_partition(y, item_count(example));
  for (std::size_t i = 0; i < y.size(); ++i) out << (i > 0 ? " " : "") << std::int64_t{y[i]};
}

void ItemPairs::parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
  std::vector<sculpt::Field> words;
  sculpt::split_fields(text, " \t\r\n", words);
  const std::int64_t count = item_count(example);
  if (static_cast<std::int64_t>(words.size()) != count) {
    throw sculpt::data_error("there are " + std::to_string(words.size()) + " clusters for " +
                             std::to_string(count) + " items; write one for each item");
  }
  const auto y = out.resize(count);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), y[i]);
    if (error != std::errc() || end != word.data() + word.size() || y[i] < 0 || y[i] >= count) {
      throw sculpt::data_error(sculpt::shown(word) + " is not a cluster of " +
                               std::to_string(count) + " items; write a number from 0 to " +
                               std::to_string(count - 1));
    }
  }
  make_canonical(y);
}

void ItemPairs::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.integer(feature_count_);
  base_.save(writer);
}

void ItemPairs::restore(sculpt::StateReader& reader) {
  const std::int64_t version = reader.integer();
  if (version < 1 || version > state_version) reader.damaged();
  feature_count_ = reader.integer();
  if (feature_count_ < 0 || feature_count_ > std::numeric_limits<std::int32_t>::max()) {
    reader.damaged();
  }
  base_.restore(reader, version >= 2);
  has_learned_ = true;
}

}  // namespace clustering
