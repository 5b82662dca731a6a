#include "command/reports/model_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/file/stored_json.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/data/data_columns.hpp"
#include "command/data/stored_names.hpp"
#include "command/inputs/loaded_model.hpp"
#include "command/inputs/model_objective.hpp"
#include "command/reports/kernel_model.hpp"
#include "command/reports/top_weights.hpp"
#include "command/reports/training_texts.hpp"
#include "command/reports/weight_json.hpp"
#include "command/reports/weight_names.hpp"
#include "command/training/training_summary.hpp"
#include "launch/example_weights.hpp"
#include "launch/resume.hpp"
#include "launch/run_events.hpp"
#include "objective/objective.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// The number of this key. null means that the value was not finite: returns NaN.
double number_or_nan(const Json& object, const char* key) {
  const Json& value = object.at(key);
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

// A whole number. get() would also take others, such as 1e308.
std::int64_t whole_number_in(const Json& object, const char* key) {
  return static_cast<std::int64_t>(object.at(key).get_ref<const Json::number_unsigned_t&>());
}

// The count of this key, with its unit: "3 passes".
std::string count_in(const Json& object, const char* key, const char* unit) {
  return count_text(whole_number_in(object, key), unit);
}

// `validated`: what validations have chosen, or null.
void print_certificate(const Json& certificate, const Json& validated) {
  const bool is_certified = certificate.at("certified").get<bool>();
  const bool is_reached = exit_of(certificate) == Exit::reached;
  const double gap = number_or_nan(certificate, "relative_gap");
  const bool has_residual = certificate.contains("residual");
  const std::string missed = has_residual ? "" : ", target not reached";
  const std::string gap_text =
      is_certified && (has_residual || !is_reached)
          ? percent_text(gap) + ", proved" + missed
          : number_text(gap) + (is_certified ? ", certified" : ", not certified");
  TextOut out = report_out();
  out.row("primal", primal_text(number_or_nan(certificate, "primal"), bound_kind_in(certificate)));
  out.row("dual", number_text(number_or_nan(certificate, "dual")));
  out.row("relative gap", gap_text);
  if (has_residual) {
    out.row("residual", number_text(number_or_nan(certificate, "residual")) + " of ||b||" +
                            (is_reached ? ", target reached" : ", target not reached"));
  }
  if (certificate.contains("hinge_primal")) {
    out.row("hinge primal", number_text(number_or_nan(certificate, "hinge_primal")));
  }
  if (validated.is_object()) {
    out.row("stopped by", stop_text(validated));
    out.row("kept", validated_text(validated));
    return;
  }
  out.row("stopped by", certificate.at("stopped_by").get<std::string>() + " after " +
                            count_in(certificate, "passes", "pass") + ", " +
                            count_in(certificate, "oracle_calls", "oracle call"));
}

// The sizes, the objective, the certificate, the components, the data, and the version of the host.
void print_header(const ModelFile& model, const std::string& data_sizes) {
  const Json& header = model.header();
  const auto nonzero = std::count_if(model.weights().begin(), model.weights().end(),
                                     [](double weight) { return weight != 0; });
  const bool has_objective = header.contains("formulation");  // earlier versions do not write it
  const std::string objective = has_objective ? objective_of(model)->text() : "";
  TextOut out = report_out();
  out << header.at("name").get<std::string>() << ": "
      << (has_kernel(model) ? support_text(model)
                            : count_in(header, "dimension", "weight") + ", " +
                                  std::to_string(nonzero) + " of them not 0")
      << "; learned from " << count_in(header, "examples", "example") << "\n";
  if (has_kernel(model)) out.row("support atoms", atom_bytes_text(model));
  if (!data_sizes.empty()) out.row("data", data_sizes);
  if (has_objective) {
    const SolverDescriptor* const solver =
        find_solver(header.at("/config/solver/use"_json_pointer).get<std::string>());
    const bool minimizes = solver == nullptr || solver->minimizes;
    out.row(minimizes ? "minimizes" : "measured by", objective);
  }
  if (header.contains("example_weights")) {
    out.row("example weights", example_weights_text(header["example_weights"]));
  }
  print_certificate(header.at("certificate"), header.value("validated", Json()));
  const Json config = header.value("config", Json());
  if (config.is_object() && config.contains("kernel")) {
    const Json& kernel = config["kernel"];
    out.row("kernel", kernel.is_string() ? kernel.get<std::string>() : kernel.dump());
  }
  for (const Json& component : header.at("components")) {
    out.row(
        component.at("kind").get<std::string>(),
        component.at("id").get<std::string>() + " " + component.at("version").get<std::string>());
  }
  out.row("solver", header.at("/config/solver/use"_json_pointer).get<std::string>());
  for (const auto& [split, hash] : header.at("data").items()) {
    out.row(split + " data", hash.get<std::string>());
  }
  out.row("written by", "sculpt " + header.at("sculpt").get<std::string>());
}

void print_weight(double weight, const WeightUnit& unit, bool is_scaled) {
  report_out() << "  " << padded(number_text(weight), 14);
  if (is_scaled) {
    report_out() << padded(unit_text(weight, unit), 14);
  }
  report_out() << unit.name << "\n";
}

// A dataset may scale its columns without a parameter "scaling": then their divisors tell.
void print_top_weights(const TopWeights& top, const std::string& scaling) {
  const bool has_scaling = scaling != "none";
  const bool is_scaled = has_scaling || top.is_scaled();
  report_out() << "top weights";
  if (has_scaling) report_out() << " of columns scaled by " << scaling;
  if (is_scaled && !has_scaling) report_out() << " of scaled columns";
  if (is_scaled) {
    report_out() << ", and the weights for one unit of the data\n  " << padded("weight", 14)
                 << padded("one unit", 14) << "name";
  }
  report_out() << "\n";
  for (std::size_t k = 0; k < top.weights.size(); ++k) {
    print_weight(top.weights[k], top.units[k], is_scaled);
  }
}

// Without data there are no atoms, so the problem of a model with a kernel cannot be loaded.
void print_kernel_model(const std::filesystem::path& path, const ModelFile& model,
                        std::int64_t max_count) {
  const auto texts = max_count > 0 ? training_texts(path, model) : nullptr;
  read_stored_values(model.path(), "; train again or use another copy", [&] {
    print_header(model, "");
    print_support_examples(model, max_count, [&](std::int64_t example) {
      return texts ? texts->text(example) : std::string();
    });
  });
}

// nullptr if a plugin is missing: then a warning says that weights have no names.
std::unique_ptr<LoadedModel> load_for_names(const std::shared_ptr<const ModelFile>& file) {
  try {
    return std::make_unique<LoadedModel>(file, std::nullopt, 1);
  } catch (const Failure& failure) {
    if (failure.exit_code() != Exit::plugin) throw;
    const bool has_names = file->header().contains(stored_names_key);
    Console().warn(failure.what() +
                   std::string(has_names ? "; the names of the weights are those of the training"
                                         : "; weights are shown by number, without names"));
    return nullptr;
  }
}

}  // namespace

