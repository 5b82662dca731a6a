#include "matrix_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kernel {

void MatrixKernel::bind(const sculpt::Bindings& to) {
  atoms_ = sculpt::SiteAtoms(to.dataset);
  // With a model the data are new, or those of the training: verify, loo and prune read these
  // again.
  const sculpt::Range train = atoms_.atoms_of(atoms_.input().split("train"));
  const bool is_new = train.begin == train.end;
  if (kept_ && is_new) {
    if (has_file()) {
      read_file();
    } else if (kept_from_file_) {
      throw sculpt::unsupported_error(
          "the model was trained with a matrix file, which has no values of new data; set `file` "
          "to a table with a row for each new atom and a column for each training atom, or train "
          "on data whose rows are the matrix");
    }
    require_kept_columns();
    return;
  }
  if (has_file()) {
    read_file();
    known_ = atoms_.count();
    if (kept_) require_kept_columns();
  } else {
    known_ = train.end;
    if (train.begin != 0 || atoms_.feature_count() > known_) {
      throw sculpt::data_error(
          "the rows of " + atoms_.input().dataset_id() + " have " +
          std::to_string(atoms_.feature_count()) + " values, but train has " +
          std::to_string(train.end - train.begin) +
          " atoms; write a value for each atom of train, or set `file` to a matrix");
    }
    require_training_rows();
  }
  for (std::int64_t a = 0; is_positive_ && a < known_; ++a) {
    for (std::int64_t b = 0; b <= a; ++b) require_positive(a, b);
  }
}

void MatrixKernel::read_file() {
  const sculpt_source raw{sizeof raw, 0, file_.c_str(), nullptr, 0};
  const bool has_train = atoms_.input().split("train").begin < atoms_.input().split("train").end;
  table_ = MatrixTable(sculpt::Source(raw, host_.raw()), !kept_ || has_train);
  if (table_.row_count() == atoms_.count()) return;
  // Train comes first, and its rows are enough where no other split is read.
  if (kept_ && has_train && table_.row_count() > atoms_.count()) return;
  throw sculpt::data_error(file_ + ": the matrix has " + std::to_string(table_.row_count()) +
                           " rows, but " + atoms_.input().dataset_id() + " has " +
                           std::to_string(atoms_.count()) +
                           " atoms in all its splits; write a row for each");
}

// The rows of train have a column for each of its atoms, and are symmetric.
void MatrixKernel::require_training_rows() const {
  const std::int64_t count = known_;
  for (std::int64_t a = 0; a < count; ++a) {
    for (std::int64_t b = 0; b < a; ++b) {
      if (are_symmetric(cell(a, b), cell(b, a), cell(a, a), cell(b, b))) continue;
      throw sculpt::data_error(atoms_.place(a) + ": the matrix is not symmetric: value " +
                               std::to_string(b + 1) + " of this row is not value " +
                               std::to_string(a + 1) + " of " + atoms_.place(b) +
                               "; write the same value in both");
    }
  }
}

void MatrixKernel::require_kept_columns() const {
  if (!has_file()) return;
  for (const std::int64_t number : *kept_) {
    if (number < table_.column_count()) continue;
    throw sculpt::data_error(file_ + ": the table has " + std::to_string(table_.column_count()) +
                             " columns, but the model needs training atom " +
                             std::to_string(number + 1) +
                             "; write a column for each atom of the training matrix");
  }
}

// Necessary conditions; they prove nothing.
void MatrixKernel::require_positive(std::int64_t a, std::int64_t b) const {
  const double of_a = value(a, a);
  const double of_b = value(b, b);
  const double limit = std::sqrt(std::max(of_a, 0.0)) * std::sqrt(std::max(of_b, 0.0));
  if (of_a >= 0 && std::abs(value(a, b)) <= limit * (1 + 1e-9)) return;
  throw sculpt::data_error(
      (has_file() ? file_ : atoms_.input().dataset_id()) +
      ": the matrix is not positive semidefinite: k of the atoms " + std::to_string(a + 1) +
      " and " + std::to_string(b + 1) +
      " is too large for their values on the diagonal; correct it, or set positive to false");
}

double MatrixKernel::cell(std::int64_t atom, std::int64_t column) const {
  if (has_file()) return table_.at(atom, column);
  const sculpt::SiteRow& row = atoms_.row(atom);
  const auto k = static_cast<std::size_t>(column);
  if (k < row.size() && row.index[k] == column) return row.value[k];  // a row without zeros
  const auto found = std::lower_bound(row.index.begin(), row.index.end(), column);
  if (found == row.index.end() || *found != column) return 0;
  return row.value[static_cast<std::size_t>(found - row.index.begin())];
}

// The two values of a pair may differ by rounding. The row of the smaller number counts, or the row
// of the atom outside of train.
double MatrixKernel::value(std::int64_t a, std::int64_t b) const {
  const std::int64_t smaller = std::min(a, b);
  const std::int64_t larger = std::max(a, b);
  if (larger < known_) return cell(smaller, larger);
  if (smaller < known_) return cell(larger, smaller);
  throw sculpt::data_error("there is no value of " + atoms_.place(a) + " with " + atoms_.place(b) +
                           ", because neither belongs to train; use a matrix file of all splits");
}

void MatrixKernel::rows(Atoms atoms, Atoms others, std::span<double> out) const {
  std::size_t k = 0;
  for (const std::int64_t a : atoms) {
    for (const std::int64_t b : others) out[k++] = value(a, b);
  }
}

void MatrixKernel::diagonal(Atoms atoms, std::span<double> out) const {
  for (std::size_t k = 0; k < atoms.size(); ++k) out[k] = value(atoms[k], atoms[k]);
}

// A byte, 1 if the values are from a file, and the number of the atom.
void MatrixKernel::write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
  const char from_file = has_file() ? 1 : 0;
  out.append(&from_file, 1);
  out.append(&atom, sizeof atom);
}

void MatrixKernel::keep(const sculpt::KeptAtoms& kept) {
  kept_.emplace();
  for (std::int64_t k = 0; k < kept.count(); ++k) {
    const std::string_view bytes = kept[k];
    std::int64_t number = 0;
    if (bytes.size() != 1 + sizeof number || bytes[0] < 0 || bytes[0] > 1) {
      sculpt::KeptAtoms::refuse(k);
    }
    std::memcpy(&number, bytes.data() + 1, sizeof number);
    const bool from_file = bytes[0] == 1;
    if (number < 0 || (k > 0 && from_file != kept_from_file_)) sculpt::KeptAtoms::refuse(k);
    kept_from_file_ = from_file;
    kept_->push_back(number);
  }
}

void MatrixKernel::kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const {
  std::size_t k = 0;
  for (const std::int64_t a : atoms) {
    for (std::int64_t b = kept.begin; b < kept.end; ++b) {
      out[k++] = cell(a, (*kept_)[static_cast<std::size_t>(b)]);
    }
  }
}

}  // namespace kernel
