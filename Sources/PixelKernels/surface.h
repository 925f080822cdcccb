#pragma once
#include <glib-object.h>

/// The operation `phbatch_surface`: smooths surfaces and keeps their edges, by a guided filter.
///
/// In each square of `radius` (1…50 pixels) the image is modelled as `a × x + b`, with a = v² ÷ (v² +
/// threshold⁴), v the mean variance of R, G and B in the square, and b = (1 − a) × mean; a pixel gets
/// the mean of the models of all squares of that radius around it. Contrasts well below `threshold`
/// (0.001…1) vanish, those well above stay. An RGB image with or without premultiplied
/// alpha, which goes through the same models.
/// Source: K. He, J. Sun, X. Tang, "Guided Image Filtering", IEEE TPAMI 35 (2013), with the image as
/// its own guide and a common to the channels; Z. Li et al., "Weighted Guided Image Filtering", IEEE
/// TIP 24 (2015), for weights by the variance.
GType ph_surface_get_type(void);
