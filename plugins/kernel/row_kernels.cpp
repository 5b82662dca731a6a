#include "row_kernels.hpp"

namespace kernel {

namespace {

// The range of a parameter has its limits, so it does not exclude 0.
double positive(const sculpt::Parameters& given, const char* name) {
  const double value = given.real(name);
  if (value > 0 && std::isfinite(value)) return value;
  throw sculpt::parameter_error(std::string(name) + " is " + (value > 0 ? "infinite" : "0") +
                                "; write a number above 0");
}
double finite(const sculpt::Parameters& given, const char* name) {
  const double value = given.real(name);
  if (std::isfinite(value)) return value;
  throw sculpt::parameter_error(std::string(name) + " is not finite; write a number");
}

}  // namespace

Linear::Linear() : RowKernel(LinearForm()) {}

Polynomial::Polynomial(const sculpt::Parameters& given)
    : RowKernel(PolynomialForm(positive(given, "gamma"), finite(given, "coef0"),
                               given.integer("degree"))) {}

Rbf::Rbf(const sculpt::Parameters& given) : RowKernel(RbfForm(positive(given, "gamma"))) {}

Sigmoid::Sigmoid(const sculpt::Parameters& given)
    : RowKernel(SigmoidForm(positive(given, "gamma"), finite(given, "coef0"))) {}

MinMax::MinMax() : RowKernel(MinMaxForm()) {}

Tanimoto::Tanimoto() : RowKernel(TanimotoForm()) {}

}  // namespace kernel
