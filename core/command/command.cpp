#include "command/command.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <thread>

#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/text_out.hpp"
#include "command/foreign_words.hpp"
#include "command/manual/exit_codes.hpp"
#include "experiment/experiment_keys.hpp"
#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {
namespace {

namespace po = boost::program_options;

constexpr std::array<Command, 15> table{
    {{"train", "CONFIG | --task TASK TRAIN [options]",
      "learn a model from an experiment, or from data", train, true},
     {"predict", "MODEL DATA [options]",
      "print the outputs of a model, in the format of the dataset", predict, true},
     {"evaluate", "MODEL DATA [options]", "measure a model on labelled data", evaluate, true},
     {"explain", "MODEL DATA [options]",
      "show what decides the output of one example: scores, weights and parts", explain},
     {"diff", "MODEL OTHER [options]", "show what differs between two models", diff},
     {"check", "SUBJECT [options]", "test oracles and other components", check},
     {"verify", "RUN [options]", "recompute primal and dual of a finished run", verify, true},
     {"loo", "RUN [options]", "estimate the error of a finished run by leaving out each example",
      loo},
     {"prune", "RUN --output DIR [options]", "make a model with a kernel smaller", prune},
     {"sweep", "CONFIG [options]", "train with many settings, and compare the results in one table",
      sweep, true},
     {"describe", "[NAME] [options]",
      "list components, show their parameters or the content of a model", describe},
     {"report", "RUN... [options]", "write one HTML page about runs and sweeps", report},
     {"new", "NAME --kind KIND | experiment --task TASK --train FILE [options]",
      "make the folder of a new plugin, or an experiment of a task", new_plugin},
     {"man", "[COMMAND] [options]", "print a manual page", man},
     {"completion", "SHELL", "print a script that completes words in a shell", completion}}};

// Where the next --help goes in place of stdout, or nullptr.
CommandDescription* wanted_description = nullptr;

}  // namespace

std::span<const Command> commands() {
  return table;
}

CommandLine::CommandLine(const char* command, std::vector<const char*> positional)
    : command_(std::find_if(
          table.begin(), table.end(),
          [&](const Command& entry) { return std::string_view(entry.name) == command; })),
      positional_(std::move(positional)) {
  options_.add_options()("help,h", "print this help");
}

CommandDescription describe_command(const Command& command) {
  CommandDescription description;
  wanted_description = &description;
  command.run({"--help"});
  wanted_description = nullptr;
  if (!description.name.empty()) return description;
  throw Failure(Exit::internal, std::string(command.name) + " does not describe its options");
}

std::vector<CommandDescription> describe_commands() {
  std::vector<CommandDescription> descriptions;
  for (const Command& command : table) descriptions.push_back(describe_command(command));
  return descriptions;
}

CommandDescription CommandLine::description() const {
  CommandDescription result{command_->name,
                            command_->synopsis,
                            command_->summary,
                            {positional_.begin(), positional_.end()},
                            {},
                            epilogue_};
  if (repeated_ != nullptr) result.words.emplace_back(repeated_);
  for (const auto& declared : options_.options()) {
    const std::string short_form =
        declared->canonical_display_name(po::command_line_style::allow_dash_for_short);
    CommandOption option;
    option.name = declared->long_name();
    option.letter = short_form.starts_with('-') ? short_form.substr(1) : "";
    option.value = declared->semantic()->max_tokens() == 0 ? "" : declared->format_parameter();
    option.summary = declared->description();
    option.repeats = declared->semantic()->is_composing();
    if (const std::size_t begin = option.value.find(" (="); begin != std::string::npos) {
      option.fallback = option.value.substr(begin + 3, option.value.size() - begin - 4);
      option.value.resize(begin);
    }
    result.options.push_back(std::move(option));
  }
  return result;
}

void print_overview(TextOut out) {
  out << "sculpt " SCULPT_VERSION
         ": learns to predict structured outputs, with plugins and a certificate\n\n"
         "Usage: sculpt COMMAND ...\n\n";
  for (const Command& command : commands()) {
    out << "  " << padded(command.name, 12) << command.summary << "\n";
  }
  out << "\n"
         "  sculpt COMMAND --help   the options of a command\n"
         "  sculpt --version        the version\n\n"
         "Exit codes:\n";
  for (const ExitCode& code : exit_codes) {
    out << "  " << padded(code.codes, 15) << code.meaning << "\n";
  }
}

void CommandLine::print_help() const {
  std::ostringstream options;
  options << options_;
  report_out().lines(std::string("Usage: sculpt ") + command_->name + " " + command_->synopsis +
                     "\n\n  " + command_->summary + "\n\n" + options.str() + epilogue_);
}

