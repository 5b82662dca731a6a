// oracle.hpp - from a dynamic program to an oracle: argmax, frontier, enumerate, expectation,
// k best, sample.
//
// SPDX-License-Identifier: Apache-2.0
//
//   SCULPT_PLUGIN("folding", "1.0.0", "MIT", sculpt::Features<Folding>,
//                 sculpt::Oracle<sculpt::ProgramOracle<Folding>>)
//
// Folding is a features class (cpp/kinds.hpp) whose outputs are the derivations of a program, each
// of exactly one. It has, besides what features have,
//   static constexpr std::array<std::string_view, N> counts    what it counts, by name; one that
//        ends in "_#" has a number there, so that a loss may choose: "within_#" is within_4 too
//   void check_counts(std::span<const sculpt_count>) const     optional: refuses limits that it
//        cannot count to, at bind
// and in its Session
//   const P& program(std::int64_t example, std::span<const double> w)
//        P is a Program (program.hpp); score(edge) = <w, psi(edge)>. Lives until the next call.
//   bool covers(std::int64_t example, Labels y)            whether y is an output of the program
//   void output(std::int64_t example, const Derivation<P>&, std::vector<std::int32_t>& y)
//   void add(std::int64_t example, const P::Edge&, double factor, Sum&)   sum += factor * psi(edge)
//   void begin_counts(std::int64_t example, Labels truth, std::span<const sculpt_count>)
//   void restrict_to(Labels truth)                         optional, before program(): Y_i is that
//        of this truth, or of a prediction where !truth.known(); trait SEPARATION_SET
//   Counts counts(const P::Edge&) const      behind program() and begin_counts(): what the edge
//                                            adds to each count
//
// The oracle knows losses by their counts. A linear one (ext/draft/count_slopes.h) goes into the
// scores; for any other argmax is the best over the frontier. log Z, draws and the k best take
// linear losses or none. Every answer is exact. Every call can be stopped while it walks over the
// program (watched.hpp), about once a millisecond; a task that does much in program() or
// begin_counts() polls there itself. Predictions use the rows of the program, if it has any.
#pragma once

#include "../cpp/count_tables.hpp"
#include "../cpp/kinds.hpp"
#include "oracle_session.hpp"
#include "oracle_tables.hpp"

namespace sculpt {

template <class T>
class ProgramOracle {
 public:
  static constexpr About about{T::about.id, T::about.version,
                               "the best output, exact, by the dynamic program of its features",
                               T::about.reference, T::about.traits | program::set_traits<T>};
  static constexpr sculpt_parameter parameters[] = {max_cells_parameter()};
  static constexpr const char* extensions[] = {SCULPT_EXT_EXPECTATION, SCULPT_EXT_K_BEST,
                                               SCULPT_EXT_SAMPLE};

  ProgramOracle(const Parameters& given, Host host)
      : max_cells_(given.integer("max_cells")), host_(host) {}

  void bind(const Bindings& bindings) {
    if (bindings.features.component() != &Features<T>::component) {
      throw unsupported_error(std::string("works only with its own features; set features to ") +
                              T::about.id);
    }
    task_ = &component_of<T>(bindings.features.self());
    loss_ = program::LossCounts(bindings.loss, T::counts);
    if constexpr (requires { task_->check_counts(loss_.counts()); }) {
      task_->check_counts(loss_.counts());
    }
  }

  const void* extension(const char* id) const { return program::table_of<ProgramOracle>(id); }

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

}  // namespace sculpt
