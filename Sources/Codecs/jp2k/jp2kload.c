#include <openjpeg.h>
#include <string.h>

#include "base/kernel.h"
#include "jp2k/jp2k_bands.h"
#include "jp2k/jp2k_stream.h"
#include "whole/whole_picture.h"
#include "work_arounds.h"

/// The operation `phbatch_jp2kload`: reads a JPEG 2000 file from `source`, in 8 or 16 bits.
///
/// `components` lists the codestream's component for each band of the output. `colours` is the
/// number of colour bands: 1 for grey, 3 for RGB, 4 for CMYK; an additional band is alpha.
/// `columns`, `palette` and `bits` describe the palette of bands that have one; see
/// `ph_jp2k_bands_new`. If `ycc` is set, the first three bands are sYCC in the file and become RGB.
/// Samples are scaled, so that the highest value of a component becomes the highest of the output;
/// in CMYK, 0 means that there is no ink. Components with fewer samples than the picture has pixels
/// are enlarged by repetition.
///
/// The whole picture is decoded when a thread needs its first pixel. Decoding fails if OpenJPEG
/// warns that it left out a block of samples.
typedef struct {
  VipsOperation parent_instance;
  VipsSource *source;
  VipsImage *out;
  VipsArrayInt *components;
  VipsArrayInt *columns;
  VipsArrayInt *palette;
  VipsArrayInt *bits;
  int colours;
  gboolean ycc;

  PhJp2kBands *bands;
  PhWholePicture whole;
  /// The decoded components; NULL until the first pixel is needed.
  opj_image_t *picture;
  /// The lock that protects `complaint`, the text of OpenJPEG's first error; the text is empty if
  /// there was none.
  GMutex complaining;
  char complaint[256];
} PhJp2kLoad;

typedef VipsOperationClass PhJp2kLoadClass;

