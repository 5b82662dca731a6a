// extensions.hpp - optional methods of a component class, found by detection.
//
// SPDX-License-Identifier: Apache-2.0
//
//   state          void save(StateWriter&) const;  void restore(StateReader&)
//   scaling        SiteStore& scaled_rows(): the parameter `scaling`, its state, its names
//                  (scaling.hpp); and the drafts `width`: the row with the largest index, and
//                  `column-scale`: shift and divisor of each column (column_scale.hpp)
//   sites          feature_count(), state_count(), sites(example); optional variable_count(),
//                  state_name(state, out), feature_name(feature, out)
//   label text     void format(example, Labels, ByteOutput&) const; optional
//                  void parse(example, string_view, LabelOutput&) const
//   output shape   OutputShape output_shape(example) const (output_shape.hpp)
//   names          void weight_name(weight, ByteOutput&) const
//   weight column  int64_t weight_column(weight) const: the column of the dataset that the weight
//                  multiplies, or -1; a draft (column_scale.hpp)
//   factor graph   factor_classes() const; [worker] factor_graph(example), potentials(example, w,
//                  theta), pullback(example, mu, sum)
//   factor loss    factor_demands() const; [worker] add_factor_loss(example, graph, truth, scale,
//                  theta, constant)
//   metrics        static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("errors",
//                  "wrong labels")}, or sculpt::higher_is_better, or sculpt::metric; static
//                  constexpr int64_t sum_count, or int64_t sum_count() const if it depends on the
//                  data; [worker]
//                  add_metrics(example, truth, guess, sums), an unknown guess is entirely wrong;
//                  finish_metrics(sums, values)
//   enumerate      [worker] int64_t enumerate(example, limit, visit)
//   example weights  of datasets: double example_weight(example) const, for examples of train
//   weight bounds  bool bounds_weights() const: true if there are any; void
//                  weight_bounds(span<uint8_t> nonnegative) const
//   count loss     static constexpr sculpt_count counts[] = {sculpt::counted("errors")}; or, if
//                  they depend on parameters, std::span<const sculpt_count> counts() const;
//                  [worker] double loss_of_counts(example, truth, span<const int64_t> counts);
//                  optional, if the loss is linear in them and sets no limit: double
//                  count_slopes(example, truth, span<double> slope) returns the constant
//   factor counts  count_demands() const; [worker] add_factor_counts(example, graph, truth,
//                  span<int32_t* const> tables)
//   frontier       in Session: begin_frontier(const FrontierQuery&, FrontierShape&),
//                  frontier_slice(first, span<double> scores), frontier_output(CountVector,
//                  LabelOutput&); optional, of the class: bool offers_frontier() const, called
//                  after bind(): true if there is a frontier
//   batch argmax   [worker] void argmax_batch(Batch&): the answers to many queries in one call
//                  (batch_argmax.hpp)
//   complete       [worker] void complete(const Query&, Answer&): the best output that agrees with
//                  a partial truth (complete.hpp)
//   cut            [worker] void cut(const Query&, Sum& psi, Cut&) of an oracle; of a map_solver
//                  void cut(const MapQuery&, span<double> mu, Cut&); optional bool relaxes()
//                  const: true if there are relaxed answers
#pragma once

#include "../ext/draft/place.h"
#include "../ext/draft/width.h"
#include "../ext/example_weights.h"
#include "life.hpp"
#include "state.hpp"

namespace sculpt {

// Passes one output to the host. For enumerate(). Throws if the host ends the enumeration.
class Visit {
 public:
  Visit(sculpt_visit call, void* context) : call_(call), context_(context) {}
  void operator()(Labels y) const {
    const sculpt_status status = call_(context_, y.raw());
    if (status != SCULPT_OK) throw Error(status, "the host ended the enumeration");
  }

