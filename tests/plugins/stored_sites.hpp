// stored_sites.hpp - base class of datasets that no file format can give: sites with one feature
// and two labels. A derived class fills the store.
#pragma once

#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

namespace plugin_test {

struct StoredSites {
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return store.count(); }
  sculpt::Range split(std::string_view name) const { return store.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store.truth(example); }
  std::int64_t feature_count() const { return 1; }
  std::int32_t state_count() const { return 2; }
  sculpt_sites sites(std::int64_t example) const { return store.sites(example); }
  sculpt::SiteStore store;
};

}  // namespace plugin_test