PH_DEFINE_OPERATION(PhJp2kLoad, ph_jp2kload, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_jp2kload";

static void complain(PhJp2kLoad *load, const char *words) {
  g_mutex_lock(&load->complaining);
  if (!load->complaint[0]) {
    g_strlcpy(load->complaint, words, sizeof load->complaint);
    g_strchomp(load->complaint);
  }
  g_mutex_unlock(&load->complaining);
}

static void on_error(const char *words, void *load) { complain(load, words); }

/// Logs a warning of OpenJPEG. A warning about a code block becomes an error, because the samples
/// of the block are missing.
static void on_warning(const char *words, void *load) {
  // OpenJPEG gives the warning with this text once per process; it does not mean that samples are
  // missing.
  if (strstr(words, "will not be displayed again")) return;
  if (strstr(words, "codeblock"))
    complain(load, words);
  else
    g_log("VIPS", G_LOG_LEVEL_WARNING, "jp2k: %s", words);
}

static int fail(PhJp2kLoad *load, const char *words) {
  vips_error(nickname, "%s", load->complaint[0] ? load->complaint : words);
  return -1;
}

/// A decoder that has read the header of a file, and the stream from which it reads the file.
typedef struct {
  PhJp2kStream bytes;
  opj_stream_t *stream;
  opj_codec_t *codec;
  opj_image_t *image;
} Decoder;

static void close_decoder(Decoder *decoder) {
  if (decoder->image) opj_image_destroy(decoder->image);
  if (decoder->codec) opj_destroy_codec(decoder->codec);
  if (decoder->stream) opj_stream_destroy(decoder->stream);
}

/// Reads the header; `threads` is the number of threads that decode the picture later.
static int open_decoder(PhJp2kLoad *load, Decoder *decoder, int threads) {
  *decoder = (Decoder){0};
  decoder->bytes.bytes = vips_source_map(load->source, &decoder->bytes.length);
  if (!decoder->bytes.bytes) return -1;
  decoder->stream = ph_jp2k_stream_open(&decoder->bytes);
  decoder->codec = opj_create_decompress(ph_jp2k_stream_codec(&decoder->bytes));
  if (!decoder->stream || !decoder->codec) return fail(load, "OpenJPEG cannot start");
  opj_set_error_handler(decoder->codec, on_error, load);
  opj_set_warning_handler(decoder->codec, on_warning, load);
  opj_dparameters_t parameters;
  opj_set_default_decoder_parameters(&parameters);
  // OpenJPEG must not apply the palette or reorder the channels, because PhJp2kBands does both.
  parameters.flags |= OPJ_DPARAMETERS_IGNORE_PCLR_CMAP_CDEF_FLAG;
  if (!opj_setup_decoder(decoder->codec, &parameters))
    return fail(load, "OpenJPEG cannot start");
  if (threads > 1) opj_codec_set_threads(decoder->codec, threads);
  return opj_read_header(decoder->stream, decoder->codec, &decoder->image) && decoder->image
             ? 0
             : fail(load, "its header is damaged");
}

static int decode(void *loader) {
  PhJp2kLoad *load = loader;
  Decoder decoder;
  int status = open_decoder(load, &decoder, vips_concurrency_get());
  if (!status && (!opj_decode(decoder.codec, decoder.stream, decoder.image) ||
                  !opj_end_decompress(decoder.codec, decoder.stream) || load->complaint[0] ||
                  !ph_jp2k_bands_fit(load->bands, decoder.image)))
    status = fail(load, "it is damaged, or ends early");
  if (!status) load->picture = g_steal_pointer(&decoder.image);
  close_decoder(&decoder);
  return status;
}

static void write_row(const void *loader, int left, int y, int count, VipsPel *to) {
  const PhJp2kLoad *load = loader;
  ph_jp2k_bands_row(load->bands, load->picture, left, y, count, to);
  if (load->ycc) ph_jp2k_bands_unite(load->bands, to, count);
}

static VipsInterpretation interpretation(const PhJp2kLoad *load) {
  gboolean is_deep = ph_jp2k_bands_are_deep(load->bands);
  if (load->colours == 4) return VIPS_INTERPRETATION_CMYK;
  if (load->colours == 1) return is_deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
  return is_deep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
}

static int read_header(PhJp2kLoad *load) {
  Decoder decoder;
  if (open_decoder(load, &decoder, 1)) {
    close_decoder(&decoder);
    return -1;
  }
  load->bands = ph_jp2k_bands_new(decoder.image, load->components, load->columns, load->palette,
                                  load->bits);
  OPJ_UINT32 width = decoder.image->x1 - decoder.image->x0;
  OPJ_UINT32 height = decoder.image->y1 - decoder.image->y0;
  close_decoder(&decoder);
  int count = VIPS_AREA(load->components)->n;
  if (!load->bands) return fail(load, "its channels do not fit its palette");
  if (width > VIPS_MAX_COORD || height > VIPS_MAX_COORD) return fail(load, "it is too large");
  if (count < load->colours || (load->ycc && load->colours != 3))
    return fail(load, "it has too few channels");
  vips_image_init_fields(load->out, (int)width, (int)height, count,
                         ph_jp2k_bands_are_deep(load->bands) ? VIPS_FORMAT_USHORT
                                                             : VIPS_FORMAT_UCHAR,
                         VIPS_CODING_NONE, interpretation(load), 1, 1);
  return 0;
}

static int ph_jp2kload_build(VipsObject *object) {
  PhJp2kLoad *load = (PhJp2kLoad *)object;
  if (VIPS_OBJECT_CLASS(ph_jp2kload_parent_class)->build(object)) return -1;
  g_object_set(object, "out", vips_image_new(), NULL);
  return read_header(load) || ph_whole_picture_output(&load->whole, load->out) ? -1 : 0;
}

static void ph_jp2kload_finalize(GObject *object) {
  PhJp2kLoad *load = (PhJp2kLoad *)object;
  if (load->picture) opj_image_destroy(load->picture);
  ph_jp2k_bands_free(load->bands);
  g_mutex_clear(&load->whole.lock);
  g_mutex_clear(&load->complaining);
  G_OBJECT_CLASS(ph_jp2kload_parent_class)->finalize(object);
}

static void ph_jp2kload_class_init(PhJp2kLoadClass *class) {
  ph_kernel_class_describe(class, nickname, "read a JPEG 2000 file", ph_jp2kload_build);
  G_OBJECT_CLASS(class)->finalize = ph_jp2kload_finalize;
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_NOCACHE;
  VIPS_ARG_OBJECT(class, "source", 1, "Source", "Where the file is", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhJp2kLoad, source), VIPS_TYPE_SOURCE);
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "The picture", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhJp2kLoad, out));
  VIPS_ARG_BOXED(class, "components", 3, "Components", "The component of each band",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJp2kLoad, components),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_BOXED(class, "columns", 4, "Columns", "The palette's column of each band, or -1",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJp2kLoad, columns),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_INT(class, "colours", 5, "Colours", "The number of colour bands",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhJp2kLoad, colours), 1, 4, 3);
  VIPS_ARG_BOXED(class, "palette", 6, "Palette", "The palette, row by row",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJp2kLoad, palette),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_BOXED(class, "bits", 7, "Bits", "The bits of each column of the palette",
                 VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhJp2kLoad, bits),
                 VIPS_TYPE_ARRAY_INT);
  VIPS_ARG_BOOL(class, "ycc", 8, "YCC", "The colours are sYCC", VIPS_ARGUMENT_OPTIONAL_INPUT,
                G_STRUCT_OFFSET(PhJp2kLoad, ycc), FALSE);
}

static void ph_jp2kload_init(PhJp2kLoad *load) {
  load->colours = 3;
  load->whole = (PhWholePicture){.loader = load, .decode = decode, .write_row = write_row};
  g_mutex_init(&load->whole.lock);
  g_mutex_init(&load->complaining);
}
