// sculpt new: writes the folder of a new plugin, which builds, passes check, trains and predicts.

#include <filesystem>

#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/new/new_folder.hpp"
#include "command/new/next_commands.hpp"
#include "command/new/plugin_files.hpp"
#include "command/new/plugin_kind.hpp"
#include "command/new/plugin_name.hpp"
#include "launch/assembly.hpp"
#include "launch/stop_signal.hpp"

namespace sculpt::core {
namespace {

constexpr const char* new_epilogue =
    "\n"
    "NAME is the name of the folder, the library and its component: small letters, digits and _,\n"
    "with a letter first. The folder is made in the working directory. It has the source, a file\n"
    "for CMake with a test, an experiment, a script that makes data, and a README. Without\n"
    "--kind, the kinds are listed.\n"
    "\n"
    "Exit codes: 0 the folder is made; 64 usage, or a name that cannot be used; 73 something\n"
    "has this name in the working directory, or the folder cannot be made; 74 a write failed.\n"
    "If it fails, it leaves nothing behind.\n";

// Throws Failure(Exit::usage) unless the kind can be written in C.
void require_c(const PluginKind& kind) {
  if (kind.has_c) return;
  throw Failure(Exit::usage, "--c: " + with_article(kind.name) +
                                 " is written in C++ only, because dynamic programs are templates "
                                 "of the SDK; leave out --c, or use --kind task --c");
}

// Throws Failure(Exit::usage) if the search path has a component or library of this name, or if a
// solver has it.
void require_unused(const std::string& name) {
  Registry::Settings settings = registry_settings();
  settings.experiment_folder = std::filesystem::current_path();
  settings.warn = nullptr;  // broken libraries elsewhere do not matter here
  Registry registry(settings);
  require_free_name(registry, name);
}

void print_new_plugin(const PluginKind& kind, bool is_c, const std::string& name) {
  TextOut out = report_out();
  out << "made " << name << "/: " << with_article(kind.name) << " in "
      << std::string(is_c ? "C" : "C++") << "\n\n"
      << "These commands make data, build the plugin, check it, train and predict:\n\n";
  for (const std::string& command : next_commands(name)) out << "    " << command << "\n";
  out << "\n" << name << "/README.md says what to change.\n";
}

}  // namespace

Exit new_plugin(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("new", {"NAME"});
  line.add()("kind", po::value<std::string>()->value_name("KIND"),
             "what to make: task, program, loss, map_solver, dataset, oracle or kernel")(
      "c", "write it in C99; without this, in C++20");
  line.add_epilogue(new_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  if (!line.has("kind")) {
    if (line.has("NAME")) {
      throw Failure(Exit::usage,
                    "sculpt new needs --kind; the kinds are:", "\n" + plugin_kinds_text());
    }
    report_out() << "The kinds of plugins, for sculpt new NAME --kind KIND:\n";
    report_out().lines(plugin_kinds_text());
    return Exit::reached;
  }
  const PluginKind& kind = find_plugin_kind(line.get<std::string>("kind"));
  const std::string name = line.required("NAME");
  const bool is_c = line.has("c");
  if (is_c) require_c(kind);
  require_plugin_name(name);
  require_unused(name);
  catch_stop_signals();  // a stop comes too late: the files are written within milliseconds
  ignore_write_signals();
  write_new_folder(std::filesystem::current_path() / name, plugin_files(kind, is_c, name));
  print_new_plugin(kind, is_c, name);
  return Exit::reached;
}

}  // namespace sculpt::core
