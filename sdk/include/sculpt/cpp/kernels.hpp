// kernels.hpp - Kernel<T>: a class as a kernel, a function k(a, b) of two atoms of the data.
//
// SPDX-License-Identifier: Apache-2.0
//
// ext/kernel.h says what a kernel promises. Atoms are the sites of the dataset, numbered over all
// examples in order (site_atoms.hpp). A kernel is bound to the dataset alone. Members that T needs,
// in addition to those of life.hpp; methods.hpp has their signatures:
//
//   claims()     SCULPT_KERNEL_POSITIVE, or 0. It follows from the parameters. There is no default:
//                without the claim the host certifies no gap, and a wrong claim proves nothing
//   rows()       [worker] out[atoms][others] = k(atom, other), row by row
//   diagonal()   [worker] out[atoms] = k(atom, atom)
//   write_atom() appends the bytes of an atom: all that k needs of it
//   keep()       takes the atoms of a model, before bind(); the views live until the call returns
//   kept_rows()  [worker] out[atoms][kept] = k(atom, kept atom), for a range of the kept atoms
//
// Two atoms have the same value in every call and in both orders, to the last bit. A kept atom has
// the values of the atom that wrote its bytes.
#pragma once

#include <span>
#include <string_view>

#include "kinds.hpp"

namespace sculpt {

// The atoms that a model holds: the bytes of each, as write_atom() wrote them. They may be damaged.
class KeptAtoms {
 public:
  // Atom k has the bytes [from[k], from[k + 1]). Throws a data error if these are no ranges.
  KeptAtoms(const char* bytes, const std::int64_t* from, std::int64_t count)
      : bytes_(bytes), from_(from), count_(count) {
    if (count < 0 || (count > 0 && from[0] < 0)) refuse(0);
    for (std::int64_t k = 0; k < count; ++k) {
      if (from[k + 1] < from[k]) refuse(k);
    }
  }
  std::int64_t count() const { return count_; }
  std::string_view operator[](std::int64_t atom) const {
    const auto size = static_cast<std::size_t>(from_[atom + 1] - from_[atom]);
    return size == 0 ? std::string_view() : std::string_view(bytes_ + from_[atom], size);
  }
  // Throws the error for an atom whose bytes are damaged.
  [[noreturn]] static void refuse(std::int64_t atom) {
    throw data_error("kept atom " + std::to_string(atom) +
                     " of the model is damaged or of another version; use the plugin version that "
                     "wrote the model, or train again");
  }

 private:
  const char* bytes_;
  const std::int64_t* from_;  // [count + 1]
  std::int64_t count_;
};

namespace detail {

struct KernelKind {
  static constexpr std::uint32_t kind = SCULPT_KIND_KERNEL;
  template <class T>
  static constexpr bool check() {
    return offers_each<T>(Methods<method::claims, method::rows, method::diagonal,
                                  method::write_atom, method::keep, method::kept_rows>());
  }
  using Atoms = std::span<const std::int64_t>;
  static constexpr Atoms atoms_of(const std::int64_t* atoms, std::int64_t count) {
    return {atoms, static_cast<std::size_t>(count)};
  }
  static constexpr std::span<double> out_of(double* out, std::int64_t rows, std::int64_t columns) {
    return {out, static_cast<std::size_t>(rows * columns)};
  }
  template <class T>
  static constexpr sculpt_kernel_api api{
      [](const void* self, std::uint32_t* out, sculpt_error* error) {
        return guarded(error, "claims", [&] { *out = object_of<T>(self).claims(); });
      },
      [](void* session, const std::int64_t* atoms, std::int64_t count, const std::int64_t* others,
         std::int64_t other_count, double* out, sculpt_error* error) {
        return guarded(error, "rows", [&] {
          worker_of<method::rows, T>(session).rows(atoms_of(atoms, count),
                                                   atoms_of(others, other_count),
                                                   out_of(out, count, other_count));
        });
      },
      [](void* session, const std::int64_t* atoms, std::int64_t count, double* out,
         sculpt_error* error) {
        return guarded(error, "diagonal", [&] {
          worker_of<method::diagonal, T>(session).diagonal(atoms_of(atoms, count),
                                                           out_of(out, count, 1));
        });
      },
      [](const void* self, std::int64_t atom, sculpt_byte_buffer* out, sculpt_error* error) {
        return guarded(error, "write_atom", [&] {
          ByteOutput bytes(out);
          object_of<T>(self).write_atom(atom, bytes);
        });
      },
      [](void* self, const char* bytes, const std::int64_t* from, std::int64_t count,
         sculpt_error* error) {
        return guarded(error, "keep",
                       [&] { object_of<T>(self).keep(KeptAtoms(bytes, from, count)); });
      },
      [](void* session, const std::int64_t* atoms, std::int64_t count, std::int64_t begin,
         std::int64_t end, double* out, sculpt_error* error) {
        return guarded(error, "kept_rows", [&] {
          worker_of<method::kept_rows, T>(session).kept_rows(
              atoms_of(atoms, count), Range{begin, end}, out_of(out, count, end - begin));
        });
      }};
};

}  // namespace detail

// Makes a class T a kernel, for SCULPT_PLUGIN. Its list of extensions has SCULPT_EXT_KERNEL without
// a word of T.
template <class T>
struct Kernel {
  static constexpr std::uint32_t kind = detail::KernelKind::kind;
  static constexpr sculpt_component component =
      detail::describe<T, detail::KernelKind, detail::Owner>();
};

}  // namespace sculpt
