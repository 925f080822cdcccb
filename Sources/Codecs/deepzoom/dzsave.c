#include <string.h>

#include "base/kernel.h"
#include "base/work_arounds.h"
#include "pyramid.h"

/// The operation `phbatch_dzsave`: writes an 8-bit image of 1 or 3 bands to `target` as a DeepZoom
/// pyramid in one SZI file, an uncompressed ZIP archive.
///
/// `image/image.dzi` describes the tiles in `image/image_files`. `tile-size` is 1…4096, `overlap`
/// 0…256; `suffix` is `jpg`, `png` or `webp`; `Q` is 1…100, for JPEG and WebP.
///
/// Source: smart in media, SZI format description, 2018-11-24.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsTarget *target;
  int tile_size;
  int overlap;
  char *suffix;
  int quality;
  gboolean portable;
} PhDzSave;

typedef VipsOperationClass PhDzSaveClass;

PH_DEFINE_OPERATION(PhDzSave, ph_dzsave, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_dzsave";

typedef struct {
  PhPyramid *pyramid;
  /// Set by `write_rows` if writing failed, because libvips may ignore its last result; see
  /// ph_sink_rows.
  gboolean has_failed;
} PhDzWriter;

static int write_rows(VipsRegion *region, VipsRect *area, void *a) {
  PhDzWriter *writer = a;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area) && !writer->has_failed; y++)
    if (ph_pyramid_add(writer->pyramid, VIPS_REGION_ADDR(region, 0, y))) writer->has_failed = TRUE;
  return writer->has_failed ? -1 : 0;
}

/// The number of rows computed at a time if one thread computes all rows.
enum { PH_STRIP = 16 };

/// Computes and writes all rows on the calling thread. This saves the memory for rows that libvips
/// would buffer for other threads.
static int write_alone(VipsImage *image, PhDzWriter *writer) {
  VipsRegion *region = vips_region_new(image);
  int status = region ? 0 : -1;
  for (int y = 0; y < image->Ysize && status == 0; y += PH_STRIP) {
    VipsRect strip = {0, y, image->Xsize, VIPS_MIN(PH_STRIP, image->Ysize - y)};
    status = vips_region_prepare(region, &strip) || write_rows(region, &strip, writer) ? -1 : 0;
  }
  VIPS_UNREF(region);
  return status;
}

static int write_description(const PhDzSave *save, PhArchive *archive) {
  char *text = g_strdup_printf(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"%s\" Overlap=\"%d\""
      " TileSize=\"%d\">\n"
      "  <Size Width=\"%d\" Height=\"%d\"/>\n"
      "</Image>\n",
      save->suffix, save->overlap, save->tile_size, save->in->Xsize, save->in->Ysize);
  int status = ph_archive_add(archive, "image/image.dzi", text, strlen(text));
  g_free(text);
  return status;
}

static int write_image(PhDzSave *save) {
  VipsImage *in = save->in;
  PhPyramidShape shape = {in->Xsize, in->Ysize, in->Bands, save->tile_size, save->overlap};
  PhTileEncoder encoder = {save->suffix, save->quality, in};
  PhArchive *archive = ph_archive_new(save->target);
  PhPyramid *pyramid = ph_pyramid_new(ph_loops(save->portable), &shape, &encoder, archive,
                                      "image/image_files");
  PhDzWriter writer = {pyramid, FALSE};
  int status = !pyramid || write_description(save, archive) ||
                       (vips_image_get_concurrency(in, 2) == 1
                            ? write_alone(in, &writer)
                            : ph_sink_rows(in, write_rows, &writer, &writer.has_failed)) ||
                       ph_archive_end(archive) ||
                       vips_target_end(save->target)
                   ? -1
                   : 0;
  ph_pyramid_free(pyramid);
  ph_archive_free(archive);
  return status;
}

static int ph_dzsave_build(VipsObject *object) {
  PhDzSave *save = (PhDzSave *)object;
  if (VIPS_OBJECT_CLASS(ph_dzsave_parent_class)->build(object) || vips_image_pio_input(save->in) ||
      vips_check_uncoded(nickname, save->in) ||
      vips_check_format(nickname, save->in, VIPS_FORMAT_UCHAR))
    return -1;
  if (save->in->Bands != 1 && save->in->Bands != 3) {
    vips_error(nickname, "the input has %d bands, not 1 or 3", save->in->Bands);
    return -1;
  }
  if (!ph_tile_encoder_knows(save->suffix)) {
    vips_error(nickname, "tiles cannot be .%s files", save->suffix);
    return -1;
  }
  return write_image(save);
}

static void ph_dzsave_class_init(PhDzSaveClass *class) {
  ph_kernel_class_describe(class, nickname, "write a DeepZoom pyramid in one file",
                           ph_dzsave_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image to write", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhDzSave, in));
  VIPS_ARG_OBJECT(class, "target", 2, "Target", "Where the file goes",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDzSave, target),
                  VIPS_TYPE_TARGET);
  VIPS_ARG_INT(class, "tile-size", 10, "Tile size", "Pixels, without the overlap",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDzSave, tile_size), 1, 4096, 254);
  VIPS_ARG_INT(class, "overlap", 11, "Overlap", "Pixels of the neighbours in each tile",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDzSave, overlap), 0, 256, 1);
  VIPS_ARG_STRING(class, "suffix", 12, "Suffix", "Format of the tiles: jpg, png or webp",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDzSave, suffix), "jpg");
  VIPS_ARG_INT(class, "Q", 13, "Quality", "Quality of JPEG and WebP",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDzSave, quality), 1, 100, 80);
  VIPS_ARG_BOOL(class, "portable", 14, "Portable", "Use the loops for any CPU",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDzSave, portable), FALSE);
}

static void ph_dzsave_init(PhDzSave *save) {
  save->tile_size = 254;
  save->overlap = 1;
  save->suffix = g_strdup("jpg");
  save->quality = 80;
}
