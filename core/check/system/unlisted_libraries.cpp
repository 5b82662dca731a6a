#include "check/system/unlisted_libraries.hpp"

#include "base/failure.hpp"
#include "check/system/forked_function.hpp"

namespace sculpt::core {
namespace {

constexpr char listed = '+';   // first character of a line with the text of a sidecar
constexpr char refused = '-';  // first character of a line with an error

}  // namespace

const LibraryListing& UnlistedLibraries::list(const std::filesystem::path& file) {
  auto found = known_.find(file);
  if (found == known_.end()) found = known_.emplace(file, load(file)).first;
  if (const auto* const why = std::get_if<std::string>(&found->second)) {
    throw Failure(Exit::plugin, *why);
  }
  return std::get<LibraryListing>(found->second);
}

UnlistedLibraries::Known UnlistedLibraries::load(const std::filesystem::path& file) const {
  std::string line;
  const ChildExit end = run_in_child(
      [&](const ChildLink& link) {
        try {
          link.send(listed + sidecar_text(list_library(Library::load(file))));
        } catch (const Failure& failure) {
          link.send(refused + printable(failure.what()));
        }
      },
      [&](int) { return limit_; }, [&](const std::string& sent) { line = sent; });
  if (line.starts_with(refused)) return line.substr(1);
  if (line.starts_with(listed)) return read_sidecar_text(line.substr(1), file);
  const std::string what =
      end.late ? "takes longer than " + exact_number_text(limit_) + " s (--time-limit)"
               : "ends badly: the process " + exit_text(end);
  return file.string() + ": loading it, to see what it offers, " + what;
}

}  // namespace sculpt::core
