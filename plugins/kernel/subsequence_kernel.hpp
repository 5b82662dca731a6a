// subsequence_kernel.hpp - the kernel subsequence: common subsequences of two sequences, with a
// weight that decays with their gaps (subsequence_sum.hpp). Called by the host.
#pragma once

#include <vector>

#include "subsequence_sum.hpp"
#include "symbols.hpp"

namespace kernel {

class SubsequenceKernel {
 public:
  using Atoms = std::span<const std::int64_t>;
  static constexpr sculpt::About about{
      "org.sculpt.subsequence", "1.0.0",
      "common subsequences of two sequences of symbols, weighted by their gaps",
      "Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, JMLR 2002"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("length", "3", 1, double{most_symbols}, "symbols of a subsequence"),
      sculpt::real("decay", "0.5", 0, 1,
                   "factor for each symbol that a subsequence spans, above 0"),
      sculpt::boolean("normalized", "true", "divides by the square roots of k(a, a) and k(b, b)")};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_subsequence_words",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:3 2:1 3:20\n1 1:3 2:1 3:18\n2 1:2 2:1 3:20\n2 1:2 2:1\n3 1:3 2:1 3:18 4:20 5:3\n3\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "subsequence", "length": 2}, "solver": {"use": "n_slack", "C": 10}})"};

  explicit SubsequenceKernel(const sculpt::Parameters& given);
  void bind(const sculpt::Bindings& to);
  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void diagonal(Atoms atoms, std::span<double> out) const;
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const;
  void keep(const sculpt::KeptAtoms& kept);

  class Session {
   public:
    explicit Session(const SubsequenceKernel& owner) : owner_(owner) {}
    void rows(Atoms atoms, Atoms others, std::span<double> out);
    void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out);

   private:
    const SubsequenceKernel& owner_;
    std::vector<double> table_;
  };

 private:
  // A sequence, and its sum with itself.
  struct Atom {
    Symbols symbols;
    double own;
  };
  // True if a value of a sequence of so many symbols could be infinite.
  bool may_overflow(std::size_t size) const;
  Atom with_own_sum(Symbols symbols, std::vector<double>& table) const;
  double value(const Atom& a, const Atom& b, std::vector<double>& table) const;
  double scaled(double sum, double of_a, double of_b) const;

  std::size_t length_;
  double decay_;
  bool is_normalized_;
  std::vector<Atom> atoms_;
  std::vector<Atom> kept_;
};

}  // namespace kernel
