// cached_arrays.hpp - the draft extension cached-arrays, for datasets that a file can hold.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset class lists the members that load() fills, in any order, and says so:
//
//   using drafts = sculpt::Drafts<sculpt::CachedArrays>;
//   template <class Cache>
//   void cached(Cache& cache) { cache(store_, weights_, first_weight_); }
//
// What save() writes needs no mention. The same method writes and reads. A member may be
//
//   an object with such a method    SiteStore, ExampleWeights, ExamplePlaces
//   StoredArray                     views the elements in the file (stored_array.hpp)
//   std::vector, std::string        of elements that memcpy may copy, or of texts; copied
//   a number, an enum, a struct     that memcpy may copy, without padding
//
// Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../ext/draft/cached_arrays.h"
#include "drafts.hpp"
#include "stored_array.hpp"

namespace sculpt {

namespace detail {

template <>
inline constexpr const char* extension_id<sculpt_ext_cached_arrays> = SCULPT_EXT_CACHED_ARRAYS;

template <class Item, class Cache>
concept HasCached = requires(Item& item, Cache& cache) {
  item.cached(cache);
};
template <class Item>
inline constexpr bool is_stored_array = false;
template <class T>
inline constexpr bool is_stored_array<StoredArray<T>> = true;
template <class Item>
concept IsResizable = requires(Item& item) {
  item.data();
  item.resize(item.size());
};
template <class Item>
concept IsListOfTexts = std::is_same_v<Item, std::vector<std::string>>;

}  // namespace detail

// Passes members to the host.
class CacheWriter {
 public:
  static constexpr bool reads = false;

  explicit CacheWriter(const sculpt_cache_output& out) : out_(out) {}

  template <class... Item>
  void operator()(Item&... items) {
    (write(items), ...);
  }

 private:
  template <class Item>
  void write(Item& item) {
    if constexpr (detail::HasCached<Item, CacheWriter>) {
      item.cached(*this);
    } else if constexpr (detail::IsListOfTexts<Item>) {
      std::vector<std::size_t> sizes;
      std::string all;
      for (const std::string& text : item) {
        sizes.push_back(text.size());
        all += text;
      }
      (*this)(sizes, all);
    } else if constexpr (detail::is_stored_array<Item> || detail::IsResizable<Item>) {
      static_assert(std::is_trivially_copyable_v<typename Item::value_type>);
      add(item.data(), item.size() * sizeof(typename Item::value_type));
    } else {
      static_assert(
          std::has_unique_object_representations_v<Item> || std::is_floating_point_v<Item>,
          "this member needs a method `cached`, or is left out");
      add(&item, sizeof item);
    }
  }
  void add(const void* data, std::size_t size) {
    checked_call([&](sculpt_error* error) {
      return out_.add(out_.context, data, static_cast<std::int64_t>(size), error);
    });
  }

  const sculpt_cache_output& out_;
};

// Fills members from the arrays of the host. Throws data_error() if they are others.
class CacheReader {
 public:
  static constexpr bool reads = true;

  explicit CacheReader(std::span<const sculpt_cached_array> arrays) : arrays_(arrays) {}

  template <class... Item>
  void operator()(Item&... items) {
    (read(items), ...);
  }
  // Call it after the last member.
  void end() const {
    if (next_ < arrays_.size()) throw_damaged();
  }

 private:
  template <class Item>
  void read(Item& item) {
    if constexpr (detail::HasCached<Item, CacheReader>) {
      item.cached(*this);
    } else if constexpr (detail::IsListOfTexts<Item>) {
      std::vector<std::size_t> sizes;
      std::string all;
      (*this)(sizes, all);
      item.clear();
      std::size_t from = 0;
      for (const std::size_t size : sizes) {
        if (size > all.size() - from) throw_damaged();
        item.push_back(all.substr(from, size));
        from += size;
      }
    } else if constexpr (detail::is_stored_array<Item>) {
      const std::span<const typename Item::value_type> elements = take<typename Item::value_type>();
      item.view(elements.data(), elements.size());
    } else if constexpr (detail::IsResizable<Item>) {
      const std::span<const typename Item::value_type> elements = take<typename Item::value_type>();
      item.assign(elements.begin(), elements.end());
    } else {
      const std::span<const Item> one = take<Item>();
      if (one.size() != 1) throw_damaged();
      std::memcpy(&item, one.data(), sizeof item);
    }
  }
  template <class T>
  std::span<const T> take() {
    if (next_ >= arrays_.size()) throw_damaged();
    const sculpt_cached_array& array = arrays_[next_++];
    const auto size = static_cast<std::size_t>(array.size);
    if (size % sizeof(T) != 0) throw_damaged();
    return {static_cast<const T*>(array.data), size / sizeof(T)};
  }
  [[noreturn]] static void throw_damaged() {
    throw data_error("the cache does not have the arrays of this dataset");
  }

  std::span<const sculpt_cached_array> arrays_;
  std::size_t next_ = 0;
};

namespace detail {

struct ArraysOfDataset : Extension<kind_sets::dataset, Methods<>> {
  template <class T>
  static constexpr sculpt_ext_cached_arrays table{
      [](const void* self, const sculpt_cache_output* out, sculpt_error* error) {
        static_assert(HasCached<T, CacheWriter> && HasCached<T, CacheReader>,
                      "`cached` must be a public method: template <class Cache> void cached(Cache& "
                      "cache)");
        return guarded(error, "write", [&] {
          CacheWriter cache(*out);
          mutable_object_of<T>(self).cached(cache);
        });
      },
      [](void* self, const sculpt_cached_array* arrays, std::int64_t count, sculpt_error* error) {
        return guarded(error, "read", [&] {
          CacheReader cache({arrays, static_cast<std::size_t>(count)});
          object_of<T>(self).cached(cache);
          cache.end();
        });
      }};
};

}  // namespace detail

struct CachedArrays {
  template <std::uint32_t kind>
  using Of = std::conditional_t<kind == SCULPT_KIND_DATASET, detail::ArraysOfDataset, void>;
};

}  // namespace sculpt
