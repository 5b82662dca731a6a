// Row blocks (sculpt/ext/row_blocks.h): where features say that the weights of rows
// are. psi over atoms has the coefficients that give psi over the rows.

#include <sculpt/ext/row_blocks.h>

#include <doctest/doctest.h>

#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

#include "point_sequences.hpp"
#include "problem/kernel/atom_dataset.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

// The rows of `points`, over all examples.
const double row[4][2] = {{0.5, -1.0}, {1.5, 0.25}, {-0.5, 2.0}, {1.0, 1.0}};

sculpt_row_blocks blocks_of(const Component& features) {
  const auto* const table =
      static_cast<const sculpt_ext_row_blocks*>(features.answered_table(SCULPT_EXT_ROW_BLOCKS));
  REQUIRE(table != nullptr);
  sculpt_row_blocks blocks = {};
  blocks.struct_size = sizeof blocks;
  features.call("row-blocks.blocks", -1, [&](sculpt_error* error) {
    return table->blocks(features.self(), &blocks, error);
  });
  return blocks;
}

Vector dense_psi(Features& features, std::int64_t example, const std::vector<std::int32_t>& y) {
  Vector psi(static_cast<std::size_t>(features.dimension()), 0.0);
  axpy(1, stub::psi_of(features, example, y), psi);
  return psi;
}

TEST_CASE("psi over atoms has the coefficients of the rows, and the same other weights") {
  const auto points = stub::loaded("points", stub::points);
  stub::bind_and_seal(*points);
  const Dataset dataset(*points, 1);
  const AtomDataset atoms(dataset);
  const auto over_rows = stub::create(SCULPT_KIND_FEATURES, "chain", R"({"bias": true})");
  stub::bind_and_seal(*over_rows, points.get());
  const auto over_atoms = stub::create(SCULPT_KIND_FEATURES, "chain", R"({"bias": true})");
  over_atoms->bind({sizeof(sculpt_bindings), 0, atoms.ref(), {}, {}});
  over_atoms->seal();

  const sculpt_row_blocks blocks = blocks_of(*over_rows);
  CHECK(blocks.block_count == 3);
  CHECK(blocks_of(*over_atoms).first == blocks.first);
  CHECK(blocks_of(*over_atoms).block_count == blocks.block_count);
  Features dense(*over_rows, 1);
  Features coefficients(*over_atoms, 1);
  CHECK(coefficients.dimension() - dense.dimension() == 3 * (4 - 2));
  const auto first = static_cast<std::size_t>(blocks.first);
  for (const auto& y : stub::all_outputs(3, 3)) {
    const Vector psi = dense_psi(dense, 1, y);
    const Vector c = dense_psi(coefficients, 1, y);
    for (std::size_t column = 0; column < 2; ++column) {
      for (std::size_t b = 0; b < 3; ++b) {
        double sum = 0;
        for (std::size_t a = 0; a < 4; ++a) sum += c[first + 3 * a + b] * row[a][column];
        CHECK(psi[first + 3 * column + b] == doctest::Approx(sum));
      }
    }
    for (std::size_t j = 0; j < first; ++j) CHECK(psi[j] == c[j]);
    for (std::size_t j = first + 3 * 2; j < psi.size(); ++j) CHECK(psi[j] == c[j + 3 * (4 - 2)]);
  }
}

TEST_CASE("the blocks of site weights begin where these do") {
  const sculpt::RowBlocks blocks = sculpt::SiteWeights(2, 3, true, 10).row_blocks();
  CHECK(blocks.first == 10);
  CHECK(blocks.count == 3);
}

TEST_CASE("features that are not linear in the rows do not offer row blocks") {
  const auto features = stub::create(SCULPT_KIND_FEATURES, "sequence");
  CHECK(features->answered_table(SCULPT_EXT_ROW_BLOCKS) == nullptr);
}

}  // namespace
}  // namespace sculpt::core
