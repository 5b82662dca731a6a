// task.hpp - Task<T>: one class that is features, loss and oracle, and also the dataset if it reads
// data.
//
// SPDX-License-Identifier: Apache-2.0
//
// All its components share one object. The dataset owns it if T has load(), else the features do.
// The other components borrow it in bind(). They have no parameters and work with no other
// component.
#pragma once

#include "kinds.hpp"

namespace sculpt {

template <class T>
struct Task;

namespace detail {

// True for a load() of any signature.
template <class T>
concept HasLoad = requires {
  &T::load;
};

// If T has load(), the dataset owns the object, else the features do.
template <class T>
struct TaskOwnership {
  static constexpr bool reads_data = DatasetClass<T>;
  // For parts that use the object of another part.
  struct Borrower {
    static constexpr bool owns = false;
    template <class U>
    static U* borrow(const Bindings& bindings);
  };
  // For the part that owns the object.
  struct TaskOwner {
    static constexpr bool owns = true;
  };
  using FeaturesPolicy = std::conditional_t<reads_data, Borrower, TaskOwner>;
};

}  // namespace detail

template <class T>
struct Task {
  static_assert(detail::Described<T>,
                "a component class needs static constexpr sculpt::About about{...}");
  static_assert(detail::DatasetClass<T> || !detail::HasLoad<T>,
                "a task with load also needs int64_t count() const, Range split(std::string_view) "
                "const and Labels truth(int64_t example) const");
  static_assert(detail::FeaturesClass<T>,
                "a task needs dimension() const and features(std::int64_t example, Labels, Sum&), "
                "const or in its Session");
  static_assert(detail::LossClass<T>,
                "a task needs double loss(Labels truth, Labels guess), const or in its Session");
  static_assert(detail::OracleClass<T>,
                "a task needs argmax(const Query&, Answer&), const or in its Session");
  using Ownership = detail::TaskOwnership<T>;

  struct DatasetPart {
    static constexpr sculpt_component component =
        detail::describe<T, SCULPT_KIND_DATASET, typename Ownership::TaskOwner>([] {
          if constexpr (Ownership::reads_data) {
            return &detail::dataset_api<T>;
          } else {
            return nullptr;
          }
        }());
  };
  struct FeaturesPart {
    static constexpr sculpt_component component =
        detail::describe<T, SCULPT_KIND_FEATURES, typename Ownership::FeaturesPolicy>(
            &detail::features_api<T>);
  };
  struct LossPart {
    static constexpr sculpt_component component =
        detail::describe<T, SCULPT_KIND_LOSS, typename Ownership::Borrower>(&detail::loss_api<T>);
  };
  struct OraclePart {
    static constexpr sculpt_component component =
        detail::describe<T, SCULPT_KIND_ORACLE, typename Ownership::Borrower>(
            &detail::oracle_api<T>);
  };
};

namespace detail {

template <class T>
template <class U>
U* TaskOwnership<T>::Borrower::borrow(const Bindings& bindings) {
  const Ref& lender = reads_data ? bindings.dataset : bindings.features;
  const sculpt_component* expected;
  if constexpr (reads_data) {
    expected = &Task<T>::DatasetPart::component;
  } else {
    expected = &Task<T>::FeaturesPart::component;
  }
  if (lender.component() != expected) {
    const std::string id = T::about.id;
    throw unsupported_error(
        std::string("works only with its own ") +
        (reads_data ? "dataset; set dataset.use to " : "features; set features to ") + id +
        ", or to LIBRARY.so#" + id + " if its library is not on plugin_path");
  }
  return static_cast<Instance<U>*>(lender.self())->object;
}

}  // namespace detail
}  // namespace sculpt
