// sculpt report: one HTML page about runs and sweeps.

#include <array>
#include <fstream>

#include "base/file/durable_file.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "command/command.hpp"
#include "command/reporting/run_contents.hpp"
#include "launch/console.hpp"
#include "launch/stop_signal.hpp"
#include "report/page.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr const char* page_name = "report.html";

constexpr const char* report_epilogue =
    "\n"
    "RUN: a run folder, finished, killed or still running; the folder of a sweep; or the folder\n"
    "RUN.tune of train --tune. Several are shown side by side. The page is one file of at most\n"
    "300 kB. It needs no network, no server and no script, and can be printed.\n"
    "\n"
    "Curves and settings come from the run folder alone. Examples and weights need the data and "
    "the\n"
    "plugins; what cannot be loaded is left out, and the page says so.\n"
    "\n"
    "Exit codes: 0 the page is written; 64 usage; 65 a file of a sweep is damaged; 66 RUN is no "
    "run\n"
    "folder; 73 the page would replace another file; 74 it cannot be written.\n";

fs::path absolute_folder(const std::string& word) {
  fs::path folder = fs::absolute(word).lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

// The page of one run is in its folder, that of several in the working directory.
fs::path output_of(const CommandLine& line, const std::vector<fs::path>& folders) {
  if (line.has("output")) {
    const auto text = line.get<std::string>("output");
    if (text.empty()) throw Failure(Exit::usage, "--output is empty; give the path of a file");
    return fs::absolute(text).lexically_normal();
  }
  return folders.size() == 1 ? folders.front() / page_name : fs::absolute(page_name);
}

// Throws Failure(Exit::cannot_create) if the path has a file that is no report.
void require_replaceable(const fs::path& path, bool is_forced) {
  std::error_code problem;
  if (fs::is_directory(path, problem)) {
    throw Failure(Exit::cannot_create,
                  path.string() + ": is a folder; give the path of a file with --output");
  }
  if (!path.parent_path().empty() && !fs::is_directory(path.parent_path(), problem)) {
    throw Failure(Exit::cannot_create, path.parent_path().string() +
                                           ": is no folder; make it, or give another --output");
  }
  require_plain_file(path, FileChange::by_rename);
  require_plain_file(path.string() + ".partial", FileChange::in_place);
  if (is_forced) return;
  std::ifstream file = open_if_there(path, Exit::cannot_create);
  if (!file.is_open()) return;
  std::array<char, 512> beginning{};
  file.read(beginning.data(), beginning.size());
  if (is_report_page({beginning.data(), static_cast<std::size_t>(file.gcount())})) return;
  throw Failure(Exit::cannot_create, path.string() +
                                         ": exists and is no report; give another --output, or "
                                         "--force to replace it");
}

std::int64_t rows_option(const CommandLine& line, const std::string& option) {
  constexpr std::int64_t largest_count = 64;  // PageLimits
  const auto count = line.get<std::int64_t>(option);
  if (count >= 0 && count <= largest_count) return count;
  throw Failure(Exit::usage, "--" + option + " must be a number from 0 to 64");
}

ContentOptions content_options_of(const CommandLine& line) {
  ContentOptions options;
  options.overrides = line.overrides();
  options.threads = thread_count(line, 0);
  options.examples = rows_option(line, "examples");
  options.weights = rows_option(line, "weights");
  options.max_seconds = line.get<double>("seconds");
  if (!(options.max_seconds >= 0)) {
    throw Failure(Exit::usage, "--seconds must be a number of at least 0");
  }
  return options;
}

// The folder of the sweep that `train --tune` made, if this is RUN.tune.
fs::path sweep_in(const fs::path& folder) {
  const bool is_tuning =
      !is_sweep_folder(folder) && !is_run_folder(folder) && is_sweep_folder(folder / "sweep");
  return is_tuning ? folder / "sweep" : folder;
}

// Reads the folders. Of a sweep with a final run, that run is shown too.
ReportInput read_input(const std::vector<fs::path>& folders, Console& console) {
  ReportInput input;
  for (const fs::path& named : folders) {
    const fs::path folder = sweep_in(named);
    if (!is_sweep_folder(folder)) {
      input.runs.push_back(read_run_record(folder));
      continue;
    }
    input.sweeps.push_back(read_sweep_record(folder));
    if (is_run_folder(folder / "best")) input.runs.push_back(read_run_record(folder / "best"));
  }
  for (const RunRecord& run : input.runs) {
    for (const std::string& fault : run.faults) console.warn(fault);
  }
  label_runs(input.runs);
  return input;
}

}  // namespace

Exit report(const Arguments& arguments) {
  CommandLine line("report", {});
  line.add_words("RUN");
  line.add()("output", po::value<std::string>()->value_name("FILE"),
             "the page; default: report.html in RUN, for several RUN in the working directory")(
      "force", "replace a file that is no report")(
      "examples", po::value<std::int64_t>()->default_value(8)->value_name("N"),
      "number of hardest examples of each list")(
      "weights", po::value<std::int64_t>()->default_value(20)->value_name("N"),
      "number of largest weights")(
      "seconds", po::value<double>()->default_value(60)->value_name("S"),
      "do not ask the oracle about all training examples if this is expected to take longer")(
      "threads", po::value<std::int64_t>()->value_name("N"),
      "number of threads, 0 for all cores; the page does not depend on it");
  line.add_overrides("where the data is now, e.g. dataset.train=PATH; may be repeated");
  line.add_quiet("");
  line.add_epilogue(report_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  const ContentOptions options = content_options_of(line);
  std::vector<fs::path> folders;
  for (const std::string& word : line.words("RUN")) folders.push_back(absolute_folder(word));
  const fs::path output = output_of(line, folders);
  catch_stop_signals();

  Console console(Console::prints_if(line.is_quiet()));
  ReportInput input = read_input(folders, console);
  require_replaceable(output, line.has("force"));
  for (const RunRecord& run : input.runs) {
    input.contents.push_back(load_content(run, options, console));
  }
  const std::string page = report_page(input);
  write_durably(output, std::array{std::string_view(page)});
  console.print_line("the report is " + output.string());
  return Exit::reached;
}

}  // namespace sculpt::core
