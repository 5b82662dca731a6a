// lent_array.hpp - arrays that the host lends to a plugin for one call, with a fence behind them.
//
// With --guard and in `sculpt check` the plugin gets a copy. Its last element stands directly
// before a page that cannot be accessed (fenced_pages.hpp). So a plugin that reads or writes after
// the end crashes there, and the crash report names the plugin, the example and the array.
// Otherwise the plugin gets the array itself, which costs one comparison.
//
// Called by all that pass arrays to plugins: the typed wrappers, the oracles, and check. `name`: of
// the array in messages, such as "the labels of the output". It must be a literal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "problem/plugin/component.hpp"
#include "problem/plugin/fenced_pages.hpp"

namespace sculpt::core {

// A copy of an array, with a fence behind it. The copies of all threads share their pages.
class FencedCopy {
 public:
  FencedCopy() = default;  // no array
  // Throws std::bad_alloc.
  template <class T>
  FencedCopy(const T* data, std::size_t size, const char* name)
      : FencedCopy(size * sizeof(T), name) {
    // What a plugin reads in front of the array should look wrong, too.
    constexpr std::size_t poisoned = 8;
    constexpr T poison = std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN()
                                                               : std::numeric_limits<T>::min();
    std::fill_n(static_cast<T*>(this->data()) - poisoned, poisoned, poison);
    std::copy_n(data, size, static_cast<T*>(this->data()));
  }
  ~FencedCopy();
  FencedCopy(FencedCopy&& other) noexcept { swap(other); }
  FencedCopy& operator=(FencedCopy&& other) noexcept {
    swap(other);
    return *this;
  }

  bool exists() const { return pages_ != nullptr; }
  void* data() const { return pages_->fence() - bytes_; }

 private:
  FencedCopy(std::size_t bytes, const char* name);
  void swap(FencedCopy& other) {
    std::swap(pages_, other.pages_);
    std::swap(bytes_, other.bytes_);
  }

  std::unique_ptr<FencedPages> pages_;
  std::size_t bytes_ = 0;
};

// An array that a plugin reads. `data` may be nullptr; then so is the lent array.
template <class T>
class LentArray {
 public:
  LentArray() = default;
  LentArray(const Component& reader, const char* name, const T* data, std::int64_t size)
      : reader_(&reader), name_(name), original_(data, static_cast<std::size_t>(size)) {
    if (data != nullptr && reader.is_fenced()) copy_ = FencedCopy(data, original_.size(), name);
  }
  LentArray(const Component& reader, const char* name, std::span<const T> values)
      : LentArray(reader, name, values.data(), static_cast<std::int64_t>(values.size())) {}

  const T* data() const {
    return copy_.exists() ? static_cast<const T*>(copy_.data()) : original_.data();
  }
  // Throws Failure(Exit::plugin) if the plugin has written to the copy.
  void require_unchanged(std::int64_t example) const {
    if (!copy_.exists()) return;
    const auto* const bytes = reinterpret_cast<const char*>(original_.data());
    if (std::equal(bytes, bytes + original_.size_bytes(), static_cast<const char*>(copy_.data()))) {
      return;
    }
    reader_->refuse(Exit::plugin, example,
                    std::string("writes to ") + name_ + ", which it may only read");
  }

 private:
  const Component* reader_ = nullptr;
  const char* name_ = "";
  std::span<const T> original_;
  FencedCopy copy_;
};

// Labels that a plugin reads.
class LentLabels : public LentArray<std::int32_t> {
 public:
  LentLabels() = default;
  LentLabels(const Component& reader, const char* name, sculpt_labels labels)
      : LentArray(reader, name, labels.data, labels.size), size_(labels.size) {}
  sculpt_labels raw() const { return {data(), size_}; }

 private:
  std::int64_t size_ = 0;
};

// The query of an oracle, whose truth has a fence behind it.
class LentQuery {
 public:
  LentQuery() = default;
  LentQuery(const Component& reader, const sculpt_query& query)
      : truth_(reader, "the labels of the truth", query.truth), query_(query) {
    query_.truth = truth_.raw();
  }
  const sculpt_query* raw() const { return &query_; }
  void require_unchanged() const { truth_.require_unchanged(query_.example); }

 private:
  LentLabels truth_;
  sculpt_query query_ = {};
};

// The query of a map_solver, whose theta has a fence behind it.
class LentMapQuery {
 public:
  LentMapQuery() = default;
  LentMapQuery(const Component& reader, const sculpt_map_query& query)
      : theta_(reader, "theta", query.theta, query.graph->theta_size), query_(query) {
    query_.theta = theta_.data();
  }
  const sculpt_map_query* raw() const { return &query_; }
  void require_unchanged(std::int64_t example) const { theta_.require_unchanged(example); }

 private:
  LentArray<double> theta_;
  sculpt_map_query query_ = {};
};

// An array that a plugin writes, or adds to. Call take() after the call.
template <class T>
class FilledArray {
 public:
  FilledArray(const Component& writer, const char* name, std::span<T> target) : target_(target) {
    if (writer.is_fenced()) copy_ = FencedCopy(target.data(), target.size(), name);
  }
  T* data() const { return copy_.exists() ? static_cast<T*>(copy_.data()) : target_.data(); }
  void take() const {
    if (copy_.exists()) std::copy_n(data(), target_.size(), target_.data());
  }

 private:
  std::span<T> target_;
  FencedCopy copy_;
};

// The labels of an output that a plugin writes, with a fence behind their capacity. Labels that it
// does not write are -1. Call take() after the call.
class FilledLabels {
 public:
  // Until take() or the end of this object, `target` is the fenced buffer.
  FilledLabels(const Component& writer, sculpt_label_buffer& target);
  ~FilledLabels();
  FilledLabels(const FilledLabels&) = delete;
  FilledLabels& operator=(const FilledLabels&) = delete;

  // Copies the labels to the memory of the host. An impossible size stays impossible.
  void take();

 private:
  static sculpt_status grow(sculpt_label_buffer* labels, std::int64_t min_capacity) noexcept;
  void restore();

  sculpt_label_buffer* target_ = nullptr;  // nullptr: not fenced, or taken
  sculpt_label_buffer host_buffer_ = {};
  FencedCopy labels_;
};

}  // namespace sculpt::core
