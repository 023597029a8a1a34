/*
 * Memory that processes of a node share: POSIX shared memory, which is gone with its last process once nobody can open it by
 * its name any more.
 */
#include "fcoll_overlap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct overlap_node_memory {
    char *address;
    size_t bytes;
    char name[OVERLAP_NODE_MEMORY_NAME]; /* empty where it has none any more, or is another process's */
};

/* What a process of an earlier job has left may have the number of this one. */
static void name_next(char *name) {
    static atomic_uint made;
    struct timespec now = {0, 0};

    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, OVERLAP_NODE_MEMORY_NAME, "/fcoll_overlap.%ld.%u.%lx", (long)getpid(), atomic_fetch_add(&made, 1),
             (unsigned long)now.tv_sec * 1000000000UL + (unsigned long)now.tv_nsec);
}

static int map(int descriptor, size_t bytes, const char *name, overlap_node_memory **memory, char **address) {
    overlap_node_memory *made = calloc(1, sizeof(*made));
    void *mapped;

    if (NULL == made) {
        return OVERLAP_ERR_NO_MEM;
    }
    /* Each rank touches most of its pages, one by one: to map them together takes a fraction of that. */
    mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
    if (MAP_FAILED == mapped) {
        free(made);
        return OVERLAP_ERR_NO_MEM;
    }
    made->address = mapped;
    made->bytes = bytes;
    snprintf(made->name, sizeof(made->name), "%s", name);
    *memory = made;
    *address = mapped;
    return OVERLAP_SUCCESS;
}

/* Where there is no room for a page, storing to it would end the process: so all pages are taken here. */
static int node_memory_make(void *self, size_t bytes, char name[OVERLAP_NODE_MEMORY_NAME], overlap_node_memory **memory,
                            char **address) {
    int descriptor, error;

    (void)self;
    *memory = NULL;
    name_next(name);
    descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0) {
        return OVERLAP_ERR_NO_MEM;
    }
    do {
        error = posix_fallocate(descriptor, 0, (off_t)bytes);
    } while (EINTR == error);
    error = 0 == error ? map(descriptor, bytes, name, memory, address) : OVERLAP_ERR_NO_MEM;
    close(descriptor);
    if (OVERLAP_SUCCESS != error) {
        shm_unlink(name);
    }
    return error;
}

/* Ranks whose nodes have the same name need not see the same memory: it is not there, or another one is. */
static int node_memory_join(void *self, const char *name, size_t bytes, overlap_node_memory **memory, char **address) {
    struct stat found;
    int error = OVERLAP_ERR_OTHER;
    int descriptor;

    (void)self;
    *memory = NULL;
    descriptor = shm_open(name, O_RDWR | O_CLOEXEC, 0);
    if (descriptor < 0) {
        return OVERLAP_ERR_OTHER;
    }
    if (0 == fstat(descriptor, &found) && found.st_size >= (off_t)bytes) {
        error = map(descriptor, bytes, "", memory, address);
    }
    close(descriptor);
    return error;
}

static void node_memory_seal(void *self, overlap_node_memory *memory) {
    (void)self;
    if ('\0' != memory->name[0]) {
        shm_unlink(memory->name);
        memory->name[0] = '\0';
    }
}

static void node_memory_leave(void *self, overlap_node_memory **memory) {
    if (NULL != *memory) {
        node_memory_seal(self, *memory);
        munmap((*memory)->address, (*memory)->bytes);
        free(*memory);
        *memory = NULL;
    }
}

void mca_fcoll_overlap_node_memory_open(overlap_transport *transport) {
    transport->node_memory_make = node_memory_make;
    transport->node_memory_join = node_memory_join;
    transport->node_memory_seal = node_memory_seal;
    transport->node_memory_leave = node_memory_leave;
}
