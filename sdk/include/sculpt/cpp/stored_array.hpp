// stored_array.hpp - an array that has its elements, or views those of a cache.
//
// SPDX-License-Identifier: Apache-2.0
//
// For the members of datasets that can come from a cache (cached_arrays.hpp), such as those of
// SiteStore. It is read as a std::vector. own() is the vector to change it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "large_arrays.hpp"

namespace sculpt {

template <class T>
class StoredArray {
  static_assert(std::is_trivially_copyable_v<T>, "elements are written to files as they are");

 public:
  using value_type = T;

  StoredArray() = default;
  StoredArray(std::initializer_list<T> elements) : own_(elements) {}

  const T* data() const { return view_ != nullptr ? view_ : own_.data(); }
  std::size_t size() const { return view_ != nullptr ? view_size_ : own_.size(); }
  bool empty() const { return size() == 0; }
  const T& operator[](std::size_t k) const { return data()[k]; }
  const T& back() const { return data()[size() - 1]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }

  // The elements, to change them. Copies them first if they are those of a cache.
  LargeVector<T>& own() {
    if (view_ != nullptr) {
      own_.assign(view_, view_ + view_size_);
      view_ = nullptr;
    }
    return own_;
  }
  // Views elements that outlive this array. `elements` is not nullptr.
  void view(const T* elements, std::size_t count) {
    own_ = LargeVector<T>();
    view_ = elements;
    view_size_ = count;
  }

 private:
  LargeVector<T> own_;
  const T* view_ = nullptr;  // nullptr: the elements are in own_
  std::size_t view_size_ = 0;
};

}  // namespace sculpt
