#include "problem/components/output_shape.hpp"

#include <sculpt/cpp/unseen_labels.hpp>

#include <algorithm>
#include <vector>

#include "base/text/message_text.hpp"

namespace sculpt::core {

namespace {

// Limit of max_size if each position has its own number of states.
constexpr std::int64_t max_listed_positions = std::int64_t{1} << 31;

// Returns what is wrong with a shape that a component gives, or "".
std::string shape_fault(const sculpt_output_shape& shape) {
  constexpr std::uint32_t known_flags = SCULPT_SHAPE_COMPLETE | SCULPT_SHAPE_SAME;
  if ((shape.flags & ~known_flags) != 0 || shape.reserved != 0) {
    return "with flags that this host does not know; set its other flags and reserved fields to 0";
  }
  if (shape.min_size < 0 || shape.max_size < shape.min_size) {
    return "of " + std::to_string(shape.min_size) + " to " + std::to_string(shape.max_size) +
           " labels; the sizes must be 0 or more, the smaller one first";
  }
  if (shape.state_count < 0) {
    return "with " + std::to_string(shape.state_count) + " states; set 0 if any label is possible";
  }
  if (shape.states == nullptr) return "";
  if (shape.max_size > max_listed_positions) {
    return "with a list of states for up to " + std::to_string(shape.max_size) +
           " positions; set states to NULL";
  }
  const std::int32_t* const end = shape.states + shape.max_size;
  const std::int32_t* const negative =
      std::find_if(shape.states, end, [](std::int32_t count) { return count < 0; });
  if (negative == end) return "";
  return "with " + std::to_string(*negative) + " states at position " +
         std::to_string(negative - shape.states) + "; it must be 0 or more";
}

std::string size_text(const OutputShape& shape) {
  if (shape.max_size == INT64_MAX) return "at least " + std::to_string(shape.min_size);
  const std::string most = std::to_string(shape.max_size);
  return shape.min_size == shape.max_size ? most : std::to_string(shape.min_size) + " to " + most;
}

}  // namespace

std::int64_t OutputShape::first_wrong_label(sculpt_labels labels) const {
  const std::int32_t* const end = labels.data + labels.size;
  if (states != nullptr) {
    for (std::int64_t p = 0; p < labels.size; ++p) {
      if (static_cast<std::uint32_t>(labels.data[p]) >= static_cast<std::uint32_t>(states[p])) {
        return p;
      }
    }
    return labels.size;
  }
  const auto limit = static_cast<std::uint32_t>(label_limit(0));  // negative labels are above it
  return std::find_if(
             labels.data, end,
             [limit](std::int32_t label) { return static_cast<std::uint32_t>(label) >= limit; }) -
         labels.data;
}

// The graphs are those of sessions of its own: a graph that the map_solver works on must stay.
OutputShapes::OutputShapes(const Features& features, const Dataset& dataset, int threads)
    : features_(features.component()),
      dataset_(dataset.component()),
      sessions_(features_, threads),
      graphs_(features_, threads),
      rows_(dataset_) {
  table_ = features_.extension<sculpt_ext_output_shape>();
  if (table_ != nullptr) {
    source_ = Source::features;
  } else if (graphs_.are_offered()) {
    source_ = Source::factor_graph;
  } else if ((table_ = dataset_.extension<sculpt_ext_output_shape>()) != nullptr) {
    source_ = Source::dataset;
  } else if (rows_.is_offered()) {
    source_ = Source::sites;
    sites_shape_ = rows_.shape();
  }
  if (table_ == nullptr || dataset.count() == 0) return;
  const OutputShape first = from_extension(0);
  if (first.is_same_for_all) {
    constant_ = first;
  } else if (!features_.is_fenced() && dataset.count() <= max_kept) {
    kept_.resize(static_cast<std::size_t>(dataset.count()));
  }
}

OutputShape OutputShapes::of(int worker, std::int64_t example) {
  if (constant_) return *constant_;
  if (!kept_.empty()) {
    if (const auto& kept = kept_[static_cast<std::size_t>(example)]) return *kept;
  }
  return ask(worker, example);
}

OutputShape OutputShapes::ask(int worker, std::int64_t example) {
  switch (source_) {
    case Source::factor_graph:
      return from_graph(worker, example);
    case Source::sites:
      return from_sites(example);
    default:
      return from_extension(example);
  }
}

OutputShape OutputShapes::from_extension(std::int64_t example) const {
  const Component& component = source_component();
  sculpt_output_shape shape = {};
  shape.struct_size = sizeof shape;
  component.call("output-shape.shape", example, [&](sculpt_error* error) {
    return table_->shape(component.self(), example, &shape, error);
  });
  const std::string fault = shape_fault(shape);
  if (!fault.empty()) component.refuse(Exit::plugin, example, "gives a shape of outputs " + fault);
  return {shape.min_size,
          shape.max_size,
          shape.states,
          shape.state_count,
          (shape.flags & SCULPT_SHAPE_COMPLETE) != 0,
          (shape.flags & SCULPT_SHAPE_SAME) != 0};
}

OutputShape OutputShapes::from_graph(int worker, std::int64_t example) {
  const sculpt_factor_graph& graph = graphs_.of(worker, sessions_.for_worker(worker), example);
  return {graph.variable_count, graph.variable_count, graph.states, 0, true, false};
}

OutputShape OutputShapes::from_sites(std::int64_t example) const {
  const std::int64_t size = sites_shape_.variable_count > 0 ? sites_shape_.variable_count
                                                            : rows_.sites(example).site_count;
  return {size, size, nullptr, sites_shape_.state_count, false, false};
}

const Component& OutputShapes::source_component() const {
  return source_ == Source::features || source_ == Source::factor_graph ? features_ : dataset_;
}

std::string OutputShapes::source_text() const {
  const std::string name = source_component().name();
  switch (source_) {
    case Source::factor_graph:
      return "the factor graph of " + name + " says";
    case Source::sites:
      return "the sites of " + name + " say; features with other outputs offer " +
             SCULPT_EXT_OUTPUT_SHAPE;
    default:
      return name + " says (" SCULPT_EXT_OUTPUT_SHAPE ")";
  }
}

std::string OutputShapes::fault_text(const OutputShape& shape, sculpt_labels output) const {
  if (!shape.has_size(output.size)) {
    return "has " + count_text(output.size, "label") + "; the outputs of this example have " +
           size_text(shape) + ", as " + source_text();
  }
  const std::int64_t p = shape.first_wrong_label(output);
  const std::int32_t label = output.data[p];
  if (label == -1) {
    return "has the label -1 at position " + std::to_string(p) +
           "; only truths may have unknown labels";
  }
  const std::string range = label < 0 && shape.states == nullptr && shape.state_count == 0
                                ? "negative"
                                : "outside [0, " + std::to_string(shape.label_limit(p)) + ")";
  return "has the label " + std::to_string(label) + " at position " + std::to_string(p) +
         ", which is " + range + ", as " + source_text();
}

std::string OutputShapes::fault_of_truth(int worker, std::int64_t example, sculpt_labels truth) {
  if (!is_known() || truth.data == nullptr) return "";
  const OutputShape shape = of(worker, example);
  if (!kept_.empty()) kept_[static_cast<std::size_t>(example)] = shape;
  if (!shape.has_size(truth.size)) return fault_text(shape, truth);
  if (shape.first_wrong_label(truth) == truth.size) return "";
  // An unknown label is in order, and so is one that training does not have.
  std::vector<std::int32_t> known(truth.data, truth.data + truth.size);
  for (std::size_t p = 0; p < known.size(); ++p) {
    if (known[p] != -1 && known[p] != unseen_label) continue;
    if (shape.label_limit(static_cast<std::int64_t>(p)) == 0) {
      return "has an unknown label at position " + std::to_string(p) +
             ", where no label is possible, as " + source_text();
    }
    known[p] = 0;
  }
  return fault_of(shape, {known.data(), truth.size});
}

}  // namespace sculpt::core
