// inner.cpp - a linear kernel, <a, b>, with its explicit rows. The original of mutants.
#include <cmath>
#include <cstring>
#include <sculpt/cpp/explicit_rows.hpp>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace {

using Atoms = std::span<const std::int64_t>;

class Inner {
 public:
  static constexpr sculpt::About about{"org.test.inner", "1.0.0",
                                       "the inner product of two rows, for tests"};
  static constexpr const char* experiments[] = {R"({
    "name": "inner_products",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:2 2:1\n2 2:4\n1\n3 1:-1 3:8\n1 3:2\n2 1:0.5\n3 1:1 2:2 3:-8\n2 1:0.25 3:1.5\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi",
    "kernel": "inner", "solver": {"use": "n_slack", "C": 1}})"};
  using drafts = sculpt::Drafts<sculpt::ExplicitRows>;

  void bind(const sculpt::Bindings& to) { atoms_ = sculpt::SiteAtoms(to.dataset); }
  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void rows(Atoms atoms, Atoms others, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (const std::int64_t b : others) out[k++] = product(point(a), point(b));
    }
  }
  void diagonal(Atoms atoms, std::span<double> out) const {
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      out[k] = product(point(atoms[k]), point(atoms[k]));
    }
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    for (const double value : point(atom)) out.append(&value, sizeof value);
  }
  void keep(const sculpt::KeptAtoms& atoms) {
    for (std::int64_t k = 0; k < atoms.count(); ++k) {
      if (atoms[k].size() % sizeof(double) != 0) sculpt::KeptAtoms::refuse(k);
      std::vector<double>& kept = kept_.emplace_back(atoms[k].size() / sizeof(double));
      for (std::size_t j = 0; j < kept.size(); ++j) {
        std::memcpy(&kept[j], atoms[k].data() + j * sizeof(double), sizeof(double));
        if (!std::isfinite(kept[j])) sculpt::KeptAtoms::refuse(k);
      }
    }
  }
  void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (std::int64_t b = kept.begin; b < kept.end; ++b) {
        out[k++] = product(point(a), kept_[static_cast<std::size_t>(b)]);
      }
    }
  }

  std::int64_t explicit_width() const { return atoms_.feature_count(); }
  void explicit_name(std::int64_t column, sculpt::ByteOutput& out) const {
    out << "column " + std::to_string(column);
  }
  void explicit_row(std::int64_t atom, sculpt::Sum& sum) const {
    const sculpt::SiteRow& row = atoms_.row(atom);
    for (std::size_t k = 0; k < row.size(); ++k) sum.add(row.index[k], row.value[k]);
  }

 private:
  std::vector<double> point(std::int64_t atom) const {
    std::vector<double> values(static_cast<std::size_t>(atoms_.feature_count()), 0.0);
    const sculpt::SiteRow& row = atoms_.row(atom);
    for (std::size_t k = 0; k < row.size(); ++k) {
      values[static_cast<std::size_t>(row.index[k])] = row.value[k];
    }
    return values;
  }
  static double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t j = 0; j < a.size() && j < b.size(); ++j) sum += a[j] * b[j];
    return sum;
  }

  sculpt::SiteAtoms atoms_;
  std::vector<std::vector<double>> kept_;
};

}  // namespace

SCULPT_PLUGIN("inner", "1.0.0", "Apache-2.0", sculpt::Kernel<Inner>)
