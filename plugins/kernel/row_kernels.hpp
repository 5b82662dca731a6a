// row_kernels.hpp - the kernels linear, polynomial, rbf, sigmoid, min_max and tanimoto as
// components. Formulas are in row_forms.hpp. Called by the host.
#pragma once

#include <optional>
#include <sculpt/cpp/explicit_rows.hpp>

#include "monomials.hpp"
#include "row_forms.hpp"
#include "row_kernel.hpp"

namespace kernel {

class Linear : public RowKernel<LinearForm> {
 public:
  static constexpr sculpt::About about{"org.sculpt.linear", "1.0.0",
                                       "the inner product of two rows"};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_linear_three_classes",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:1 2:0.5\n1 1:0.75 2:0.25\n2 2:1\n2 1:-0.5 2:1.25\n3 1:-1 3:2\n3 3:1.5\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": "linear", "solver": {"use": "n_slack", "C": 10}})"};
  using drafts = sculpt::Drafts<sculpt::ExplicitRows>;
  Linear();
  std::int64_t explicit_width() const { return atoms().feature_count(); }
  void explicit_name(std::int64_t column, sculpt::ByteOutput& out) const;
  void explicit_row(std::int64_t atom, sculpt::Sum& sum) const;
};

class Polynomial : public RowKernel<PolynomialForm> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.polynomial", "1.0.0",
      "(gamma <a, b> + coef0)^degree; proves no gap if coef0 is negative"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("gamma", "1", 0, sculpt::no_limit, "factor of the inner product, above 0"),
      sculpt::real("coef0", "1", -sculpt::no_limit, sculpt::no_limit,
                   "is added to the product; a positive one keeps terms of lower degree"),
      sculpt::integer("degree", "3", 1, 100, "the power")};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_polynomial_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 11\n2 0 1 a 1 10\n2 0 2 c 0 00\n3 0 0 c 0 01\n"}},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "kernel": {"use": "polynomial", "gamma": 0.5, "degree": 2},
    "solver": {"use": "n_slack", "C": 10}})"};
  using drafts = sculpt::Drafts<sculpt::ExplicitRows>;
  explicit Polynomial(const sculpt::Parameters& given);
  void seal();
  std::int64_t explicit_width() const;
  void explicit_name(std::int64_t column, sculpt::ByteOutput& out) const;
  void explicit_row(std::int64_t atom, sculpt::Sum& sum) const;

 private:
  std::optional<Monomials> monomials_;  // empty: coef0 is negative
};

class Rbf : public RowKernel<RbfForm> {
 public:
  static constexpr sculpt::About about{"org.sculpt.rbf", "1.0.0",
                                       "exp(-gamma ||a - b||^2), the Gaussian kernel"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("gamma", "1", 0, sculpt::no_limit, "factor of the squared distance, above 0")};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_rbf_three_classes",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:1 2:0.5\n1 1:0.75 2:0.25\n2 2:1\n2 1:-0.5 2:1.25\n3 1:-1 3:2\n3 3:1.5\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "rbf", "gamma": 0.5}, "solver": {"use": "n_slack", "C": 10}})"};
  explicit Rbf(const sculpt::Parameters& given);
};

class Sigmoid : public RowKernel<SigmoidForm> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.sigmoid", "1.0.0",
      "tanh(gamma <a, b> + coef0); not positive semidefinite, so it proves no gap"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("gamma", "1", 0, sculpt::no_limit, "factor of the inner product, above 0"),
      sculpt::real("coef0", "0", -sculpt::no_limit, sculpt::no_limit, "is added to the product")};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_sigmoid_three_classes",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:1 2:0.5\n1 1:0.75 2:0.25\n2 2:1\n2 1:-0.5 2:1.25\n3 1:-1 3:2\n3 3:1.5\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "sigmoid", "gamma": 0.5, "coef0": -0.25},
    "solver": {"use": "n_slack", "C": 10}})"};
  explicit Sigmoid(const sculpt::Parameters& given);
};

class MinMax : public RowKernel<MinMaxForm> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.min_max", "1.0.0",
      "sum of minima / sum of maxima of two rows without negative values",
      "Ralaivola, Swamidass, Saigo and Baldi, Neural Networks 2005"};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_min_max_three_classes",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:1 2:0.5\n1 1:2\n2\n2 2:3 3:0.25\n3 1:1 3:2\n3 3:1.5\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": "min_max", "solver": {"use": "n_slack", "C": 10}})"};
  MinMax();
};

class Tanimoto : public RowKernel<TanimotoForm> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.tanimoto", "1.0.0", "common members / members of either, of two 0/1 rows",
      "Ralaivola, Swamidass, Saigo and Baldi, Neural Networks 2005"};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_tanimoto_three_classes",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:1 2:1\n1 1:1 4:1\n2\n2 2:1 3:1 4:1\n3 1:1 3:1\n3 3:1\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": "tanimoto", "solver": {"use": "n_slack", "C": 10}})"};
  Tanimoto();
};

}  // namespace kernel
