/*
 * What the calls of closed files have shown of the machine, for the next file of as many ranks on the same device. Rank 0's
 * memory counts: what it recalls goes to the others with the other facts.
 */
#include "fcoll_overlap.h"

#include <string.h>
#include <sys/stat.h>

/* More file systems than a program writes to at a time. */
enum { REMEMBERED = 16 };

typedef struct memory_t {
    int ranks; /* 0: nothing is remembered here */
    dev_t device;
    int64_t rates[OVERLAP_RATE_WORDS];
} memory_t;

static memory_t memories[REMEMBERED];
static size_t oldest = 0;
static pthread_mutex_t memories_lock = PTHREAD_MUTEX_INITIALIZER;

/* Needs the lock. */
static memory_t *find(int ranks, dev_t device) {
    for (size_t i = 0; i < REMEMBERED; ++i) {
        if (ranks == memories[i].ranks && device == memories[i].device) {
            return &memories[i];
        }
    }
    return NULL;
}

void mca_fcoll_overlap_remember_rates(const ompio_file_t *fh, const int64_t *rates) {
    struct stat status;
    memory_t *memory;

    if (0 != fstat(fh->fd, &status)) {
        return;
    }
    pthread_mutex_lock(&memories_lock);
    memory = find(fh->f_size, status.st_dev);
    if (NULL == memory) {
        memory = &memories[oldest];
        oldest = (oldest + 1) % REMEMBERED;
    }
    memory->ranks = fh->f_size;
    memory->device = status.st_dev;
    memcpy(memory->rates, rates, sizeof(memory->rates));
    pthread_mutex_unlock(&memories_lock);
}

bool mca_fcoll_overlap_recall_rates(const ompio_file_t *fh, int64_t *rates) {
    struct stat status;
    const memory_t *memory = NULL;

    if (0 == fstat(fh->fd, &status)) {
        pthread_mutex_lock(&memories_lock);
        memory = find(fh->f_size, status.st_dev);
        if (NULL != memory) {
            memcpy(rates, memory->rates, sizeof(memory->rates));
        }
        pthread_mutex_unlock(&memories_lock);
    }
    return NULL != memory;
}
