// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace compare {
namespace {

int pending = 0;

sigset_t Held() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
        sigaddset(&set, signal);
    }
    return set;
}

[[noreturn]] void Become(const Words &command, const std::string &output, pid_t parent) {
    const sigset_t held = Held();
    sigprocmask(SIG_UNBLOCK, &held, nullptr);
    // A group of its own, so that a terminal's Ctrl-C reaches the comparison alone, which ends the command in order.
    setpgid(0, 0);
    // Nothing goes on measuring, or stays mounted by a command that is still at work, when the comparison is killed.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int in = open("/dev/null", O_RDONLY);
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    if (getppid() == parent && in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2) {
        close(in);
        close(out);
        std::vector<char *> arguments;
        for (const std::string &word : command) {
            arguments.push_back(const_cast<char *>(word.c_str()));
        }
        arguments.push_back(nullptr);
        execvp(arguments[0], arguments.data());
        const std::string message = command[0] + ": " + std::system_category().message(errno) + "\n";
        [[maybe_unused]] const ssize_t written = write(2, message.c_str(), message.size());
    }
    _exit(127);
}

pid_t Start(const Words &command, const std::string &output) {
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) {
        throw std::system_error(errno, std::generic_category(), "fork");
    }
    if (child == 0) {
        Become(command, output, parent);
    }
    return child;
}

// Ending signals are remembered; the child's end is one of the held signals, so none can slip in before the wait.
int Wait(pid_t child, bool interruptible) {
    const sigset_t held = Held();
    bool told = false;
    for (;;) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (interruptible && pending != 0 && !told) {
            kill(child, SIGTERM);
            told = true;
        }
        const int signal = sigwaitinfo(&held, nullptr);
        if (signal > 0 && signal != SIGCHLD) {
            pending = signal;
        }
    }
}

bool Plain(const std::string &word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string("_-+=./:,@%").find(static_cast<char>(c)) != std::string::npos;
    });
}

} // namespace

void HoldSignals() {
    const sigset_t held = Held();
    sigprocmask(SIG_BLOCK, &held, nullptr);
}

int Run(const Words &command, const std::string &output) {
    const int code = Wait(Start(command, output), true);
    if (pending != 0) {
        throw Interrupted{pending};
    }
    return code;
}

int RunToEnd(const Words &command, const std::string &output) { return Wait(Start(command, output), false); }

std::string Quoted(const Words &command) {
    std::string line;
    for (const std::string &word : command) {
        line += line.empty() ? "" : " ";
        if (Plain(word)) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) {
            line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        }
        line += '\'';
    }
    return line;
}

Words LastLines(const std::string &path, std::size_t count) {
    std::ifstream in(path);
    Words lines;
    for (std::string line; std::getline(in, line);) {
        line.erase(std::remove(line.begin(), line.end(), '\0'), line.end());
        lines.push_back(line);
        if (lines.size() > count) {
            lines.erase(lines.begin());
        }
    }
    return lines;
}

} // namespace compare
