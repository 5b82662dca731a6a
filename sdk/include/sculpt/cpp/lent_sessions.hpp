// lent_sessions.hpp - the extensions with [worker] calls of the components that a component is
// bound to: FactorGraphSession, EnumerateSession, MetricsSession, FactorLossSession,
// CountLossSession, FactorCountsSession.
//
// SPDX-License-Identifier: Apache-2.0
//
// For sessions that call another component. Each object holds a session of it, for one thread:
//
//   struct Session {
//     Session(const T&, const sculpt::Bindings& to) : graph_(to.features) {}
//     sculpt::FactorGraphSession graph_;
//   };
//
// What is the same for all threads is asked without a session, for example in bind():
// FactorGraphRef, MetricsRef, FactorLossRef, CountLossRef, FactorCountsRef. of() of a session is
// this object.
//
// As in lent.hpp, constructors throw E_UNSUPPORTED if the component does not offer the extension,
// and a call that fails throws an Error with the text of the component. The object of an absent
// component can be made but not used. Prediction has no loss, and the parts of a Task that come
// first have no features or loss, although they have the same Session. The headers in ext/ define
// the results.
#pragma once

#include <array>
#include <exception>
#include <span>

#include "lent.hpp"

namespace sculpt {

// A session of a lent component, with its extension. Base class of those below.
template <class Of>
class ExtensionSession : public RefSession {
 public:
  explicit ExtensionSession(Ref component) : RefSession(component), of_(component) {}
  const Of& of() const { return of_; }

 protected:
  const auto& table() const { return of_.table(); }

 private:
  Of of_;
};

// The factor graphs of features (ext/factor_graph.h).
class FactorGraphRef : public ExtensionRef<sculpt_ext_factor_graph> {
 public:
  using ExtensionRef::ExtensionRef;
  std::uint32_t classes() const {
    std::uint32_t classes = 0;
    checked_call([&](sculpt_error* error) { return table().classes(self(), &classes, error); });
    return classes;
  }
};
class FactorGraphSession : public ExtensionSession<FactorGraphRef> {
 public:
  using ExtensionSession::ExtensionSession;
  // Valid until the next call of graph().
  const sculpt_factor_graph& graph(std::int64_t example) const {
    const sculpt_factor_graph* graph = nullptr;
    checked_call([&](sculpt_error* error) { return table().graph(raw(), example, &graph, error); });
    return *graph;
  }
  // theta[theta_size]
  void potentials(std::int64_t example, Weights w, double* theta) const {
    checked_call([&](sculpt_error* error) {
      return table().potentials(raw(), example, w.raw(), theta, error);
    });
  }
  // mu[theta_size]
  void pullback(std::int64_t example, const double* mu, Sum& sum) const {
    checked_call([&](sculpt_error* error) {
      return table().pullback(raw(), example, mu, sum.scale(), sum.raw(), error);
    });
  }
};

// All outputs of a small example (ext/enumerate.h).
class EnumerateSession : public ExtensionSession<ExtensionRef<sculpt_ext_enumerate>> {
 public:
  using ExtensionSession::ExtensionSession;
  // Calls visit(Labels) for each output and returns their number. If there are more than `limit`,
  // it calls nothing and returns limit + 1. An exception of visit() ends the enumeration.
  template <class VisitOutput>
  std::int64_t each(std::int64_t example, std::int64_t limit, VisitOutput visit) const {
    struct Context {
      VisitOutput& visit;
      std::exception_ptr thrown;
    } context{visit, nullptr};
    const sculpt_visit call = [](void* raw, sculpt_labels y) -> sculpt_status {
      auto& called = *static_cast<Context*>(raw);
      try {
        called.visit(Labels(y));
        return SCULPT_OK;
      } catch (...) {
        called.thrown = std::current_exception();
        return SCULPT_E_CANCELLED;
      }
    };
    std::int64_t count = 0;
    checked_call([&](sculpt_error* error) {
      const sculpt_status status =
          table().enumerate(raw(), example, limit, call, &context, &count, error);
      return context.thrown ? SCULPT_OK : status;
    });
    if (context.thrown) std::rethrow_exception(context.thrown);
    return count;
  }
};

// The metrics of a loss or dataset (ext/metrics.h).
class MetricsRef : public ExtensionRef<sculpt_ext_metrics> {
 public:
  explicit MetricsRef(Ref component) : ExtensionRef(component) {
    if (!present()) return;
    const sculpt_metric* metrics = nullptr;
    std::int64_t count = 0;
    checked_call([&](sculpt_error* error) {
      return table().metrics(self(), &metrics, &count, &sum_count_, error);
    });
    metrics_ = {metrics, static_cast<std::size_t>(count)};
  }
  std::span<const sculpt_metric> metrics() const {
    require_present();
    return metrics_;
  }
  std::int64_t sum_count() const {
    require_present();
    return sum_count_;
  }
  // sums[sum_count], values[metrics]
  void finish(std::span<const double> sums, std::span<double> values) const {
    checked_call([&](sculpt_error* error) {
      return table().finish(self(), sums.data(), values.data(), error);
    });
  }

