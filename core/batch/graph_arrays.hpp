// graph_arrays.hpp - reads the arrays that describe the graphs of a batch, and checks them.
//
// Called by BatchGraphs. Messages begin with the function of the API, and name the example, the
// factor and the array.
#pragma once

#include <sculpt/host/batch.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sculpt::core {

// Throws Failure(Exit::usage, "<function>: <text>").
[[noreturn]] void refuse_call(const char* function, const std::string& text);

// Throws if a map_solver cannot take so many cells for one example.
void require_theta_size(const char* function, std::int64_t example, double cells);

class GraphArrays {
 public:
  // Checks the offsets. `arrays` outlive this.
  GraphArrays(const char* function, const sculpt_batch_graph_arrays& arrays);

  std::int64_t example_count() const { return arrays_.example_count; }
  std::int64_t shared_size() const { return shared_from_.back(); }
  // The states of the variables of an example, lent until the next call. Throws if there is none.
  std::span<const std::int32_t> states(std::int64_t example);

  // `shared`: the first cell of the shared table of the factor, or -1. `cells`: of its table.
  using VisitFactor = std::function<void(std::span<const std::int32_t> scope, std::int64_t shared,
                                         std::int64_t cells)>;
  // Visits the factors in order. Throws for a wrong scope or a wrong shared table. Requires that
  // states() was called last with this example.
  void each_factor(std::int64_t example, const VisitFactor& visit);

 private:
  std::span<const std::int32_t> scope(std::int64_t example, std::int64_t factor) const;
  std::int64_t shared_table(std::int64_t example, std::int64_t factor, std::int64_t cells,
                            std::span<const std::int32_t> dimensions);
  void require_offsets(const char* name, const std::int64_t* from, std::int64_t count) const;
  [[noreturn]] void refuse_factor(std::int64_t example, std::int64_t factor,
                                  const std::string& text) const;

  const char* function_;
  const sculpt_batch_graph_arrays& arrays_;
  std::int64_t factors_ = 0;
  std::vector<std::int64_t> shared_from_ = {0};               // [shared tables + 1]
  std::vector<std::vector<std::int32_t>> shared_dimensions_;  // of the first factor's scope
  std::vector<std::int32_t> states_;                          // of one example
  std::vector<std::int32_t> dimensions_;                      // of one factor
};

}  // namespace sculpt::core
