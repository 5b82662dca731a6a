// site_input.hpp - the sites of the dataset that features are bound to.
//
// SPDX-License-Identifier: Apache-2.0
//
// For features that work with any dataset that offers ext/sites.h. Construct it in bind().
#pragma once

#include <cstdint>
#include <string>

#include "../ext/sites.h"
#include "output_shape.hpp"
#include "refs.hpp"

namespace sculpt {

class SiteInput {
 public:
  SiteInput() = default;
  // Throws E_UNSUPPORTED if the dataset has no sites. `needed_by` is the name of the features, for
  // the message.
  SiteInput(Ref dataset, const std::string& needed_by)
      : dataset_(dataset), table_(&dataset.require<sculpt_ext_sites>(needed_by)) {
    shape_.struct_size = sizeof shape_;
    detail::ErrorText error;
    error.check(table_->shape(dataset_.self(), &shape_, error.pointer()));
  }

  std::int64_t feature_count() const { return shape_.feature_count; }
  std::int32_t state_count() const { return shape_.state_count; }
  // 0: one label per site. k > 0: k labels, independent of the sites.
  std::int64_t variable_count() const { return shape_.variable_count; }
  std::int64_t example_count() const { return Examples(dataset_).count(); }
  // Returns an empty range if there is no such split.
  Range split(const char* name) const { return Examples(dataset_).split(name); }
  Labels truth(std::int64_t example) const { return Examples(dataset_).truth(example); }
  std::string dataset_id() const { return dataset_.id(); }

  sculpt_sites sites(std::int64_t example) const {
    sculpt_sites sites{};
    sites.struct_size = sizeof sites;
    detail::ErrorText error;
    error.check(table_->sites(dataset_.self(), example, &sites, error.pointer()));
    return sites;
  }

  // The shape of outputs that are one label per site, or variable_count() labels, all of them
  // possible.
  OutputShape output_shape(std::int64_t example) const {
    const std::int64_t count = variable_count();
    return count > 0 ? OutputShape::of_size(count, state_count()).complete().same_for_all()
                     : OutputShape::of_size(sites(example).site_count, state_count()).complete();
  }

  // Throws E_UNSUPPORTED if outputs are not one label per example.
  void require_one_label() const {
    if (variable_count() > 1) {
      throw unsupported_error("gives an example one label, but " + dataset_id() + " has " +
                              std::to_string(variable_count()) + " labels for each example");
    }
    for (std::int64_t example = 0; example < example_count(); ++example) {
      const std::int64_t count = sites(example).site_count;
      if (count == 1) continue;
      throw unsupported_error("gives an example one label, but example " + std::to_string(example) +
                              " of " + dataset_id() + " has " + std::to_string(count) +
                              " sites; use the features `chain` for sequences");
    }
  }

  // Appends the dataset's name of a state or of a feature.
  void state_name(std::int64_t state, ByteOutput& out) const {
    detail::ErrorText error;
    error.check(table_->state_name(dataset_.self(), static_cast<std::int32_t>(state), out.raw(),
                                   error.pointer()));
  }
  void feature_name(std::int64_t feature, ByteOutput& out) const {
    detail::ErrorText error;
    error.check(table_->feature_name(dataset_.self(), feature, out.raw(), error.pointer()));
  }

  // Throws E_INVALID unless y has `size` labels, all in [0, state_count()).
  void check_output(Labels y, std::int64_t size) const {
    if (y.count() != size) {
      throw Error(SCULPT_E_INVALID, "an output of this example has " + std::to_string(size) +
                                        " labels, not " + std::to_string(y.count()));
    }
    for (const std::int32_t state : y) {
      if (state < 0 || state >= shape_.state_count) {
        throw Error(SCULPT_E_INVALID, "label " + std::to_string(state) + " is outside [0, " +
                                          std::to_string(shape_.state_count) + ")");
      }
    }
  }

 private:
  Ref dataset_;
  const sculpt_ext_sites* table_ = nullptr;
  sculpt_sites_shape shape_ = {};
};

}  // namespace sculpt
