#include "base/kernel.h"
#include "base/work_arounds.h"
#include "png_chunks.h"
#include "png_rows.h"

/// The operation `phbatch_pngsave`: writes an 8-bit or 16-bit image with 1…4 bands (the last of 2
/// or 4 is alpha) to `target` as a PNG file that is not interlaced.
///
/// Each row is filtered by the filter with the least sum of absolute differences. `compression` is
/// 0…9; at 0 rows are neither filtered nor compressed. Pictures of up to `whole` bytes are kept in
/// memory and compressed as a whole by libdeflate; larger pictures are compressed row by row by
/// zlib. libdeflate is faster and gives smaller files.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsTarget *target;
  int compression;
  guint64 whole;
  gboolean portable;
} PhPngSave;

typedef VipsOperationClass PhPngSaveClass;

PH_DEFINE_OPERATION(PhPngSave, ph_pngsave, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_pngsave";

typedef struct {
  PhPngRows *rows;
  PhPngStream *stream;
  /// Set by `write_rows` if writing failed, because libvips may ignore its last result; see
  /// ph_sink_rows.
  gboolean has_failed;
} PhPngWriter;

static int write_rows(VipsRegion *region, VipsRect *area, void *a) {
  PhPngWriter *writer = a;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area) && !writer->has_failed; y++)
    if (ph_png_rows_add(writer->rows, VIPS_REGION_ADDR(region, 0, y), writer->stream))
      writer->has_failed = TRUE;
  return writer->has_failed ? -1 : 0;
}

static int write_image(PhPngSave *save) {
  VipsImage *in = save->in;
  int bytes = in->BandFmt == VIPS_FORMAT_USHORT ? 2 : 1;
  size_t size = ((size_t)in->Xsize * (size_t)(in->Bands * bytes) + 1) * (size_t)in->Ysize;
  if (ph_png_write_head(save->target, in, 8 * bytes)) return -1;
  PhPngWriter writer = {
      ph_png_rows_new(ph_loops(save->portable), in->Xsize * in->Bands, bytes, in->Bands,
                      save->compression > 0),
      ph_png_stream_new(save->target, size, save->compression, size <= save->whole), FALSE};
  int status = 0;
  if (!writer.rows || !writer.stream ||
      ph_sink_rows(in, write_rows, &writer, &writer.has_failed) ||
      ph_png_stream_end(writer.stream))
    status = -1;
  ph_png_rows_free(writer.rows);
  ph_png_stream_free(writer.stream);
  return status || ph_png_write_chunk(save->target, "IEND", "", 0) ||
                 vips_target_end(save->target)
             ? -1
             : 0;
}

static int ph_pngsave_build(VipsObject *object) {
  PhPngSave *save = (PhPngSave *)object;
  if (VIPS_OBJECT_CLASS(ph_pngsave_parent_class)->build(object) ||
      vips_image_pio_input(save->in) || vips_check_uncoded(nickname, save->in))
    return -1;
  if (save->in->BandFmt != VIPS_FORMAT_UCHAR && save->in->BandFmt != VIPS_FORMAT_USHORT) {
    vips_error(nickname, "samples must be uchar or ushort");
    return -1;
  }
  if (save->in->Bands > 4) {
    vips_error(nickname, "the input has %d bands, more than 4", save->in->Bands);
    return -1;
  }
  return write_image(save);
}

static void ph_pngsave_class_init(PhPngSaveClass *class) {
  ph_kernel_class_describe(class, nickname, "write a PNG file", ph_pngsave_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image to write", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhPngSave, in));
  VIPS_ARG_OBJECT(class, "target", 2, "Target", "Where the file goes",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhPngSave, target),
                  VIPS_TYPE_TARGET);
  VIPS_ARG_INT(class, "compression", 10, "Compression", "Higher is smaller and slower",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhPngSave, compression), 0, 9, 6);
  VIPS_ARG_UINT64(class, "whole", 11, "Whole", "Most bytes that are compressed as a whole",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhPngSave, whole), 0,
                  (guint64)1 << 40, (guint64)1 << 27);
  VIPS_ARG_BOOL(class, "portable", 12, "Portable", "Use the loops for any CPU",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhPngSave, portable), FALSE);
}

static void ph_pngsave_init(PhPngSave *save) {
  save->compression = 6;
  save->whole = (guint64)1 << 27;
}
