// row_kernel.hpp - a kernel of rows of numbers, the same for all forms (row_forms.hpp).
//
// Base class of the components in row_kernels.hpp. Called by the host.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "row_bytes.hpp"
#include "row_engine.hpp"

namespace kernel {

// Sums of rows stay below this number, so that no value overflows.
inline constexpr double largest_sum = 1e300;

template <class Form>
class RowKernel {
 public:
  void bind(const sculpt::Bindings& to) {
    atoms_ = sculpt::SiteAtoms(to.dataset);
    require_accepted_values();
    data_ = SummedRows(Form::combine, atoms_.rows(), atoms_.feature_count());
    for (std::int64_t a = 0; a < atoms_.count(); ++a) {
      if (is_in_range(data_, static_cast<std::size_t>(a))) continue;
      throw sculpt::data_error(atoms_.place(a) +
                               ": its values are so large that the kernel overflows; set `scaling` "
                               "of the dataset, or choose smaller parameters of the kernel");
    }
  }

  std::uint32_t claims() const { return form_.is_positive() ? SCULPT_KERNEL_POSITIVE : 0; }
  void diagonal(Atoms atoms, std::span<double> out) const {
    write_diagonal(form_, data_, atoms, out);
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    write_row(atoms_.row(atom), out);
  }
  void keep(const sculpt::KeptAtoms& kept) {
    std::int64_t features = 0;
    for (std::int64_t k = 0; k < kept.count(); ++k) {
      std::optional<OwnRow> row = read_row(kept[k]);
      if (!row || refused_entry(row->view()) < row->index.size()) sculpt::KeptAtoms::refuse(k);
      if (!row->index.empty()) {
        features = std::max(features, std::int64_t{row->index.back()} + 1);
      }
      kept_rows_.push_back(std::move(*row));
    }
    for (const OwnRow& row : kept_rows_) kept_views_.push_back(row.view());
    kept_data_ = SummedRows(Form::combine, kept_views_, features);
    for (std::int64_t k = 0; k < kept.count(); ++k) {
      if (!is_in_range(kept_data_, static_cast<std::size_t>(k))) sculpt::KeptAtoms::refuse(k);
    }
  }

  class Session {
   public:
    explicit Session(const RowKernel& owner) : owner_(owner) {}
    void rows(Atoms atoms, Atoms others, std::span<double> out) {
      write_values(owner_.form_, owner_.data_, atoms, owner_.data_, others, out, scratch_);
    }
    void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) {
      write_kept_values(owner_.form_, owner_.data_, atoms, owner_.kept_data_, kept, out, scratch_);
    }

   private:
    const RowKernel& owner_;
    EngineScratch scratch_;
  };

 protected:
  explicit RowKernel(const Form& form) : form_(form) {}
  const Form& form() const { return form_; }
  const sculpt::SiteAtoms& atoms() const { return atoms_; }

 private:
  // Returns the place of the first value that the form refuses, or the size of the row.
  static std::size_t refused_entry(const SiteRow& row) {
    return static_cast<std::size_t>(
        std::find_if(row.value.begin(), row.value.end(), Form::is_refused) - row.value.begin());
  }
  void require_accepted_values() const {
    for (std::int64_t a = 0; a < atoms_.count(); ++a) {
      const SiteRow& row = atoms_.row(a);
      const std::size_t k = refused_entry(row);
      if (k == row.size()) continue;
      const std::string feature = sculpt::text_written(
          [&](sculpt::ByteOutput& out) { atoms_.input().feature_name(row.index[k], out); });
      throw sculpt::data_error(atoms_.place(a) + ": " + feature + " " + Form::fault);
    }
  }
  // The sum of two rows is at most the larger of their own sums. So these are checked alone.
  bool is_in_range(const SummedRows& data, std::size_t row) const {
    const double own = data.own[row];
    return own <= largest_sum && std::isfinite(form_.bound(own));
  }

  Form form_;
  sculpt::SiteAtoms atoms_;
  SummedRows data_;
  std::vector<OwnRow> kept_rows_;
  std::vector<SiteRow> kept_views_;
  SummedRows kept_data_;
};

}  // namespace kernel
