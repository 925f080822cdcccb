#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "base/kernel.h"
#include "base/work_arounds.h"
#include "jpeg/chroma_detail.h"
#include "jpeg/coefficients.h"
#include "work_arounds.h"

/// The number of bytes written at a time.
enum { PH_CHUNK = 1 << 16 };

/// The operation `phbatch_jpegsave`: writes an 8-bit image to `target` as a JPEG file. The image
/// has one band (grey), three (RGB) or four (CMYK).
///
/// `columns` × `rows` is the chroma subsampling of RGB: 1 × 1 (4:4:4), 2 × 1 (4:2:2) or 2 × 2
/// (4:2:0). If `measure` is set, the operation keeps the picture in memory and chooses 1 × 1 if the
/// picture's colours have detail (see chroma_detail.h), otherwise 2 × 2. `optimize_coding` computes
/// Huffman tables for the picture, `interlace` writes a progressive file, and `trellis` chooses
/// quantizers, and coefficients that need few bits for their errors (see trellis.h); each keeps all
/// coefficients in memory. The image's profile and resolution are written; other metadata are not.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsTarget *target;
  int quality;
  int columns, rows;
  gboolean is_progressive;
  gboolean is_fitted;
  gboolean is_measured;
  gboolean has_trellis;
  int restart_interval;
} PhJpegSave;

typedef VipsOperationClass PhJpegSaveClass;

