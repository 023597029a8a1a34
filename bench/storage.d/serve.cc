// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The server's process: mounts, tells the one who waits, serves in the background, cleans up.
#include "server.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace storage {
namespace {

// A request occupies a thread for as long as it lasts, a stalled one until it is released.
constexpr unsigned int kThreads = 1024;

void Initialize(void *userdata, fuse_conn_info *connection) {
    // The bytes of a write are stored from memory, so a pipe in between would be one more way for them.
    connection->want &= ~static_cast<unsigned int>(FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE);
    connection->max_write = 1 << 20;
    // Asynchronous writes of Linux (io_submit) that may be under way at a time.
    connection->max_background = 256;
    connection->congestion_threshold = 256;
    const Server &server = *static_cast<Server *>(userdata);
    if (write(server.ready_descriptor, "", 1) == 1) {
        // Whoever reads the caller's output would otherwise wait for the server's end.
        const int nowhere = open("/dev/null", O_RDWR);
        for (const int standard : {0, 1, 2}) {
            dup2(nowhere, standard);
        }
        close(nowhere);
    }
    close(server.ready_descriptor);
}

sigset_t SetOf(std::initializer_list<int> signals) {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : signals) {
        sigaddset(&set, signal);
    }
    return set;
}

void ReleaseOnSignal(Server &server) {
    const sigset_t release = SetOf({SIGUSR1});
    std::thread([&server, release] {
        for (int signal = 0;;) {
            if (sigwait(&release, &signal) == 0) {
                server.faults.Release();
            }
        }
    }).detach();
}

int Complain(const std::string &what) {
    std::fprintf(stderr, "storage: %s: %s\n", what.c_str(), std::strerror(errno));
    return 1;
}

// Returns the exit code.
int ServeUntilUnmounted(Server &server) {
    fuse_lowlevel_ops operations{};
    operations.init = Initialize;
    AddMetadata(operations);
    AddFolders(operations);
    AddTransfer(operations);
    AddControl(operations);
    const char *arguments[] = {"storage-server",
                               "-osubtype=overlap-storage,fsname=overlap-storage,allow_other,default_permissions"};
    fuse_args list = FUSE_ARGS_INIT(2, const_cast<char **>(arguments));
    fuse_session *session = fuse_session_new(&list, &operations, sizeof(operations), &server);
    fuse_opt_free_args(&list);
    if (session == nullptr || fuse_session_mount(session, server.options.mountpoint.c_str()) != 0) {
        return 1;
    }
    prctl(PR_SET_PDEATHSIG, 0);
    ReleaseOnSignal(server);
    // In this thread only, which the end of the loop has to wake up.
    fuse_set_signal_handlers(session);
    const sigset_t end = SetOf({SIGINT, SIGTERM, SIGHUP});
    pthread_sigmask(SIG_UNBLOCK, &end, nullptr);
    fuse_loop_config *config = fuse_loop_cfg_create();
    fuse_loop_cfg_set_max_threads(config, kThreads);
    const int error = fuse_session_loop_mt(session, config);
    fuse_loop_cfg_destroy(config);
    fuse_remove_signal_handlers(session);
    fuse_session_unmount(session);
    fuse_session_destroy(session);
    return error == 0 ? 0 : 1;
}

void RemoveOwn(const ServeOptions &options) {
    std::error_code ignored;
    if (options.own_backing) {
        std::filesystem::remove_all(options.backing, ignored);
    }
    std::filesystem::remove_all(options.state, ignored);
}

// The process in the background.
int Run(const ServeOptions &options, int ready_descriptor) {
    setsid();
    umask(0);
    // Sleeps end within microseconds.
    prctl(PR_SET_TIMERSLACK, 1);
    // The server stands for another machine, so it does not queue for the processor behind those who use it. Where that is
    // not allowed it is less exact on a busy machine.
    const sched_param lowest{1};
    sched_setscheduler(0, SCHED_RR, &lowest);
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    std::ofstream(options.state + "/pid") << getpid() << std::endl;
    if (options.own_backing && mkdir(options.backing.c_str(), 0755) != 0) {
        return Complain(options.backing);
    }
    const int root = open(options.backing.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        return Complain(options.backing);
    }
    if (chdir("/") != 0) {
        return Complain("/");
    }
    Server server(options, root);
    server.ready_descriptor = ready_descriptor;
    const int code = ServeUntilUnmounted(server);
    RemoveOwn(options);
    // The thread that waits for signals still looks at the server.
    _exit(code);
}

// Whether the server says that it is ready, before a signal says that nobody waits for it any more.
bool Wait(int descriptor, pid_t server) {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        sigaction(signal, &action, nullptr);
    }
    sigset_t none;
    sigemptyset(&none);
    pollfd ready{descriptor, POLLIN, 0};
    char byte = 0;
    if (ppoll(&ready, 1, nullptr, &none) == 1 && read(descriptor, &byte, 1) == 1) {
        return true;
    }
    kill(server, SIGKILL);
    return false;
}

} // namespace

int Serve(const ServeOptions &options) {
    const sigset_t signals = SetOf({SIGINT, SIGTERM, SIGHUP, SIGUSR1});
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return Complain("pipe");
    }
    const pid_t caller = getpid();
    const pid_t server = fork();
    if (server < 0) {
        return Complain("fork");
    }
    if (server == 0) {
        // Nobody would wait for the mount, nor know of it.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != caller) {
            _exit(1);
        }
        close(ends[0]);
        _exit(Run(options, ends[1]));
    }
    close(ends[1]);
    if (Wait(ends[0], server)) {
        return 0;
    }
    waitpid(server, nullptr, 0);
    return 1;
}

} // namespace storage
