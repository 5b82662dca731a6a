#include "problem/plugin/component.hpp"

#include <sculpt/ext/promoted.h>

#include <cstring>

#include "base/cancelled.hpp"
#include "base/text/message_text.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/mismatch.hpp"
#include "problem/plugin/source_service.hpp"

namespace sculpt::core {

namespace {

// The message for a status if the component gives no text.
std::string status_text(sculpt_status status) {
  switch (status) {
    case SCULPT_E_INVALID:
      return "refused a call as invalid";
    case SCULPT_E_PARAMETER:
      return "refused the value of a parameter";
    case SCULPT_E_DATA:
      return "refused its data as malformed";
    case SCULPT_E_UNSUPPORTED:
      return "cannot work with the other components";
    case SCULPT_E_MEMORY:
      return "out of memory";
    case SCULPT_E_MISSING:
      return "did not find a file";
    case SCULPT_E_INTERNAL:
      return "reports an internal error";
    default:
      return "returned the unknown status " + std::to_string(status);
  }
}

Exit status_exit(sculpt_status status) {
  switch (status) {
    case SCULPT_E_DATA:
      return Exit::data;
    case SCULPT_E_MISSING:
      return Exit::missing;
    case SCULPT_E_PARAMETER:
    case SCULPT_E_UNSUPPORTED:
      return Exit::config;
    case SCULPT_E_MEMORY:
      return Exit::memory;
    default:
      return Exit::plugin;
  }
}

// Returns "viterbi: example 17: text". If the component's text names the example, the host does not
// add it again.
std::string error_message(const std::string& component, std::int64_t example,
                          const std::string& text) {
  const bool needs_no_prefix = example < 0 || text.starts_with("example ");
  const std::string prefix = needs_no_prefix ? "" : "example " + std::to_string(example) + ": ";
  return component + ": " + prefix + text;
}

Failure failure_of(Exit exit, const std::string& text, std::int64_t example) {
  Failure failure(exit, text);
  if (exit == Exit::plugin) failure.set_faulty_example(example);
  return failure;
}

}  // namespace

std::string short_name(const sculpt_component& description) {
  return short_name(std::string_view(description.id));
}

Component::Component(const sculpt_component& description, std::span<const sculpt_value> parameters,
                     Services& services)
    : description_(description),
      link_(short_name(description), services),
      short_name_(description.id + std::strlen(description.id) - name().size()) {
  if (static_cast<std::int64_t>(parameters.size()) != description.parameter_count) {
    throw Failure(Exit::internal, name() + ": got " + std::to_string(parameters.size()) +
                                      " values for " + std::to_string(description.parameter_count) +
                                      " parameters");
  }
  call("create", -1, [&](sculpt_error* error) {
    return description_.life->create(link_.raw(), parameters.data(), &self_, error);
  });
}

Component::~Component() {
  if (description_.life->destroy == nullptr) return;
  run_in_call_scope("destroy", -1, [&] { description_.life->destroy(self_); });
}

void Component::restore(const std::optional<std::string>& state, const std::string& file) {
  if (!state) {
    if (file.empty() || !offers_state()) return;
    throw Failure(Exit::data, file + ": has no state of " + name() +
                                  "; the model is damaged, or another version of the plugin wrote "
                                  "it; train again");
  }
  try {
    restore(*state);
  } catch (const Failure& failure) {
    if (failure.ends_process() || file.empty()) throw;
    throw failure.with_text(file + ": " + failure.what());
  }
}

void Component::restore(std::string_view state) {
  const auto* const table = extension<sculpt_ext_state>();
  if (table == nullptr) {
    throw Failure(Exit::plugin, name() + ": the model holds a state for it, but version " +
                                    description_.version +
                                    " cannot restore states; install the "
                                    "version that the model names");
  }
  const LentArray<char> bytes(*this, "the state", std::span<const char>(state));
  call("state.restore", -1, [&](sculpt_error* error) {
    return table->restore(self_, bytes.data(), static_cast<std::int64_t>(state.size()), error);
  });
  bytes.require_unchanged(-1);
}

void Component::bind(const sculpt_bindings& bindings) {
  if (description_.life->bind == nullptr) return;
  call("bind", -1,
       [&](sculpt_error* error) { return description_.life->bind(self_, &bindings, error); });
}

void Component::seal() {
  if (description_.life->seal == nullptr) return;
  call("seal", -1, [&](sculpt_error* error) { return description_.life->seal(self_, error); });
}

bool Component::offers_state() const {
  return extension<sculpt_ext_state>() != nullptr;
}

std::string Component::save() const {
  const auto* const table = extension<sculpt_ext_state>();
  ByteBuffer bytes;
  call("state.save", -1,
       [&](sculpt_error* error) { return table->save(self_, bytes.raw(), error); });
  return bytes.text_of(*this, -1);
}

void Component::fail(sculpt_status status, const std::string& text, std::int64_t example) const {
  const bool reached_limit = take_limit_reached();
  const std::string memory_advice = take_memory_advice();
  if (status == SCULPT_E_CANCELLED && services().must_finish()) {
    refuse(Exit::plugin, example,
           "returns SCULPT_E_CANCELLED, but the host has not cancelled this call; return it only "
           "if the service " SCULPT_HOST_CANCEL " says so");
  }
  if (status == SCULPT_E_CANCELLED) throw Cancelled();
  if (status == SCULPT_E_MEMORY && reached_limit) {
    refuse(Exit::plugin, example, "its output exceeds the size limit of the host");
  }
  if (status == SCULPT_E_MEMORY) {
    const std::string cause = text.empty() ? status_text(status) : text;
    throw Failure(Exit::memory, error_message(name(), example, cause), memory_advice);
  }
  const Failure failure = failure_of(
      status_exit(status),
      error_message(name(), example, text.empty() ? status_text(status) : text), example);
  if (status == SCULPT_E_UNSUPPORTED) throw Mismatch(failure);
  throw Failure(failure);
}

void Component::refuse(Exit exit, std::int64_t example, const std::string& text) const {
  throw failure_of(exit, error_message(name(), example, text), example);
}

const void* Component::answered_table(const char* id) const {
  const auto ask = [&](const char* name) {
    return run_in_call_scope("extension", -1,
                             [&] { return description_.life->extension(self_, name); });
  };
  if (description_.life->extension == nullptr) return nullptr;
  const void* const table = ask(id);
  const char* const draft = table == nullptr ? sculpt_draft_id(id) : nullptr;
  return draft == nullptr ? table : ask(draft);
}

const void* Component::extension(const char* id, std::size_t required_functions) const {
  const void* const table = answered_table(id);
  for (std::size_t k = 0; table != nullptr && k < required_functions; ++k) {
    void* function = nullptr;  // a table is an array of function pointers
    std::memcpy(&function, static_cast<const char*>(table) + k * sizeof function, sizeof function);
    if (function == nullptr) {
      refuse(Exit::plugin, -1,
             std::string("function ") + std::to_string(k + 1) + " of its " + id + " is NULL");
    }
  }
  return table;
}

Sessions::Sessions(const Component& component, int threads)
    : component_(component), slots_(static_cast<std::size_t>(threads)) {}

Sessions::~Sessions() {
  const sculpt_life& life = *component_.description().life;
  if (life.close_session == nullptr) return;
  for (const Slot& slot : slots_) {
    if (!slot.open) continue;
    component_.run_in_call_scope("close_session", -1, [&] { life.close_session(slot.session); });
  }
}

void* Sessions::for_worker(int worker) {
  const sculpt_life& life = *component_.description().life;
  if (life.open_session == nullptr) return component_.self();
  Slot& slot = slots_[static_cast<std::size_t>(worker)];
  if (!slot.open) {
    component_.call("open_session", -1, [&](sculpt_error* error) {
      return life.open_session(component_.self(), &slot.session, error);
    });
    slot.open = true;
  }
  return slot.session;
}

}  // namespace sculpt::core
