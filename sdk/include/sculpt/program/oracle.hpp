// oracle.hpp - turns a dynamic program into an oracle: argmax, frontier, enumerate, expectation, k
// best, sample.
//
// SPDX-License-Identifier: Apache-2.0
//
//   SCULPT_PLUGIN("folding", "1.0.0", "MIT", sculpt::Features<Folding>,
//                 sculpt::Oracle<sculpt::ProgramOracle<Folding>>)
//
// Folding is a features class (cpp/kinds.hpp). Its outputs are the derivations of a program, and
// each output is exactly one derivation. In addition to the members of features it has
//   static constexpr const char* counts[]                  names of its counts. "_#" at the end
//        stands for a number that the loss chooses: "within_#" includes within_4
//   void check_counts(std::span<const sculpt_count>) const     optional: refuses limits that it
//        does not support, in bind()
// and in its Session
//   const P& program(std::int64_t example, std::span<const double> w)
//        P is a Program (program.hpp); score(edge) = <w, psi(edge)>. Lives until the next call.
//   bool covers(std::int64_t example, Labels y)            true if y is an output of the program
//   void output(std::int64_t example, const Derivation<P>&, std::vector<std::int32_t>& y)
//   void add(std::int64_t example, const P::Edge&, double factor, Sum&)   sum += factor * psi(edge)
//   void begin_counts(std::int64_t example, Labels truth, std::span<const sculpt_count>)
//   void restrict_to(Labels truth)                         optional, before program(): Y_i of this
//        truth, or of a prediction if !truth.known(); trait SEPARATION_SET
//   Counts counts(const P::Edge&) const      after program() and begin_counts(): what the edge
//                                            adds to each count
//
// The oracle supports losses by their counts. It adds a linear loss (the slopes of
// ext/count_loss.h) to the scores. For other losses argmax is the best cell of the frontier. log Z,
// samples and the k best need a linear loss or none. Every answer is exact. The user can stop every
// call (watched.hpp): the host is asked about once a millisecond. If program() or begin_counts()
// run long, they must poll themselves. Predictions use the rows of the program, if it has rows.
#pragma once

#include "../cpp/count_tables.hpp"
#include "../cpp/distribution.hpp"
#include "../sculpt.hpp"
#include "oracle_session.hpp"

namespace sculpt {

// `is_task` is always check_program_task<T>(). If it is false, the compiler has refused T.
template <class T, bool is_task = program::check_program_task<T>()>
class ProgramOracle {
 public:
  static constexpr About about{T::about.id, T::about.version,
                               "the best output, exact, by the dynamic program of its features",
                               T::about.reference,
                               T::about.traits | program::separation_set_trait<T>};
  static constexpr sculpt_parameter parameters[] = {max_cells_parameter()};

  ProgramOracle(const Parameters& given, Host host)
      : max_cells_(given.integer("max_cells")), host_(host) {}

  void bind(const Bindings& bindings) {
    if (bindings.features.component() != &Features<T>::component) {
      const std::string id = T::about.id;
      throw unsupported_error("works only with its own features; set features to " + id +
                              ", or to LIBRARY.so#" + id + " if its library is not on plugin_path");
    }
    task_ = &component_of<T>(bindings.features.self());
    loss_ = program::LossCounts(bindings.loss, program::count_names<T>());
    if constexpr (program::checks_counts<T>) task_->check_counts(loss_.counts());
  }

  const T& task() const { return *task_; }
  const program::LossCounts& loss() const { return loss_; }
  std::int64_t max_cells() const { return max_cells_; }
  const Host& host() const { return host_; }

  using Session = program::OracleSession<T, ProgramOracle>;

 private:
  std::int64_t max_cells_;
  Host host_;
  const T* task_ = nullptr;
  program::LossCounts loss_;
};

// Stands for the oracle of a class that is refused, so that no other errors follow.
template <class T>
class ProgramOracle<T, false> {
 public:
  static constexpr About about{"", "", ""};
  void argmax(const Query&, Answer&) const {}
};

}  // namespace sculpt
