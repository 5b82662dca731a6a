// command.hpp - the commands of the binary, and the command line they share.
//
// Called by main.cpp alone. Each command parses its own options, throws Failure, and returns the
// exit code otherwise.
#pragma once

#include <boost/program_options.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "experiment/overrides.hpp"

namespace sculpt::core {

using Arguments = std::vector<std::string>;  // behind the name of the command

struct Command {
  const char* name;
  const char* synopsis;  // behind the name
  const char* summary;
  Exit (*run)(const Arguments& arguments);
};

std::span<const Command> commands();

Exit train(const Arguments& arguments);
Exit predict(const Arguments& arguments);
Exit evaluate(const Arguments& arguments);
Exit check(const Arguments& arguments);
Exit verify(const Arguments& arguments);
Exit sweep(const Arguments& arguments);
Exit describe(const Arguments& arguments);

// The options of one command and its positional words, with --help.
class CommandLine {
 public:
  // `positional`: the words that may stand without an option, each once: {"CONFIG"}.
  CommandLine(const char* command, std::vector<const char*> positional);

  boost::program_options::options_description_easy_init add() { return options_.add_options(); }

  // --set KEY=VALUE, which may be repeated.
  void add_overrides(const char* summary);
  std::vector<Override> overrides() const;
  std::vector<std::string> set_texts() const;  // "KEY=VALUE" each
  // " --set KEY=VALUE" of each, as a shell takes it; "" for none.
  std::string overrides_text() const;

  // What --help says behind the options.
  void add_epilogue(const char* text) { epilogue_ = text; }

  // False when --help was given and has been printed. Throws Failure(Exit::usage).
  bool parse(const Arguments& arguments);

  bool has(const std::string& option) const { return values_.count(option) > 0; }
  template <class Value>
  Value get(const std::string& option) const {
    return values_[option].as<Value>();
  }
  // Throws Failure(Exit::usage) when it was not given.
  std::string required(const std::string& word) const;

 private:
  void print_help() const;
  // Throws Failure(Exit::usage), with the option that may be meant.
  [[noreturn]] void refuse_option(const std::string& option) const;

  const Command* command_;
  std::vector<const char*> positional_;
  const char* epilogue_ = "";
  boost::program_options::options_description options_{"Options"};
  boost::program_options::variables_map values_;
};

// --output DIR, absolute. Requires that it was given. Throws Failure(Exit::usage) when it is empty.
std::filesystem::path output_option(const CommandLine& line);

// The number of threads from --threads, else `wished`; 0: all cores. Throws Failure(Exit::usage).
int thread_count(const CommandLine& line, std::int64_t wished);

}  // namespace sculpt::core
