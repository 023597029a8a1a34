/*
 * A device for tests: memory that the CPU may not touch, and Open MPI's accelerator framework saying so and copying. Open
 * MPI 5.0 and later.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Puts itself in the place of Open MPI's own accelerator, after MPI_Init. Returns how many bytes of the device there are, 0
 * where there is none. */
size_t fake_device_install(void);

/* The first byte of the device. */
char *fake_device_memory(void);

/* The same byte as the CPU may touch it. */
char *fake_device_shadow(void);

/* Copies that Open MPI or a component of it asked for since the start. */
size_t fake_device_copies(void);

/* Those of them that were under way with others when they were waited for. */
size_t fake_device_together(void);

/* What it has none of from now on: every fifth copy that does not wait, the streams for such, or a way to wait for one. */
enum fake_device_refusal { REFUSES_NOTHING = 0, REFUSES_SOME_COPIES, REFUSES_STREAMS, REFUSES_WAITS };
void fake_device_refuse(enum fake_device_refusal what);

/* Whether no copy that does not wait comes to its end from now on. */
void fake_device_hold(int hold);

/* Bytes of host memory that are pinned now. */
size_t fake_device_pinned(void);

#ifdef __cplusplus
}
#endif

#endif
