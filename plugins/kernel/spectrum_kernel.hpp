// spectrum_kernel.hpp - the kernel spectrum: common substrings of two sequences of symbols.
//
//   k(s, t) = sum over all u of `length` symbols: count of u in s * count of u in t
//
// Each sequence becomes a sparse row of counts, so this is the inner product of two rows
// (row_engine.hpp). Counts and their sums are whole numbers without rounding. Called by the host.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "row_bytes.hpp"
#include "row_engine.hpp"
#include "row_forms.hpp"
#include "symbols.hpp"

namespace kernel {

class SpectrumKernel {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.spectrum", "1.0.0", "common substrings of two sequences of symbols",
      "Leslie, Eskin and Noble, Pacific Symposium on Biocomputing 2002"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("length", "3", 1, 1000, "symbols of a substring"),
      sculpt::boolean("normalized", "true", "divides by the square roots of k(a, a) and k(b, b)")};
  static constexpr const char* experiments[] = {R"({
    "name": "kernel_spectrum_words",
    "dataset": {"use": "svmlight", "train": {"text":
      "1 1:3 2:1 3:20\n1 1:3 2:1 3:18\n2 1:2 2:1 3:20\n2 1:2 2:1\n3 1:3 2:1 3:18 4:20 5:3\n3\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "kernel": {"use": "spectrum", "length": 2}, "solver": {"use": "n_slack", "C": 10}})"};

  explicit SpectrumKernel(const sculpt::Parameters& given)
      : length_(static_cast<std::size_t>(given.integer("length"))),
        form_(given.boolean("normalized")) {}
  void bind(const sculpt::Bindings& to);
  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void diagonal(Atoms atoms, std::span<double> out) const {
    write_diagonal(form_, data_, atoms, out);
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    write_symbols(sequences_[static_cast<std::size_t>(atom)], out);
  }
  void keep(const sculpt::KeptAtoms& kept);

  class Session {
   public:
    explicit Session(const SpectrumKernel& owner) : owner_(owner) {}
    void rows(Atoms atoms, Atoms others, std::span<double> out) {
      write_values(owner_.form_, owner_.data_, atoms, owner_.data_, others, out, scratch_);
    }
    void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) {
      write_kept_values(owner_.form_, owner_.data_, atoms, owner_.kept_data_, kept, out, scratch_);
    }

   private:
    const SpectrumKernel& owner_;
    EngineScratch scratch_;
  };

 private:
  // Sequences as rows of counts, with what the rows point to.
  struct CountedRows {
    std::vector<OwnRow> rows;
    std::vector<SiteRow> views;
  };
  OwnRow counts_of(const Symbols& symbols);
  SummedRows counted(const std::vector<Symbols>& sequences, CountedRows& rows);

  std::size_t length_;
  CountForm form_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // of the substrings, by their bytes
  std::vector<Symbols> sequences_;
  CountedRows rows_;
  CountedRows kept_rows_;
  SummedRows data_;
  SummedRows kept_data_;
};

}  // namespace kernel
