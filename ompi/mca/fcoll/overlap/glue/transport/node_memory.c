/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Memory that processes of a node share: a file in memory without a name, which others open by way of the process that made
 * it. Whatever becomes of the job, nothing is left of it.
 */
#include "transport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct overlap_node_memory {
    char *address;
    size_t bytes;
    int descriptor; /* others open that of the maker */
};

/* Takes the descriptor. */
static int map_memory(int descriptor, size_t bytes, overlap_node_memory **memory, char **address) {
    overlap_node_memory *made = calloc(1, sizeof(*made));
    /* Each rank touches most of its pages, one by one: to map them together takes a fraction of that. */
    void *const mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);

    if (NULL == made || MAP_FAILED == mapped) {
        if (MAP_FAILED != mapped) {
            munmap(mapped, bytes);
        }
        free(made);
        close(descriptor);
        return OVERLAP_ERR_NO_MEM;
    }
    *made = (overlap_node_memory){.address = mapped, .bytes = bytes, .descriptor = descriptor};
    *memory = made;
    *address = mapped;
    return OVERLAP_SUCCESS;
}

/* Where there is no room for a page, storing to it would end the process: so all pages are taken here. A signal undoes what
 * the call has taken, and a timer may send them all the time: so they wait. The signal that a file beyond RLIMIT_FSIZE
 * brings would end the process behind it. */
static bool take_pages(int descriptor, size_t bytes) {
    struct rlimit limit;
    sigset_t all, before;
    int error;

    if (0 != getrlimit(RLIMIT_FSIZE, &limit) || (RLIM_INFINITY != limit.rlim_cur && bytes > limit.rlim_cur)) {
        return false;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = posix_fallocate(descriptor, 0, (off_t)bytes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return 0 == error;
}

static int node_memory_make(void *self, size_t bytes, char name[OVERLAP_NODE_MEMORY_NAME], overlap_node_memory **memory,
                            char **address) {
    const int descriptor = memfd_create("fcoll_overlap", MFD_CLOEXEC);
    struct stat made;

    *memory = NULL;
    memset(name, 0, OVERLAP_NODE_MEMORY_NAME);
    if (descriptor < 0) {
        return OVERLAP_ERR_NO_MEM;
    }
    if (0 != fstat(descriptor, &made) || !take_pages(descriptor, bytes)) {
        close(descriptor);
        return OVERLAP_ERR_NO_MEM;
    }
    snprintf(name, OVERLAP_NODE_MEMORY_NAME, "%ld %d %llx", (long)getpid(), descriptor, (unsigned long long)made.st_ino);
    return map_memory(descriptor, bytes, memory, address);
}

/* Where processes of a node are in containers, a number may be another process's here, and its descriptor any file: it has
 * to be memory, the same, and as large. */
static int open_by_name(const char *name, size_t bytes) {
    char path[OVERLAP_NODE_MEMORY_NAME], target[OVERLAP_NODE_MEMORY_NAME] = "";
    struct stat found;
    unsigned long long inode;
    long process;
    int number, descriptor;

    if (3 != sscanf(name, "%ld %d %llx", &process, &number, &inode)) {
        return -1;
    }
    snprintf(path, sizeof(path), "/proc/%ld/fd/%d", process, number);
    if (readlink(path, target, sizeof(target) - 1) < 0 || target != strstr(target, "/memfd:fcoll_overlap")) {
        return -1;
    }
    descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor >= 0 && (0 != fstat(descriptor, &found) || (unsigned long long)found.st_ino != inode ||
                            (unsigned long long)found.st_size != bytes)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static int node_memory_join(void *self, const char *name, size_t bytes, overlap_node_memory **memory, char **address) {
    const int descriptor = open_by_name(name, bytes);

    *memory = NULL;
    return descriptor < 0 ? mca_fcoll_overlap_error_of_call(self, "joining the memory of the node", -1, OMPI_ERR_NOT_FOUND)
                          : map_memory(descriptor, bytes, memory, address);
}

static void node_memory_leave(void *self, overlap_node_memory **memory) {
    if (NULL != *memory) {
        close((*memory)->descriptor);
        munmap((*memory)->address, (*memory)->bytes);
        free(*memory);
        *memory = NULL;
    }
}

void mca_fcoll_overlap_node_memory_functions(overlap_transport *transport) {
    transport->node_memory_make = node_memory_make;
    transport->node_memory_join = node_memory_join;
    transport->node_memory_leave = node_memory_leave;
}
