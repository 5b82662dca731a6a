// extensions.hpp - the optional methods of a component class, and the extensions that they offer.
//
// SPDX-License-Identifier: Apache-2.0
//
// methods.hpp has all signatures. The compiler refuses a method that exists but does not fit, and
// a part of an extension without the rest. Methods marked [worker] may be members of the Session.
//
//   state          save() and restore(): what was learned from data
//   scaling        scaled_rows(): the parameter `scaling`, its state, its names (scaling.hpp); and
//                  the drafts `width`: the row with the largest index, and `column-scale`: shift
//                  and divisor of each column (column_scale.hpp)
//   sites          sites(), feature_count(), state_count(); optional variable_count(),
//                  state_name(), feature_name()
//   label text     format(); optional parse()
//   place          place(): the file and line of an example
//   example weights  example_weight(): for the examples of train
//   items          items(); optional item_of_label() (items.hpp)
//   output shape   output_shape(): of features, or of a dataset (output_shape.hpp)
//   names          weight_name()
//   weight column  weight_column(): the column of the dataset that the weight multiplies, or -1; a
//                  draft (column_scale.hpp)
//   row blocks     row_blocks(): where the weights of the rows are (row_blocks.hpp)
//   weight bounds  bounds_weights(): true if there are any; weight_bounds()
//   groups         weight_groups() (groups.hpp)
//   scores         score_rule(), score_rows(), write_scores(); optional score_columns() with
//                  score_name(), offers_scores() (scores.hpp)
//   factor graph   factor_classes(); [worker] factor_graph(), potentials(), pullback()
//   enumerate      [worker] enumerate(): calls visit(y) for all outputs, returns their number
//   factor loss    [worker] add_factor_loss(); optional factor_demands()
//   metrics        the list metrics (lists.hpp), of sculpt::lower_is_better("errors", "wrong
//                  labels"), sculpt::higher_is_better or sculpt::metric; the constant or method
//                  sum_count; [worker] add_metrics(), where an unknown guess is entirely wrong;
//                  finish_metrics()
//   count loss     the list counts (lists.hpp), of sculpt::counted("errors"); [worker]
//                  loss_of_counts(); optional, if the loss is linear in them and sets no limit,
//                  [worker] count_slopes(), which returns the constant
//   factor counts  [worker] add_factor_counts(); optional count_demands()
//   frontier       of the Session: begin_frontier(), frontier_slice(), frontier_output(); optional
//                  offers_frontier(), called after bind()
//   batch argmax   [worker] argmax_batch(): the answers to many queries in one call
//                  (batch_argmax.hpp)
//   complete       [worker] complete(): the best output that agrees with a partial truth
//                  (complete.hpp)
//   cut            [worker] cut(); optional relaxes(): true if there are relaxed answers
//   expectation    [worker] mean(), covariance_times(): log Z, E[psi] and Cov[psi] v
//                  (distribution.hpp)
//   k best         [worker] begin_k_best(), next_best() (distribution.hpp)
//   sample         [worker] begin_sample(), draw() (distribution.hpp)
//
// The wrapper finds these. drafts.hpp has drafts that a class lists, and own_extensions.hpp has all
// others.
#pragma once

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

// Tells by the parameters of an object whether it offers an extension.
template <class T>
using Switch = bool (*)(const T&);

// An extension: the kinds that offer it, and its methods. A derived class E has the function table
// E::table<T>, whose id is extension_id. The wrapper offers it if is_offered<T>().
template <std::uint32_t kind_set, class RequiredMethods, class OptionalMethods = Methods<>>
struct Extension {
  static constexpr std::uint32_t kinds = kind_set;
  using Required = RequiredMethods;
  // Classes of other kinds may not have these methods.
  static constexpr std::uint32_t kinds_with_methods = kind_set;

  template <class T>
  static constexpr bool is_offered() {
    return offers_all<T>(RequiredMethods(), OptionalMethods());
  }
  template <class T>
  static constexpr Switch<T> get_switch() {
    return nullptr;
  }
};

struct State : Extension<kind_sets::any, Methods<method::save, method::restore>> {
  static constexpr std::uint32_t kinds_with_methods = kind_sets::any;
  template <class T>
  static constexpr bool has_methods = Extension::is_offered<T>();
  template <class T>
  static constexpr bool is_offered() {
    return has_methods<T> || scales_rows<T>;
  }
  template <class T>
  static constexpr sculpt_ext_state table{
      [](const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "save", [&] {
          StateWriter writer{ByteOutput(out)};
          if constexpr (has_methods<T>) object_of<T>(self).save(writer);
          if constexpr (scales_rows<T>) {
            mutable_object_of<T>(self).scaled_rows().scaling().save(writer);
          }
        });
      },
      [](void* self, const char* data, std::int64_t size, sculpt_error* error) {
        return guarded(error, "restore", [&] {
          StateReader reader(data, size);
          if constexpr (has_methods<T>) object_of<T>(self).restore(reader);
          if constexpr (scales_rows<T>) object_of<T>(self).scaled_rows().scaling().restore(reader);
          reader.end();
        });
      }};
};

