/*
 * Fat binaries: what nvcc puts into a program for its kernels, in sections .nv_fatbin and, with
 * -rdc=true, __nv_relfatbin. Containers lie one behind the other. Each has a header of 16 bytes and
 * images, each behind a header of its own: PTX, code of one architecture (ELF), or others. PTX is
 * stored as it is, or packed with LZ4 or Zstandard.
 *
 * NVIDIA has not published the format: this is what nvcc 13.0 writes, with all its -compress-mode.
 * All numbers are little endian. Of a container: magic ba55ed50, u16 version, u16 bytes of the
 * header, u64 bytes of the images. Of an image, by offset: 0 u16 kind, 4 u32 bytes of the header, 8
 * u64 bytes stored, padded, 16 u32 bytes packed, 28 u32 architecture, 32 u32 and 36 u32 offset and
 * length of the source's name, 40 u64 flags, 56 u64 bytes unpacked.
 */
#ifndef WS_ISA_FATBIN_FATBIN_H
#define WS_ISA_FATBIN_FATBIN_H

#include "isa/base/error.h"

enum {
    WS_FATBIN_MAGIC = (int)0xba55ed50u,
    WS_FATBIN_HEADER_BYTES = 16,
    WS_FATBIN_MAX_PTX_BYTES = 64 * 1024 * 1024 /* unpacked */
};

typedef enum { WS_FATBIN_PTX = 1, WS_FATBIN_CODE = 2 } WsFatbinKind; /* others are passed over */

typedef struct {
    WsFatbinKind kind;
    guint capability;       /* 10 * major + minor of the architecture */
    char suffix;            /* of its name: 'a' of sm_90a, 'f', or 0 */
    const guint8 *bytes;    /* as stored; not owned */
    gsize size;             /* of these, without padding where it is packed */
    guint64 unpacked_bytes; /* 0: it is not packed */
    gboolean is_lz4;        /* packed with LZ4, else with Zstandard */
} WsFatbinImage;

/* Bytes of the container that begins here, header and all; 0: none does. Reads the header alone. */
gsize ws_fatbin_bytes(const guint8 header[WS_FATBIN_HEADER_BYTES]);

/*
 * Adds the images of the container at `bytes`, which is `size` long, to `images`, an array of
 * WsFatbinImage. Errors: WS_ERROR_INPUT, it is no container, or none that is known.
 */
gboolean ws_fatbin_add_images(const guint8 *bytes, gsize size, GArray *images, GError **error);
/* The same of all containers one behind the other, with zeros between them: of a section. */
gboolean ws_fatbin_add_section(const guint8 *bytes, gsize size, GArray *images, GError **error);

/* "sm_80, sm_90, compute_90": what there is, each once, as nvcc's -code names it. g_free. */
char *ws_fatbin_names(const GArray *images);

/*
 * The PTX of the images that is of the newest architecture that a device of compute capability
 * `capability` (10 * major + minor) takes; g_free. Errors: WS_ERROR_INPUT, there is none, with what
 * there is and the option of nvcc that makes one; it cannot be unpacked.
 */
char *ws_fatbin_ptx(const GArray *images, guint capability, GError **error);
/* Whether such a device takes the image: it is PTX of its architecture or of an earlier one. */
gboolean ws_fatbin_is_taken(const WsFatbinImage *image, guint capability);
/* The first of these errors, of the file of `position`, or without one where that is NULL. */
void ws_fatbin_refuse(const WsPosition *position, const GArray *images, guint capability,
                      GError **error);

#endif
