// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "conditions.h"

#include "../option_groups.h"

#include <algorithm>
#include <istream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace compare {
namespace {

// They would reach the kernel as options of its own.
const char *const kOfTheList[] = {"--contenders", "--openmpi", "--repetitions", "--no-bounds",     "--with-gio", "--seed",
                                  "--time-limit", "--json",    "--regret",      "--settings",      "--resume",   "--only",
                                  "--let",        "--default", "--drop-above",  "--no-contenders", "--settle"};

Words WordsOf(const std::string &line) {
    Words words;
    std::istringstream in(line);
    for (std::string word; in >> word && word[0] != '#';) {
        words.push_back(word);
    }
    return words;
}

// Returns a name that is not known.
std::string Replace(std::string &word, const Names &names) {
    static const std::regex name("\\{([A-Za-z0-9_]+)\\}");
    std::string unknown;
    std::string replaced;
    std::smatch match;
    for (std::string rest = word;; rest = match.suffix()) {
        if (!std::regex_search(rest, match, name)) {
            word = replaced + rest;
            return unknown;
        }
        const auto found = names.find(match[1]);
        unknown = found == names.end() ? match[1].str() : unknown;
        replaced += match.prefix().str() + (found == names.end() ? match[0].str() : found->second);
    }
}

std::string Joined(const Words &words) {
    std::string text;
    for (const std::string &word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

Options ParseCondition(const Words &words, const Options &run) {
    for (const std::string &word : words) {
        const std::string name = word.substr(0, word.find('='));
        if (std::find(std::begin(kOfTheList), std::end(kOfTheList), name) != std::end(kOfTheList)) {
            throw std::invalid_argument(name + " is for the whole list, on the command line");
        }
    }
    if (words.front()[0] == '-') {
        throw std::invalid_argument("the kernel comes first, not \"" + words.front() + "\"");
    }
    CLI::App app;
    app.set_help_flag();
    Options options = run;
    const ConditionGroup group(app, options);
    Parse(app, words);
    group.Finish();
    if (options.nonblocking) {
        throw std::invalid_argument("--nonblocking is not for a list, whose contenders have one time each");
    }
    return options;
}

Condition ConditionOf(std::size_t line, Words words, const Names &names, const Options &run) {
    Condition condition;
    condition.line = line;
    for (std::string &word : words) {
        const std::string unknown = Replace(word, names);
        condition.unknown = unknown.empty() ? condition.unknown : unknown;
    }
    condition.text = Joined(words);
    // A word with a name in it need not be one that an option takes.
    condition.options = condition.unknown.empty() ? ParseCondition(words, run) : run;
    // Where one contender always followed the same other one, what that left behind would not average out.
    condition.options.seed = run.seed + line;
    return condition;
}

void RefuseTwice(const std::vector<Condition> &conditions, const Condition &condition) {
    for (const Condition &other : conditions) {
        if (other.text == condition.text) {
            throw std::invalid_argument("the same as line " + std::to_string(other.line));
        }
    }
}

} // namespace

std::vector<Condition> ReadConditions(std::istream &in, const std::string &file, const Names &names, const Options &run) {
    std::vector<Condition> conditions;
    std::string wrong;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const Words words = WordsOf(line);
        if (words.empty()) {
            continue;
        }
        try {
            Condition condition = ConditionOf(number, words, names, run);
            RefuseTwice(conditions, condition);
            conditions.push_back(std::move(condition));
        } catch (const std::invalid_argument &error) {
            wrong += "\n" + file + ":" + std::to_string(number) + ": " + error.what();
        }
    }
    if (!wrong.empty()) {
        throw std::invalid_argument("wrong conditions:" + wrong);
    }
    if (conditions.empty()) {
        throw std::invalid_argument(file + ": no condition in it");
    }
    return conditions;
}

} // namespace compare
