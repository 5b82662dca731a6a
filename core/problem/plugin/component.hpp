// component.hpp - a live component of a plugin, its sessions, and its errors as Failures.
//
// Called by the typed wrappers beside it (Dataset, Features, Loss, Oracle) and by Problem. Texts of
// components come out as "<component>: <message>" or "<component>: example <i>: <message>".
#pragma once

#include <sculpt/ext/count_loss.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/state.h>
#include <sculpt/ext/weight_bounds.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "base/open_calls.hpp"
#include "problem/plugin/services.hpp"

namespace sculpt::core {

// The id of an extension's function table, and how many of its functions must be there.
template <class Table>
struct Extension;
template <>
struct Extension<sculpt_ext_state> {
  static constexpr const char* id = SCULPT_EXT_STATE;
  static constexpr std::size_t functions = 2;
};
template <>
struct Extension<sculpt_ext_factor_graph> {
  static constexpr const char* id = SCULPT_EXT_FACTOR_GRAPH;
  static constexpr std::size_t functions = 4;
};
template <>
struct Extension<sculpt_ext_factor_loss> {
  static constexpr const char* id = SCULPT_EXT_FACTOR_LOSS;
  static constexpr std::size_t functions = 2;
};
template <>
struct Extension<sculpt_ext_metrics> {
  static constexpr const char* id = SCULPT_EXT_METRICS;
  static constexpr std::size_t functions = 3;
};
template <>
struct Extension<sculpt_ext_label_text> {
  static constexpr const char* id = SCULPT_EXT_LABEL_TEXT;
  static constexpr std::size_t functions = 1;  // parse may be NULL
};
template <>
struct Extension<sculpt_ext_names> {
  static constexpr const char* id = SCULPT_EXT_NAMES;
  static constexpr std::size_t functions = 1;
};
template <>
struct Extension<sculpt_ext_count_loss> {
  static constexpr const char* id = SCULPT_EXT_COUNT_LOSS;
  static constexpr std::size_t functions = 2;
};
template <>
struct Extension<sculpt_ext_factor_counts> {
  static constexpr const char* id = SCULPT_EXT_FACTOR_COUNTS;
  static constexpr std::size_t functions = 2;
};
template <>
struct Extension<sculpt_ext_frontier> {
  static constexpr const char* id = SCULPT_EXT_FRONTIER;
  static constexpr std::size_t functions = 3;
};
template <>
struct Extension<sculpt_ext_cut> {
  static constexpr const char* id = SCULPT_EXT_CUT;
  static constexpr std::size_t functions = 1;
};
template <>
struct Extension<sculpt_ext_map_cut> {
  static constexpr const char* id = SCULPT_EXT_MAP_CUT;
  static constexpr std::size_t functions = 1;
};
template <>
struct Extension<sculpt_ext_weight_bounds> {
  static constexpr const char* id = SCULPT_EXT_WEIGHT_BOUNDS;
  static constexpr std::size_t functions = 1;
};

// The last part of a component's id: "viterbi" of "org.sculpt.viterbi".
std::string short_name(const sculpt_component& description);

class ErrorText {
 public:
  // Every call has one, and few fill it: zeros all over would cost more than the rest of a call.
  ErrorText() { buffer_.front() = buffer_.back() = '\0'; }
  sculpt_error* raw() { return &raw_; }
  std::string text() const { return {buffer_.data()}; }

 private:
  std::array<char, 2048> buffer_;
  sculpt_error raw_{buffer_.data(), std::int64_t{2047}};  // the last byte stays 0
};

class Component {
 public:
  // Creates it. Requires one value for each declared parameter; `services` outlive it. [main]
  Component(const sculpt_component& description, std::span<const sculpt_value> parameters,
            Services& services);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  void restore(std::string_view state);        // [main] throws when it offers no state
  void bind(const sculpt_bindings& bindings);  // [main]
  void seal();                                 // [main]
  bool offers_state() const;                   // [any]
  std::string save() const;                    // [any], sealed; requires offers_state()

  const std::string& name() const { return link_.component(); }  // the last part of the id
  const sculpt_component& description() const { return description_; }
  void* self() const { return self_; }
  sculpt_ref ref() const { return {&description_, self_}; }
  bool has_trait(std::uint64_t trait) const { return (description_.traits & trait) != 0; }
  Services& services() const { return link_.services(); }

  // The table of an extension, or nullptr. Throws when the table is incomplete. [any]
  template <class Table>
  const Table* extension() const {
    return static_cast<const Table*>(extension(Extension<Table>::id, Extension<Table>::functions));
  }

  // The function table of its kind.
  template <class Api>
  const Api& api() const {
    return *static_cast<const Api*>(description_.api);
  }

  // Runs function(sculpt_error*), which calls the component's function of that name, and throws
  // what fail() says of any status but SCULPT_OK. `example` < 0: the call is about none. [any]
  template <class Function>
  void call(const char* name, std::int64_t example, Function&& function) const {
    ErrorText error;
    const sculpt_status status = marked(name, example, [&] { return function(error.raw()); });
    if (status != SCULPT_OK) fail(status, error.text(), example);
  }

  // Runs function() with the mark of what a crash is to be put down to. [any]
  template <class Function>
  auto marked(const char* name, std::int64_t example, Function&& function) const {
    const CallScope mark({short_name_, name, example});
    return function();
  }

  // Throws the Failure of a status: E_DATA 65, E_MISSING 66, E_PARAMETER and E_UNSUPPORTED 78,
  // E_MEMORY 71 unless a buffer has met its limit, E_CANCELLED Cancelled, all others 69.
  [[noreturn]] void fail(sculpt_status status, const std::string& text, std::int64_t example) const;

  // Throws Failure(exit, "<component>: example <i>: <text>").
  [[noreturn]] void refuse(Exit exit, std::int64_t example, const std::string& text) const;

 private:
  const void* extension(const char* id, std::size_t functions) const;

  const sculpt_component& description_;
  HostLink link_;
  const char* const short_name_;  // within the id of the description, which stays loaded
  void* self_ = nullptr;
};

// The sessions of a component, one for each worker, opened when first asked for.
class Sessions {
 public:
  Sessions(const Component& component, int threads);
  ~Sessions();
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Requires worker in [0, threads); one thread at a time for each worker. [any]
  void* of(int worker);

 private:
  struct Slot {
    void* session = nullptr;
    bool open = false;
  };

  const Component& component_;
  std::vector<Slot> slots_;  // [threads]
};

}  // namespace sculpt::core
