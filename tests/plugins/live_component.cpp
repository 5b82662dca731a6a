#include "live_component.hpp"

#include <dlfcn.h>
#include <sculpt/ext/host.h>

#include <cstring>
#include <deque>
#include <limits>

namespace plugin_test {

namespace {

using nlohmann::json;

// `given`: "library" or "library#name". Kind 0 is any kind.
const sculpt_component* find_component(const std::string& given, std::uint32_t kind) {
  const std::size_t separator = given.find('#');
  const std::string name = given.substr(separator == std::string::npos ? 0 : separator + 1);
  const sculpt_plugin& catalogue = plugin(given.substr(0, separator));
  for (std::int64_t k = 0; k < catalogue.component_count; ++k) {
    const sculpt_component* component = catalogue.components[k];
    const bool fits = kind == 0 || component->kind == kind;
    if (fits && component->id == "org.sculpt." + name) return component;
  }
  throw std::logic_error("no component " + name);
}

// One value for each entry of a parameter table, with the texts and lists that values point to.
class ParameterValues {
 public:
  ParameterValues(const sculpt_component& component, const json& given) {
    for (std::int64_t k = 0; k < component.parameter_count; ++k) {
      const sculpt_parameter& entry = component.parameters[k];
      const bool set = given.contains(entry.name);
      const json value = set ? given[entry.name] : json::parse(entry.fallback);
      values_.push_back(read(entry.type, entry.choices, value));
      values_.back().is_default = set ? 0 : 1;
      seen_ += set ? 1 : 0;
    }
    if (seen_ != given.size()) throw std::logic_error("a parameter that is not declared");
  }
  const sculpt_value* data() const { return values_.data(); }

 private:
  sculpt_value read(std::uint32_t type, const char* choices, const json& value) {
    sculpt_value result{type,    0,       -1, std::numeric_limits<double>::quiet_NaN(),
                        nullptr, nullptr, 0,  0};
    if (type == SCULPT_PARAMETER_JSON) {
      result.text = texts_.emplace_back(value.dump()).c_str();
      return result;
    }
    if (value.is_null()) return result;
    if ((type & SCULPT_PARAMETER_LIST) != 0) {
      std::vector<sculpt_value>& items = lists_.emplace_back();
      for (const json& item : value) {
        items.push_back(read(type & ~std::uint32_t{SCULPT_PARAMETER_LIST}, choices, item));
      }
      result.items = items.data();
      result.item_count = static_cast<std::int64_t>(items.size());
    } else if (value.is_string()) {
      result.text = texts_.emplace_back(value.get<std::string>()).c_str();
    } else if (value.is_boolean()) {
      result.integer = value.get<bool>() ? 1 : 0;
    } else {
      result.real = value.get<double>();
      result.integer = value.get<std::int64_t>();
    }
    return result;
  }

  std::vector<sculpt_value> values_;
  std::deque<std::string> texts_;
  std::deque<std::vector<sculpt_value>> lists_;
  std::size_t seen_ = 0;
};

}  // namespace

const sculpt_plugin& plugin(const std::string& library) {
  const std::string path = SCULPT_PLUGIN_DIRECTORY "/" + library + ".so";
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::logic_error(dlerror());
  const auto entry = reinterpret_cast<sculpt_entry_function>(dlsym(handle, "sculpt_entry"));
  if (entry == nullptr) throw std::logic_error(dlerror());
  const sculpt_plugin* catalogue = entry({SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR});
  if (catalogue == nullptr) throw std::logic_error(path + " refuses this ABI");
  return *catalogue;
}

LiveComponent::LiveComponent(const std::string& name, const json& parameters, std::uint32_t kind)
    : LiveComponent(*find_component(name, kind), parameters) {}

LiveComponent::LiveComponent(const sculpt_component& component)
    : LiveComponent(component, json::object()) {}

LiveComponent::LiveComponent(const sculpt_component& component, const json& parameters)
    : component_(&component),
      host_{sizeof(sculpt_host), {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR}, this, "0", find_service} {
  const ParameterValues values(*component_, parameters);
  ErrorText error;
  error.check(component_->life->create(&host_, values.data(), &self_, error.raw()));
}

LiveComponent::~LiveComponent() {
  if (session_ != nullptr) component_->life->close_session(session_);
  component_->life->destroy(self_);
}

const void* LiveComponent::find_service(const sculpt_host*, const char* id) {
  static const sculpt_host_log log{[](const sculpt_host* host, std::int32_t, const char* text) {
    static_cast<LiveComponent*>(host->self)->log_.push_back(text);
  }};
  static const sculpt_host_cancel cancel{[](const sculpt_host* host) -> std::int32_t {
    auto& component = *static_cast<LiveComponent*>(host->self);
    ++component.polls_;
    return component.stop_ ? 1 : 0;
  }};
  if (std::strcmp(id, SCULPT_HOST_LOG) == 0) return &log;
  return std::strcmp(id, SCULPT_HOST_CANCEL) == 0 ? &cancel : nullptr;
}

void LiveComponent::restore(std::string_view state) {
  ErrorText error;
  error.check(
      extension<sculpt_ext_state>(SCULPT_EXT_STATE)
          .restore(self_, state.data(), static_cast<std::int64_t>(state.size()), error.raw()));
}

void LiveComponent::load(const std::string& split, const std::string& text) {
  load(split, sculpt_source{sizeof(sculpt_source), 0, "data.txt", text.data(),
                            static_cast<std::int64_t>(text.size())});
}
void LiveComponent::load_file(const std::string& split, const std::string& path) {
  load(split, sculpt_source{sizeof(sculpt_source), 0, path.c_str(), nullptr, 0});
}
void LiveComponent::load(const std::string& split, const sculpt_source& source) {
  ErrorText error;
  error.check(api<sculpt_dataset_api>().load(self_, split.c_str(), &source, error.raw()));
}

void LiveComponent::bind(const LiveComponent* dataset, const LiveComponent* features,
                         const LiveComponent* loss) {
  const sculpt_ref none{nullptr, nullptr};
  const sculpt_bindings bindings{sizeof(sculpt_bindings), 0, dataset ? dataset->ref() : none,
                                 features ? features->ref() : none, loss ? loss->ref() : none};
  ErrorText error;
  error.check(component_->life->bind(self_, &bindings, error.raw()));
}

void LiveComponent::seal() {
  ErrorText error;
  error.check(component_->life->seal(self_, error.raw()));
}

void* LiveComponent::session() const {
  if (session_ == nullptr) {
    ErrorText error;
    error.check(component_->life->open_session(self_, &session_, error.raw()));
  }
  return session_;
}

}  // namespace plugin_test
