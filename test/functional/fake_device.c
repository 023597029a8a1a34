#define _GNU_SOURCE
#include "fake_device.h"

/* Not all Open MPIs install the headers that those of the accelerator include. */
#include "fcoll_overlap_threads.h"

#include "opal/constants.h"
#include "opal/mca/accelerator/accelerator.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEVICE_BYTES = 16 << 20 };

static char *device = NULL;
static char *shadow = NULL;
static size_t copies = 0;
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

static int move(int to_device, int from_device, void *to, const void *from, size_t bytes,
                opal_accelerator_transfer_type_t type) {
    (void)to_device;
    (void)from_device;
    (void)type;
    ++copies;
    memmove(reachable(to), reachable(from), bytes);
    return OPAL_SUCCESS;
}

static int move_async(int to_device, int from_device, void *to, const void *from, size_t bytes,
                      opal_accelerator_stream_t *stream, opal_accelerator_transfer_type_t type) {
    (void)stream;
    return move(to_device, from_device, to, from, bytes, type);
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
    opal_accelerator.host_register = pin;
    opal_accelerator.host_unregister = unpin;
    return DEVICE_BYTES;
}

char *fake_device_memory(void) { return device; }
char *fake_device_shadow(void) { return shadow; }
size_t fake_device_copies(void) { return copies; }
size_t fake_device_pinned(void) { return pinned; }
