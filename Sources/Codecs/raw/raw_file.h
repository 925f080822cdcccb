#pragma once
#include <libraw/libraw.h>
#include <vips/vips.h>

/// The maximum memory in MiB for samples; files that need more are rejected.
enum { PH_RAW_MOST_MEMORY = 2048 };

/// The grid in which the parts of layers lie: the size of a part, and the parts of a row.
typedef struct {
  int width, height, across;
} PhLayerGrid;

/// A raw file that LibRaw has opened.
typedef struct {
  libraw_data_t *libraw;
  const guint8 *bytes;
  size_t length;
  /// A copy of the file from which LibRaw reads; NULL if it reads the bytes themselves.
  guint8 *copy;
  /// The parts of the samples, see `ph_raw_open_parts`; NULL if LibRaw reads the samples.
  const VipsArrayDouble *parts;
  /// The grid of the parts of layers.
  PhLayerGrid grid;
  /// Layers that were decoded from JPEG tiles: 8-bit samples of the whole frame; NULL if the file has
  /// none.
  guint8 *layers;
  /// The samples of a mosaic or of three layers that were decoded from lossless JPEG without LibRaw;
  /// NULL if there are none.
  ushort *samples;
  /// The levels of layers that a DNG file states: black of red, green and blue, and their whites; NULL
  /// if LibRaw's levels apply.
  const VipsArrayDouble *layer_levels;
  /// The offset of the first damaged or missing bytes that LibRaw found in the sensor data; −1 if
  /// it found none.
  gint64 damage;
  /// True if the file ends before the data that LibRaw needs.
  gboolean is_cut;
  /// The level at which the samples of a mosaic are saturated, if it was found in the samples; else
  /// 0.
  double saturation;
} PhRawFile;

/// Opens a raw file from its bytes, which must live as long as `file`. Returns 0 or LibRaw's error
/// code. Close the file after an error too.
int ph_raw_open(PhRawFile *file, const void *bytes, size_t length);

void ph_raw_close(PhRawFile *file);

/// The size of the picture that LibRaw develops from a file. `is_turned` is true for a sensor whose
/// pixel grid is rotated by 45°.
typedef struct {
  int width, height;
  gboolean is_turned;
} PhRawSize;

/// Determines the size of the picture that LibRaw would develop from these bytes, at half the size
/// if `is_half` is set. Returns 0, or LibRaw's error code.
int ph_raw_measure(const void *bytes, size_t length, gboolean is_half, PhRawSize *size);

/// The kinds of samples, and of the pictures that are read from them.
typedef enum {
  /// A mosaic of square pixels: a Bayer mosaic, whose cells of 2 × 2 pixels have one red, two green
  /// and one blue sample, or an X-Trans mosaic.
  PH_RAW_MOSAIC,
  /// Three samples for each pixel, as stored in a linear DNG file.
  PH_RAW_LAYERS,
  /// Another mosaic of three colours: LibRaw interpolates it, in the colours of the camera, with
  /// balanced white.
  PH_RAW_INTERPOLATED,
  /// Samples that only LibRaw converts to colours: four colours, Foveon.
  PH_RAW_WHOLE
} PhRawKind;

PhRawKind ph_raw_kind(const PhRawFile *file);

/// The reason why a DNG file's mosaic of three colours cannot be developed, although LibRaw would
/// interpolate it, with missing or wrong colours; NULL if there is none.
const char *ph_raw_unread_mosaic(const PhRawFile *file);

/// Decodes the samples. Fails if they are not of this `kind`. Returns 0, or LibRaw's error code; a
/// file with missing or damaged samples is an error.
int ph_raw_unpack(PhRawFile *file, PhRawKind kind);

/// Sets the options of LibRaw's own development: 16-bit linear light, not rotated, at half the size
/// if `is_half` is set. Its colours are those of the camera, or have the primaries of sRGB for
/// PH_RAW_WHOLE.
void ph_raw_develop_linearly(PhRawFile *file, gboolean is_half);

/// True for a mosaic whose colours repeat after 6 × 6 pixels, as those of X-Trans sensors do.
gboolean ph_raw_is_xtrans(const PhRawFile *file);

/// Returns the colour of a pixel of the visible area: 0 red, 1 green, 2 blue, 3 green in a row with
/// blue of a Bayer mosaic.
int ph_raw_colour(const PhRawFile *file, int x, int y);

/// Returns the black level of a pixel of the visible area, in the unit of the samples. LibRaw knows
/// some levels only after `ph_raw_unpack`.
double ph_raw_black(const PhRawFile *file, int x, int y);

/// Returns the white level of a colour, at which its samples are saturated, in the unit of the
/// samples. The black level is not subtracted. A level that is measured in the samples is known only
/// after `ph_raw_unpack`.
double ph_raw_white(const PhRawFile *file, int colour);

/// Returns the levels of black and white of a layer: 0 red, 1 green, 2 blue.
double ph_raw_layer_black(const PhRawFile *file, int layer);
double ph_raw_layer_white(const PhRawFile *file, int layer);

/// Writes the three samples of each of `count` pixels of the visible area, from column `x` of row `y`
/// on.
void ph_raw_layers_row(const PhRawFile *file, int x, int y, int count, ushort *to);

/// True if the frame of an unpacked file has room for the visible area's `width` × `height` pixels.
gboolean ph_raw_has_room(const PhRawFile *file, int width, int height);

/// Stores LibRaw's description of the file in the fields `raw-…` of an image's header.
void ph_raw_describe(const PhRawFile *file, PhRawKind kind, VipsImage *image);

/// Stores the largest embedded JPEG in the field `raw-preview`, if the file has one.
void ph_raw_attach_preview(PhRawFile *file, VipsImage *image);
