// kernel_leaf_test.hpp - what the tests of the group kernel share: one component of the kernel, and
// a sample of atoms. Used by kernel_tests.cpp, kept_atom_tests.cpp and explicit_row_tests.cpp.
#pragma once

#include <string>

#include "check/fixture/second_kernel.hpp"
#include "check/system/test_context.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {

struct KernelLeafTest {
  TestFixture& fixture;
  TestContext& context;
  std::size_t leaf;  // of the components of the kernel
  SampledAtoms sample;

  // "atom 4 of example 3"
  std::string atom_text(std::size_t position) const {
    return "atom " + std::to_string(sample.atoms[position]) + " of example " +
           std::to_string(sample.example[position]);
  }
  // The atoms at these positions of the sample.
  std::vector<std::int64_t> atoms_at(const std::vector<std::size_t>& positions) const {
    std::vector<std::int64_t> atoms;
    for (const std::size_t position : positions) atoms.push_back(sample.atoms[position]);
    return atoms;
  }
  // Fails in the name of the component.
  [[noreturn]] void fail(const std::string& what) const {
    context.fail(short_name(*kernel_parts(fixture.factory()).at(leaf).description) + ": " + what);
  }
};

// Calls run(test) for each component of the kernel. Skips the test if there is no kernel.
template <void (*run)(KernelLeafTest&)>
void for_each_kernel(TestFixture& fixture, TestContext& context) {
  const std::size_t leaves = kernel_parts(fixture.factory()).size();
  if (leaves == 0) context.skip_not_offered("a kernel");
  const auto most = fixture.level().choose<std::size_t>(12, 30, 80);
  for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
    KernelLeafTest test{fixture, context, leaf, sample_atoms(fixture.problem().dataset(), most)};
    if (test.sample.atoms.empty()) context.skip("the split train has no atom");
    run(test);
  }
}

}  // namespace sculpt::core