PH_DEFINE_OPERATION(PhJpegSave, ph_jpegsave, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_jpegsave";

typedef struct {
  VipsTarget *target;
  struct jpeg_compress_struct encoder;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr output;
  jmp_buf failed;
  /// A row of inverted CMYK, because files store CMYK inverted; NULL for grey and RGB.
  guint8 *inverted;
  /// The coefficients of the picture; NULL if the encoder quantizes them itself.
  PhCoefficients *coefficients;
  /// Set by `write_rows` if writing failed, because libvips may ignore its last result; see
  /// ph_sink_rows.
  gboolean has_failed;
  guint8 chunk[PH_CHUNK];
} PhJpegWriter;

// The callback functions that libjpeg calls.

static _Noreturn void leave(j_common_ptr encoder) {
  PhJpegWriter *writer = encoder->client_data;
  char words[JMSG_LENGTH_MAX];
  encoder->err->format_message(encoder, words);
  vips_error(nickname, "%s", words);
  longjmp(writer->failed, 1);
}

/// Ignores messages that are not errors.
static void hear(j_common_ptr encoder, int level) { (void)encoder, (void)level; }

static void begin_output(j_compress_ptr encoder) {
  PhJpegWriter *writer = encoder->client_data;
  writer->output.next_output_byte = writer->chunk;
  writer->output.free_in_buffer = PH_CHUNK;
}

static void write_bytes(j_compress_ptr encoder, size_t count) {
  PhJpegWriter *writer = encoder->client_data;
  if (vips_target_write(writer->target, writer->chunk, count)) ERREXIT(encoder, JERR_FILE_WRITE);
}

static boolean write_chunk(j_compress_ptr encoder) {
  write_bytes(encoder, PH_CHUNK);
  begin_output(encoder);
  return TRUE;
}

static void end_output(j_compress_ptr encoder) {
  write_bytes(encoder, PH_CHUNK - encoder->dest->free_in_buffer);
}

/// Writes the resolution in pixels per inch or per centimetre, depending on the image's unit.
static void set_density(j_compress_ptr encoder, VipsImage *in) {
  const char *unit = "in";
  if (vips_image_get_typeof(in, VIPS_META_RESOLUTION_UNIT))
    vips_image_get_string(in, VIPS_META_RESOLUTION_UNIT, &unit);
  gboolean is_metric = g_str_has_prefix(unit, "cm");
  double length = is_metric ? 10 : 25.4;
  encoder->density_unit = is_metric ? 2 : 1;
  encoder->X_density = (UINT16)VIPS_CLIP(0, VIPS_RINT(in->Xres * length), G_MAXUINT16);
  encoder->Y_density = (UINT16)VIPS_CLIP(0, VIPS_RINT(in->Yres * length), G_MAXUINT16);
}

/// Sets quantizers that grow with the frequency, for luma and chroma alike.
///
/// The smallest one makes the score of SSIMULACRA2 that of the standard's tables at the same
/// quality; see Benchmarks/suites/looks/jpeg.
static void set_quantizers(const PhJpegSave *save, j_compress_ptr encoder) {
  static const double smallest = 11, growth = 0.25;
  unsigned table[DCTSIZE2];
  for (int v = 0; v < DCTSIZE; v++)
    for (int u = 0; u < DCTSIZE; u++)
      table[v * DCTSIZE + u] =
          (unsigned)(smallest * (1 + growth * pow(u * u + v * v, 0.75)) + 0.5);
  for (int which = 0; which < 2; which++)
    jpeg_add_quant_table(encoder, which, table, jpeg_quality_scaling(save->quality), TRUE);
}

/// The scans of a progressive file.
///
/// Those for `trellis` do not send bits of coefficients one after the other: of eleven scripts, this
/// one gave the fewest bytes, 8 % less than that of libjpeg.
static void set_scans(const PhJpegSave *save, j_compress_ptr encoder) {
  static const jpeg_scan_info scans[] = {
      {1, {0}, 0, 0, 0, 0}, {1, {1}, 0, 0, 0, 0},  {1, {2}, 0, 0, 0, 0},  {1, {0}, 1, 2, 0, 0},
      {1, {0}, 3, 9, 0, 0}, {1, {0}, 10, 63, 0, 0}, {1, {1}, 1, 63, 0, 0}, {1, {2}, 1, 63, 0, 0}};
  jpeg_simple_progression(encoder);
  if (!save->has_trellis || encoder->jpeg_color_space != JCS_YCbCr) return;
  encoder->scan_info = scans;
  encoder->num_scans = G_N_ELEMENTS(scans);
}

static void set_up(const PhJpegSave *save, j_compress_ptr encoder) {
  static const J_COLOR_SPACE spaces[] = {JCS_GRAYSCALE, JCS_UNKNOWN, JCS_RGB, JCS_CMYK};
  VipsImage *in = save->in;
  encoder->image_width = (JDIMENSION)in->Xsize;
  encoder->image_height = (JDIMENSION)in->Ysize;
  encoder->input_components = in->Bands;
  encoder->in_color_space = spaces[in->Bands - 1];
  jpeg_set_defaults(encoder);
  jpeg_set_quality(encoder, save->quality, TRUE);
  encoder->optimize_coding = save->is_fitted;
  encoder->restart_interval = (unsigned)save->restart_interval;
  if (save->has_trellis) set_quantizers(save, encoder);
  if (save->is_progressive) set_scans(save, encoder);
  if (in->Bands == 3) {
    encoder->comp_info[0].h_samp_factor = save->columns;
    encoder->comp_info[0].v_samp_factor = save->rows;
  }
  set_density(encoder, in);
}

static void write_profile(const PhJpegSave *save, j_compress_ptr encoder) {
  const void *profile;
  size_t length;
  if (vips_image_get_typeof(save->in, VIPS_META_ICC_NAME) &&
      !vips_image_get_blob(save->in, VIPS_META_ICC_NAME, &profile, &length) && length > 0)
    jpeg_write_icc_profile(encoder, profile, (unsigned)length);
}

/// Writes the headers that precede the pixels, unless the coefficients are collected first.
static int begin(const PhJpegSave *save, PhJpegWriter *writer) {
  j_compress_ptr encoder = &writer->encoder;
  encoder->err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = leave;
  writer->errors.emit_message = hear;
  encoder->client_data = writer;
  if (setjmp(writer->failed)) return -1;
  jpeg_create_compress(encoder);
  writer->output = (struct jpeg_destination_mgr){
      .init_destination = begin_output,
      .empty_output_buffer = write_chunk,
      .term_destination = end_output,
  };
  encoder->dest = &writer->output;
  set_up(save, encoder);
  if (save->has_trellis) {
    ph_coefficients_make(encoder, &writer->coefficients);
    return 0;
  }
  jpeg_start_compress(encoder, TRUE);
  write_profile(save, encoder);
  return 0;
}

static void write_row(PhJpegWriter *writer, JSAMPROW row) {
  if (writer->coefficients)
    ph_coefficients_add(writer->coefficients, row);
  else
    jpeg_write_scanlines(&writer->encoder, &row, 1);
}

static int write_rows(VipsRegion *region, VipsRect *area, void *a) {
  PhJpegWriter *writer = a;
  if (writer->has_failed) return -1;
  if (setjmp(writer->failed)) {
    writer->has_failed = TRUE;
    return -1;
  }
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    JSAMPROW row = VIPS_REGION_ADDR(region, 0, y);
    if (writer->inverted) {
      size_t count = (size_t)area->width * (size_t)region->im->Bands;
      for (size_t i = 0; i < count; i++) writer->inverted[i] = (guint8)~row[i];
      row = writer->inverted;
    }
    write_row(writer, row);
  }
  return 0;
}

static int end(const PhJpegSave *save, PhJpegWriter *writer) {
  if (setjmp(writer->failed)) return -1;
  if (writer->coefficients) {
    ph_coefficients_begin_file(writer->coefficients);
    write_profile(save, &writer->encoder);
  }
  jpeg_finish_compress(&writer->encoder);
  return vips_target_end(writer->target);
}

/// The pixels of a picture that is kept in memory.
typedef struct {
  guint8 *pixels;
  size_t pitch;
} PhJpegPicture;

static int keep_rows(VipsRegion *region, VipsRect *area, void *a) {
  const PhJpegPicture *picture = a;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    memcpy(picture->pixels + picture->pitch * (size_t)y, VIPS_REGION_ADDR(region, 0, y),
           picture->pitch);
  return 0;
}

