#include "subsequence_kernel.hpp"

#include <cmath>
#include <limits>

#include "row_forms.hpp"

namespace kernel {

SubsequenceKernel::SubsequenceKernel(const sculpt::Parameters& given)
    : length_(static_cast<std::size_t>(given.integer("length"))),
      decay_(given.real("decay")),
      is_normalized_(given.boolean("normalized")) {
  if (!(decay_ > 0)) throw sculpt::parameter_error("decay is 0; write a number above 0, up to 1");
  // The weight of a subsequence without gaps.
  if (std::pow(decay_, 2 * static_cast<double>(length_)) < 1e-300) {
    throw sculpt::parameter_error(
        "decay is so small that all values of this length are 0; choose a larger decay or a "
        "smaller length");
  }
}

void SubsequenceKernel::bind(const sculpt::Bindings& to) {
  const sculpt::SiteAtoms atoms(to.dataset);
  std::vector<double> table;
  for (Symbols& symbols : sequences_of(atoms)) {
    if (may_overflow(symbols.size())) {
      throw sculpt::data_error(atoms.place(std::ssize(atoms_)) +
                               ": this sequence is so long that the kernel may overflow; choose a "
                               "smaller decay or length, or cut the sequence");
    }
    atoms_.push_back(with_own_sum(std::move(symbols), table));
  }
}

// A sequence of n symbols has at most n over p subsequences, and a pair of places at most the
// weight lambda^2p. Without this bound a sequence would be refused only after its own sum.
bool SubsequenceKernel::may_overflow(std::size_t size) const {
  if (size < length_) return false;
  const auto n = static_cast<double>(size);
  const auto p = static_cast<double>(length_);
  const double subsequences = std::lgamma(n + 1) - std::lgamma(p + 1) - std::lgamma(n - p + 1);
  return 2 * (subsequences + p * std::log(decay_)) > std::log(std::numeric_limits<double>::max());
}

SubsequenceKernel::Atom SubsequenceKernel::with_own_sum(Symbols symbols,
                                                        std::vector<double>& table) const {
  const double own = subsequence_sum(symbols, symbols, length_, decay_, table);
  return {std::move(symbols), own};
}

double SubsequenceKernel::scaled(double sum, double of_a, double of_b) const {
  return is_normalized_ ? normalized(sum, of_a, of_b) : sum;
}

double SubsequenceKernel::value(const Atom& a, const Atom& b, std::vector<double>& table) const {
  return scaled(subsequence_sum(a.symbols, b.symbols, length_, decay_, table), a.own, b.own);
}

void SubsequenceKernel::diagonal(Atoms atoms, std::span<double> out) const {
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    const double own = atoms_[static_cast<std::size_t>(atoms[k])].own;
    out[k] = scaled(own, own, own);
  }
}

void SubsequenceKernel::write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
  write_symbols(atoms_[static_cast<std::size_t>(atom)].symbols, out);
}

void SubsequenceKernel::keep(const sculpt::KeptAtoms& kept) {
  std::vector<double> table;
  for (std::int64_t k = 0; k < kept.count(); ++k) {
    std::optional<Symbols> symbols = read_symbols(kept[k]);
    if (!symbols || may_overflow(symbols->size())) sculpt::KeptAtoms::refuse(k);
    kept_.push_back(with_own_sum(std::move(*symbols), table));
  }
}

void SubsequenceKernel::Session::rows(Atoms atoms, Atoms others, std::span<double> out) {
  std::size_t k = 0;
  for (const std::int64_t a : atoms) {
    for (const std::int64_t b : others) {
      out[k++] = owner_.value(owner_.atoms_[static_cast<std::size_t>(a)],
                              owner_.atoms_[static_cast<std::size_t>(b)], table_);
    }
  }
}

void SubsequenceKernel::Session::kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) {
  std::size_t k = 0;
  for (const std::int64_t a : atoms) {
    for (std::int64_t b = kept.begin; b < kept.end; ++b) {
      out[k++] = owner_.value(owner_.atoms_[static_cast<std::size_t>(a)],
                              owner_.kept_[static_cast<std::size_t>(b)], table_);
    }
  }
}

}  // namespace kernel
