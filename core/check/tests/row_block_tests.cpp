// The test of features that work with kernels (ext/row_blocks.h). It binds them once more:
// to the atoms of the dataset, or to its rows if the experiment has a kernel. Both must agree:
//
//   psi over rows  =  sum over atoms a of  c_a x_a,     c = psi over atoms
//
// The weights outside of the blocks are the same in both.

#include <sculpt/ext/row_blocks.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/kernel/atom_dataset.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_outputs_with_rows = 50;

// Features bound to rows: those of the dataset, or its atoms.
struct BoundFeatures {
  Features& features;
  std::int64_t columns = 0;
  std::int64_t dimension = 0;
  sculpt_row_blocks blocks = {};

  BoundFeatures(Features& bound, std::int64_t column_count)
      : features(bound), columns(column_count), dimension(bound.dimension()) {
    blocks = read(-7);
    const sculpt_row_blocks again = read(-8);
    if (again.first != blocks.first || again.block_count != blocks.block_count) {
      refuse("its row blocks are not set, or others in a second call");
    }
    const bool fits = blocks.first >= 0 && blocks.first <= dimension && blocks.block_count >= 1 &&
                      columns <= (dimension - blocks.first) / blocks.block_count;
    if (fits) return;
    refuse("the weights of rows begin at " + std::to_string(blocks.first) + ", in " +
           std::to_string(blocks.block_count) + " blocks of " + count_text(columns, "column") +
           ", but there are " + std::to_string(dimension) + " weights");
  }

  std::int64_t end() const { return blocks.first + columns * blocks.block_count; }
  bool is_of_row(std::int64_t weight) const { return weight >= blocks.first && weight < end(); }
  FeatureSum psi(std::int64_t example, sculpt_labels y) const {
    SparseAccumulator scratch(dimension);
    FeatureSum sum;
    features.vector(0, example, y, Exit::plugin, scratch, sum.psi);
    sum.cancelling = scratch.cancelling(sum.psi);
    return sum;
  }
  [[noreturn]] void refuse(const std::string& what) const {
    features.component().refuse(Exit::plugin, -1, what);
  }

 private:
  sculpt_row_blocks read(std::int64_t unset) const {
    const Component& component = features.component();
    const auto* const table = answered<sculpt_ext_row_blocks>(component, SCULPT_EXT_ROW_BLOCKS);
    sculpt_row_blocks out = {sizeof(sculpt_row_blocks), 0, unset, unset};
    component.call("row-blocks.blocks", -1, [&](sculpt_error* error) {
      return table->blocks(component.self(), &out, error);
    });
    return out;
  }
};

// The features of the experiment, made once more and bound to another dataset.
class SecondFeatures {
 public:
  SecondFeatures(TestFixture& fixture, sculpt_ref dataset) {
    const ExperimentPart part = fixture.factory().parts()[1];
    component_ = std::make_unique<Component>(*part.description, part.parameters->values(),
                                             fixture.problem().services());
    for (const Problem::State& state : fixture.problem().states()) {
      if (state.kind == "features") component_->restore(state.bytes, "");
    }
    sculpt_bindings bindings = {};
    bindings.struct_size = sizeof bindings;
    bindings.dataset = dataset;
    component_->bind(bindings);
    component_->seal();
    features_ = std::make_unique<Features>(*component_, 1);
  }
  Features& features() { return *features_; }

 private:
  std::unique_ptr<Component> component_;
  std::unique_ptr<Features> features_;
};

// The entries of a psi, and the terms that each was summed from, for its rounding error.
struct Entry {
  double value = 0;
  Terms terms;
};
using Entries = std::map<std::int64_t, Entry>;

Entries entries_of(const FeatureSum& sum) {
  Entries entries;
  const auto add_terms = [&](const SparseVector& x, bool is_value) {
    for (std::size_t k = 0; k < x.index.size(); ++k) {
      Entry& entry = entries[x.index[k]];
      if (is_value) entry.value += x.value[k];
      entry.terms += {std::abs(x.value[k]), sum.cancelling.count};
    }
  };
  add_terms(sum.psi, true);
  add_terms(sum.cancelling.magnitude, false);
  return entries;
}

// Compares features over rows with the same features over atoms.
class RowComparison {
 public:
  RowComparison(const BoundFeatures& rows, const BoundFeatures& atoms, const DatasetRows& data,
                std::map<std::int64_t, std::int64_t> first_atom)
      : rows_(rows), atoms_(atoms), data_(data), first_atom_(std::move(first_atom)) {
    const bool is_same = rows.blocks.first == atoms.blocks.first &&
                         rows.blocks.block_count == atoms.blocks.block_count &&
                         rows.dimension - rows.end() == atoms.dimension - atoms.end();
    if (is_same) return;
    rows.refuse("with " + count_text(rows.columns, "column") + " its " + shape_text(rows) +
                ", with " + std::to_string(atoms.columns) + " they " + shape_text(atoms) +
                "; only the columns may change these numbers");
  }