static int write_kept(const PhJpegSave *save, PhJpegWriter *writer, PhJpegPicture picture) {
  if (setjmp(writer->failed)) return -1;
  for (int y = 0; y < save->in->Ysize; y++)
    write_row(writer, picture.pixels + picture.pitch * (size_t)y);
  return 0;
}

/// Keeps the picture in memory, chooses the chroma subsampling from its colours, then writes the
/// file.
static int write_measured(PhJpegSave *save, PhJpegWriter *writer) {
  PhJpegPicture picture = {.pitch = VIPS_IMAGE_SIZEOF_LINE(save->in)};
  picture.pixels = g_try_malloc(picture.pitch * (size_t)save->in->Ysize);
  if (!picture.pixels) {
    vips_error(nickname, "memory is short");
    return -1;
  }
  gboolean failed = ph_sink_rows(save->in, keep_rows, &picture, &writer->has_failed);
  if (!failed) {
    gboolean is_fine = ph_chroma_has_detail(picture.pixels, save->in->Xsize, save->in->Ysize,
                                            save->quality);
    save->columns = save->rows = is_fine ? 1 : 2;
    failed = begin(save, writer) || write_kept(save, writer, picture);
  }
  g_free(picture.pixels);
  return failed ? -1 : 0;
}

static int write_image(PhJpegSave *save) {
  PhJpegWriter *writer = g_try_new0(PhJpegWriter, 1);
  if (!writer) {
    vips_error(nickname, "memory is short");
    return -1;
  }
  writer->target = save->target;
  if (save->in->Bands == 4) writer->inverted = g_malloc(VIPS_IMAGE_SIZEOF_LINE(save->in));
  gboolean failed = save->is_measured && save->in->Bands == 3
                        ? write_measured(save, writer)
                        : begin(save, writer) ||
                              ph_sink_rows(save->in, write_rows, writer, &writer->has_failed);
  failed = failed || end(save, writer);
  jpeg_destroy_compress(&writer->encoder);
  ph_coefficients_free(writer->coefficients);
  g_free(writer->inverted);
  g_free(writer);
  return failed ? -1 : 0;
}

static int ph_jpegsave_build(VipsObject *object) {
  PhJpegSave *save = (PhJpegSave *)object;
  if (VIPS_OBJECT_CLASS(ph_jpegsave_parent_class)->build(object) ||
      vips_image_pio_input(save->in) || vips_check_uncoded(nickname, save->in) ||
      vips_check_format(nickname, save->in, VIPS_FORMAT_UCHAR))
    return -1;
  gboolean is_ink = save->in->Type == VIPS_INTERPRETATION_CMYK;
  int bands = save->in->Bands;
  if (bands == 1 || bands == 3 || (bands == 4 && is_ink)) return write_image(save);
  vips_error(nickname, "the input has %d bands, not one, three, or four of inks", bands);
  return -1;
}

static void ph_jpegsave_class_init(PhJpegSaveClass *class) {
  ph_kernel_class_describe(class, nickname, "write a JPEG file", ph_jpegsave_build);
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_SEQUENTIAL | VIPS_OPERATION_NOCACHE;
  VIPS_ARG_IMAGE(class, "in", 1, "Input", "Image to write", VIPS_ARGUMENT_REQUIRED_INPUT,
                 G_STRUCT_OFFSET(PhJpegSave, in));
  VIPS_ARG_OBJECT(class, "target", 2, "Target", "Where the file goes",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJpegSave, target),
                  VIPS_TYPE_TARGET);
  VIPS_ARG_INT(class, "Q", 10, "Quality", "Higher is better and larger",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, quality), 1, 100, 75);
  VIPS_ARG_INT(class, "columns", 11, "Columns", "Pixels side by side that share their colour",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, columns), 1, 2, 2);
  VIPS_ARG_INT(class, "rows", 12, "Rows", "Rows whose pixels share their colour",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, rows), 1, 2, 2);
  VIPS_ARG_BOOL(class, "interlace", 13, "Interlace", "Write a progressive file",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, is_progressive), FALSE);
  VIPS_ARG_BOOL(class, "optimize_coding", 14, "Optimize coding", "Fit the coder's tables",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, is_fitted), FALSE);
  VIPS_ARG_INT(class, "restart_interval", 15, "Restart interval", "Blocks between markers",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, restart_interval), 0,
               65535, 0);
  VIPS_ARG_BOOL(class, "measure", 16, "Measure", "Choose the subsampling by the picture",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, is_measured), FALSE);
  VIPS_ARG_BOOL(class, "trellis", 17, "Trellis", "Weigh errors against bits",
                VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegSave, has_trellis), FALSE);
}

static void ph_jpegsave_init(PhJpegSave *save) {
  save->quality = 75;
  save->columns = save->rows = 2;
}
