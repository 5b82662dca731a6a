// site_input.hpp - the sites of the dataset that features are bound to.
//
// SPDX-License-Identifier: Apache-2.0
//
// For features that work with any dataset that offers ext/sites.h. Construct it in bind().
#pragma once

#include <cstdint>
#include <string>

#include "lent.hpp"
#include "output_shape.hpp"

namespace sculpt {

class SiteInput {
 public:
  SiteInput() = default;
  // Throws E_UNSUPPORTED if the dataset has no sites.
  explicit SiteInput(Ref dataset) {
    (void)dataset.require<sculpt_ext_sites>();
    sites_ = SitesRef(dataset);
    examples_ = Examples(dataset);
  }

  std::int64_t feature_count() const { return sites_.shape().feature_count; }
  std::int32_t state_count() const { return sites_.shape().state_count; }
  // 0: one label per site. k > 0: k labels, independent of the sites.
  std::int64_t variable_count() const { return sites_.shape().variable_count; }
  std::int64_t example_count() const { return examples_.count(); }
  // Returns an empty range if there is no such split.
  Range split(const char* name) const { return examples_.split(name); }
  Labels truth(std::int64_t example) const { return examples_.truth(example); }
  std::string dataset_id() const { return sites_.component().id(); }
  sculpt_sites sites(std::int64_t example) const { return sites_.sites(example); }

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
    sites_.state_name(static_cast<std::int32_t>(state), out);
  }
  void feature_name(std::int64_t feature, ByteOutput& out) const {
    sites_.feature_name(feature, out);
  }

  // Throws E_INVALID unless y has `size` labels, all in [0, state_count()).
  void check_output(Labels y, std::int64_t size) const {
    if (y.count() != size) {
      throw Error(SCULPT_E_INVALID, "an output of this example has " + std::to_string(size) +
                                        " labels, not " + std::to_string(y.count()));
    }
    for (const std::int32_t state : y) {
      if (state < 0 || state >= state_count()) {
        throw Error(SCULPT_E_INVALID, "label " + std::to_string(state) + " is outside [0, " +
                                          std::to_string(state_count()) + ")");
      }
    }
  }

 private:
  SitesRef sites_;
  Examples examples_;
};

}  // namespace sculpt
