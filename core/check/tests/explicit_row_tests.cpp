// The test of explicit rows of kernels (ext/draft/explicit_rows.h): their products are the values
// of the kernel, and their columns have names.

#include <sculpt/ext/draft/explicit_rows.h>

#include <array>
#include <cmath>
#include <map>

#include "base/text/message_text.hpp"
#include "check/tests/kernel_leaf_test.hpp"
#include "problem/kernel/explicit_map.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {
namespace {

std::string name_of(const ExplicitMap& map, const Component& component, std::int64_t column) {
  ByteBuffer name;
  component.call("explicit-rows.name", -1,
                 [&](sculpt_error* error) { return map.append_name(column, name.raw(), error); });
  return name.text_of(component, -1);
}

// The names of the columns in use differ.
void require_names(KernelLeafTest& test, const ExplicitMap& map, const Component& component,
                   const std::vector<SparseVector>& rows) {
  constexpr std::size_t most = 2000;
  std::map<std::string, std::int64_t> column_of;
  std::vector<bool> is_named(static_cast<std::size_t>(map.width()));
  for (const SparseVector& row : rows) {
    for (const std::int32_t column : row.index) {
      if (is_named[static_cast<std::size_t>(column)] || column_of.size() == most) continue;
      is_named[static_cast<std::size_t>(column)] = true;
      const std::string name = name_of(map, component, column);
      const auto [other, is_new] = column_of.emplace(name, column);
      if (is_new && !name.empty()) continue;
      test.fail("the columns " + std::to_string(other->second) + " and " + std::to_string(column) +
                " of its explicit rows have the name \"" + name + "\"; names differ");
    }
  }
}

double product_of(const SparseVector& a, const SparseVector& b, Vector& scratch) {
  for (std::size_t k = 0; k < a.index.size(); ++k) {
    scratch[static_cast<std::size_t>(a.index[k])] = a.value[k];
  }
  double sum = 0;
  for (std::size_t k = 0; k < b.index.size(); ++k) {
    sum += scratch[static_cast<std::size_t>(b.index[k])] * b.value[k];
  }
  for (const std::int32_t column : a.index) scratch[static_cast<std::size_t>(column)] = 0;
  return sum;
}

void require_same_row(KernelLeafTest& test, const ExplicitMap& map, std::size_t position,
                      const SparseVector& row) {
  SparseVector again;
  map.row(0, test.sample.atoms[position], again);
  if (again.index == row.index && again.value == row.value) return;
  test.fail("the explicit row of " + test.atom_text(position) + " differs in a second call");
}

void explicit_test(KernelLeafTest& test) {
  SecondKernel second(test.fixture, test.leaf, {});
  const Component& component = second.component();
  if (component.answered_table(SCULPT_EXT_EXPLICIT_ROWS) == nullptr) {
    test.context.skip_not_offered("explicit rows");
  }
  const std::optional<std::int64_t> width = explicit_width(component);
  if (!width) return test.context.remark(component.name() + ": refuses explicit rows");
  const std::unique_ptr<ExplicitMap> map = make_component_map(component, 1);
  test.context.set_activity("computing the explicit rows");
  const std::size_t size = test.sample.atoms.size();
  std::vector<SparseVector> rows(size);
  for (std::size_t i = 0; i < size; ++i) map->row(0, test.sample.atoms[i], rows[i]);
  const KernelMatrix values = rows_of(second.kernel(), test.sample.atoms, test.sample.atoms);
  Vector scratch(static_cast<std::size_t>(*width), 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    require_same_row(test, *map, i, rows[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      test.context.count();
      constexpr double tolerance = 1e-9;
      const double product = product_of(rows[i], rows[j], scratch);
      const double length = std::sqrt(std::abs(values.at(i, i) * values.at(j, j)));
      if (std::abs(product - values.at(i, j)) <= tolerance * length) continue;
      test.fail("the product of the explicit rows of " + test.atom_text(i) + " and " +
                test.atom_text(j) + " is " + exact_number_text(product) + ", but the kernel is " +
                exact_number_text(values.at(i, j)));
    }
  }
  require_names(test, *map, component, rows);
}

}  // namespace

std::span<const ExperimentTest> explicit_row_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{
      {{"kernel.explicit", for_each_kernel<explicit_test>}}};
  return tests;
}

}  // namespace sculpt::core
