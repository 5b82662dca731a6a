#include "problem/components/dataset.hpp"

#include <sculpt/ext/draft/memory_source.h>
#include <sculpt/ext/draft/place.h>
#include <sculpt/ext/draft/width.h>
#include <sculpt/ext/example_weights.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>

#include "base/file/open_file.hpp"
#include "base/text/message_text.hpp"
#include "problem/components/memory_rows.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_width> {
  static constexpr const char* id = SCULPT_EXT_WIDTH;
  static constexpr std::size_t required_functions = 1;
};

template <>
struct Extension<sculpt_ext_place> {
  static constexpr const char* id = SCULPT_EXT_PLACE;
  static constexpr std::size_t required_functions = 1;
};

template <>
struct Extension<sculpt_ext_example_weights> {
  static constexpr const char* id = SCULPT_EXT_EXAMPLE_WEIGHTS;
  static constexpr std::size_t required_functions = 1;
};

template <>
struct Extension<sculpt_ext_memory_source> {
  static constexpr const char* id = SCULPT_EXT_MEMORY_SOURCE;
  static constexpr std::size_t required_functions = 1;
};

namespace {

// The largest accepted weight of an example. Planes are multiplied by it, and the square of a
// larger one may overflow.
constexpr double max_example_weight = 1e50;

// Throws if the process can open no more files. Without this check, the dataset would report that
// its file is missing. Opens /dev/null, because opening the file itself could block on a pipe.
void require_free_descriptor(const std::string& path) {
  errno = 0;
  const std::ifstream null_device("/dev/null");
  if (!null_device && is_out_of_files(errno)) {
    throw system_failure(Exit::missing, path + ": cannot be opened", errno);
  }
}

}  // namespace

void Dataset::load(const SplitSource& source) {
  if (source.rows != nullptr) return load(source.split, *source.rows);
  if (!source.text) require_free_descriptor(source.path);
  sculpt_source raw = {};
  raw.struct_size = sizeof raw;
  raw.path = source.path.c_str();
  LentArray<char> text;
  if (source.text) {
    text = {component_, "the text of the data", std::span<const char>(*source.text)};
    raw.text = text.data();
    raw.text_size = static_cast<std::int64_t>(source.text->size());
  }
  try {
    component_.call("load", -1, [&](sculpt_error* error) {
      return component_.api<sculpt_dataset_api>().load(component_.self(), source.split.c_str(),
                                                       &raw, error);
    });
    text.require_unchanged(-1);
  } catch (const Failure& failure) {
    // Other files that the dataset reads do not come from this path.
    const std::string message = failure.what();
    const bool is_about_path = message.find(source.path) != std::string::npos;
    if (failure.exit_code() != Exit::missing || !is_about_path) throw;
    throw failure.with_text(message + source.advice);
  }
}

void Dataset::load(const std::string& split, const MemoryRows& rows) {
  const auto* const table = component_.extension<sculpt_ext_memory_source>();
  if (table == nullptr) {
    component_.refuse(Exit::config, -1,
                      "reads files only, but the split \"" + split + "\" is the arrays \"" +
                          rows.name() + "\"; use the dataset arrays");
  }
  component_.call("memory-source.load", -1, [&](sculpt_error* error) {
    return table->load(component_.self(), split.c_str(), &rows.raw(), error);
  });
}

std::int64_t Dataset::count() const {
  std::int64_t count = -1;
  component_.call("count", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().count(component_.self(), &count, error);
  });
  if (count < 0) component_.refuse(Exit::plugin, -1, "reports a negative number of examples");
  return count;
}

Range Dataset::split(const std::string& name) const {
  Range range;
  component_.call("split", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().split(component_.self(), name.c_str(), &range.begin,
                                                      &range.end, error);
  });
  if (range.begin < 0 || range.end < range.begin || range.end > count()) {
    component_.refuse(Exit::plugin, -1,
                      "reports the split \"" + name + "\" as [" + std::to_string(range.begin) +
                          ", " + std::to_string(range.end) + ") of " + std::to_string(count()) +
                          " examples");
  }
  return range;
}

