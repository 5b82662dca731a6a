#include "panel_sums.hpp"

#include "vector_code.hpp"

namespace kernel {

namespace {

// Eight sums of four lanes stay in registers: 4 atoms x 1 panel, or 1 atom x 4 panels.
template <Combine combine, std::size_t atoms, std::size_t panels>
[[gnu::always_inline]] inline void add_up(const double* atom, const double* const* panel,
                                          std::size_t features, double* out) {
  Lanes sum[atoms][panels][2] = {};
  for (std::size_t j = 0; j < features; ++j) {
#pragma GCC unroll 4
    for (std::size_t p = 0; p < panels; ++p) {
      const double* const row = panel[p] + panel_width * j;
      Lanes low;
      Lanes high;
      load(row, low);
      load(row + lanes, high);
#pragma GCC unroll 4
      for (std::size_t a = 0; a < atoms; ++a) {
        const double one = atom[atoms * j + a];
        const Lanes value = {one, one, one, one};
        if constexpr (combine == Combine::product) {
          sum[a][p][0] += value * low;
          sum[a][p][1] += value * high;
        } else {
          sum[a][p][0] += value < low ? value : low;
          sum[a][p][1] += value < high ? value : high;
        }
      }
    }
  }
  for (std::size_t a = 0; a < atoms; ++a) {
    for (std::size_t p = 0; p < panels; ++p) {
      double* const target = out + (a * panels + p) * panel_width;
      store(sum[a][p][0], target);
      store(sum[a][p][1], target + lanes);
    }
  }
}

using Function = void (*)(const double*, const double* const*, std::size_t, double*);

template <Combine combine, std::size_t atoms, std::size_t panels>
void plain(const double* atom, const double* const* panel, std::size_t features, double* out) {
  add_up<combine, atoms, panels>(atom, panel, features, out);
}
template <Combine combine, std::size_t atoms, std::size_t panels>
KERNEL_AVX2 void wide(const double* atom, const double* const* panel, std::size_t features,
                      double* out) {
  add_up<combine, atoms, panels>(atom, panel, features, out);
}

template <std::size_t atoms, std::size_t panels>
void call(Combine combine, const double* atom, const double* const* panel, std::size_t features,
          double* out) {
  static const Function of_products =
      has_avx2() ? wide<Combine::product, atoms, panels> : plain<Combine::product, atoms, panels>;
  static const Function of_minima =
      has_avx2() ? wide<Combine::minimum, atoms, panels> : plain<Combine::minimum, atoms, panels>;
  (combine == Combine::product ? of_products : of_minima)(atom, panel, features, out);
}

}  // namespace

void sums_of_four_atoms(Combine combine, const double* atoms, const double* panel,
                        std::size_t features, double* out) {
  call<4, 1>(combine, atoms, &panel, features, out);
}

void sums_of_four_panels(Combine combine, const double* atom, const double* const* panels,
                         std::size_t features, double* out) {
  call<1, 4>(combine, atom, panels, features, out);
}

}  // namespace kernel
