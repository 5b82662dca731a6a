// refs.hpp - the components that a component is bound to, and their sessions.
//
// SPDX-License-Identifier: Apache-2.0
//
// For bind() of component classes, and for sessions that call another component.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "../ext/batch_argmax.h"
#include "../ext/complete.h"
#include "../ext/count_loss.h"
#include "../ext/cut.h"
#include "../ext/draft/column_scale.h"
#include "../ext/draft/place.h"
#include "../ext/draft/width.h"
#include "../ext/enumerate.h"
#include "../ext/example_weights.h"
#include "../ext/factor_graph.h"
#include "../ext/frontier.h"
#include "../ext/groups.h"
#include "../ext/items.h"
#include "../ext/label_text.h"
#include "../ext/metrics.h"
#include "../ext/names.h"
#include "../ext/output_shape.h"
#include "../ext/promoted.h"
#include "../ext/row_blocks.h"
#include "../ext/scores.h"
#include "../ext/sites.h"
#include "../ext/state.h"
#include "../ext/weight_bounds.h"
#include "views.hpp"

namespace sculpt {

namespace detail {
// The id of an extension, by the type of its function table.
template <class Table>
inline constexpr const char* extension_id = nullptr;
template <>
inline constexpr const char* extension_id<sculpt_ext_factor_graph> = SCULPT_EXT_FACTOR_GRAPH;
template <>
inline constexpr const char* extension_id<sculpt_ext_factor_loss> = SCULPT_EXT_FACTOR_LOSS;
template <>
inline constexpr const char* extension_id<sculpt_ext_sites> = SCULPT_EXT_SITES;
template <>
inline constexpr const char* extension_id<sculpt_ext_state> = SCULPT_EXT_STATE;
template <>
inline constexpr const char* extension_id<sculpt_ext_label_text> = SCULPT_EXT_LABEL_TEXT;
template <>
inline constexpr const char* extension_id<sculpt_ext_names> = SCULPT_EXT_NAMES;
template <>
inline constexpr const char* extension_id<sculpt_ext_metrics> = SCULPT_EXT_METRICS;
template <>
inline constexpr const char* extension_id<sculpt_ext_enumerate> = SCULPT_EXT_ENUMERATE;
template <>
inline constexpr const char* extension_id<sculpt_ext_example_weights> = SCULPT_EXT_EXAMPLE_WEIGHTS;
template <>
inline constexpr const char* extension_id<sculpt_ext_count_loss> = SCULPT_EXT_COUNT_LOSS;
template <>
inline constexpr const char* extension_id<sculpt_ext_factor_counts> = SCULPT_EXT_FACTOR_COUNTS;
template <>
inline constexpr const char* extension_id<sculpt_ext_frontier> = SCULPT_EXT_FRONTIER;
template <>
inline constexpr const char* extension_id<sculpt_ext_batch_argmax> = SCULPT_EXT_BATCH_ARGMAX;
template <>
inline constexpr const char* extension_id<sculpt_ext_complete> = SCULPT_EXT_COMPLETE;
template <>
inline constexpr const char* extension_id<sculpt_ext_cut> = SCULPT_EXT_CUT;
template <>
inline constexpr const char* extension_id<sculpt_ext_map_cut> = SCULPT_EXT_MAP_CUT;
template <>
inline constexpr const char* extension_id<sculpt_ext_weight_bounds> = SCULPT_EXT_WEIGHT_BOUNDS;
template <>
inline constexpr const char* extension_id<sculpt_ext_output_shape> = SCULPT_EXT_OUTPUT_SHAPE;
template <>
inline constexpr const char* extension_id<sculpt_ext_column_scale> = SCULPT_EXT_COLUMN_SCALE;
template <>
inline constexpr const char* extension_id<sculpt_ext_weight_column> = SCULPT_EXT_WEIGHT_COLUMN;
template <>
inline constexpr const char* extension_id<sculpt_ext_row_blocks> = SCULPT_EXT_ROW_BLOCKS;
template <>
inline constexpr const char* extension_id<sculpt_ext_place> = SCULPT_EXT_PLACE;
template <>
inline constexpr const char* extension_id<sculpt_ext_width> = SCULPT_EXT_WIDTH;
template <>
inline constexpr const char* extension_id<sculpt_ext_items> = SCULPT_EXT_ITEMS;
template <>
inline constexpr const char* extension_id<sculpt_ext_groups> = SCULPT_EXT_GROUPS;
template <>
inline constexpr const char* extension_id<sculpt_ext_scores> = SCULPT_EXT_SCORES;
}  // namespace detail

// A component that the host lends to another component.
class Ref {
 public:
  Ref() = default;
  explicit Ref(sculpt_ref raw) : raw_(raw) {}

  bool present() const { return raw_.component != nullptr; }
  std::string id() const { return raw_.component->id; }
  void* self() const { return raw_.self; }
  const sculpt_component* component() const { return raw_.component; }

