// component.hpp - one live component of a plugin, its sessions, and its errors as Failures.
//
// Called by the typed wrappers (Dataset, Features, Loss, Oracle) and by Problem. Error messages
// have the form "<component>: <message>" or "<component>: example <i>: <message>".
#pragma once

#include <sculpt/ext/complete.h>
#include <sculpt/ext/count_loss.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/state.h>
#include <sculpt/ext/weight_bounds.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "base/open_calls.hpp"
#include "parallel/cache_line.hpp"
#include "problem/plugin/error_buffer.hpp"
#include "problem/plugin/services.hpp"

namespace sculpt::core {

// The id of the function table of an extension, and how many of its functions must not be NULL.
template <class Table>
struct Extension;
template <>
struct Extension<sculpt_ext_state> {
  static constexpr const char* id = SCULPT_EXT_STATE;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_factor_graph> {
  static constexpr const char* id = SCULPT_EXT_FACTOR_GRAPH;
  static constexpr std::size_t required_functions = 4;
};
template <>
struct Extension<sculpt_ext_factor_loss> {
  static constexpr const char* id = SCULPT_EXT_FACTOR_LOSS;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_metrics> {
  static constexpr const char* id = SCULPT_EXT_METRICS;
  static constexpr std::size_t required_functions = 3;
};
template <>
struct Extension<sculpt_ext_label_text> {
  static constexpr const char* id = SCULPT_EXT_LABEL_TEXT;
  static constexpr std::size_t required_functions = 1;  // parse may be NULL
};
template <>
struct Extension<sculpt_ext_names> {
  static constexpr const char* id = SCULPT_EXT_NAMES;
  static constexpr std::size_t required_functions = 1;
};
template <>
struct Extension<sculpt_ext_count_loss> {
  static constexpr const char* id = SCULPT_EXT_COUNT_LOSS;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_factor_counts> {
  static constexpr const char* id = SCULPT_EXT_FACTOR_COUNTS;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_frontier> {
  static constexpr const char* id = SCULPT_EXT_FRONTIER;
  static constexpr std::size_t required_functions = 3;
};
template <>
struct Extension<sculpt_ext_cut> {
  static constexpr const char* id = SCULPT_EXT_CUT;
  static constexpr std::size_t required_functions = 1;
};
template <>
struct Extension<sculpt_ext_map_cut> {
  static constexpr const char* id = SCULPT_EXT_MAP_CUT;
  static constexpr std::size_t required_functions = 1;
};
template <>
struct Extension<sculpt_ext_complete> {
  static constexpr const char* id = SCULPT_EXT_COMPLETE;
  static constexpr std::size_t required_functions = 1;
};
template <>
struct Extension<sculpt_ext_weight_bounds> {
  static constexpr const char* id = SCULPT_EXT_WEIGHT_BOUNDS;
  static constexpr std::size_t required_functions = 1;
};

// Returns the last part of a component's id: "viterbi" of "org.sculpt.viterbi".
std::string short_name(const sculpt_component& description);

// A component with the calls of its life cycle, in this order: create, restore if it has a state,
// bind, seal, destroy. All except destroy throw Failure if the component reports an error.
class Component {
 public:
  // Creates the component. Requires one value per declared parameter. `services` outlive it. [main]
  Component(const sculpt_component& description, std::span<const sculpt_value> parameters,
            Services& services);
  ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  // Gives it a saved state, if there is one. `file`: the model that must have the state, for
  // messages; "": none must. Throws if it offers no state, or refuses this one. [main]
  void restore(const std::optional<std::string>& state, const std::string& file);
  void bind(const sculpt_bindings& bindings);  // [main]
  void seal();                                 // [main]
  bool offers_state() const;                   // [any]
  std::string save() const;                    // [any], sealed; requires offers_state()

  const std::string& name() const { return link_.component(); }  // the last part of the id
  const sculpt_component& description() const { return description_; }
  void* self() const { return self_; }
  // The reference that other components receive when they bind.
  sculpt_ref ref() const { return {&description_, self_}; }
  bool has_trait(std::uint64_t trait) const { return (description_.traits & trait) != 0; }
  Services& services() const { return link_.services(); }
  // True if the arrays that it gets have a fence behind them (lent_array.hpp).
  bool is_fenced() const { return services().is_fenced(); }

  // Returns the table of an extension, nullptr if not offered. Throws if the table is incomplete.
  // [any]
  template <class Table>
  const Table* extension() const {
    return static_cast<const Table*>(
        extension(Extension<Table>::id, Extension<Table>::required_functions));
  }
  // The same for an id, also where the table is incomplete. Asks for the promoted id of an
  // extension before that of its draft (ext/promoted.h). [any]
  const void* answered_table(const char* id) const;

  // The function table of the component's kind.
  template <class Api>
  const Api& api() const {
    return *static_cast<const Api*>(description_.api);
  }

  // Runs function(sculpt_error*), which calls the plugin function `name`. Throws as fail() for each
  // status other than SCULPT_OK. `example` < 0: the call is about no example. [any]
  template <class Function>
  void call(const char* name, std::int64_t example, Function&& function) const {
    ErrorBuffer error;
    const sculpt_status status =
        run_in_call_scope(name, example, [&] { return function(error.raw()); });
    if (status != SCULPT_OK) fail(status, error.text(), example);
  }

  // Runs function(). A crash inside of it is reported as a crash of the plugin function `name`.
  // [any]
  template <class Function>
  auto run_in_call_scope(const char* name, std::int64_t example, Function&& function) const {
    const CallScope scope({short_name_, name, example});
    return function();
  }

  // Throws the Failure of a status, with these exit codes: E_DATA 65, E_MISSING 66, E_PARAMETER and
  // E_UNSUPPORTED 78, E_MEMORY 71, all others 69. E_CANCELLED throws Cancelled. E_MEMORY gives 69
  // if a buffer has reached its limit.
  [[noreturn]] void fail(sculpt_status status, const std::string& text, std::int64_t example) const;

  // Throws Failure(exit, "<component>: example <i>: <text>").
  [[noreturn]] void refuse(Exit exit, std::int64_t example, const std::string& text) const;

 private:
  void restore(std::string_view state);
  const void* extension(const char* id, std::size_t required_functions) const;

  const sculpt_component& description_;
  HostLink link_;
  const char* const short_name_;  // part of the id in the description, which stays loaded
  void* self_ = nullptr;
};

// The sessions of a component, one per worker. Each is opened at its first use.
class Sessions {
 public:
  Sessions(const Component& component, int threads);
  ~Sessions();
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Returns the session of a worker. Requires worker in [0, threads) and one thread at a time per
  // worker. [any]
  void* for_worker(int worker);

 private:
  struct alignas(cache_line) Slot {
    void* session = nullptr;
    bool open = false;
  };

  const Component& component_;
  std::vector<Slot> slots_;  // [threads]
};

}  // namespace sculpt::core
