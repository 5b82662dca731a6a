#include "command/task/commented_experiment.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/text/message_text.hpp"
#include "experiment/experiment_keys.hpp"
#include "experiment/kernel_keys.hpp"
#include "launch/component_search.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_columns = 98;

// What `sculpt describe` says about a component, a solver or a kernel of the host.
struct Part {
  std::string summary;
  std::vector<ParameterListing> parameters;
};

std::vector<ParameterListing> listed(std::span<const sculpt_parameter> parameters) {
  std::vector<ParameterListing> list;
  for (const sculpt_parameter& parameter : parameters) list.push_back(list_parameter(parameter));
  return list;
}

class ExperimentWriter {
 public:
  ExperimentWriter(const Task& task, Registry& registry) : task_(task), registry_(registry) {}

  std::string text(const Json& experiment, const std::vector<std::string>& head) {
    has_test_ = experiment.contains("/dataset/test"_json_pointer);
    for (const std::string& line : head) comment("", line);
    text_ += "{\n";
    std::size_t left = experiment.size();
    for (const auto& [key, value] : experiment.items()) {
      if (left < experiment.size()) text_ += "\n";
      if (is_section(key)) {
        comment("  ", key + ": " + summary_of(top_level_keys, key));
        alternatives(key);
      } else {
        comment("  ", summary_of(top_level_keys, key));
      }
      text_ += "  " + Json(key).dump() + ": ";
      if (is_section(key)) {
        section(key, value, "  ");
      } else {
        text_ += value.dump();
      }
      text_ += --left > 0 ? ",\n" : "\n";
    }
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  // `line` as comments of at most max_columns.
  void comment(const std::string& indent, const std::string& line) {
    std::istringstream words(printable(line));
    std::string row;
    for (std::string word; words >> word;) {
      const std::size_t width = indent.size() + 4 + row.size() + word.size();
      if (!row.empty() && width > max_columns) {
        text_ += indent + "//" + row + "\n";
        row.clear();
      }
      row += " " + word;
    }
    if (!row.empty()) text_ += indent + "//" + row + "\n";
  }

  static std::string summary_of(std::span<const sculpt_parameter> table, const std::string& key) {
    for (const sculpt_parameter& parameter : table) {
      if (key == parameter.name) return parameter.summary;
    }
    return "";
  }

  Part part_of(const std::string& section, const std::string& use) {
    if (section == "solver") {
      const SolverDescriptor* const solver = find_solver(use);
      return solver == nullptr ? Part() : Part{solver->summary, listed(solver->parameters)};
    }
    if (const HostKernel* const kernel = find_host_kernel(use); kernel && section == "kernel") {
      return {kernel->summary, listed(kernel->keys)};
    }
    for (const auto& usable : registry_.usable_components(kind_of(section))) {
      if (!usable.component->has_name(use)) continue;
      return {usable.component->summary, usable.component->parameters};
    }
    return {};
  }

  // What fits in place of the component of a section.
  void alternatives(const std::string& section) {
    for (const Json& name : task_.instead.value(section, Json::array())) {
      const auto use = name.get<std::string>();
      comment("  ", "Instead: " + use + ": " + part_of(section, use).summary);
    }
  }

  void section(const std::string& name, const Json& value, const std::string& indent) {
    const std::string inner = indent + "  ";
    if (value.is_array()) {
      text_ += "[\n";
      for (std::size_t k = 0; k < value.size(); ++k) {
        text_ += inner;
        section(name, value[k], inner);
        text_ += k + 1 < value.size() ? ",\n" : "\n";
      }
      text_ += indent + "]";
      return;
    }
    const std::string use = value.is_string() ? value.get<std::string>() : value.value("use", "");
    const Part part = part_of(name, use);
    text_ += "{\n";
    comment(inner, part.summary);
    comment(inner, other_keys(part, value, use));
    text_ += inner + "\"use\": " + Json(use).dump();
    if (value.is_object()) {
      for (const auto& [key, item] : value.items()) {
        if (key != "use") member(name, part, {key, item}, inner);
      }
    }
    text_ += "\n" + indent + "}";
  }

  // "More keys: bias, order: sculpt describe chain".
  static std::string other_keys(const Part& part, const Json& value, const std::string& use) {
    std::vector<std::string> names;
    for (const ParameterListing& parameter : part.parameters) {
      if (parameter.is_deprecated || (value.is_object() && value.contains(parameter.name)))
        continue;
      names.push_back(parameter.name);
    }
    if (names.empty()) return "";
    return "More keys, explained by `sculpt describe " + use + "`: " + joined(names, ", ");
  }

  void member(const std::string& section_name, const Part& part,
              const std::pair<std::string, const Json&>& member, const std::string& indent) {
    const auto& [key, value] = member;
    text_ += ",\n";
    if (section_name == "dataset") {
      if (key == "train" && !has_test_) {
        comment(indent, "\"test\": \"FILE\", " + summary_of(split_keys, "test"));
      }
      comment(indent, summary_of(split_keys, key));
    }
    for (const ParameterListing& parameter : part.parameters) {
      if (parameter.name != key) continue;
      comment(indent,
              parameter.summary +
                  (parameter.choices.empty() ? "" : " (" + joined(parameter.choices, ", ") + ")"));
    }
    text_ += indent + Json(key).dump() + ": ";
    if (section_name == "kernel" && key == "of") {
      section("kernel", value, indent);
    } else if (value.is_array() && value.dump().size() > max_columns / 2) {
      for (std::size_t k = 0; k < value.size(); ++k) {
        text_ += (k == 0 ? "[\n" : ",\n") + indent + "  " + value[k].dump();
      }
      text_ += "\n" + indent + "]";
    } else {
      text_ += value.dump();
    }
  }

  const Task& task_;
  Registry& registry_;
  bool has_test_ = false;
  std::string text_;
};

}  // namespace

std::string commented_experiment(const Json& experiment, const Task& task,
                                 const std::vector<std::string>& head, Registry& registry) {
  return ExperimentWriter(task, registry).text(experiment, head);
}

}  // namespace sculpt::core