  // Returns the table of an extension, or nullptr.
  template <class Table>
  const Table* extension() const {
    static_assert(detail::extension_id<Table> != nullptr, "not an extension of this SDK");
    return static_cast<const Table*>(extension(detail::extension_id<Table>));
  }
  // Also finds it by the id of its draft (ext/promoted.h).
  const void* extension(const char* id) const {
    if (!present() || raw_.component->life->extension == nullptr) return nullptr;
    const void* const table = raw_.component->life->extension(raw_.self, id);
    const char* const draft = table == nullptr ? sculpt_draft_id(id) : nullptr;
    return draft == nullptr ? table : raw_.component->life->extension(raw_.self, draft);
  }
  // The same, but throws E_UNSUPPORTED if the component does not offer it.
  template <class Table>
  const Table& require() const {
    const Table* table = extension<Table>();
    if (table == nullptr) {
      throw unsupported_error(std::string("needs a component with ") + detail::extension_id<Table> +
                              "; " + (present() ? id() + " does not offer it" : "there is none"));
    }
    return *table;
  }

 private:
  sculpt_ref raw_{nullptr, nullptr};
};

// A session of a lent component, for use inside a session of another component. For an absent
// component (the loss, in prediction) it can be made but not used.
class RefSession {
 public:
  explicit RefSession(Ref ref) : ref_(ref), session_(ref.self()) {
    if (!ref_.present()) return;
    const sculpt_life* life = ref_.component()->life;
    if (life->open_session == nullptr) return;
    checked_call(
        [&](sculpt_error* error) { return life->open_session(ref_.self(), &session_, error); });
  }
  RefSession(RefSession&& other) noexcept
      : ref_(std::exchange(other.ref_, Ref())), session_(other.session_) {}
  RefSession& operator=(RefSession&& other) noexcept {
    std::swap(ref_, other.ref_);
    std::swap(session_, other.session_);
    return *this;
  }
  ~RefSession() {
    if (!ref_.present()) return;
    const sculpt_life* life = ref_.component()->life;
    if (life->open_session != nullptr && life->close_session != nullptr) {
      life->close_session(session_);
    }
  }
  const Ref& ref() const { return ref_; }
  void* raw() const { return session_; }

 protected:
  // Returns the functions of the component. Throws E_INVALID if none is bound.
  template <class Api>
  const Api& api(const char* kind) const {
    if (!ref_.present()) {
      throw Error(SCULPT_E_INVALID, std::string("needs ") + kind + ", but none is bound");
    }
    return *static_cast<const Api*>(ref_.component()->api);
  }

 private:
  Ref ref_;
  void* session_;
};

// The arguments of bind(). Absent components are not present().
struct Bindings {
  Bindings() = default;  // to nothing
  explicit Bindings(const sculpt_bindings& raw)
      : dataset(raw.dataset), features(raw.features), loss(raw.loss) {}
  Ref dataset;
  Ref features;
  Ref loss;
};

// The examples of the dataset that a component is bound to.
class Examples {
 public:
  Examples() = default;
  explicit Examples(Ref dataset) : dataset_(dataset) {}

  std::int64_t count() const {
    std::int64_t count = 0;
    checked_call([&](sculpt_error* error) { return api().count(dataset_.self(), &count, error); });
    return count;
  }
  // Returns an empty range if there is no such split.
  Range split(const char* name) const {
    Range range;
    checked_call([&](sculpt_error* error) {
      return api().split(dataset_.self(), name, &range.begin, &range.end, error);
    });
    return range;
  }
  // Returns the truth, a view of the dataset. It is not known() if the example is unlabelled.
  Labels truth(std::int64_t example) const {
    sculpt_labels truth{nullptr, 0};
    checked_call(
        [&](sculpt_error* error) { return api().truth(dataset_.self(), example, &truth, error); });
    return Labels(truth);
  }

 private:
  const sculpt_dataset_api& api() const {
    return *static_cast<const sculpt_dataset_api*>(dataset_.component()->api);
  }

  Ref dataset_;
};

// psi of the features that an oracle is bound to.
class FeaturesSession : public RefSession {
 public:
  explicit FeaturesSession(Ref features) : RefSession(features) {}
  // Adds psi(x_example, y) to the sum, with the scale of the sum. [worker]
  void add(std::int64_t example, Labels y, Sum& sum) const {
    const auto& features = api<sculpt_features_api>("features");
    checked_call([&](sculpt_error* error) {
      return features.accumulate(raw(), example, y.raw(), sum.scale(), sum.raw(), error);
    });
  }
  // The number of weights.
  std::int64_t dimension() const {
    const auto& features = api<sculpt_features_api>("features");
    std::int64_t dimension = 0;
    checked_call(
        [&](sculpt_error* error) { return features.dimension(ref().self(), &dimension, error); });
    return dimension;
  }
};

// Delta of the loss that an oracle is bound to.
class LossSession : public RefSession {
 public:
  explicit LossSession(Ref loss) : RefSession(loss) {}
  // Returns Delta(truth, guess). Throws E_INVALID if no loss is bound. [worker]
  double loss(std::int64_t example, Labels truth, Labels guess) const {
    const auto& loss = api<sculpt_loss_api>("a loss");
    double value = 0;
    checked_call([&](sculpt_error* error) {
      return loss.loss(raw(), example, truth.raw(), guess.raw(), &value, error);
    });
    return value;
  }
};

}  // namespace sculpt
