// output_shape.hpp - the sizes and the labels of the outputs of each example.
//
// They come from the first of these that exists:
//
//   1. sculpt/ext/output_shape.h of the features
//   2. the factor graph of the features: one label for each variable
//   3. sculpt/ext/output_shape.h of the dataset
//   4. the sites of the dataset: one label for each site
//
// Made by Problem. Called by the oracles, which hold every answer against the shape, by Problem,
// which holds the truths against it, and by check.
#pragma once

#include <sculpt/ext/output_shape.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problem/components/dataset_rows.hpp"
#include "problem/components/factor_graphs.hpp"
#include "problem/components/features.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_output_shape> {
  static constexpr const char* id = SCULPT_EXT_OUTPUT_SHAPE;
  static constexpr std::size_t required_functions = 1;
};

struct OutputShape {
  std::int64_t min_size = 0;
  std::int64_t max_size = INT64_MAX;
  const std::int32_t* states = nullptr;  // [max_size] labels at p are in [0, states[p])
  std::int32_t state_count = 0;          // without `states`; 0: any number from 0 on
  bool is_complete = false;              // every array of this shape is an output
  bool is_same_for_all = false;          // of all examples

  bool has_size(std::int64_t size) const { return size >= min_size && size <= max_size; }
  // The labels at position p are below this.
  std::int64_t label_limit(std::int64_t p) const {
    if (states != nullptr) return states[p];
    return state_count == 0 ? std::int64_t{INT32_MAX} + 1 : state_count;
  }
  // Returns the first position with a label that is out of range, or size. Requires
  // has_size(labels.size).
  std::int64_t first_wrong_label(sculpt_labels labels) const;
};

class OutputShapes {
 public:
  // Requires sealed components. They outlive this.
  OutputShapes(const Features& features, const Dataset& dataset, int threads);

  // False: nothing is known about the outputs of any example.
  bool is_known() const { return source_ != Source::none; }
  // Throws Failure (Exit::plugin) if the component gives an impossible shape. Requires is_known().
  // [worker]
  OutputShape of(int worker, std::int64_t example);
  // "chain says (sculpt.output-shape/1)"
  std::string source_text() const;

  // What is wrong with an output: "has 1 label; the outputs of this example have 3, as chain says
  // (sculpt.output-shape/1)". "": nothing. A label -1 is wrong here. [worker]
  std::string fault(int worker, std::int64_t example, sculpt_labels output) {
    if (!is_known()) return "";
    if (constant_) return fault_of(*constant_, output);
    return fault_of(of(worker, example), output);
  }
  // The same for a truth, in which a label -1 is unknown. Keeps the shape for later calls, so that
  // a slow component is asked once. [worker], at most once at a time for an example
  std::string fault_of_truth(int worker, std::int64_t example, sculpt_labels truth);

 private:
  enum class Source { none, features, factor_graph, dataset, sites };

  // The largest number of examples whose shapes are kept, in some 10 MB.
  static constexpr std::int64_t max_kept = std::int64_t{1} << 18;

  OutputShape ask(int worker, std::int64_t example);
  OutputShape from_extension(std::int64_t example) const;
  OutputShape from_graph(int worker, std::int64_t example);
  OutputShape from_sites(std::int64_t example) const;
  const Component& source_component() const;
  // The inner part is fast: one comparison a label.
  std::string fault_of(const OutputShape& shape, sculpt_labels output) const {
    const bool fits = shape.has_size(output.size) && shape.first_wrong_label(output) == output.size;
    return fits ? "" : fault_text(shape, output);
  }
  std::string fault_text(const OutputShape& shape, sculpt_labels output) const;

  const Component& features_;
  const Component& dataset_;
  Sessions sessions_;  // of the features, for their graphs
  FactorGraphs graphs_;
  DatasetRows rows_;
  Source source_ = Source::none;
  // The table of the source; nullptr if there is none.
  const sculpt_ext_output_shape* table_ = nullptr;
  sculpt_sites_shape sites_shape_ = {};
  std::optional<OutputShape> constant_;           // of all examples
  std::vector<std::optional<OutputShape>> kept_;  // [examples], or empty: none is kept
};

}  // namespace sculpt::core
