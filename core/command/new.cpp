// sculpt new: writes the folder of a new plugin, which builds, passes check, trains and predicts.

#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>

#include "base/file/durable_file.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/new/new_folder.hpp"
#include "command/new/next_commands.hpp"
#include "command/new/plugin_files.hpp"
#include "command/new/plugin_kind.hpp"
#include "command/new/plugin_name.hpp"
#include "command/task/absolute_paths.hpp"
#include "command/task/commented_experiment.hpp"
#include "command/task/task_experiment.hpp"
#include "launch/component_search.hpp"
#include "launch/stop_signal.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* new_epilogue =
    "\n"
    "NAME is the name of the folder, the library and its component: small letters, digits and _,\n"
    "with a letter first. The folder is made in the working directory. It has the source, a file\n"
    "for CMake with a test, an experiment, a script that makes data, and a README. Without\n"
    "--kind, the kinds are listed.\n"
    "\n"
    "  sculpt new experiment --task ranking --train train.txt --output ranking.json\n"
    "\n"
    "writes an experiment in place of a plugin, which runs as it is. Comments tell what its keys "
    "do\n"
    "and what fits in place of its components. sculpt train --help lists the tasks.\n"
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

void require_new_file(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return;
  throw Failure(Exit::cannot_create, path.string() + ": exists already; choose another name");
}

// True for `sculpt new experiment --task`. Throws Failure(Exit::usage) for its options without it.
bool wants_experiment(const CommandLine& line) {
  const bool is_named = line.has("NAME") && line.get<std::string>("NAME") == "experiment";
  if (is_named && !line.has("kind") && !line.has("task")) {
    throw Failure(Exit::usage,
                  "sculpt new experiment needs --task; the tasks are:", "\n" + tasks_text());
  }
  for (const char* option : {"task", "train", "test", "output", "set"}) {
    if (!line.has(option) || (is_named && line.has("task") && !line.has("kind"))) continue;
    throw Failure(Exit::usage, std::string("--") + option +
                                   " is for experiments; write: sculpt new experiment --task TASK "
                                   "--train FILE");
  }
  return line.has("task");
}

// Writes an experiment of a task. The file runs as it is.
Exit new_experiment(const CommandLine& line) {
  TaskRequest request;
  request.task = line.get<std::string>("task");
  find_task(request.task);
  if (!line.has("train")) {
    throw Failure(Exit::usage, "sculpt new experiment needs --train FILE, the training data");
  }
  request.train = line.get<std::string>("train");
  if (line.has("test")) request.test = line.get<std::string>("test");
  request.overrides = line.overrides();
  request.threads_of = [](std::int64_t) {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  };
  catch_stop_signals();
  ignore_write_signals();
  const fs::path output = line.has("output") ? output_option(line) : fs::path();
  if (!output.empty()) require_new_file(output);
  Console console(Console::prints_if(line.is_quiet()));
  const TaskExperiment task(request, console);
  Registry registry(registry_settings(task.document(), task.overrides()));
  JsonDocument document = task.document();
  for (const Override& change : task.overrides()) change.apply(document, declared_in(registry));
  nlohmann::ordered_json experiment = document.json();
  // Without it the run has the name of the file, and a copy of the file a name of its own.
  const bool sets_name = std::any_of(request.overrides.begin(), request.overrides.end(),
                                     [](const Override& change) { return change.key() == "name"; });
  if (!sets_name) experiment.erase("name");
  // Paths in a file are relative to its folder, and those of the command line to this one.
  const bool is_elsewhere = !output.empty() && output.parent_path() != fs::current_path();
  if (is_elsewhere) make_paths_absolute(experiment, task.config(registry));
  const std::string name = output.empty() ? "FILE" : shell_word(output.filename().string());
  const std::string text = commented_experiment(
      experiment, task.task(),
      {"The task " + task.task().name + ": " + task.task().summary + ".", "sculpt train " + name,
       "sculpt sweep " + name + " --set solver.C=A,B,C --folds 3 --best loss"},
      registry);
  if (output.empty()) {
    report_out().lines(text);
  } else {
    const std::array<std::string_view, 1> parts{text};
    write_durably(output, parts);
    if (line.is_quiet()) return Exit::reached;
    report_out() << "made " << output.string() << "; next: sculpt train "
                 << shell_word(output.string()) << "\n";
  }
  return Exit::reached;
}

}  // namespace

Exit new_plugin(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("new", {"NAME"});
  line.add()("kind", po::value<std::string>()->value_name("KIND"),
             "what to make: task, program, loss, map_solver, dataset, oracle or kernel")(
      "c", "write it in C99; without this, in C++20")(
      "task", po::value<std::string>()->value_name("TASK"),
      "with the NAME experiment: write an experiment of this task")(
      "train", po::value<std::string>()->value_name("FILE"), "with --task: the training data")(
      "test", po::value<std::string>()->value_name("FILE"), "with --task: the test data")(
      "output", po::value<std::string>()->value_name("FILE.json"),
      "with --task: the experiment file; default: print it");
  line.add_overrides("with --task: change a key of the experiment");
  line.add_quiet("; an experiment without --output stays");
  line.add_epilogue(new_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  if (wants_experiment(line)) return new_experiment(line);
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
  if (!line.is_quiet()) print_new_plugin(kind, is_c, name);
  return Exit::reached;
}

}  // namespace sculpt::core
