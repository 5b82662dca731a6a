#include "problem/kernel/row_dataset.hpp"

#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/width.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace sculpt::core {
namespace {

// All objects, by the `self` of their dataset.
struct Directory {
  std::shared_mutex mutex;
  std::map<const void*, const RowDataset*> objects;
};

Directory& directory() {
  static Directory all;
  return all;
}

const RowDataset& object_of(const void* self) {
  Directory& all = directory();
  const std::shared_lock lock(all.mutex);
  return *all.objects.at(self);
}

}  // namespace

// The functions never throw: objects exist as long as components are bound to them.
struct RowDataset::Functions {
  static const void* extension(const void* self, const char* id) noexcept {
    static constexpr sculpt_ext_sites table{shape, state_name, feature_name, sites};
    // These speak of the columns of the dataset.
    constexpr const char* hidden[] = {SCULPT_EXT_COLUMN_SCALE, SCULPT_EXT_WIDTH};
    const auto is_id = [id](const char* other) { return std::strcmp(id, other) == 0; };
    if (is_id(SCULPT_EXT_SITES)) return &table;
    if (std::any_of(std::begin(hidden), std::end(hidden), is_id)) return nullptr;
    return object_of(self).dataset_.component().description().life->extension(self, id);
  }
  static sculpt_status shape(const void* self, sculpt_sites_shape* out,
                             sculpt_error* error) noexcept {
    const RowDataset& object = object_of(self);
    const sculpt_status status = object.sites_->shape(self, out, error);
    if (status == SCULPT_OK) out->feature_count = object.column_count();
    return status;
  }
  static sculpt_status state_name(const void* self, std::int32_t state, sculpt_byte_buffer* out,
                                  sculpt_error* error) noexcept {
    return object_of(self).sites_->state_name(self, state, out, error);
  }
  static sculpt_status feature_name(const void* self, std::int64_t column, sculpt_byte_buffer* out,
                                    sculpt_error* error) noexcept {
    return object_of(self).append_name(column, out, error);
  }
  static sculpt_status sites(const void* self, std::int64_t example, sculpt_sites* out,
                             sculpt_error* error) noexcept {
    const RowDataset& object = object_of(self);
    const sculpt_status status = object.sites_->sites(self, example, out, error);
    if (status != SCULPT_OK) return status;
    out->row_from = object.row_from_.data() + object.atoms(example).begin;
    out->index = object.column_.data();
    out->value = object.value_.data();
    return status;
  }
};

RowDataset::RowDataset(const Dataset& dataset)
    : dataset_(dataset),
      description_(dataset.component().description()),
      life_(*dataset.component().description().life) {
  const Component& component = dataset.component();
  const DatasetRows rows(component);
  if (!rows.is_offered()) {
    component.refuse(Exit::config, -1,
                     "has no rows (" SCULPT_EXT_SITES
                     "), and a kernel compares rows; use another "
                     "dataset, or leave out \"kernel\"");
  }
  sites_ = component.extension<sculpt_ext_sites>();
  life_.extension = Functions::extension;
  description_.life = &life_;
  atom_from_.push_back(0);
  for (std::int64_t example = 0; example < dataset.count(); ++example) {
    atom_from_.push_back(atom_from_.back() + rows.sites(example).site_count);
  }
  if (atom_count() > INT32_MAX) {
    component.refuse(
        Exit::config, -1,
        "has " + std::to_string(atom_count()) + " rows; with a kernel the limit is 2147483647");
  }
  Directory& all = directory();
  const std::unique_lock lock(all.mutex);
  all.objects[component.self()] = this;
}

RowDataset::~RowDataset() {
  Directory& all = directory();
  const std::unique_lock lock(all.mutex);
  all.objects.erase(dataset_.component().self());
}

std::int64_t RowDataset::example_of(std::int64_t atom) const {
  return std::upper_bound(atom_from_.begin(), atom_from_.end(), atom) - atom_from_.begin() - 1;
}

std::string RowDataset::name(std::int64_t atom) const {
  const std::int64_t example = example_of(atom);
  const bool has_one_row_each = atom_count() == std::ssize(atom_from_) - 1;
  std::string text = "example " + std::to_string(example);
  if (!has_one_row_each) text += ", row " + std::to_string(atom - atoms(example).begin);
  return text;
}

}  // namespace sculpt::core
