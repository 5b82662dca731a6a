// live_component.hpp - a component of a built plugin, called only through the C ABI.
//
// Used by the tests of plugins/, so that they test what a host gets. A failed call throws
// CallFailed with the error text of the component.
#pragma once

#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/sites.h>
#include <sculpt/ext/state.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace plugin_test {

class CallFailed : public std::runtime_error {
 public:
  CallFailed(sculpt_status status, const std::string& text)
      : std::runtime_error(text), status_(status) {}
  sculpt_status status() const { return status_; }

 private:
  sculpt_status status_;
};

// The buffer that a component writes its error to. check() throws it.
class ErrorText {
 public:
  sculpt_error* raw() { return &raw_; }
  void check(sculpt_status status) const {
    if (status != SCULPT_OK) throw CallFailed(status, text_);
  }

 private:
  char text_[2048] = "";
  sculpt_error raw_{text_, sizeof text_, nullptr};
};

// The catalogue of a built plugin.
const sculpt_plugin& plugin(const std::string& library);

class LiveComponent {
 public:
  // The component `name` of the library `name`.so, or of "library#name". `parameters` replace
  // defaults. `kind` chooses if several components have this name; 0 is any kind.
  explicit LiveComponent(const std::string& name,
                         const nlohmann::json& parameters = nlohmann::json::object(),
                         std::uint32_t kind = 0);
  // A component that the test defines, without parameters.
  explicit LiveComponent(const sculpt_component& component);
  ~LiveComponent();
  LiveComponent(const LiveComponent&) = delete;
  LiveComponent& operator=(const LiveComponent&) = delete;

  void restore(std::string_view state);
  void load(const std::string& split, const std::string& text);  // datasets; path "data.txt"
  void load_file(const std::string& split, const std::string& path);
  void bind(const LiveComponent* dataset, const LiveComponent* features = nullptr,
            const LiveComponent* loss = nullptr);
  void seal();
  std::string save() const;

  template <class Api>
  const Api& api() const {
    return *static_cast<const Api*>(component_->api);
  }
  // The table of an extension. Throws logic_error if the component does not offer it.
  template <class Table>
  const Table& extension(const char* id) const {
    const void* table = component_->life->extension(self_, id);
    if (table == nullptr) throw std::logic_error(std::string("no extension ") + id);
    return *static_cast<const Table*>(table);
  }
  bool offers(const char* id) const { return component_->life->extension(self_, id) != nullptr; }
  void* self() const { return self_; }
  void* session() const;  // opened at the first call
  sculpt_ref ref() const { return {component_, self_}; }
  const std::vector<std::string>& log() const { return log_; }

  // From now on the host's cancel service answers `stop`. polls() counts the calls of the service.
  void ask_to_stop(bool stop) { stop_ = stop; }
  int polls() const { return polls_; }

 private:
  void load(const std::string& split, const sculpt_source& source);
  static const void* find_service(const sculpt_host* host, const char* id);

  LiveComponent(const sculpt_component& component, const nlohmann::json& parameters);

  const sculpt_component* component_;
  sculpt_host host_;
  std::vector<std::string> log_;
  bool stop_ = false;
  int polls_ = 0;
  void* self_ = nullptr;
  mutable void* session_ = nullptr;
};

// Results of the calls, as plain values.
using Outputs = std::vector<std::int32_t>;
using Names = std::vector<std::string>;               // of attributes, of weights
using Split = std::pair<std::int64_t, std::int64_t>;  // [first example, end)

struct Solution {
  Outputs output;
  double value = 0;
  std::uint32_t flags = 0;
};

// A view of y, valid as long as y.
sculpt_labels view(const Outputs& y);

// datasets
std::int64_t example_count(const LiveComponent& dataset);
Split split_of(const LiveComponent& dataset, const std::string& name);
bool is_labelled(const LiveComponent& dataset, std::int64_t example);
Outputs truth_of(const LiveComponent& dataset, std::int64_t example);
sculpt_sites_shape shape_of(const LiveComponent& dataset);
sculpt_sites sites_of(const LiveComponent& dataset, std::int64_t example);
std::string format(const LiveComponent& dataset, std::int64_t example, const Outputs& y);
Outputs parse(const LiveComponent& dataset, std::int64_t example, const std::string& text);
std::string state_name(const LiveComponent& dataset, std::int32_t state);
std::string feature_name(const LiveComponent& dataset, std::int64_t feature);

// features; vectors are dense
std::int64_t dimension(const LiveComponent& features);
std::vector<double> psi(const LiveComponent& features, std::int64_t example, const Outputs& y);
const sculpt_factor_graph& graph_of(const LiveComponent& features, std::int64_t example);
std::vector<double> potentials(const LiveComponent& features, std::int64_t example,
                               const std::vector<double>& w);
std::vector<double> pullback(const LiveComponent& features, std::int64_t example,
                             const std::vector<double>& mu);
std::uint32_t classes_of(const LiveComponent& features);
std::string weight_name(const LiveComponent& features, std::int64_t weight);

// losses
double loss(const LiveComponent& loss, const Outputs& truth, const Outputs& guess);
std::uint32_t loss_demands(const LiveComponent& loss);
// Adds scale * Delta to theta and returns the constant that remains.
double add_factor_loss(const LiveComponent& loss, const sculpt_factor_graph& graph,
                       const Outputs& truth, double scale, std::vector<double>& theta);
// The metrics of pairs (truth, guess) and of examples without an output, by name.
nlohmann::json metrics(const LiveComponent& loss,
                       const std::vector<std::pair<Outputs, Outputs>>& pairs,
                       const std::vector<Outputs>& truths_without_output = {});

// map_solvers
std::vector<std::uint32_t> solver_demands(const LiveComponent& solver);
Solution solve(const LiveComponent& solver, const sculpt_factor_graph& graph,
               const std::vector<double>& theta, std::uint64_t seed = 1);

}  // namespace plugin_test
