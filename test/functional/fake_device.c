#define _GNU_SOURCE
#include "fake_device.h"

/* Not all Open MPIs install the headers that those of the accelerator include. */
#include "compat/threads.h"

#include "opal/constants.h"
#include "opal/mca/accelerator/accelerator.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEVICE_BYTES = 16 << 20 };

static char *device = NULL;
static char *shadow = NULL;
static size_t copies = 0;
static size_t started = 0; /* of a stream */
static size_t together = 0;
static enum fake_device_refusal refusal = REFUSES_NOTHING;
static struct {
    void *to;
    const void *from;
    size_t bytes;
    const opal_accelerator_stream_t *stream;
} moves[4096];
static size_t under_way = 0;
static size_t pinned = 0;
static struct {
    const void *memory;
    size_t bytes;
} pins[64];

static int is_inside(const void *address) {
    return (const char *)address >= device && (const char *)address < device + DEVICE_BYTES;
}

static char *reachable(const void *address) {
    return is_inside(address) ? shadow + ((const char *)address - device) : (char *)(size_t)address;
}

static int check_addr(const void *address, int *number, uint64_t *flags) {
    *number = 0;
    *flags = 0;
    return is_inside(address);
}

static size_t count_of(const opal_accelerator_stream_t *stream) {
    size_t count = 0;
    for (size_t i = 0; i < under_way; ++i) {
        count += stream == moves[i].stream ? 1 : 0;
    }
    return count;
}

static void complete(const opal_accelerator_stream_t *stream) {
    const size_t count = count_of(stream);
    size_t left = 0;

    for (size_t i = 0; i < under_way; ++i) {
        if (stream == moves[i].stream) {
            memcpy(reachable(moves[i].to), reachable(moves[i].from), moves[i].bytes);
        } else {
            moves[left++] = moves[i];
        }
    }
    together += count > 1 ? count : 0;
    under_way = left;
}

static int move(int to_device, int from_device, void *to, const void *from, size_t bytes,
                opal_accelerator_transfer_type_t type) {
    (void)to_device;
    (void)from_device;
    (void)type;
    ++copies;
    memmove(reachable(to), reachable(from), bytes);
    return OPAL_SUCCESS;
}

/* Open MPI's own stand-in for an accelerator makes the streams and events. */
static int (*make_stream)(int number, opal_accelerator_stream_t **stream) = NULL;

static int create_stream(int number, opal_accelerator_stream_t **stream) {
    return REFUSES_STREAMS == refusal ? OPAL_ERR_OUT_OF_RESOURCE : make_stream(number, stream);
}

/* A stream takes its time: nothing has come before somebody waits for it, and what was there is lost. */
static int move_async(int to_device, int from_device, void *to, const void *from, size_t bytes,
                      opal_accelerator_stream_t *stream, opal_accelerator_transfer_type_t type) {
    (void)to_device;
    (void)from_device;
    (void)type;
    if (NULL == stream || REFUSES_STREAMS == refusal || (REFUSES_SOME_COPIES == refusal && started % 5 == 4)) {
        ++started;
        return OPAL_ERROR;
    }
    if (under_way == sizeof(moves) / sizeof(moves[0])) {
        complete(stream);
    }
    if (under_way == sizeof(moves) / sizeof(moves[0])) { /* of other streams */
        return OPAL_ERROR;
    }
    ++copies;
    ++started;
    memset(reachable(to), '!', bytes);
    moves[under_way].to = to;
    moves[under_way].from = from;
    moves[under_way].stream = stream;
    moves[under_way++].bytes = bytes;
    return OPAL_SUCCESS;
}

/* How often an event is asked for until what was before it is complete. */
static int asked_for = 0;
static int held = 0;

static int record_event(int number, opal_accelerator_event_t *event, opal_accelerator_stream_t *stream) {
    (void)number;
    if (REFUSES_WAITS == refusal) {
        return OPAL_ERR_NOT_IMPLEMENTED;
    }
    if (NULL == event || NULL == stream) {
        return OPAL_ERR_BAD_PARAM;
    }
    asked_for = 3;
    event->event = stream;
    return OPAL_SUCCESS;
}

static int query_event(int number, opal_accelerator_event_t *event) {
    (void)number;
    if (NULL == event) {
        return OPAL_ERR_BAD_PARAM;
    }
    if (asked_for-- > 0 || (held && count_of(event->event) > 0)) {
        return OPAL_ERR_RESOURCE_BUSY;
    }
    complete(event->event);
    return OPAL_SUCCESS;
}

static int pin(int number, void *memory, size_t bytes) {
    (void)number;
    for (size_t i = 0; i < sizeof(pins) / sizeof(pins[0]); ++i) {
        if (NULL == pins[i].memory) {
            pins[i].memory = memory;
            pins[i].bytes = bytes;
            pinned += bytes;
            return OPAL_SUCCESS;
        }
    }
    return OPAL_ERR_OUT_OF_RESOURCE;
}

static int unpin(int number, void *memory) {
    (void)number;
    for (size_t i = 0; i < sizeof(pins) / sizeof(pins[0]); ++i) {
        if (NULL != memory && memory == pins[i].memory) {
            pins[i].memory = NULL;
            pinned -= pins[i].bytes;
            return OPAL_SUCCESS;
        }
    }
    return OPAL_ERR_NOT_FOUND;
}

size_t fake_device_install(void) {
    const int memory = memfd_create("fake device", 0);

    if (memory < 0 || 0 != ftruncate(memory, DEVICE_BYTES)) {
        return 0;
    }
    device = mmap(NULL, DEVICE_BYTES, PROT_NONE, MAP_SHARED, memory, 0);
    shadow = mmap(NULL, DEVICE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    if (MAP_FAILED == device || MAP_FAILED == shadow) {
        return 0;
    }
    opal_accelerator.check_addr = check_addr;
    opal_accelerator.mem_copy = move;
    opal_accelerator.mem_move = move;
    opal_accelerator.mem_copy_async = move_async;
    make_stream = opal_accelerator.create_stream;
    opal_accelerator.create_stream = create_stream;
    opal_accelerator.record_event = record_event;
    opal_accelerator.query_event = query_event;
    opal_accelerator.host_register = pin;
    opal_accelerator.host_unregister = unpin;
    return DEVICE_BYTES;
}

char *fake_device_memory(void) { return device; }
char *fake_device_shadow(void) { return shadow; }
void fake_device_refuse(enum fake_device_refusal what) { refusal = what; }
void fake_device_hold(int hold) { held = hold; }

size_t fake_device_copies(void) { return copies; }
size_t fake_device_together(void) { return together; }
size_t fake_device_pinned(void) { return pinned; }