void Dataset::begin_keeping() {
  const std::int64_t examples = count();
  if (component_.is_fenced() || examples > max_kept || !truths_.empty()) return;
  truths_.assign(static_cast<std::size_t>(examples), {nullptr, not_kept});
}

void Dataset::keep_truth(std::int64_t example, sculpt_labels truth) {
  if (!truths_.empty()) truths_[static_cast<std::size_t>(example)] = truth;
}

sculpt_labels Dataset::truth(std::int64_t example) const {
  if (!truths_.empty()) {
    const sculpt_labels kept = truths_[static_cast<std::size_t>(example)];
    if (kept.size != not_kept) return kept;
  }
  sculpt_labels truth = {nullptr, 0};
  component_.call("truth", example, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().truth(component_.self(), example, &truth, error);
  });
  if (truth.size < 0) component_.refuse(Exit::plugin, example, "its truth has a negative size");
  return truth;
}

std::string fault_of_weight(double weight) {
  if (weight >= 0 && weight <= max_example_weight) return "";
  return "its weight is " + (std::isfinite(weight) ? number_text(weight) : "not a finite number") +
         "; weights of examples are numbers from 0 to " + number_text(max_example_weight);
}

std::vector<double> Dataset::example_weights(Range examples) const {
  const auto* const table = component_.extension<sculpt_ext_example_weights>();
  if (table == nullptr) return {};
  std::vector<double> weights(static_cast<std::size_t>(examples.size()), std::nan(""));
  const FilledArray<double> filled(component_, "the weights of the examples", weights);
  component_.call("example-weights.weights", -1, [&](sculpt_error* error) {
    return table->weights(component_.self(), examples.begin, examples.end, filled.data(), error);
  });
  filled.take();
  return weights;
}

std::vector<double> Dataset::training_weights(const ExampleList& training) const {
  const std::int64_t count = training.size();
  if (count == 0) return {};
  const Range range{training[0], training[count - 1] + 1};
  const std::vector<double> of_range = example_weights(range);
  if (of_range.empty()) return {};
  std::vector<double> weights;
  for (std::int64_t k = 0; k < count; ++k) {
    weights.push_back(of_range[static_cast<std::size_t>(training[k] - range.begin)]);
    const std::string fault = fault_of_weight(weights.back());
    if (!fault.empty()) refuse(Exit::data, training[k], fault);
  }
  const auto are_all = [&](double value) {
    return std::count(weights.begin(), weights.end(), value) == count;
  };
  if (are_all(0)) {
    component_.refuse(Exit::data, -1,
                      "the weights of all " + std::to_string(count) +
                          " training examples are 0; give some a positive weight");
  }
  return are_all(1) ? std::vector<double>() : weights;
}

std::string Dataset::format(std::int64_t example, sculpt_labels output) const {
  if (const auto* const table = component_.extension<sculpt_ext_label_text>()) {
    ByteBuffer text;
    const LentLabels labels(component_, "the labels of the output", output);
    component_.call("label-text.format", example, [&](sculpt_error* error) {
      return table->format(component_.self(), example, labels.raw(), text.raw(), error);
    });
    labels.require_unchanged(example);
    return text.text_of(component_, example);
  }
  std::string text;
  for (std::int64_t k = 0; k < output.size; ++k) {
    text += (k > 0 ? " " : "") + std::to_string(output.data[k]);
  }
  return text;
}

std::string Dataset::widest_row() const {
  const auto* const table = component_.extension<sculpt_ext_width>();
  if (table == nullptr) return "";
  ByteBuffer text;
  component_.call("width.widest", -1, [&](sculpt_error* error) {
    return table->widest(component_.self(), text.raw(), error);
  });
  return text.text_of(component_, -1);
}

std::string Dataset::place(std::int64_t example) const {
  const auto* const table = component_.extension<sculpt_ext_place>();
  if (table == nullptr) return "";
  ByteBuffer text;
  component_.call("place.place", example, [&](sculpt_error* error) {
    return table->place(component_.self(), example, text.raw(), error);
  });
  return text.text_of(component_, example);
}

void Dataset::refuse(Exit exit, std::int64_t example, const std::string& text) const {
  const std::string where = place(example);
  component_.refuse(exit, example, (where.empty() ? "" : where + ": ") + text);
}

}  // namespace sculpt::core
