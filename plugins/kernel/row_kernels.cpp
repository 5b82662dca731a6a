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

void Linear::explicit_name(std::int64_t column, sculpt::ByteOutput& out) const {
  atoms().input().feature_name(column, out);
}

void Linear::explicit_row(std::int64_t atom, sculpt::Sum& sum) const {
  const SiteRow& row = atoms().row(atom);
  for (std::size_t k = 0; k < row.size(); ++k) sum.add(row.index[k], row.value[k]);
}

Polynomial::Polynomial(const sculpt::Parameters& given)
    : RowKernel(PolynomialForm(positive(given, "gamma"), finite(given, "coef0"),
                               given.integer("degree"))) {}

void Polynomial::seal() {
  if (!form().is_positive()) return;
  monomials_.emplace(atoms().feature_count(), form().gamma, form().coef0, form().degree);
}

std::int64_t Polynomial::explicit_width() const {
  const auto refuse = [](const std::string& text) {
    return sculpt::Error(SCULPT_E_UNSUPPORTED, text);
  };
  if (!monomials_) throw refuse("coef0 is negative, so no rows have these products; use 0 or more");
  if (monomials_->width() > 0 || atoms().feature_count() == 0) return monomials_->width();
  throw refuse(std::to_string(atoms().feature_count()) +
               " features have more than 2147483647 products of degree " +
               std::to_string(form().degree) + "; leave out \"explicit\", or lower the degree");
}

void Polynomial::explicit_name(std::int64_t column, sculpt::ByteOutput& out) const {
  const auto name_of = [this](std::int64_t feature, sculpt::ByteOutput& to) {
    atoms().input().feature_name(feature, to);
  };
  monomials_->name(column, name_of, out);
}

void Polynomial::explicit_row(std::int64_t atom, sculpt::Sum& sum) const {
  monomials_->add(atoms().row(atom), sum);
}

Rbf::Rbf(const sculpt::Parameters& given) : RowKernel(RbfForm(positive(given, "gamma"))) {}

Sigmoid::Sigmoid(const sculpt::Parameters& given)
    : RowKernel(SigmoidForm(positive(given, "gamma"), finite(given, "coef0"))) {}

MinMax::MinMax() : RowKernel(MinMaxForm()) {}

Tanimoto::Tanimoto() : RowKernel(TanimotoForm()) {}

}  // namespace kernel
