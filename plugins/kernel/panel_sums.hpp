// panel_sums.hpp - sums over features of products, or of minima, of atoms with panels of rows.
//
//   sum(a, b) = a_0 b_0 + a_1 b_1 + ...     or     min(a_0, b_0) + min(a_1, b_1) + ...
//
// A panel holds eight rows, feature by feature: [features][8]. The lanes of a processor run over
// the rows. Each sum starts at 0 and runs over the features in increasing order, whatever the
// place of the atom and of the row. Called by row_sums.cpp. [any]
#pragma once

#include <cstddef>

namespace kernel {

inline constexpr std::size_t panel_width = 8;

enum class Combine { product, minimum };

// Four atoms with one panel. `atoms` is [features][4], out is [4][8].
void sums_of_four_atoms(Combine combine, const double* atoms, const double* panel,
                        std::size_t features, double* out);
// One atom with four panels. `atom` is [features], out is [4][8].
void sums_of_four_panels(Combine combine, const double* atom, const double* const* panels,
                         std::size_t features, double* out);

}  // namespace kernel
