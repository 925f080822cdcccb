#pragma once
#include <openjpeg.h>
#include <vips/vips.h>

/// The conversion of a JPEG 2000 picture's components to the bands of an image.
typedef struct PhJp2kBands PhJp2kBands;

/// Creates the conversion for a picture whose header was read.
///
/// `components` has the index of each band's component. `columns` has the index of each band's
/// palette column; −1 for a band without palette. `palette` has the rows of the palette one after
/// the other, and `bits` the number of bits of each column; both may be NULL. Returns NULL if these
/// arrays do not fit each other or the picture.
PhJp2kBands *ph_jp2k_bands_new(const opj_image_t *picture, VipsArrayInt *components,
                               VipsArrayInt *columns, VipsArrayInt *palette, VipsArrayInt *bits);

void ph_jp2k_bands_free(PhJp2kBands *bands);

/// True if the bands have 16 bits; false if they have 8.
gboolean ph_jp2k_bands_are_deep(const PhJp2kBands *bands);

/// True if a decoded picture has the samples of all bands.
gboolean ph_jp2k_bands_fit(const PhJp2kBands *bands, const opj_image_t *picture);

/// Writes `count` pixels of a row of the picture, from column `left` on.
void ph_jp2k_bands_row(const PhJp2kBands *bands, const opj_image_t *picture, int left, int y,
                       int count, VipsPel *to);

/// Converts the first three bands of pixels from sYCC to RGB, in place.
///
/// - Source: IEC 61966-2-1:1999, amendment 1 (2003), annex F; ITU-T T.801, table M.25.
void ph_jp2k_bands_unite(const PhJp2kBands *bands, VipsPel *pixels, int count);
