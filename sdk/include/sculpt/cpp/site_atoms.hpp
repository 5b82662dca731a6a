// site_atoms.hpp - the atoms of a dataset, for kernels: its sites, numbered over all examples.
//
// SPDX-License-Identifier: Apache-2.0
//
// Construct it in bind(). The rows stay in the dataset, which lends them as long as it lives.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "site_input.hpp"
#include "text_buffer.hpp"

namespace sculpt {

// A sparse row: values at increasing indices.
struct SiteRow {
  std::span<const std::int32_t> index;
  std::span<const double> value;

  std::size_t size() const { return index.size(); }
};

class SiteAtoms {
 public:
  SiteAtoms() = default;
  // Throws E_UNSUPPORTED if the dataset has no sites.
  explicit SiteAtoms(Ref dataset) : input_(dataset) {
    if (PlaceRef::is_offered_by(dataset)) place_ = PlaceRef(dataset);
    for (std::int64_t i = 0; i < input_.example_count(); ++i) {
      first_.push_back(count());
      const sculpt_sites x = input_.sites(i);
      for (std::int64_t t = 0; t < x.site_count; ++t) {
        const auto size = static_cast<std::size_t>(x.row_from[t + 1] - x.row_from[t]);
        if (size == 0) {
          rows_.emplace_back();
        } else {
          rows_.push_back({{x.index + x.row_from[t], size}, {x.value + x.row_from[t], size}});
        }
      }
    }
    first_.push_back(count());
  }

  const SiteInput& input() const { return input_; }
  std::int64_t count() const { return static_cast<std::int64_t>(rows_.size()); }
  std::int64_t feature_count() const { return input_.feature_count(); }
  const std::vector<SiteRow>& rows() const { return rows_; }
  const SiteRow& row(std::int64_t atom) const { return rows_[static_cast<std::size_t>(atom)]; }
  // The atoms of the examples [begin, end).
  Range atoms_of(Range examples) const {
    return {first_[static_cast<std::size_t>(examples.begin)],
            first_[static_cast<std::size_t>(examples.end)]};
  }
  // Returns where an atom stands, for messages: "example 17 (train.txt:18), site 2". The site is
  // left out if the example has one.
  std::string place(std::int64_t atom) const {
    const auto next = std::upper_bound(first_.begin(), first_.end(), atom);
    const std::int64_t example = next - first_.begin() - 1;
    const std::int64_t first = *(next - 1);
    std::string text = "example " + std::to_string(example);
    if (place_.present()) {
      const std::string at = text_written([&](ByteOutput& out) { place_.place(example, out); });
      if (!at.empty()) text += " (" + at + ")";
    }
    return *next - first > 1 ? text + ", site " + std::to_string(atom - first) : text;
  }

 private:
  SiteInput input_;
  PlaceRef place_;
  std::vector<SiteRow> rows_;
  std::vector<std::int64_t> first_;  // [examples + 1] the first atom of each
};

}  // namespace sculpt
