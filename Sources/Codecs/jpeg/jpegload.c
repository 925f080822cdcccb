#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "base/kernel.h"
#include "resize/planes.h"
#include "work_arounds.h"

/// The number of bytes read at a time.
enum { PH_CHUNK = 1 << 16 };

/// The maximum number of rows of a component that libjpeg returns at a time: the rows of two
/// blocks.
enum { PH_MOST_ROWS = 2 * DCTSIZE };

/// The operation `phbatch_jpegload`: reads the planes of an 8-bit YCbCr JPEG file with one scan.
/// The planes are laid out as in planes.h; they are neither upsampled to the size of the picture
/// nor converted to RGB.
///
/// Rows must be read once, whole, from the top down, in multiples of 16; readers that go back need
/// libvips's operation `sequential` after this one. With a `shrink` of 2, 4 or 8, libjpeg decodes
/// the picture at ½, ¼ or ⅛ of its size. The number of libjpeg's warnings and the text of the first
/// are logged, as by libvips's own loader. A file that ends before its last pixel is an error.
typedef struct {
  VipsOperation parent_instance;
  VipsSource *source;
  VipsImage *out;
  int shrink;

  struct jpeg_decompress_struct decoder;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr input;
  jmp_buf failed;
  gboolean is_made;
  /// The first warning of libjpeg.
  char complaint[JMSG_LENGTH_MAX];
  PhPlanes planes;
  /// The number of output rows for which libjpeg returns samples at a time, and the index of the
  /// next output row to read.
  int together, next;
  /// A row that receives the samples that libjpeg returns below the end of the picture.
  guint8 *below;
  guint8 *chunk;
} PhJpegLoad;

typedef VipsOperationClass PhJpegLoadClass;

