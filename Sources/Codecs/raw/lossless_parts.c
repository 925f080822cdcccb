#include "raw/lossless_parts.h"

#include <string.h>

#include "raw/dng_samples.h"
#include "raw/lossless_jpeg.h"
#include "raw/masked_black.h"

gboolean ph_raw_has_lossless_parts(const PhRawFile *file) {
  PhSampleCoding coding;
  return file->parts && ph_raw_read_coding(file->parts, &coding) > 0 &&
         coding.parts == PH_PARTS_LOSSLESS;
}

gboolean ph_raw_can_read_lossless_parts(const PhRawFile *file) {
  // LibRaw moves the samples of the EOS-1D Mark III, whose frame has this width, by two columns.
  enum { PH_MOVED_WIDTH = 3984 };
  const char *decoder = libraw_unpack_function_name(file->libraw);
  if (!ph_raw_has_lossless_parts(file)) return FALSE;
  return !strcmp(decoder, "lossless_dng_load_raw()") ||
         (!strcmp(decoder, "lossless_jpeg_load_raw()") &&
          file->libraw->sizes.raw_width != PH_MOVED_WIDTH);
}

/// Reads a part, whose size is that of the frame if it is not stated.
static gboolean read_part(const PhRawFile *file, int index, PhPart *part) {
  if (!ph_raw_read_part(file, index, part)) return FALSE;
  if (!part->width) part->width = file->libraw->sizes.raw_width;
  if (!part->height) part->height = file->libraw->sizes.raw_height;
  return TRUE;
}

/// The place of the next sample of a stream: a part, and a sample of it. `written` is the number of
/// samples inside the frame that were written before.
typedef struct {
  int index, end, x, y;
  PhPart part;
  int channels;
  size_t written;
} PhCursor;

/// Moves to the first sample of the next row; FALSE after the last row of the last part.
static gboolean move_down(const PhRawFile *file, PhCursor *at) {
  at->x = 0;
  if (++at->y < at->part.height) return TRUE;
  at->y = 0;
  return ++at->index < at->end && read_part(file, at->index, &at->part);
}

/// Writes samples from the place on; FALSE if the last part is full.
static gboolean write_samples(const PhRawFile *file, PhCursor *at, const ushort *from, int count) {
  const libraw_image_sizes_t *sizes = &file->libraw->sizes;
  int width = sizes->raw_width * at->channels;
  while (count > 0) {
    int end = at->part.width * at->channels;
    int run = VIPS_MIN(count, end - at->x), x = at->part.left * at->channels + at->x;
    int y = at->part.top + at->y, seen = VIPS_MIN(run, width - x);
    if (seen > 0 && y < sizes->raw_height) {
      memcpy(file->samples + (size_t)y * (size_t)width + x, from, (size_t)seen * sizeof *from);
      at->written += (size_t)seen;
    }
    from += run, count -= run, at->x += run;
    if (at->x == end && !move_down(file, at)) return FALSE;
  }
  return TRUE;
}

/// True if a sample has more bits than the stream states, which shows that its codes are damaged.
static gboolean exceeds(const ushort *row, const PhLosslessHead *head) {
  unsigned all = 0;
  for (int i = 0; i < head->samples; i++) all |= row[i];
  return all >> head->bits != 0;
}

/// Decodes the stream that fills the parts from the cursor's to the one before its `end`.
static int read_stream(const PhRawFile *file, PhCursor *at) {
  at->x = at->y = 0;
  if (!read_part(file, at->index, &at->part) || at->part.bytes > file->length - at->part.offset)
    return LIBRAW_IO_ERROR;
  const guint8 *start = file->bytes + at->part.offset;
  size_t bytes = at->part.bytes ? at->part.bytes : file->length - at->part.offset;
  PhLosslessHead head;
  PhLossless *stream = ph_lossless_open(start, bytes, &head);
  ushort *row = stream ? g_try_new(ushort, head.samples) : NULL;
  int status = !stream ? LIBRAW_DATA_ERROR : row ? 0 : LIBRAW_UNSUFFICIENT_MEMORY;
  gboolean has_room = TRUE;
  for (int y = 0; !status && has_room; y++) {
    if (y == head.rows || ph_lossless_row(stream, row) || exceeds(row, &head))
      status = LIBRAW_DATA_ERROR;
    else
      has_room = write_samples(file, at, row, head.samples);
  }
  g_free(row);
  ph_lossless_close(stream);
  return status;
}

/// Decodes samples by the linearization table, unless it leaves all samples as they are.
static void linearize(ushort *samples, size_t count, const ushort *curve) {
  int first = 0;
  while (first < 65536 && curve[first] == first) first++;
  if (first == 65536) return;
  for (size_t i = 0; i < count; i++) samples[i] = curve[samples[i]];
}

int ph_raw_read_lossless_parts(PhRawFile *file) {
  PhSampleCoding coding;
  int parts = ph_raw_read_coding(file->parts, &coding);
  if (parts < 0) return LIBRAW_DATA_ERROR;
  libraw_image_sizes_t *sizes = &file->libraw->sizes;
  size_t count = (size_t)sizes->raw_width * sizes->raw_height * (size_t)coding.channels;
  if (count > (size_t)PH_RAW_MOST_MEMORY << 19) return LIBRAW_TOO_BIG;
  g_free(file->samples);
  file->samples = g_try_new0(ushort, count);
  if (!file->samples) return LIBRAW_UNSUFFICIENT_MEMORY;
  PhCursor at = {.channels = coding.channels};
  for (int first = 0, end = 1; first < parts; first = end++) {
    PhPart part, next;
    if (!ph_raw_read_part(file, first, &part)) return LIBRAW_IO_ERROR;
    while (end < parts && ph_raw_read_part(file, end, &next) && next.offset == part.offset) end++;
    at.index = first, at.end = end;
    int status = read_stream(file, &at);
    if (status) return status;
  }
  // Parts do not overlap, so this many samples cover the frame.
  if (at.written != count) return LIBRAW_DATA_ERROR;
  if (coding.channels > 1) return 0;
  linearize(file->samples, count, file->libraw->color.curve);
  file->libraw->rawdata.raw_image = file->samples;
  sizes->raw_pitch = sizes->raw_width * (unsigned)sizeof(ushort);
  // DNG files state their black.
  if (!file->libraw->idata.dng_version) ph_raw_measure_black(file);
  return 0;
}
