#define ZLIB_CONST
#include "bot/base/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <zlib.h>

#include "bot/base/memory.h"

enum {
    PART = 4096 /* bytes written at once */
};

void
pack_put(const void *bytes, size_t len, struct buf *out)
{
    uLongf size = compressBound((uLong)len);
    Bytef *packed = must_alloc(size);
    int code = compress2(packed, &size, bytes, (uLong)len, Z_BEST_COMPRESSION);
    if (code == Z_MEM_ERROR) {
        die("out of memory");
    }
    assert(code == Z_OK);
    buf_add(out, packed, size);
    free(packed);
}

bool
pack_take(const void *packed, size_t len, size_t max, struct buf *out)
{
    Bytef part[PART];
    z_stream stream = {.next_in = packed, .avail_in = (uInt)len};
    if (inflateInit(&stream) != Z_OK) {
        die("out of memory");
    }
    int code = Z_OK;
    while (code == Z_OK && stream.total_out <= max) {
        stream.next_out = part;
        stream.avail_out = sizeof part;
        code = inflate(&stream, Z_NO_FLUSH);
        buf_add(out, part, sizeof part - stream.avail_out);
    }
    bool whole =
        code == Z_STREAM_END && stream.avail_in == 0 && stream.total_out <= max;
    (void)inflateEnd(&stream);
    return whole;
}
