// task.hpp - Task<T>: one class that is features, loss and oracle, and also the dataset if it reads
// data.
//
// SPDX-License-Identifier: Apache-2.0
//
// All its components share one object. The dataset owns it if T has load(), else the features do.
// The other components borrow it in bind(). They have no parameters.
//
// Features and loss work only with the component that owns the object. The oracle also works only
// with its own features and loss, because argmax() usually computes both itself. A class whose
// argmax() calls those that it is bound to says so:
//   static constexpr bool takes_other_losses = true;      the Session gets the loss:
//       Session(const T& owner, const Bindings& to) : loss_(to.loss) {}    LossSession loss_;
//   static constexpr bool takes_other_features = true;    the same with to.features; only if T has
//                                                         load()
//   void check_bindings(const Bindings&) const            optional, as of any oracle (life.hpp)
#pragma once

#include "kinds.hpp"

namespace sculpt {

template <class T>
struct Task;

namespace detail {

// If T has load(), the dataset owns the object, else the features do.
template <class T>
struct TaskOwnership {
  // The other methods of a dataset without load() are a dataset that lacks it.
  static constexpr bool reads_data = find_method<method::load, T>() != Finding::absent ||
                                     (fits<method::count, const T> &&
                                      fits<method::split, const T> && fits<method::truth, const T>);

  // For parts that use the object of another part.
  template <std::uint32_t kind>
  struct Borrower {
    static constexpr bool owns = false;
    template <class U>
    static U* borrow(const Bindings& bindings);
  };
  // For the part that owns the object.
  struct TaskOwner {
    static constexpr bool owns = true;
  };
  using FeaturesPolicy = std::conditional_t<reads_data, Borrower<SCULPT_KIND_FEATURES>, TaskOwner>;
};

}  // namespace detail

template <class T>
struct Task {
  using Ownership = detail::TaskOwnership<T>;

  struct DatasetPart {
    static constexpr sculpt_component component = [] {
      if constexpr (Ownership::reads_data) {
        return detail::describe<T, detail::DatasetKind, typename Ownership::TaskOwner>();
      } else {
        return sculpt_component{};
      }
    }();
  };
  struct FeaturesPart {
    static constexpr sculpt_component component =
        detail::describe<T, detail::FeaturesKind, typename Ownership::FeaturesPolicy>();
  };
  struct LossPart {
    static constexpr sculpt_component component =
        detail::describe<T, detail::LossKind,
                         typename Ownership::template Borrower<SCULPT_KIND_LOSS>>();
  };
  struct OraclePart {
    static constexpr sculpt_component component =
        detail::describe<T, detail::OracleKind,
                         typename Ownership::template Borrower<SCULPT_KIND_ORACLE>>();
  };
};

namespace detail {

// Throws E_UNSUPPORTED unless `lent` is the part of the same task. `key` is what to set.
template <class T>
void require_own(const Ref& lent, const sculpt_component& own, const char* part, const char* key) {
  if (lent.component() == &own) return;
  const std::string id = T::about.id;
  throw unsupported_error(std::string("works only with its own ") + part + "; set " + key + " to " +
                          id + ", or to LIBRARY.so#" + id +
                          " if its library is not on plugin_path");
}

template <class T>
template <std::uint32_t kind>
template <class U>
U* TaskOwnership<T>::Borrower<kind>::borrow(const Bindings& bindings) {
  using Parts = Task<T>;
  if constexpr (reads_data) {
    require_own<T>(bindings.dataset, Parts::DatasetPart::component, "dataset", "dataset.use");
  }
  constexpr bool is_oracle = kind == SCULPT_KIND_ORACLE;
  constexpr bool takes_other_features = constant_or<constant::takes_other_features, T>(false);
  static_assert(reads_data || !takes_other_features || !is_oracle,
                "`takes_other_features` is for a task with load(), whose dataset owns the object");
  if constexpr (!reads_data || (is_oracle && !takes_other_features)) {
    require_own<T>(bindings.features, Parts::FeaturesPart::component, "features", "features");
  }
  const Ref& lender = reads_data ? bindings.dataset : bindings.features;
  U* const object = static_cast<Instance<U>*>(lender.self())->object;
  if constexpr (is_oracle) {
    // Prediction has no loss.
    if (!constant_or<constant::takes_other_losses, T>(false) && bindings.loss.present()) {
      require_own<T>(bindings.loss, Parts::LossPart::component, "loss", "loss");
    }
  }
  return object;
}

}  // namespace detail
}  // namespace sculpt