void print_model(const std::filesystem::path& path, std::int64_t max_count) {
  const auto file = std::make_shared<const ModelFile>(path);
  const ModelFile& model = *file;
  if (has_kernel(model)) {
    print_kernel_model(path, model, max_count);
    return;
  }
  const std::unique_ptr<LoadedModel> loaded = load_for_names(file);
  // Names may fail, so they are made before anything is printed.
  const std::string scaling = scaling_in(model.header());
  const WeightNames names(loaded ? &loaded->problem() : nullptr, model.header());
  const std::string data_sizes = loaded ? sizes_text(loaded->problem()) : "";
  const TopWeights top = top_weights(model.weights(), max_count, names);
  read_stored_values(model.path(), "; train again or use another copy",
                     [&] { print_header(model, data_sizes); });
  print_top_weights(top, scaling);
}

void print_model_json(const std::filesystem::path& path, std::int64_t max_count) {
  const auto file = std::make_shared<const ModelFile>(path);
  const ModelFile& model = *file;
  if (has_kernel(model)) {
    Json json = model.header();
    json["support"] = read_stored_values(model.path(), "; train again or use another copy",
                                         [&] { return support_json(model, max_count); });
    print_json(json);
    return;
  }
  const auto loaded = max_count > 0 ? load_for_names(file) : nullptr;  // the header needs no plugin
  print_weights_json(model, WeightNames(loaded ? &loaded->problem() : nullptr, model.header()),
                     max_count);
}

}  // namespace sculpt::core
