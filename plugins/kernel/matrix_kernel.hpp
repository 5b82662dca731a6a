// matrix_kernel.hpp - the kernel matrix: values that another program computed.
//
// They come from a file, or from the rows of the dataset: value j of a row is k with atom j of the
// split train. A kept atom is its number in the training data. So the values of new data with the
// training data must be given, too. Called by the host.
#pragma once

#include <optional>
#include <sculpt/cpp/site_atoms.hpp>
#include <string>
#include <vector>

#include "matrix_table.hpp"

namespace kernel {

class MatrixKernel {
 public:
  using Atoms = std::span<const std::int64_t>;
  static constexpr sculpt::About about{"org.sculpt.matrix", "1.0.0",
                                       "values from a file, or from the rows of the dataset"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::path("file", "null",
                   "a table with a row and a column for each atom of all splits; without it, value "
                   "j of a row of the dataset is k with atom j of train"),
      sculpt::boolean("positive", "false",
                      "the matrix is positive semidefinite; without this no gap is certified")};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_matrix_three_classes",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:2 2:1 4:-0.5\n1 1:1 2:1.5 3:0.25\n2 2:0.25 3:2 4:1\n3 1:-0.5 3:1 4:3\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "matrix", "positive": true}, "solver": {"use": "n_slack", "C": 10}})"};

  MatrixKernel(const sculpt::Parameters& given, sculpt::Host host)
      : file_(given.text("file")), is_positive_(given.boolean("positive")), host_(host) {}
  void bind(const sculpt::Bindings& to);
  std::uint32_t claims() const { return is_positive_ ? SCULPT_KERNEL_POSITIVE : 0; }
  void rows(Atoms atoms, Atoms others, std::span<double> out) const;
  void diagonal(Atoms atoms, std::span<double> out) const;
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const;
  void keep(const sculpt::KeptAtoms& kept);
  void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const;

 private:
  bool has_file() const { return !file_.empty(); }
  void read_file();
  void require_training_rows() const;
  void require_kept_columns() const;
  void require_positive(std::int64_t a, std::int64_t b) const;
  // k(a, b). Throws a data error if neither atom has a value with the other one.
  double value(std::int64_t a, std::int64_t b) const;
  // Value `column` of the row of an atom, in the file or in the dataset.
  double cell(std::int64_t atom, std::int64_t column) const;

  std::string file_;
  bool is_positive_;
  sculpt::Host host_;
  sculpt::SiteAtoms atoms_;
  MatrixTable table_;                              // of the file
  std::int64_t known_ = 0;                         // atoms with a column
  std::optional<std::vector<std::int64_t>> kept_;  // numbers in the training data
  bool kept_from_file_ = false;
};

}  // namespace kernel
