// command.hpp - the commands of the program, and the command line that they share.
//
// Called by library/. Each command parses its own options. It returns the exit code,
// or throws Failure.
#pragma once

#include <boost/program_options.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "base/text/text_out.hpp"
#include "command/manual/command_description.hpp"
#include "experiment/overrides.hpp"

namespace sculpt::core {

using Arguments = std::vector<std::string>;  // after the name of the command

struct Command {
  const char* name;
  const char* synopsis;  // after the name
  const char* summary;
  Exit (*run)(const Arguments& arguments);
  bool runs_on_ranks = false;  // under mpirun
};

// All commands, in the order of --help.
std::span<const Command> commands();

// Runs the program: `words` are the command and its arguments, without its own name. Throws
// Failure.
Exit run_words(const Arguments& words);

// What `sculpt --help` prints: the commands and the exit codes.
void print_overview(TextOut out);

// Requires that the command parses its options by a CommandLine before it does anything else.
// Throws Failure(Exit::internal) if it does not. [main]
CommandDescription describe_command(const Command& command);
// The same for all commands, in their order. [main]
std::vector<CommandDescription> describe_commands();

Exit train(const Arguments& arguments);
Exit predict(const Arguments& arguments);
Exit evaluate(const Arguments& arguments);
Exit explain(const Arguments& arguments);
Exit diff(const Arguments& arguments);
Exit check(const Arguments& arguments);
Exit verify(const Arguments& arguments);
Exit loo(const Arguments& arguments);
Exit prune(const Arguments& arguments);
Exit sweep(const Arguments& arguments);
Exit describe(const Arguments& arguments);
Exit report(const Arguments& arguments);
Exit new_plugin(const Arguments& arguments);
Exit man(const Arguments& arguments);
Exit completion(const Arguments& arguments);

// The options and positional words of one command. Adds --help.
class CommandLine {
 public:
  // `positional`: the words without an option, each used at most once: {"CONFIG"}.
  CommandLine(const char* command, std::vector<const char*> positional);

  boost::program_options::options_description_easy_init add() { return options_.add_options(); }

  // Adds a positional word that can be repeated, after those of the constructor.
  void add_words(const char* word) { repeated_ = word; }
  // All of them, at least one. Throws Failure(Exit::usage) if there is none.
  std::vector<std::string> words(const std::string& word) const;

  // Adds --set KEY=VALUE, which can be repeated.
  void add_overrides(const char* summary);
  // The values of --set, in the order in which they are applied.
  std::vector<Override> overrides() const;
  std::vector<std::string> override_texts() const;  // "KEY=VALUE" each
  // " --set KEY=VALUE" for each, quoted for a shell; "" if there is none.
  std::string overrides_for_shell() const;

  // Adds --quiet. `kept`: the end of its sentence in --help, for what it does not switch off.
  void add_quiet(const std::string& kept);
  bool is_quiet() const { return has("quiet"); }

  // Text that --help prints after the options.
  void add_epilogue(const char* text) { epilogue_ = text; }

  // False if --help was given; the help has been printed. Throws Failure(Exit::usage).
  bool parse(const Arguments& arguments);

  // True if the option or the positional word was given.
  bool has(const std::string& option) const { return values_.count(option) > 0; }
  // The value of an option. Requires that it was given or has a default.
  template <class Value>
  Value get(const std::string& option) const {
    return values_[option].as<Value>();
  }
  // The positional word. Throws Failure(Exit::usage) if it was not given.
  std::string required(const std::string& word) const;

 private:
  void print_help() const;
  CommandDescription description() const;
  // Throws Failure(Exit::usage): the positional word is missing.
  [[noreturn]] void refuse_missing(const std::string& word) const;
  // Throws Failure(Exit::usage). The message suggests the option with the nearest name.
  [[noreturn]] void refuse_option(const std::string& option) const;

  const Command* command_;
  std::vector<const char*> positional_;
  const char* repeated_ = nullptr;  // nullptr: no word can be repeated
  const char* epilogue_ = "";
  boost::program_options::options_description options_{"Options"};
  boost::program_options::variables_map values_;
};

// The folder of --output, absolute. Requires that it was given. Throws Failure(Exit::usage) if it
// is empty.
std::filesystem::path output_option(const CommandLine& line);

// The value of an option that is a count. Throws Failure(Exit::usage) if it is below 0.
std::size_t count_option(const CommandLine& line, const std::string& option);

// The number of threads: from --threads, else `requested`. 0 means all cores. Throws
// Failure(Exit::usage).
int thread_count(const CommandLine& line, std::int64_t requested);

}  // namespace sculpt::core
