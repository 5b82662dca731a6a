// memory.cpp - a dataset that borrows its rows, edges and labels from the host
// (ext/draft/memory_source.h). It copies nothing but dense rows, which sites cannot lend.
#include <sculpt/ext/draft/memory_source.h>
#include <cstdint>
#include <map>
#include <numeric>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

class Memory {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.memory", "1.0.0",
                                       "rows that are in memory already"};
  static constexpr const char* extensions[] = {SCULPT_EXT_MEMORY_SOURCE};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("edges", "true", "takes graphs as well")};

  explicit Memory(const sculpt::Parameters& values) : takes_edges_(values.boolean("edges")) {}
  const void* extension(const char* id) const;

  void save(sculpt::StateWriter& writer) const {
    writer.integer(states_);
    writer.integer(features_);
  }
  void restore(sculpt::StateReader& reader) {
    states_ = static_cast<std::int32_t>(reader.integer());
    features_ = reader.integer();
    is_restored_ = true;
  }

  void load(std::string_view, const sculpt::Source&) {
    throw sculpt::unsupported_error("reads no files; lend it rows in memory");
  }
  void load(std::string_view name, const sculpt_memory_rows& rows) {
    if (!takes_edges_ && rows.first_edge != nullptr) {
      throw sculpt::unsupported_error("takes sequences, but example 0 has edges; set \"edges\"");
    }
    if (splits_.empty() && !is_restored_) {
      states_ = rows.state_count;
      features_ = rows.feature_count;
    } else if (rows.state_count > states_ || rows.feature_count > features_) {
      throw sculpt::data_error("example 0: has more states or features than the training data");
    }
    Split split{{count(), count() + rows.example_count}, rows, {}, {}};
    if (rows.row_from == nullptr) make_sparse(split);
    splits_.emplace_back(name, std::move(split));
  }
  std::int64_t count() const { return splits_.empty() ? 0 : splits_.back().second.range.end; }
  sculpt::Range split(std::string_view name) const {
    for (const auto& [known, split] : splits_) {
      if (known == name) return split.range;
    }
    return {};
  }
  sculpt::Labels truth(std::int64_t example) const {
    const auto [split, k] = place_of(example);
    const sculpt_memory_rows& rows = split->rows;
    if (rows.label == nullptr) return {};
    const std::int64_t from = rows.first_label[k];
    return {rows.label + from, static_cast<std::size_t>(rows.first_label[k + 1] - from)};
  }

  std::int64_t feature_count() const { return features_; }
  std::int32_t state_count() const { return states_; }
  sculpt_sites sites(std::int64_t example) const {
    const auto [split, k] = place_of(example);
    const sculpt_memory_rows& rows = split->rows;
    const std::int64_t begin = rows.first_site == nullptr ? k : rows.first_site[k];
    const std::int64_t end = rows.first_site == nullptr ? k + 1 : rows.first_site[k + 1];
    sculpt_sites sites{sizeof sites, 0, end - begin, 0, nullptr, rows.index, rows.value, nullptr};
    if (rows.row_from != nullptr) {
      sites.row_from = rows.row_from + begin;
    } else {
      sites.row_from = split->row_from.data() + begin;
      sites.index = split->index.data();
    }
    if (rows.first_edge != nullptr) {
      sites.edge_count = rows.first_edge[k + 1] - rows.first_edge[k];
      sites.edge = rows.edge + 2 * rows.first_edge[k];
    }
    return sites;
  }

 private:
  struct Split {
    sculpt::Range range;
    sculpt_memory_rows rows;             // the arrays stay valid; the struct is copied
    std::vector<std::int64_t> row_from;  // of dense rows
    std::vector<std::int32_t> index;
  };

  static void make_sparse(Split& split) {
    const auto features = static_cast<std::size_t>(split.rows.feature_count);
    for (std::int64_t site = 0; site <= split.rows.site_count; ++site) {
      split.row_from.push_back(site * split.rows.feature_count);
    }
    split.index.resize(features * static_cast<std::size_t>(split.rows.site_count));
    for (std::size_t k = 0; k < split.index.size(); ++k) {
      split.index[k] = static_cast<std::int32_t>(k % features);
    }
  }
  // The split of an example, and its number within the split.
  std::pair<const Split*, std::int64_t> place_of(std::int64_t example) const {
    for (const auto& [name, split] : splits_) {
      if (example < split.range.end) return {&split, example - split.range.begin};
    }
    throw sculpt::Error(SCULPT_E_INVALID, "there is no example " + std::to_string(example));
  }

  bool takes_edges_;
  bool is_restored_ = false;
  std::vector<std::pair<std::string, Split>> splits_;
  std::int32_t states_ = 0;
  std::int64_t features_ = 0;
};

constexpr sculpt_ext_memory_source memory_source{
    [](void* self, const char* split, const sculpt_memory_rows* rows, sculpt_error* error) {
      return sculpt::guarded(
          error, "load", [&] { sculpt::mutable_component_of<Memory>(self).load(split, *rows); });
    }};

const void* Memory::extension(const char* id) const {
  return std::string_view(id) == SCULPT_EXT_MEMORY_SOURCE ? &memory_source : nullptr;
}

}  // namespace

SCULPT_PLUGIN("stub_memory", "1.0.0", "Apache-2.0", sculpt::Dataset<Memory>)
