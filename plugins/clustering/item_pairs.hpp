// item_pairs.hpp - a dataset of documents: each example has items and features of pairs of items.
//
// Called by the host (clustering.cpp) and pair_features.cpp.
#pragma once

#include <sculpt/cpp/index_base.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

#include "pair_file.hpp"

namespace clustering {

class ItemPairs {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.item_pairs", "1.0.0",
      "items of documents with features of pairs: rows `document i j same index:value ...`"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::first_index(),
      sculpt::integer(
          "max_items", "2000", 1, 20000,
          "refuses documents with more items: oracles use up to 32 n^2 bytes for n items on every "
          "thread",
          "items")};

  ItemPairs(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host), base_(given), max_items_(given.integer("max_items")) {}

  void load(std::string_view split, const sculpt::Source& source);
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return feature_count_; }
  // Labels are clusters: as many as the largest document has items.
  std::int32_t state_count() const { return state_count_; }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "feature " << base_.index_of(feature);
  }
  // Returns the pairs of a document that have rows, as sites.
  sculpt_sites sites(std::int64_t example) const {
    sculpt_sites pairs = store_.sites(example);
    pairs.edge_count = 0;  // its edges are between items
    pairs.edge = nullptr;
    return pairs;
  }
  // Returns the two items of each of these pairs: [2 * pairs]
  const std::int32_t* items_of_pairs(std::int64_t example) const {
    return store_.sites(example).edge;
  }
  std::int64_t item_count(std::int64_t example) const {
    return items_[static_cast<std::size_t>(example)];
  }

  // Text is the cluster of each item.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  sculpt::Host host_;
  sculpt::IndexBase base_;
  std::int64_t max_items_;
  std::int64_t feature_count_ = 0;
  std::int32_t state_count_ = 1;
  bool has_learned_ = false;
  sculpt::SiteStore store_;
  std::vector<std::int64_t> items_;  // [count]
};

}  // namespace clustering
