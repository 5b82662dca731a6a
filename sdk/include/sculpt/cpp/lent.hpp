// lent.hpp - the extensions of the components that a component is bound to, as objects: SitesRef,
// LabelTextRef, PlaceRef, OutputShapeRef, NamesRef, GroupsRef, ScoresRef, WeightBoundsRef.
//
// SPDX-License-Identifier: Apache-2.0
//
//   void bind(const sculpt::Bindings& to) { sites_ = sculpt::SitesRef(to.dataset); }
//
// The constructors throw E_UNSUPPORTED if the component does not offer the extension. If it may be
// missing, ask before: sculpt::SitesRef::is_offered_by(to.dataset). An object of an absent
// component can be made but not used, as the loss in prediction. A call that fails throws an Error
// with the text of the component. The headers in ext/ define the results. All calls are [any].
// lent_sessions.hpp has the extensions with [worker] calls. items.hpp and edge_kinds.hpp have Items
// and EdgeKinds.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "refs.hpp"

namespace sculpt {

// A lent component with the table of an extension. Base class of those below.
template <class Table>
class ExtensionRef {
 public:
  ExtensionRef() = default;  // of an absent component
  explicit ExtensionRef(Ref component)
      : component_(component),
        table_(component.present() ? &component.require<Table>() : nullptr) {}

  static bool is_offered_by(Ref component) { return component.extension<Table>() != nullptr; }
  const Ref& component() const { return component_; }
  bool present() const { return table_ != nullptr; }
  // Throws E_UNSUPPORTED if the component is absent.
  const Table& table() const { return table_ != nullptr ? *table_ : Ref().require<Table>(); }

 protected:
  void* self() const { return component_.self(); }
  void require_present() const { static_cast<void>(table()); }

 private:
  Ref component_;
  const Table* table_ = nullptr;
};

// The inputs of a dataset: sites with sparse rows (ext/sites.h).
class SitesRef : public ExtensionRef<sculpt_ext_sites> {
 public:
  SitesRef() = default;
  explicit SitesRef(Ref dataset) : ExtensionRef(dataset) {
    if (!present()) return;
    shape_.struct_size = sizeof shape_;
    checked_call([&](sculpt_error* error) { return table().shape(self(), &shape_, error); });
  }

  const sculpt_sites_shape& shape() const {
    require_present();
    return shape_;
  }
  sculpt_sites sites(std::int64_t example) const {
    sculpt_sites sites{};
    sites.struct_size = sizeof sites;
    checked_call(
        [&](sculpt_error* error) { return table().sites(self(), example, &sites, error); });
    return sites;
  }
  // Append the name of a state or of a feature.
  void state_name(std::int32_t state, ByteOutput& out) const {
    checked_call(
        [&](sculpt_error* error) { return table().state_name(self(), state, out.raw(), error); });
  }
  void feature_name(std::int64_t feature, ByteOutput& out) const {
    checked_call([&](sculpt_error* error) {
      return table().feature_name(self(), feature, out.raw(), error);
    });
  }

 private:
  sculpt_sites_shape shape_ = {};
};

// The text of the outputs of a dataset (ext/label_text.h).
class LabelTextRef : public ExtensionRef<sculpt_ext_label_text> {
 public:
  using ExtensionRef::ExtensionRef;
  void format(std::int64_t example, Labels y, ByteOutput& out) const {
    checked_call([&](sculpt_error* error) {
      return table().format(self(), example, y.raw(), out.raw(), error);
    });
  }
  // parse() requires can_parse().
  bool can_parse() const { return table().parse != nullptr; }
  void parse(std::int64_t example, std::string_view text, LabelOutput& out) const {
    checked_call([&](sculpt_error* error) {
      return table().parse(self(), example, text.data(), static_cast<std::int64_t>(text.size()),
                           out.raw(), error);
    });
  }
};

// The file and line of each example of a dataset (ext/draft/place.h).
class PlaceRef : public ExtensionRef<sculpt_ext_place> {
 public:
  using ExtensionRef::ExtensionRef;
  // Appends "train.txt:17", or nothing if the place is unknown.
  void place(std::int64_t example, ByteOutput& out) const {
    checked_call(
        [&](sculpt_error* error) { return table().place(self(), example, out.raw(), error); });
  }
};

// The shape of the outputs of features, or of a dataset (ext/output_shape.h).
class OutputShapeRef : public ExtensionRef<sculpt_ext_output_shape> {
 public:
  using ExtensionRef::ExtensionRef;
  sculpt_output_shape shape(std::int64_t example) const {
    sculpt_output_shape shape{};
    shape.struct_size = sizeof shape;
    checked_call(
        [&](sculpt_error* error) { return table().shape(self(), example, &shape, error); });
    return shape;
  }
};

// The names of the weights of features (ext/names.h).
class NamesRef : public ExtensionRef<sculpt_ext_names> {
 public:
  using ExtensionRef::ExtensionRef;
  void weight_name(std::int64_t weight, ByteOutput& out) const {
    checked_call(
        [&](sculpt_error* error) { return table().name(self(), weight, out.raw(), error); });
  }
};

// The groups of the weights of features (ext/groups.h).
class GroupsRef : public ExtensionRef<sculpt_ext_groups> {
 public:
  using ExtensionRef::ExtensionRef;
  // Sets group[dimension].
  void groups(std::span<std::int32_t> group) const {
    checked_call([&](sculpt_error* error) { return table().groups(self(), group.data(), error); });
  }
};

// The weights of features that must not be negative (ext/weight_bounds.h).
class WeightBoundsRef : public ExtensionRef<sculpt_ext_weight_bounds> {
 public:
  using ExtensionRef::ExtensionRef;
  // Sets nonnegative[dimension] to 1 or 0.
  void bounds(std::span<std::uint8_t> nonnegative) const {
    checked_call(
        [&](sculpt_error* error) { return table().bounds(self(), nonnegative.data(), error); });
  }
};

// The scores of features (ext/scores.h).
class ScoresRef : public ExtensionRef<sculpt_ext_scores> {
 public:
  using ExtensionRef::ExtensionRef;
  // SCULPT_SCORES_*: how they decide the output.
  std::uint32_t rule() const {
    std::uint32_t rule = 0;
    checked_call([&](sculpt_error* error) { return table().rule(self(), &rule, error); });
    return rule;
  }
  std::int64_t columns() const {
    std::int64_t columns = 0;
    checked_call([&](sculpt_error* error) { return table().columns(self(), &columns, error); });
    return columns;
  }
  void column_name(std::int64_t column, ByteOutput& out) const {
    checked_call(
        [&](sculpt_error* error) { return table().column_name(self(), column, out.raw(), error); });
  }
  std::int64_t rows(std::int64_t example) const {
    std::int64_t rows = 0;
    checked_call([&](sculpt_error* error) { return table().rows(self(), example, &rows, error); });
    return rows;
  }
  // Sets scores[rows * columns].
  void scores(std::int64_t example, Weights w, std::span<double> scores) const {
    checked_call([&](sculpt_error* error) {
      return table().scores(self(), example, w.raw(), scores.data(), error);
    });
  }
};

}  // namespace sculpt