 private:
  sculpt_visit call_;
  void* context_;
};

// Entries of the table `metrics`. `name` is snake_case, `summary` one sentence.
constexpr sculpt_metric metric(const char* name, const char* summary, std::uint32_t flags = 0) {
  return {name, summary, flags, 0};
}
constexpr sculpt_metric higher_is_better(const char* name, const char* summary) {
  return metric(name, summary, SCULPT_METRIC_HIGHER_IS_BETTER);
}
constexpr sculpt_metric lower_is_better(const char* name, const char* summary) {
  return metric(name, summary, SCULPT_METRIC_LOWER_IS_BETTER);
}

namespace detail {

template <class T>
concept OffersState = requires(const T& t, T& u, StateWriter& writer, StateReader& reader) {
  t.save(writer);
  u.restore(reader);
};
// A class with only one of save and restore, or with another signature, would silently offer no
// state.
template <class T>
concept MisdeclaresState =
    !OffersState<T> && (
                           requires { &T::save; } || requires { &T::restore; });
template <class T>
inline constexpr sculpt_ext_state state_table{
    [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "save", [&] {
        StateWriter writer{ByteOutput(out)};
        if constexpr (OffersState<T>) object_of<T>(self).save(writer);
        if constexpr (ScalesRows<T>) {
          mutable_object_of<T>(self).scaled_rows().scaling().save(writer);
        }
      });
    },
    [](void* self, const char* data, std::int64_t size, sculpt_error* error) {
      return guarded(error, "restore", [&] {
        StateReader reader(data, size);
        if constexpr (OffersState<T>) object_of<T>(self).restore(reader);
        if constexpr (ScalesRows<T>) object_of<T>(self).scaled_rows().scaling().restore(reader);
        reader.end();
      });
    }};

// Appends the name of a feature without its scale.
template <class T>
void write_feature_name(const T& dataset, std::int64_t feature, ByteOutput& out) {
  if constexpr (requires { dataset.feature_name(feature, out); }) {
    dataset.feature_name(feature, out);
  } else {
    (void)dataset, out << feature;
  }
}

template <class T>
concept OffersSites = requires(const T& t, std::int64_t i) {
  { t.feature_count() } -> std::convertible_to<std::int64_t>;
  { t.state_count() } -> std::convertible_to<std::int32_t>;
  { t.sites(i) } -> std::same_as<sculpt_sites>;
};
template <class T>
inline constexpr sculpt_ext_sites sites_table{
    [](const void* self, sculpt_sites_shape* out, sculpt_error* error) {
      return guarded(error, "the shape of the sites", [&] {
        const T& dataset = object_of<T>(self);
        sculpt_sites_shape shape{sizeof shape, dataset.state_count(), dataset.feature_count(), 0};
        if constexpr (requires { dataset.variable_count(); }) {
          shape.variable_count = dataset.variable_count();
        }
        fill_record(out, shape);
      });
    },
    [](const void* self, std::int32_t state, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "state_name", [&] {
        ByteOutput text(out);
        if constexpr (requires(const T& t) { t.state_name(state, text); }) {
          object_of<T>(self).state_name(state, text);
        } else {
          (void)self, text << state;
        }
      });
    },
    [](const void* self, std::int64_t feature, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "feature_name", [&] {
        ByteOutput text(out);
        write_feature_name(object_of<T>(self), feature, text);
        if constexpr (ScalesRows<T>) {
          mutable_object_of<T>(self).scaled_rows().scaling().name(feature, text);
        }
      });
    },
    [](const void* self, std::int64_t example, sculpt_sites* out, sculpt_error* error) {
      return guarded(error, "sites", [&] { fill_record(out, object_of<T>(self).sites(example)); });
    }};

template <class T>
concept OffersPlace = requires(const T& t, std::int64_t example) {
  { t.place(example) } -> std::same_as<std::string>;
};
template <class T>
inline constexpr sculpt_ext_place place_table{
    [](const void* self, std::int64_t example, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "place", [&] { ByteOutput(out) << object_of<T>(self).place(example); });
    }};

template <class T>
concept OffersExampleWeights = requires(const T& t, std::int64_t example) {
  { t.example_weight(example) } -> std::convertible_to<double>;
};
template <class T>
inline constexpr sculpt_ext_example_weights example_weights_table{
    [](const void* self, std::int64_t begin, std::int64_t end, double* out, sculpt_error* error) {
      return guarded(error, "example_weight", [&] {
        const T& dataset = object_of<T>(self);
        for (std::int64_t i = begin; i < end; ++i) out[i - begin] = dataset.example_weight(i);
      });
    }};

// For every dataset with scaled_rows(): the place of the row with the largest index.
template <class T>
inline constexpr sculpt_ext_width width_table{
    [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "widest",
                     [&] { ByteOutput(out) << mutable_object_of<T>(self).scaled_rows().widest(); });
    }};

template <class T>
concept OffersLabelText = requires(const T& t, std::int64_t i, Labels y, ByteOutput& out) {
  t.format(i, y, out);
};
template <class T>
constexpr auto parse_function() -> decltype(sculpt_ext_label_text::parse) {
  if constexpr (requires(const T& t, std::string_view text, LabelOutput& out) {
                  t.parse(std::int64_t{}, text, out);
                }) {
    return [](const void* self, std::int64_t example, const char* text, std::int64_t size,
              sculpt_label_buffer* out, sculpt_error* error) {
      return guarded(error, "parse", [&] {
        LabelOutput labels(out);
        object_of<T>(self).parse(example, std::string_view(text, static_cast<std::size_t>(size)),
                                 labels);
      });
    };
  } else {
    return nullptr;
  }
}
template <class T>
inline constexpr sculpt_ext_label_text label_text_table{
    [](const void* self, std::int64_t example, sculpt_labels y, sculpt_byte_buffer* out,
       sculpt_error* error) {
      return guarded(error, "format", [&] {
        ByteOutput text(out);
        object_of<T>(self).format(example, Labels(y), text);
      });
    },
    parse_function<T>()};

template <class T>
concept OffersNames = requires(const T& t, ByteOutput& out) {
  t.weight_name(std::int64_t{}, out);
};
template <class T>
inline constexpr sculpt_ext_names names_table{
    [](const void* self, std::int64_t weight, sculpt_byte_buffer* out, sculpt_error* error) {
      return guarded(error, "weight_name", [&] {
        ByteOutput text(out);
        object_of<T>(self).weight_name(weight, text);
      });
    }};

}  // namespace detail
}  // namespace sculpt
