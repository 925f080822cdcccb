#pragma once
#include <vips/vips.h>

#include <stdio.h>

#include <jpeglib.h>

/// The coefficients of a picture that is written to a JPEG file with few bits for its errors (see
/// trellis.h), which needs those of the whole picture: 2 bytes for each sample.
typedef struct PhCoefficients PhCoefficients;

/// Makes room for the coefficients of the picture that `encoder` is set up for; the encoder has
/// written nothing yet. The picture is grey, RGB or inverted CMYK.
///
/// Failures end at the encoder's error handler; `made` is to be freed then, too.
void ph_coefficients_make(j_compress_ptr encoder, PhCoefficients **made);

/// Adds the next row of the picture.
void ph_coefficients_add(PhCoefficients *coefficients, const guint8 *row);

/// Quantizes the coefficients of the whole picture, whose last row has been added, and begins the
/// file. `jpeg_finish_compress` writes the rest.
void ph_coefficients_begin_file(PhCoefficients *coefficients);

/// Frees all but the coefficients themselves, which the encoder frees. NULL is allowed.
void ph_coefficients_free(PhCoefficients *coefficients);