  // Returns "psi[3] is 1, but its row times ...", or "".
  std::string fault(std::int64_t example, sculpt_labels y) const {
    Entries expected;
    for (const auto& [weight, entry] : entries_of(atoms_.psi(example, y))) {
      if (!atoms_.is_of_row(weight)) {
        expected[weight < atoms_.blocks.first ? weight : weight - atoms_.end() + rows_.end()] =
            entry;
        continue;
      }
      const std::int64_t b = (weight - atoms_.blocks.first) % atoms_.blocks.block_count;
      const std::int64_t atom = (weight - atoms_.blocks.first) / atoms_.blocks.block_count;
      const sculpt_sites sites = data_.sites(example);
      const std::int64_t site = atom - first_atom_.at(example);
      if (site < 0 || site >= sites.site_count) {
        return "psi has a coefficient for row " + std::to_string(atom) +
               " of all rows, which is not of this example";
      }
      for (std::int64_t k = sites.row_from[site]; k < sites.row_from[site + 1]; ++k) {
        const std::int64_t column = sites.index[k];
        Entry& sum = expected[rows_.blocks.first + column * rows_.blocks.block_count + b];
        sum.value += entry.value * sites.value[k];
        sum.terms += {entry.terms.magnitude * std::abs(sites.value[k]), entry.terms.count + 1};
      }
    }
    return difference(entries_of(rows_.psi(example, y)), expected);
  }

 private:
  static std::string shape_text(const BoundFeatures& bound) {
    return "weights of rows begin at " + std::to_string(bound.blocks.first) + " in " +
           std::to_string(bound.blocks.block_count) + " blocks, before " +
           std::to_string(bound.dimension - bound.end()) + " others";
  }
  std::string difference(const Entries& found, Entries expected) const {
    for (const auto& [weight, entry] : found) expected[weight];
    for (const auto& [weight, entry] : expected) {
      const auto own = found.find(weight);
      const Entry is = own == found.end() ? Entry() : own->second;
      Terms terms = entry.terms;
      terms += is.terms;
      if (std::abs(is.value - entry.value) <= terms.rounding()) continue;
      const std::string name = rows_.features.weight_name(weight);
      return "psi[" + std::to_string(weight) + "]" + (name.empty() ? "" : " (" + name + ")") +
             " is " + exact_number_text(is.value) + ", but " + exact_number_text(entry.value) +
             (rows_.is_of_row(weight) ? " by the rows and their coefficients; it must be linear in "
                                        "the rows"
                                      : " with atoms for rows; it is outside of the row blocks, so "
                                        "it may not depend on the rows");
    }
    return "";
  }

  const BoundFeatures& rows_;
  const BoundFeatures& atoms_;
  const DatasetRows& data_;
  std::map<std::int64_t, std::int64_t> first_atom_;  // of each example that is tested
};

void row_blocks_test(TestFixture& fixture, TestContext& context) {
  Problem& problem = fixture.problem();
  Features& features = problem.features();
  if (features.component().answered_table(SCULPT_EXT_ROW_BLOCKS) == nullptr) {
    context.skip_not_offered("row blocks (" SCULPT_EXT_ROW_BLOCKS ")");
  }
  const DatasetRows data(problem.dataset().component());
  if (!data.is_offered()) context.skip("the dataset has no rows");
  const bool has_kernel = problem.kernel() != nullptr;
  if (problem.replaces_rows() && !has_kernel)
    context.skip("explicit rows replace those of the dataset");
  std::map<std::int64_t, std::int64_t> first_atom;
  std::int64_t atom_count = 0;
  for (std::int64_t example = 0; example < problem.dataset().count(); ++example) {
    first_atom[example] = atom_count;
    atom_count += data.sites(example).site_count;
  }
  context.set_activity("binding the features to " +
                       std::string(has_kernel ? "the rows" : "atoms in place of the rows"));
  context.count();
  const std::int64_t columns = data.column_count();
  BoundFeatures own(features, has_kernel ? atom_count : columns);
  std::optional<AtomDataset> atoms;
  if (!has_kernel) atoms.emplace(problem.dataset());
  SecondFeatures second(fixture, has_kernel ? problem.dataset().component().ref() : atoms->ref());
  BoundFeatures other(second.features(), has_kernel ? columns : atom_count);
  const RowComparison comparison(has_kernel ? other : own, has_kernel ? own : other, data,
                                 std::move(first_atom));
  TimeBudget budget(fixture.timer(), context, fixture.output_count(max_outputs_with_rows),
                    "outputs");
  for (const std::int64_t example : fixture.examples()) {
    const std::vector<Output>& outputs = fixture.outputs(example).outputs;
    for (std::size_t k = 0; k < std::min(outputs.size(), max_outputs_with_rows); ++k) {
      if (!budget.next()) return;
      context.set_activity("example " + std::to_string(example) + ", " +
                           labels_text(outputs[k].labels));
      context.count();
      const std::string fault = comparison.fault(example, outputs[k].raw());
      if (fault.empty()) continue;
      context.fail({features.component().name() + ": " + fault, example_text(fixture, example),
                    "  output  " + labels_text(outputs[k].labels)});
    }
  }
}

}  // namespace

std::span<const ExperimentTest> row_block_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"features.row_blocks", row_blocks_test}}};
  return tests;
}

}  // namespace sculpt::core
