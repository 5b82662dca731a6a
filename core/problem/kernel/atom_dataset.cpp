#include "problem/kernel/atom_dataset.hpp"

#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/width.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <shared_mutex>

#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

// All objects, by the `self` of their dataset.
struct Directory {
  std::shared_mutex mutex;
  std::map<const void*, const AtomDataset*> objects;
};

Directory& directory() {
  static Directory all;
  return all;
}

const AtomDataset& object_of(const void* self) {
  Directory& all = directory();
  const std::shared_lock lock(all.mutex);
  return *all.objects.at(self);
}

sculpt_status append(sculpt_byte_buffer* out, const std::string& text) {
  const auto needed = out->size + static_cast<std::int64_t>(text.size());
  if (needed > out->capacity) {
    const sculpt_status status = out->grow(out, needed);
    if (status != SCULPT_OK) return status;
  }
  std::copy(text.begin(), text.end(), out->data + out->size);
  out->size = needed;
  return SCULPT_OK;
}

}  // namespace

// The functions never throw: objects exist as long as components are bound to them.
struct AtomDataset::Functions {
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
    const AtomDataset& object = object_of(self);
    const sculpt_status status = object.sites_->shape(self, out, error);
    if (status == SCULPT_OK) out->feature_count = object.atom_count();
    return status;
  }
  static sculpt_status state_name(const void* self, std::int32_t state, sculpt_byte_buffer* out,
                                  sculpt_error* error) noexcept {
    return object_of(self).sites_->state_name(self, state, out, error);
  }
  static sculpt_status feature_name(const void* self, std::int64_t atom, sculpt_byte_buffer* out,
                                    sculpt_error*) noexcept {
    return append(out, object_of(self).name(atom));
  }
  static sculpt_status sites(const void* self, std::int64_t example, sculpt_sites* out,
                             sculpt_error* error) noexcept {
    const AtomDataset& object = object_of(self);
    const sculpt_status status = object.sites_->sites(self, example, out, error);
    if (status != SCULPT_OK) return status;
    out->row_from = object.row_from_.data() + object.atoms(example).begin;
    out->index = object.column_.data();
    out->value = object.ones_.data();
    return status;
  }
};

AtomDataset::AtomDataset(const Dataset& dataset)
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
  row_from_.resize(static_cast<std::size_t>(atom_count()) + 1);
  std::iota(row_from_.begin(), row_from_.end(), std::int64_t{0});
  column_.resize(static_cast<std::size_t>(atom_count()));
  std::iota(column_.begin(), column_.end(), 0);
  ones_.assign(column_.size(), 1.0);
  Directory& all = directory();
  const std::unique_lock lock(all.mutex);
  all.objects[component.self()] = this;
}

AtomDataset::~AtomDataset() {
  Directory& all = directory();
  const std::unique_lock lock(all.mutex);
  all.objects.erase(dataset_.component().self());
}

std::int64_t AtomDataset::example_of(std::int64_t atom) const {
  return std::upper_bound(atom_from_.begin(), atom_from_.end(), atom) - atom_from_.begin() - 1;
}

std::string AtomDataset::name(std::int64_t atom) const {
  const std::int64_t example = example_of(atom);
  const bool has_one_row_each = atom_count() == std::ssize(atom_from_) - 1;
  std::string text = "example " + std::to_string(example);
  if (!has_one_row_each) text += ", row " + std::to_string(atom - atoms(example).begin);
  return text;
}

}  // namespace sculpt::core
