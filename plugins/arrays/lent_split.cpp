#include "lent_split.hpp"

#include <algorithm>

LentSplit::LentSplit(std::string_view name, std::int64_t begin, const sculpt_memory_rows& rows)
    : name_(name), begin_(begin), rows_(rows) {
  rows_.state_name = rows_.feature_name = nullptr;
  rows_.variable_name = rows_.edge_kind_name = nullptr;
  if (is_dense()) number_dense_columns();
  if (rows_.edge_kind != nullptr) return;
  std::int64_t most_edges = 0;
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    most_edges = std::max(most_edges, edge_begin(k + 1) - edge_begin(k));
  }
  zero_kinds_.assign(static_cast<std::size_t>(most_edges), 0);
}

void LentSplit::number_dense_columns() {
  std::int64_t most_sites = rows_.first_site == nullptr ? 1 : 0;
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    most_sites = std::max(most_sites, site_count(k));
  }
  for (std::int64_t site = 0; site <= most_sites; ++site) {
    dense_row_from_.push_back(site * rows_.feature_count);
  }
  dense_index_.reserve(static_cast<std::size_t>(dense_row_from_.back()));
  for (std::int64_t site = 0; site < most_sites; ++site) {
    for (std::int64_t j = 0; j < rows_.feature_count; ++j) {
      dense_index_.push_back(static_cast<std::int32_t>(j));
    }
  }
}

bool LentSplit::is_mostly_zeros() const {
  if (!is_dense()) return false;
  const double* const end = rows_.value + rows_.site_count * rows_.feature_count;
  const auto zeros = std::count(rows_.value, end, 0.0);
  return 3 * (end - rows_.value - zeros) <= end - rows_.value;
}

void LentSplit::copy_rows(sculpt::SiteStore& store) {
  const std::int64_t stored_from = store.count();
  store.begin_split(name_);
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    const sculpt_sites borrowed = sites(k, store);
    for (std::int64_t site = 0; site < borrowed.site_count; ++site) {
      for (std::int64_t j = borrowed.row_from[site]; j < borrowed.row_from[site + 1]; ++j) {
        if (borrowed.value[j] != 0) store.add(borrowed.index[j], borrowed.value[j]);
      }
      store.end_site();
    }
    store.end_example(sculpt::Labels());
  }
  stored_from_ = stored_from;
  dense_index_ = {};
  dense_row_from_ = {};
}

sculpt_sites LentSplit::sites(std::int64_t k, const sculpt::SiteStore& store) const {
  const std::int64_t begin = site_begin(k);
  sculpt_sites sites{sizeof sites, 0, site_count(k), 0, nullptr, nullptr, nullptr, nullptr};
  if (stored_from_ >= 0) {
    sites = store.sites(stored_from_ + k);
  } else if (is_dense()) {
    sites.row_from = dense_row_from_.data();
    sites.index = dense_index_.data();
    sites.value = rows_.value + begin * rows_.feature_count;
  } else {
    sites.row_from = rows_.row_from + begin;
    sites.index = rows_.index;
    sites.value = rows_.value;
  }
  sites.edge_count = edge_begin(k + 1) - edge_begin(k);
  sites.edge = sites.edge_count > 0 ? rows_.edge + 2 * edge_begin(k) : nullptr;
  return sites;
}

sculpt::Labels LentSplit::truth(std::int64_t k) const {
  const std::int64_t variables = rows_.variable_count > 0 ? rows_.variable_count : site_count(k);
  if (labels() == nullptr) return {};
  if (variables == 0) return {nullptr, 0};  // the empty output, which is known
  const std::int32_t* const begin = labels() + label_begin(k);
  const std::int32_t* const end = labels() + label_begin(k + 1);
  const bool is_known = std::any_of(begin, end, [](std::int32_t label) { return label != -1; });
  return is_known ? sculpt::Labels(begin, static_cast<std::size_t>(end - begin)) : sculpt::Labels();
}

std::int64_t LentSplit::replace_labels(std::int32_t state_count, std::int32_t state) {
  std::int64_t examples = 0;
  own_labels_.assign(rows_.label, rows_.label + label_begin(rows_.example_count));
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    bool is_replaced = false;
    for (std::int64_t j = label_begin(k); j < label_begin(k + 1); ++j) {
      std::int32_t& label = own_labels_[static_cast<std::size_t>(j)];
      if (label < state_count) continue;
      label = state;
      is_replaced = true;
    }
    examples += is_replaced ? 1 : 0;
  }
  return examples;
}

std::int64_t LentSplit::find_label(std::int32_t limit, std::int64_t& number) const {
  if (labels() == nullptr || rows_.state_count <= limit) return -1;
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    for (std::int64_t j = label_begin(k); j < label_begin(k + 1); ++j) {
      number = labels()[j];
      if (number >= limit) return k;
    }
  }
  return -1;
}

std::int64_t LentSplit::find_feature(std::int64_t limit, std::int64_t& number) const {
  if (rows_.feature_count <= limit) return -1;
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    for (std::int64_t site = site_begin(k); site < site_begin(k + 1); ++site) {
      number = rows_.feature_count - 1;
      if (is_dense()) return k;
      if (rows_.row_from[site] == rows_.row_from[site + 1]) continue;
      number = rows_.index[rows_.row_from[site + 1] - 1];
      if (number >= limit) return k;
    }
  }
  return -1;
}

std::int64_t LentSplit::find_edge_kind(std::int32_t limit, std::int64_t& number) const {
  for (std::int64_t k = 0; k < rows_.example_count; ++k) {
    const std::int32_t* const kinds = edge_kinds(k);
    for (std::int64_t e = 0; kinds != nullptr && e < edge_begin(k + 1) - edge_begin(k); ++e) {
      number = kinds[e];
      if (number >= limit) return k;
    }
  }
  return -1;
}

const std::int32_t* LentSplit::edge_kinds(std::int64_t k) const {
  if (edge_begin(k + 1) == edge_begin(k)) return nullptr;
  return rows_.edge_kind == nullptr ? zero_kinds_.data() : rows_.edge_kind + edge_begin(k);
}
