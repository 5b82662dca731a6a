#include "check/system/unlisted_libraries.hpp"

#include "base/failure.hpp"
#include "check/system/forked_function.hpp"

namespace sculpt::core {
namespace {

constexpr char listing_prefix = '+';  // first character of a line with the text of a sidecar
constexpr char error_prefix = '-';    // first character of a line with an error

}  // namespace

const LibraryListing& UnlistedLibraries::list(const std::filesystem::path& file) {
  auto found = results_.find(file);
  if (found == results_.end()) found = results_.emplace(file, load(file)).first;
  if (const auto* const reason = std::get_if<std::string>(&found->second)) {
    throw Failure(Exit::plugin, *reason);
  }
  return std::get<LibraryListing>(found->second);
}

UnlistedLibraries::Result UnlistedLibraries::load(const std::filesystem::path& file) const {
  std::string line;
  const ChildExit end = run_in_child(
      [&](const ChildLink& link) {
        try {
          link.send(listing_prefix + sidecar_text(list_library(Library::load(file))));
        } catch (const Failure& failure) {
          link.send(error_prefix + printable(failure.what()));
        }
      },
      [&](int) { return limit_; }, [&](const std::string& received) { line = received; });
  if (line.starts_with(error_prefix)) return line.substr(1);
  if (line.starts_with(listing_prefix)) return read_sidecar_text(line.substr(1), file);
  const std::string what =
      end.has_timed_out ? "takes longer than " + exact_number_text(limit_) + " s (--time-limit)"
                        : "fails: the process " + exit_text(end);
  return file.string() + ": loading it to list its components " + what;
}

}  // namespace sculpt::core