bool CommandLine::parse(const Arguments& arguments) {
  po::options_description all;
  all.add(options_);
  po::positional_options_description positions;
  for (const char* word : positional_) {
    all.add_options()(word, po::value<std::string>());
    positions.add(word, 1);
  }
  if (repeated_ != nullptr) {
    all.add_options()(repeated_, po::value<std::vector<std::string>>());
    positions.add(repeated_, -1);
  }
  try {
    po::store(
        po::command_line_parser(arguments)
            .options(all)
            .positional(positions)
            .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
            .run(),
        values_);
    po::notify(values_);
  } catch (const po::unknown_option& error) {
    refuse_option(error.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    const std::string hint = extra_word_hint(command_->name);
    throw Failure(Exit::usage, std::string("there are too many arguments; write: sculpt ") +
                                   command_->name + " " + command_->synopsis +
                                   (hint.empty() ? "" : "; " + hint));
  } catch (const po::error& error) {
    throw Failure(Exit::usage,
                  std::string(error.what()) + "; see sculpt " + command_->name + " --help");
  }
  if (has("help") && wanted_description != nullptr) {
    *wanted_description = description();
  } else if (has("help")) {
    print_help();
  }
  return !has("help");
}

void CommandLine::refuse_option(const std::string& option) const {
  std::vector<std::string> known;
  for (const auto& declared : options_.options()) known.push_back("--" + declared->long_name());
  const std::string hint = foreign_option_hint(command_->name, option);
  const auto nearest = nearest_name(option, known);
  const std::string message = "there is no option " + option +
                              (!hint.empty() ? "; " + hint
                               : nearest     ? ", did you mean " + *nearest + "?"
                                             : "");
  throw Failure(Exit::usage,
                joined_parts(message, std::string("see sculpt ") + command_->name + " --help"));
}

void CommandLine::add_overrides(const char* summary) {
  add()("set", po::value<std::vector<std::string>>()->composing()->value_name("KEY=VALUE"),
        summary);
}

void CommandLine::add_quiet(const std::string& kept) {
  const std::string summary = "print nothing but warnings and errors" + kept;
  add()("quiet", summary.c_str());
}

std::vector<std::string> CommandLine::override_texts() const {
  return has("set") ? get<std::vector<std::string>>("set") : std::vector<std::string>();
}

std::vector<Override> CommandLine::overrides() const {
  return parse_overrides(override_texts());
}

std::string CommandLine::overrides_for_shell() const {
  std::string text;
  for (const std::string& set : override_texts()) text += " --set " + shell_word(set);
  return text;
}

void CommandLine::refuse_missing(const std::string& word) const {
  throw Failure(Exit::usage, std::string("sculpt ") + command_->name + " needs " + word +
                                 "; see sculpt " + command_->name + " --help");
}

std::string CommandLine::required(const std::string& word) const {
  if (!has(word)) refuse_missing(word);
  return get<std::string>(word);
}

std::vector<std::string> CommandLine::words(const std::string& word) const {
  if (!has(word)) refuse_missing(word);
  return get<std::vector<std::string>>(word);
}

std::filesystem::path output_option(const CommandLine& line) {
  const auto text = line.get<std::string>("output");
  if (text.empty()) throw Failure(Exit::usage, "--output is empty; give the path of a folder");
  return std::filesystem::absolute(text).lexically_normal();
}

std::size_t count_option(const CommandLine& line, const std::string& option) {
  const auto count = line.get<std::int64_t>(option);
  if (count >= 0) return static_cast<std::size_t>(count);
  throw Failure(Exit::usage, "--" + option + " must be at least 0, not " + std::to_string(count));
}

// The cores that this process may use alone: under mpirun its share of those of the machine.
std::int64_t own_core_count() {
  const std::int64_t all = std::max(1U, std::thread::hardware_concurrency());
  Ranks* const ranks = surroundings().ranks();
  if (ranks == nullptr) return all;
  cpu_set_t allowed;
  const bool is_known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const std::int64_t share = std::max<std::int64_t>(1, all / ranks->local_count());
  return is_known ? std::min<std::int64_t>(share, CPU_COUNT(&allowed)) : share;
}

int thread_count(const CommandLine& line, std::int64_t requested) {
  if (line.has("threads")) requested = line.get<std::int64_t>("threads");
  if (requested < 0 || requested > max_threads) {
    throw Failure(Exit::usage, "--threads must be a number from 0 (all cores) to " +
                                   std::to_string(max_threads));
  }
  if (requested == 0) requested = own_core_count();
  return static_cast<int>(requested);
}

// Refuses to run several times side by side what is not divided among ranks.
void require_single_process(const Command& command) {
  if (surroundings().ranks() == nullptr || command.runs_on_ranks) return;
  std::vector<std::string> names;
  for (const Command& other : commands()) {
    if (other.runs_on_ranks) names.push_back(std::string("sculpt ") + other.name);
  }
  throw Failure(Exit::usage, std::string("sculpt ") + command.name +
                                 " does not share its work among processes; start it without "
                                 "mpirun (" +
                                 joined(names, ", ") + " run under mpirun)");
}

Exit run_words(const Arguments& words) {
  if (words.empty()) {
    print_overview(error_out());
    return Exit::usage;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print_overview(report_out());
    return Exit::reached;
  }
  if (words[0] == "--version") {
    report_out() << "sculpt " SCULPT_VERSION "\n";
    return Exit::reached;
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (words[0] == command.name) {
      require_single_process(command);
      return command.run(Arguments(words.begin() + 1, words.end()));
    }
    names.emplace_back(command.name);
  }
  if (const std::string like = command_like(words[0]); !like.empty()) {
    throw Failure(Exit::usage,
                  "there is no command '" + words[0] + "'; write sculpt " + like + " for it");
  }
  throw Failure(Exit::usage, "there is no command '" + words[0] + "'; " +
                                 joined_parts(suggest_name(words[0], names), "see sculpt --help"));
}

}  // namespace sculpt::core