 private:
  std::span<const sculpt_metric> metrics_;
  std::int64_t sum_count_ = 0;
};
class MetricsSession : public ExtensionSession<MetricsRef> {
 public:
  using ExtensionSession::ExtensionSession;
  // sums[sum_count] += what the example contributes
  void add(std::int64_t example, Labels truth, Labels guess, std::span<double> sums) const {
    checked_call([&](sculpt_error* error) {
      return table().add(raw(), example, truth.raw(), guess.raw(), sums.data(), error);
    });
  }
};

// A loss that splits over the factors of a graph (ext/factor_graph.h).
class FactorLossRef : public ExtensionRef<sculpt_ext_factor_loss> {
 public:
  using ExtensionRef::ExtensionRef;
  // The classes of graphs that it requires.
  std::uint32_t demands() const {
    std::uint32_t classes = 0;
    checked_call([&](sculpt_error* error) { return table().demands(self(), &classes, error); });
    return classes;
  }
};
class FactorLossSession : public ExtensionSession<FactorLossRef> {
 public:
  using ExtensionSession::ExtensionSession;
  // theta[theta_size] and constant += scale * Delta
  void add(std::int64_t example, const sculpt_factor_graph& graph, Labels truth, double scale,
           double* theta, double& constant) const {
    checked_call([&](sculpt_error* error) {
      return table().add(raw(), example, &graph, truth.raw(), scale, theta, &constant, error);
    });
  }
};

// A loss that is a function of counts (ext/count_loss.h).
class CountLossRef : public ExtensionRef<sculpt_ext_count_loss> {
 public:
  using ExtensionRef::ExtensionRef;
  std::span<const sculpt_count> counts() const {
    const sculpt_count* counts = nullptr;
    std::int64_t count = 0;
    checked_call(
        [&](sculpt_error* error) { return table().counts(self(), &counts, &count, error); });
    return {counts, static_cast<std::size_t>(count)};
  }
  bool is_linear() const { return table().slopes != nullptr; }
};
class CountLossSession : public ExtensionSession<CountLossRef> {
 public:
  using ExtensionSession::ExtensionSession;
  // Delta of the outputs with these counts[counts()].
  double value(std::int64_t example, Labels truth, const std::int64_t* counts) const {
    double value = 0;
    checked_call([&](sculpt_error* error) {
      return table().value(raw(), example, truth.raw(), counts, &value, error);
    });
    return value;
  }
  // Delta = constant + <slope, counts>.
  struct Line {
    double constant = 0;
    std::array<double, SCULPT_MOST_COUNTS> slope{};
  };
  // Requires is_linear().
  Line line(std::int64_t example, Labels truth) const {
    Line line;
    checked_call([&](sculpt_error* error) {
      return table().slopes(raw(), example, truth.raw(), &line.constant, line.slope.data(), error);
    });
    return line;
  }
};

// A loss whose counts split over the factors of a graph (ext/count_loss.h).
class FactorCountsRef : public ExtensionRef<sculpt_ext_factor_counts> {
 public:
  using ExtensionRef::ExtensionRef;
  // The classes of graphs that it requires.
  std::uint32_t demands() const {
    std::uint32_t classes = 0;
    checked_call([&](sculpt_error* error) { return table().demands(self(), &classes, error); });
    return classes;
  }
};
class FactorCountsSession : public ExtensionSession<FactorCountsRef> {
 public:
  using ExtensionSession::ExtensionSession;
  // tables[counts][theta_size] += what each cell adds to each count
  void add(std::int64_t example, const sculpt_factor_graph& graph, Labels truth,
           std::span<std::int32_t* const> tables) const {
    checked_call([&](sculpt_error* error) {
      return table().add(raw(), example, &graph, truth.raw(), tables.data(), error);
    });
  }
};

}  // namespace sculpt
