#include "experiment/kernel_use.hpp"

#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "base/text/parameter_text.hpp"
#include "experiment/checked_parameters.hpp"
#include "experiment/kernel_keys.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// Kernels inside kernels, the outermost included. Deeper trees would overflow the stack of
// recursive code.
constexpr int max_levels = 16;

KernelUse read_at_level(const JsonDocument& document, const std::string& pointer, int level);

std::vector<KernelUse> read_members(const JsonDocument& document, const std::string& pointer,
                                    const HostKernel& owner, int level) {
  const Json& list = *document.find(pointer);
  if (!list.is_array() || list.empty()) {
    refuse(document.position(pointer), std::string("\"members\" of ") + owner.name +
                                           " must be a list of at least one kernel, " + "not " +
                                           (list.is_array() ? "an empty list" : found_text(list)));
  }
  std::vector<KernelUse> members;
  for (std::size_t k = 0; k < list.size(); ++k) {
    members.push_back(read_at_level(document, pointer + "/" + std::to_string(k), level));
  }
  return members;
}

// The weights of a sum. Their numbers are checked already, but not how many there are.
std::vector<double> read_weights(const CheckedParameters& values, const Position& position,
                                 std::size_t member_count) {
  const sculpt_value& list = values.value("weights");
  if (list.items == nullptr) return {};
  std::vector<double> weights;
  for (std::int64_t k = 0; k < list.item_count; ++k) weights.push_back(list.items[k].real);
  if (weights.size() != member_count) {
    refuse(position, "\"weights\" of sum has " + count_text(list.item_count, "number") + " for " +
                         count_text(static_cast<std::int64_t>(member_count), "member") +
                         "; give one for each member");
  }
  return weights;
}

// The explicit rows of a product would have as many columns as the product of those of its members.
void refuse_products(const KernelUse& use) {
  if (use.rule == KernelRule::product) {
    refuse(use.use_position,
           "a product has no explicit rows; leave out \"explicit\", or use a polynomial kernel");
  }
  for (const KernelUse& member : use.members) refuse_products(member);
}

KernelUse read_at_level(const JsonDocument& document, const std::string& pointer, int level) {
  if (level > max_levels) {
    refuse(document.position(pointer),
           "kernels are nested deeper than " + std::to_string(max_levels) + " levels");
  }
  const Json& json = *document.find(pointer);
  Section section = read_section(document, pointer, "kernel");
  KernelUse use;
  use.use_position = section.use_position;
  use.text = json.is_string() ? json.get<std::string>() : json.dump();
  const HostKernel* const host = find_host_kernel(section.use);
  if (host == nullptr) {
    use.component = std::move(section);
    return use;
  }
  use.rule = host->rule;
  const CheckedParameters values(host->keys, section.keys, host->name);
  if (use.rule == KernelRule::explicit_rows && level > 1) {
    refuse(use.use_position,
           "explicit is no kernel, so no other kernel can contain it; make it the outermost one");
  }
  if (has_one_member(use.rule)) {
    use.members.push_back(read_at_level(document, pointer + "/of", level + 1));
    if (use.rule == KernelRule::explicit_rows) refuse_products(use.members.front());
    return use;
  }
  use.members = read_members(document, pointer + "/members", *host, level + 1);
  if (use.rule == KernelRule::sum) {
    use.weights = read_weights(values, section.keys.position("/weights"), use.members.size());
  }
  return use;
}

void add_leaves(const KernelUse& use, std::vector<const Section*>& leaves) {
  if (use.component) leaves.push_back(&*use.component);
  for (const KernelUse& member : use.members) add_leaves(member, leaves);
}

}  // namespace

KernelUse read_kernel(const JsonDocument& document, const std::string& pointer) {
  return read_at_level(document, pointer, 1);
}

std::vector<const Section*> leaves_of(const KernelUse& use) {
  std::vector<const Section*> leaves;
  add_leaves(use, leaves);
  return leaves;
}

}  // namespace sculpt::core
