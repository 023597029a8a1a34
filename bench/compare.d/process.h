// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Commands as child processes, and signals that end the comparison.
#ifndef BENCH_COMPARE_PROCESS_H
#define BENCH_COMPARE_PROCESS_H

#include <string>
#include <vector>

namespace compare {

using Words = std::vector<std::string>;

/// SIGINT, SIGTERM or SIGHUP has come: what has been set up is to be removed on the way out.
struct Interrupted {
    int signal;
};

/// From here on those signals wait until RunToEnd or Check looks for them. To be called before anything else.
void HoldSignals();

/// Runs the command with its output in the file, and without input. Returns the exit code as a shell gives it. A signal ends
/// the command with SIGTERM, and Interrupted is thrown when it has ended.
int Run(const Words &command, const std::string &output);

/// The same for what must not be cut short: signals wait until later.
int RunToEnd(const Words &command, const std::string &output);

/// The command as a shell takes it.
std::string Quoted(const Words &command);

/// The last lines of a file, without null bytes, which Open MPI 5 writes behind help messages.
Words LastLines(const std::string &path, std::size_t count);

} // namespace compare

#endif
