/*
 * Aggregators of one node that write long lists of small pieces to one file take turns.
 *
 * The kernel writes to such a file for one process at a time, so two that write side by side gain nothing, and lose what it
 * costs to hand the file over after each piece: the one that waits spins or sleeps, a few microseconds for a piece that is
 * written in half of one. With turns one writes while the other shuffles. bench/RESULTS.md has the figures.
 *
 * A turn is a lock of an open file on a byte that no file reaches. It keeps nobody out who does not ask: a process that is
 * stopped in its turn, or a lock of another kind in the way, costs those who wait half a second, once.
 */
#include "fcoll_overlap.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

/* Behind all marks. */
static const int64_t TURN = MCA_FCOLL_OVERLAP_MARKS + 65000;

/* Between two tries, and until no more are made, nanoseconds: some lists of a large collective buffer. */
enum { PAUSE = 50000, LONGEST_WAIT = 500000000 };

#ifdef F_OFD_SETLK

/* Returns 0 or an errno. */
static int set_turn(const mca_fcoll_overlap_module_t *module, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)TURN, .l_len = 1};

    return 0 == fcntl(module->fh->fd, F_OFD_SETLK, &lock) ? 0 : errno;
}

static int64_t now(void) {
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The I/O thread asks as well. */
static bool asks_for_turns(mca_fcoll_overlap_module_t *module) {
    bool asks;

    pthread_mutex_lock(&module->marks_lock);
    asks = module->asks_for_turns;
    pthread_mutex_unlock(&module->marks_lock);
    return asks;
}

static void ask_no_more(mca_fcoll_overlap_module_t *module) {
    pthread_mutex_lock(&module->marks_lock);
    module->asks_for_turns = false;
    pthread_mutex_unlock(&module->marks_lock);
}

bool mca_fcoll_overlap_take_turn(mca_fcoll_overlap_module_t *module) {
    static const struct timespec pause = {0, PAUSE};
    int error = asks_for_turns(module) ? set_turn(module, F_WRLCK) : EINVAL;

    if (EAGAIN == error || EACCES == error) {
        const int64_t end = now() + LONGEST_WAIT;
        do {
            nanosleep(&pause, NULL);
            error = set_turn(module, F_WRLCK);
        } while ((EAGAIN == error || EACCES == error) && now() < end);
        if (0 != error) { /* who has it keeps it for other reasons than a list */
            ask_no_more(module);
        }
    }
    return 0 == error;
}

void mca_fcoll_overlap_give_turn(const mca_fcoll_overlap_module_t *module) { set_turn(module, F_UNLCK); }

#else

bool mca_fcoll_overlap_take_turn(mca_fcoll_overlap_module_t *module) {
    (void)module;
    return false;
}

void mca_fcoll_overlap_give_turn(const mca_fcoll_overlap_module_t *module) { (void)module; }

#endif
