// row_engine.hpp - the values of a kernel that is a function of sums over features.
//
//   k(a, b) = value(sum(a, b), sum(a, a), sum(b, b))
//
// A form has the function `value` of three numbers, symmetric in the last two; `combine`, what the
// sums are of; and is_positive(). Called by row_kernel.hpp and spectrum_kernel.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

#include "row_sums.hpp"
#include "vector_code.hpp"

namespace kernel {

using Atoms = std::span<const std::int64_t>;

namespace maps {

// values[k] = form.value(values[k], of_atom, of_other[k]). The form is a copy, which no value can
// overwrite. So the loop is vectorized.
template <class Form>
[[gnu::always_inline]] inline void map_all(const Form form, double of_atom, const double* of_other,
                                           double* values, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) values[k] = form.value(values[k], of_atom, of_other[k]);
}
template <class Form>
KERNEL_AVX2 void map_wide(const Form& form, double of_atom, const double* __restrict of_other,
                          double* __restrict values, std::size_t size) {
  map_all(form, of_atom, of_other, values, size);
}
template <class Form>
void map_plain(const Form& form, double of_atom, const double* __restrict of_other,
               double* __restrict values, std::size_t size) {
  map_all(form, of_atom, of_other, values, size);
}

}  // namespace maps

// Rows, with the sum of each with itself. The rows live as long as this object.
struct SummedRows {
  SummedRows() = default;
  SummedRows(Combine combine, std::span<const SiteRow> all, std::int64_t feature_count)
      : rows(all), sums(combine, all, feature_count) {
    for (const SiteRow& row : all) own.push_back(sum_of(combine, row, row));
  }

  std::span<const SiteRow> rows;
  RowSums sums;
  std::vector<double> own;
};

struct EngineScratch {
  SumScratch sums;
  std::vector<SiteRow> atoms;
  std::vector<double> own;  // of the others
  std::vector<std::int64_t> others;
};

// Atoms whose values stay in a cache between the sums and the form.
inline constexpr std::size_t atoms_at_once = 32;

// out[atoms][others] = k(atom of `data`, row of `other_data`).
template <class Form>
void write_values(const Form& form, const SummedRows& data, Atoms atoms,
                  const SummedRows& other_data, Atoms others, std::span<double> out,
                  EngineScratch& scratch) {
  scratch.own.resize(others.size());
  for (std::size_t k = 0; k < others.size(); ++k) {
    scratch.own[k] = other_data.own[static_cast<std::size_t>(others[k])];
  }
  const auto map = has_avx2() ? maps::map_wide<Form> : maps::map_plain<Form>;
  for (std::size_t begin = 0; begin < atoms.size(); begin += atoms_at_once) {
    const Atoms part = atoms.subspan(begin, std::min(atoms_at_once, atoms.size() - begin));
    const std::span<double> values =
        out.subspan(begin * others.size(), part.size() * others.size());
    scratch.atoms.clear();
    for (const std::int64_t a : part) {
      scratch.atoms.push_back(data.rows[static_cast<std::size_t>(a)]);
    }
    other_data.sums.add_up(scratch.atoms, others, values, scratch.sums);
    for (std::size_t i = 0; i < part.size(); ++i) {
      map(form, data.own[static_cast<std::size_t>(part[i])], scratch.own.data(),
          values.data() + i * others.size(), others.size());
    }
  }
}

// The same with the kept rows [kept.begin, kept.end) as the others.
template <class Form>
void write_kept_values(const Form& form, const SummedRows& data, Atoms atoms,
                       const SummedRows& kept_data, sculpt::Range kept, std::span<double> out,
                       EngineScratch& scratch) {
  scratch.others.clear();
  for (std::int64_t k = kept.begin; k < kept.end; ++k) scratch.others.push_back(k);
  write_values(form, data, atoms, kept_data, scratch.others, out, scratch);
}

// out[atoms] = k(atom, atom).
template <class Form>
void write_diagonal(const Form& form, const SummedRows& data, Atoms atoms, std::span<double> out) {
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const double own = data.own[static_cast<std::size_t>(atoms[k])];
    out[k] = form.value(own, own, own);
  }
}

}  // namespace kernel