// Appends the name of a feature without its scale.
template <class T>
void write_feature_name(const T& dataset, std::int64_t feature, ByteOutput& out) {
  if constexpr (offers<method::feature_name, T>()) {
    dataset.feature_name(feature, out);
  } else {
    (void)dataset, out << feature;
  }
}

// Many classes have such methods for themselves. So the other methods count only beside `sites`.
struct Sites : Extension<kind_sets::dataset,
                         Methods<method::sites, method::feature_count, method::state_count>> {
  static constexpr std::uint32_t kinds_with_methods = kind_sets::any;
  template <class T>
  static constexpr bool is_offered() {
    if constexpr (find_method<method::sites, T>() == Finding::absent) {
      return false;
    } else {
      return offers_all<T>(
          Required(), Methods<method::variable_count, method::state_name, method::feature_name>());
    }
  }
  template <class T>
  static constexpr sculpt_ext_sites table{
      [](const void* self, sculpt_sites_shape* out, sculpt_error* error) {
        return guarded(error, "the shape of the sites", [&] {
          const T& dataset = object_of<T>(self);
          sculpt_sites_shape shape{sizeof shape, dataset.state_count(), dataset.feature_count(), 0};
          if constexpr (offers<method::variable_count, T>()) {
            shape.variable_count = dataset.variable_count();
          }
          fill_record(out, shape);
        });
      },
      [](const void* self, std::int32_t state, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "state_name", [&] {
          ByteOutput text(out);
          if constexpr (offers<method::state_name, T>()) {
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
          if constexpr (scales_rows<T>) {
            mutable_object_of<T>(self).scaled_rows().scaling().name(feature, text);
          }
        });
      },
      [](const void* self, std::int64_t example, sculpt_sites* out, sculpt_error* error) {
        return guarded(error, "sites",
                       [&] { fill_record<sculpt_sites>(out, object_of<T>(self).sites(example)); });
      }};
};

struct ExamplePlace : Extension<kind_sets::dataset, Methods<method::place>> {
  static constexpr std::uint32_t kinds_with_methods = kind_sets::any;
  template <class T>
  static constexpr sculpt_ext_place table{[](const void* self, std::int64_t example,
                                             sculpt_byte_buffer* out, sculpt_error* error) {
    return guarded(error, "place", [&] { ByteOutput(out) << object_of<T>(self).place(example); });
  }};
};

struct TrainingWeights : Extension<kind_sets::dataset, Methods<method::example_weight>> {
  template <class T>
  static constexpr sculpt_ext_example_weights table{
      [](const void* self, std::int64_t begin, std::int64_t end, double* out, sculpt_error* error) {
        return guarded(error, "example_weight", [&] {
          const T& dataset = object_of<T>(self);
          for (std::int64_t i = begin; i < end; ++i) out[i - begin] = dataset.example_weight(i);
        });
      }};
};

// For every dataset with scaled_rows(): the place of the row with the largest index.
struct Width : Extension<kind_sets::dataset, Methods<method::scaled_rows>> {
  template <class T>
  static constexpr sculpt_ext_width table{[](const void* self, sculpt_byte_buffer* out,
                                             sculpt_error* error) {
    return guarded(error, "widest",
                   [&] { ByteOutput(out) << mutable_object_of<T>(self).scaled_rows().widest(); });
  }};
};

struct LabelText : Extension<kind_sets::dataset, Methods<method::format>, Methods<method::parse>> {
  template <class T>
  static constexpr auto parse_function() {
    using Function = decltype(sculpt_ext_label_text::parse);
    if constexpr (offers<method::parse, T>()) {
      return Function{[](const void* self, std::int64_t example, const char* text,
                         std::int64_t size, sculpt_label_buffer* out, sculpt_error* error) {
        return guarded(error, "parse", [&] {
          LabelOutput labels(out);
          object_of<T>(self).parse(example, std::string_view(text, static_cast<std::size_t>(size)),
                                   labels);
        });
      }};
    } else {
      return Function{nullptr};
    }
  }
  template <class T>
  static constexpr sculpt_ext_label_text table{
      [](const void* self, std::int64_t example, sculpt_labels y, sculpt_byte_buffer* out,
         sculpt_error* error) {
        return guarded(error, "format", [&] {
          ByteOutput text(out);
          object_of<T>(self).format(example, Labels(y), text);
        });
      },
      parse_function<T>()};
};

struct WeightNames : Extension<kind_sets::features, Methods<method::weight_name>> {
  template <class T>
  static constexpr sculpt_ext_names table{
      [](const void* self, std::int64_t weight, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "weight_name", [&] {
          ByteOutput text(out);
          object_of<T>(self).weight_name(weight, text);
        });
      }};
};

struct WeightBounds
    : Extension<kind_sets::features, Methods<method::bounds_weights, method::weight_bounds>> {
  template <class T>
  static constexpr Switch<T> get_switch() {
    return [](const T& features) -> bool { return features.bounds_weights(); };
  }
  template <class T>
  static constexpr sculpt_ext_weight_bounds table{
      [](const void* self, std::uint8_t* nonnegative, sculpt_error* error) {
        return guarded(error, "weight_bounds", [&] {
          const T& features = object_of<T>(self);
          features.weight_bounds({nonnegative, static_cast<std::size_t>(features.dimension())});
        });
      }};
};

}  // namespace detail
}  // namespace sculpt
