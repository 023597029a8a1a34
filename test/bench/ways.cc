// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Says where each rank is, and how messages travel from rank 0 to the first rank of its own host and of another one.
//   ways                  the lines "rank R of N host H", "in FOLDER", "fcoll VALUE", "test VALUE", "bandwidth 0 TO MBIT",
//                         "network 0 TO PERCENT": what the host sent by any interface, of the messages' bytes
//   ways exit CODE        rank 1 ends with the code
//   ways sleep            every rank says "sleeping" and stays
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int message_bytes = 2 << 20;
constexpr int messages = 8;

const char *variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void say_where(int rank, int ranks) {
    char host[256] = "";
    char folder[4096] = "";
    gethostname(host, sizeof host - 1);
    if (getcwd(folder, sizeof folder) == nullptr) {
        folder[0] = '\0';
    }
    std::printf("rank %d of %d host %s\nin %s\nfcoll %s\ntest %s\n", rank, ranks, host, folder, variable("OMPI_MCA_fcoll"),
                variable("OVERLAP_TEST"));
    std::fflush(stdout);
}

// Of all interfaces, the loopback among them; the ninth number behind a name in proc_pid_net(5).
double bytes_sent() {
    constexpr int before = 8;
    std::ifstream interfaces("/proc/self/net/dev");
    double sum = 0;
    for (std::string line; std::getline(interfaces, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) {
            continue;
        }
        std::istringstream numbers(line.substr(colon + 1));
        double number = 0;
        for (int i = 0; i <= before; ++i) {
            numbers >> number;
        }
        sum += number;
    }
    return sum;
}

void measure(int rank, int to) {
    std::vector<char> message(message_bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    const double sent = bytes_sent();
    const double start = MPI_Wtime();
    for (int i = 0; i < messages; ++i) {
        if (rank == 0) {
            MPI_Send(message.data(), message_bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        }
        if (rank == to) {
            MPI_Recv(message.data(), message_bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (rank == to) {
        MPI_Send(message.data(), 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Recv(message.data(), 1, MPI_BYTE, to, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const double bytes = double{messages} * message_bytes;
        std::printf("bandwidth 0 %d %.0f\n", to, 8e-6 * bytes / (MPI_Wtime() - start));
        std::printf("network 0 %d %.0f\n", to, 100 * (bytes_sent() - sent) / bytes);
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string mode = argc > 1 ? argv[1] : "";
    int code = 0;
    if (mode == "sleep") {
        std::printf("sleeping\n");
        std::fflush(stdout);
        for (;;) {
            sleep(60);
        }
    } else if (mode == "exit") {
        code = rank == 1 && argc > 2 ? std::atoi(argv[2]) : 0;
    } else {
        say_where(rank, ranks);
        // Two rounds: the first one also makes the connection.
        for (int to = 1; to < ranks && to <= 2; ++to) {
            std::vector<char> hello(1);
            if (rank == 0) {
                MPI_Send(hello.data(), 1, MPI_BYTE, to, 2, MPI_COMM_WORLD);
            }
            if (rank == to) {
                MPI_Recv(hello.data(), 1, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            measure(rank, to);
        }
    }
    MPI_Finalize();
    return code;
}