PH_DEFINE_OPERATION(PhJpegLoad, ph_jpegload, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_jpegload";

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

// The callback functions that libjpeg calls.

static _Noreturn void leave(j_common_ptr decoder) {
  PhJpegLoad *load = decoder->client_data;
  char words[JMSG_LENGTH_MAX];
  decoder->err->format_message(decoder, words);
  fail(words);
  longjmp(load->failed, 1);
}

/// Stores the first warning and ignores other messages. If the file ends early, or another picture
/// starts before the end, the warning is treated as an error, because libjpeg would fill the
/// missing pixels with made-up values.
static void hear(j_common_ptr decoder, int level) {
  PhJpegLoad *load = decoder->client_data;
  if (level >= 0) return;
  char words[JMSG_LENGTH_MAX];
  decoder->err->format_message(decoder, words);
  if (decoder->err->msg_code == JWRN_HIT_MARKER) {
    // The message is logged as a warning as well: the error makes several readers of the picture
    // fail, but only one of them gets libvips's error text.
    g_log("VIPS", G_LOG_LEVEL_WARNING, "VipsJpeg: %s", words);
    leave(decoder);
  }
  if (decoder->err->num_warnings++ == 0) strcpy(load->complaint, words);
}

static void begin_input(j_decompress_ptr decoder) { (void)decoder; }

static boolean read_input(j_decompress_ptr decoder) {
  PhJpegLoad *load = decoder->client_data;
  gint64 count = vips_source_read(load->source, load->chunk, PH_CHUNK);
  if (count <= 0) ERREXIT(decoder, JERR_INPUT_EOF);
  load->input.next_input_byte = load->chunk;
  load->input.bytes_in_buffer = (size_t)count;
  return TRUE;
}

static void skip_input(j_decompress_ptr decoder, long count) {
  PhJpegLoad *load = decoder->client_data;
  if (count <= 0) return;
  size_t left = (size_t)count;
  while (left > load->input.bytes_in_buffer) {
    left -= load->input.bytes_in_buffer;
    read_input(decoder);
  }
  load->input.next_input_byte += left;
  load->input.bytes_in_buffer -= left;
}

static void end_input(j_decompress_ptr decoder) { (void)decoder; }

/// Returns the number of rows of a component in one minimum coded unit (MCU). libjpeg returns one
/// row of MCUs at a time.
static int rows_of(const jpeg_component_info *of) { return of->v_samp_factor * of->DCT_scaled_size; }

static int columns_of(const jpeg_component_info *of) {
  return of->h_samp_factor * of->DCT_scaled_size;
}

/// True for an 8-bit YCbCr file with one scan, in which one or two rows of luma correspond to each
/// row of chroma.
static gboolean is_plain(j_decompress_ptr decoder) {
  const jpeg_component_info *of = decoder->comp_info;
  if (decoder->num_components != PH_PLANES || decoder->jpeg_color_space != JCS_YCbCr ||
      decoder->data_precision != BITS_IN_JSAMPLE || jpeg_has_multiple_scans(decoder))
    return FALSE;
  int rows = rows_of(&of[0]);
  return of[0].h_samp_factor == decoder->max_h_samp_factor &&
         of[0].v_samp_factor == decoder->max_v_samp_factor && rows <= PH_MOST_ROWS &&
         (rows == rows_of(&of[1]) || rows == 2 * rows_of(&of[1])) &&
         rows_of(&of[1]) == rows_of(&of[2]) && columns_of(&of[1]) == columns_of(&of[2]);
}

/// Sets the place of each plane in the output: the planes are side by side, each with room for
/// whole blocks.
static void lay_out(PhJpegLoad *load) {
  const jpeg_component_info *of = load->decoder.comp_info;
  PhPlanes *planes = &load->planes;
  load->together = rows_of(&of[1]);
  planes->rows = rows_of(&of[0]) / load->together;
  for (int i = 0, left = 0; i < PH_PLANES; i++) {
    int pitch = (int)of[i].width_in_blocks * of[i].DCT_scaled_size;
    planes->plane[i] = (PhPlane){
        .left = left,
        .pitch = pitch,
        .width = (int)of[i].downsampled_width,
        .height = (int)of[i].downsampled_height,
        .across = (double)of[0].downsampled_width * columns_of(&of[i]) / columns_of(&of[0]),
        .down = (double)of[0].downsampled_height * rows_of(&of[i]) / rows_of(&of[0]),
    };
    left += i == 0 ? planes->rows * pitch : pitch;
  }
}

static int read_header(PhJpegLoad *load) {
  j_decompress_ptr decoder = &load->decoder;
  decoder->err = jpeg_std_error(&load->errors);
  load->errors.error_exit = leave;
  load->errors.emit_message = hear;
  decoder->client_data = load;
  if (setjmp(load->failed)) return -1;
  jpeg_create_decompress(decoder);
  load->is_made = TRUE;
  load->input = (struct jpeg_source_mgr){
      .init_source = begin_input,
      .fill_input_buffer = read_input,
      .skip_input_data = skip_input,
      .resync_to_restart = jpeg_resync_to_restart,
      .term_source = end_input,
  };
  decoder->src = &load->input;
  jpeg_read_header(decoder, TRUE);
  decoder->scale_num = 1;
  decoder->scale_denom = (unsigned)load->shrink;
  decoder->out_color_space = JCS_YCbCr;
  decoder->raw_data_out = TRUE;
  jpeg_calc_output_dimensions(decoder);
  if (!is_plain(decoder)) return fail("its planes cannot be read one by one");
  lay_out(load);
  return 0;
}

/// Reads the next row of MCUs from libjpeg, and stores the samples in `region` from row `y` on.
static void read_rows(PhJpegLoad *load, VipsRegion *region, int y) {
  JSAMPROW rows[PH_PLANES][PH_MOST_ROWS];
  JSAMPARRAY planes[PH_PLANES] = {rows[0], rows[1], rows[2]};
  for (int i = 0; i < PH_PLANES; i++) {
    const PhPlane *plane = &load->planes.plane[i];
    int beside = i == 0 ? load->planes.rows : 1;
    for (int row = 0; row < beside * load->together; row++) {
      int at = y + row / beside;
      rows[i][row] = at < VIPS_RECT_BOTTOM(&region->valid)
                         ? VIPS_REGION_ADDR(region, plane->left + row % beside * plane->pitch, at)
                         : load->below;
    }
  }
  jpeg_read_raw_data(&load->decoder, planes, PH_MOST_ROWS);
}

/// Logs the number of libjpeg's warnings and the first of them, in the words of libvips's own
/// loader.
static void tell(const PhJpegLoad *load) {
  if (load->errors.num_warnings == 0) return;
  g_log("VIPS", G_LOG_LEVEL_WARNING, "read gave %ld warnings", load->errors.num_warnings);
  g_log("VIPS", G_LOG_LEVEL_WARNING, "VipsJpeg: %s", load->complaint);
}

static int generate(VipsRegion *region, void *sequence, void *a, void *b, gboolean *stop) {
  PhJpegLoad *load = a;
  (void)sequence, (void)b, (void)stop;
  const VipsRect *area = &region->valid;
  int bottom = VIPS_RECT_BOTTOM(area);
  gboolean is_whole = bottom % load->together == 0 || bottom == region->im->Ysize;
  if (area->top != load->next || area->width != region->im->Xsize || !is_whole) {
    vips_error(nickname, "out of order read at line %d", area->top);
    return -1;
  }
  if (setjmp(load->failed)) return -1;
  if (load->next == 0) jpeg_start_decompress(&load->decoder);
  for (int y = area->top; y < bottom; y += load->together) read_rows(load, region, y);
  load->next = bottom;
  if (load->next == region->im->Ysize) tell(load);
  return 0;
}

static int ph_jpegload_build(VipsObject *object) {
  PhJpegLoad *load = (PhJpegLoad *)object;
  if (VIPS_OBJECT_CLASS(ph_jpegload_parent_class)->build(object)) return -1;
  load->chunk = g_try_malloc(PH_CHUNK);
  if (!load->chunk) return fail("memory is short");
  if (vips_source_rewind(load->source) || vips_source_decode(load->source) || read_header(load))
    return -1;
  const PhPlane *last = &load->planes.plane[PH_PLANES - 1];
  VipsImage **made = (VipsImage **)vips_object_local_array(object, 1);
  made[0] = vips_image_new();
  vips_image_init_fields(made[0], last->left + last->pitch, last->height, 1, VIPS_FORMAT_UCHAR,
                         VIPS_CODING_NONE, VIPS_INTERPRETATION_B_W, 1, 1);
  ph_planes_set(made[0], &load->planes);
  load->below = g_try_malloc((size_t)load->planes.plane[0].pitch);
  if (!load->below) return fail("memory is short");
  g_object_set(object, "out", vips_image_new(), NULL);
  return vips_image_pipelinev(made[0], VIPS_DEMAND_STYLE_FATSTRIP, NULL) ||
                 vips_image_generate(made[0], NULL, generate, NULL, load, NULL) ||
                 vips_image_write(made[0], load->out)
             ? -1
             : 0;
}

static void ph_jpegload_finalize(GObject *object) {
  PhJpegLoad *load = (PhJpegLoad *)object;
  if (load->is_made) jpeg_destroy_decompress(&load->decoder);
  g_free(load->below);
  g_free(load->chunk);
  G_OBJECT_CLASS(ph_jpegload_parent_class)->finalize(object);
}

static void ph_jpegload_class_init(PhJpegLoadClass *class) {
  ph_kernel_class_describe(class, nickname, "read the planes of a JPEG file", ph_jpegload_build);
  G_OBJECT_CLASS(class)->finalize = ph_jpegload_finalize;
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_NOCACHE;
  VIPS_ARG_OBJECT(class, "source", 1, "Source", "Where the file is",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJpegLoad, source),
                  VIPS_TYPE_SOURCE);
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "The planes", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhJpegLoad, out));
  VIPS_ARG_INT(class, "shrink", 3, "Shrink", "How much smaller to decode it",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJpegLoad, shrink), 1, DCTSIZE, 1);
}

static void ph_jpegload_init(PhJpegLoad *load) { load->shrink = 1; }
