// explicit_map.hpp - phi of a kernel, as sparse rows (ext/draft/explicit_rows.h).
//
//   component    the rows of the component
//   normalized   phi / ||phi||; 0 if phi is 0
//   sum          the rows of the members one after the other, each times sqrt(its weight)
//
// Made by make_explicit_map() for Problem, and called by ExplicitDataset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "linalg/vector.hpp"
#include "problem/kernel/kernel_spec.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

class ExplicitMap {
 public:
  virtual ~ExplicitMap() = default;
  // The number of columns, at most INT32_MAX.
  virtual std::int64_t width() const = 0;
  // out = phi(atom). Throws Failure(Exit::data) if a value is not finite, and that of the plugin.
  // [worker]
  virtual void row(int worker, std::int64_t atom, SparseVector& out) const = 0;
  // Appends the name of a column. Never throws. [any]
  virtual sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                                    sculpt_error* error) const = 0;
};

// The rows of a component, which is bound and sealed, and outlives the map. Throws
// Failure(Exit::config) if it offers none.
std::unique_ptr<ExplicitMap> make_component_map(const Component& component, int threads);
// The number of columns of phi of a component of kind kernel. Nothing: it offers no explicit rows,
// or refuses to. Throws the Failure of a faulty plugin.
std::optional<std::int64_t> explicit_width(const Component& component);

// `spec`: without the outermost rule `explicit`. `components`: its leaves, bound and sealed, which
// outlive the map. Throws Failure(Exit::config) if one offers no rows, or if there are too many
// columns.
std::unique_ptr<ExplicitMap> make_explicit_map(
    const KernelSpec& spec, std::span<const std::unique_ptr<Component>> components, int threads);

}  // namespace sculpt::core
