#include "jp2k/jp2k_bands.h"

/// The maximum number of bands, and the maximum number of bits of the samples that index a band's
/// lookup table.
enum { PH_MOST_BANDS = 5, PH_MOST_BITS = 16 };

typedef struct {
  int component;
  /// The number that is added to signed samples to make them unsigned, and the number of lowest
  /// bits that are dropped.
  gint64 offset;
  int shift;
  /// The output value for each sample value, and the index of the table's last entry.
  guint16 *table;
  gint64 last;
  /// The unrounded output value of the middle of the sample range; in the band of a colour
  /// difference (Cb or Cr), this value means no difference.
  double middle;
} Band;

struct PhJp2kBands {
  int count;
  gboolean is_deep;
  Band bands[PH_MOST_BANDS];
};

static int values(VipsArrayInt *array) { return array ? VIPS_AREA(array)->n : 0; }

static int value(VipsArrayInt *array, int index) { return ((int *)VIPS_AREA(array)->data)[index]; }

/// The number of bits of a band's samples, after the palette is applied; 0 if the component or the
/// column of the palette does not exist or has an unsupported number of bits.
static int depth(const opj_image_t *picture, VipsArrayInt *components, VipsArrayInt *columns,
                 VipsArrayInt *bits, int band) {
  int component = value(components, band), column = value(columns, band);
  if (component < 0 || (OPJ_UINT32)component >= picture->numcomps || column >= values(bits))
    return 0;
  OPJ_UINT32 stored = picture->comps[component].prec;
  if (stored < 1 || stored > 38) return 0;
  // Only samples of more than 16 bits lose their lowest bits; a shortened palette index would be
  // wrong.
  if (column >= 0 && stored > PH_MOST_BITS) return 0;
  int found = column < 0 ? (int)stored : value(bits, column);
  return column >= 0 && (found < 1 || found > PH_MOST_BITS) ? 0 : found;
}

static guint16 scaled(gint64 sample, gint64 most, gint64 full) {
  return (guint16)((CLAMP(sample, 0, most) * full + most / 2) / most);
}

static void fill(Band *band, const opj_image_comp_t *component, gint64 full, VipsArrayInt *palette,
                 VipsArrayInt *bits, int column) {
  int prec = (int)component->prec;
  band->shift = MAX(0, prec - PH_MOST_BITS);
  band->offset = component->sgnd ? G_GINT64_CONSTANT(1) << (prec - 1) : 0;
  band->last = (1 << MIN(prec, PH_MOST_BITS)) - 1;
  band->table = g_new(guint16, band->last + 1);
  int width = values(bits), rows = column < 0 ? 0 : values(palette) / width;
  gint64 most = column < 0 ? band->last : (1 << value(bits, column)) - 1;
  for (gint64 i = 0; i <= band->last; i++) {
    gint64 sample = column < 0 ? i : value(palette, (int)MIN(i, rows - 1) * width + column);
    band->table[i] = scaled(sample, most, full);
  }
  band->middle = (double)((most + 1) / 2) * (double)full / (double)most;
}

PhJp2kBands *ph_jp2k_bands_new(const opj_image_t *picture, VipsArrayInt *components,
                               VipsArrayInt *columns, VipsArrayInt *palette, VipsArrayInt *bits) {
  int count = values(components), deepest = 0;
  if (count < 1 || count > PH_MOST_BANDS || values(columns) != count) return NULL;
  if (values(bits) > 0 && (values(palette) < values(bits) || values(palette) % values(bits) != 0))
    return NULL;
  for (int i = 0; i < count; i++) {
    int found = depth(picture, components, columns, bits, i);
    if (found == 0) return NULL;
    deepest = MAX(deepest, found);
  }
  PhJp2kBands *bands = g_new0(PhJp2kBands, 1);
  bands->count = count;
  bands->is_deep = deepest > 8;
  for (int i = 0; i < count; i++) {
    bands->bands[i].component = value(components, i);
    fill(&bands->bands[i], &picture->comps[value(components, i)], bands->is_deep ? 65535 : 255,
         palette, bits, value(columns, i));
  }
  return bands;
}

void ph_jp2k_bands_free(PhJp2kBands *bands) {
  if (!bands) return;
  for (int i = 0; i < bands->count; i++) g_free(bands->bands[i].table);
  g_free(bands);
}

gboolean ph_jp2k_bands_are_deep(const PhJp2kBands *bands) { return bands->is_deep; }

gboolean ph_jp2k_bands_fit(const PhJp2kBands *bands, const opj_image_t *picture) {
  for (int i = 0; i < bands->count; i++) {
    OPJ_UINT32 index = (OPJ_UINT32)bands->bands[i].component;
    if (index >= picture->numcomps) return FALSE;
    const opj_image_comp_t *component = &picture->comps[index];
    if (!component->data || component->w < 1 || component->h < 1 || component->dx < 1 ||
        component->dy < 1)
      return FALSE;
  }
  return TRUE;
}

/// Returns the index of the component's sample that covers a position on the reference grid, along
/// one axis.
///
/// - Source: ITU-T T.800, B.2, equation B-2.
static size_t place(gint64 position, gint64 origin, gint64 step, gint64 count) {
  gint64 first = (origin + step - 1) / step;
  return (size_t)CLAMP(position / step - first, 0, count - 1);
}

void ph_jp2k_bands_row(const PhJp2kBands *bands, const opj_image_t *picture, int left, int y,
                       int count, VipsPel *to) {
  for (int i = 0; i < bands->count; i++) {
    const Band *band = &bands->bands[i];
    const opj_image_comp_t *component = &picture->comps[band->component];
    size_t row = place((gint64)picture->y0 + y, picture->y0, component->dy, component->h);
    const OPJ_INT32 *from = component->data + row * component->w;
    for (int x = 0; x < count; x++) {
      size_t column =
          component->dx == 1
              ? (size_t)MIN((OPJ_UINT32)(left + x), component->w - 1)
              : place((gint64)picture->x0 + left + x, picture->x0, component->dx, component->w);
      gint64 sample = ((gint64)from[column] + band->offset) >> band->shift;
      guint16 found = band->table[CLAMP(sample, 0, band->last)];
      if (bands->is_deep)
        ((guint16 *)to)[x * bands->count + i] = found;
      else
        to[x * bands->count + i] = (VipsPel)found;
    }
  }
}

void ph_jp2k_bands_unite(const PhJp2kBands *bands, VipsPel *pixels, int count) {
  double full = bands->is_deep ? 65535 : 255;
  for (int x = 0; x < count; x++) {
    guint16 *deep = (guint16 *)pixels + x * bands->count;
    VipsPel *plain = pixels + x * bands->count;
    double samples[3];
    for (int i = 0; i < 3; i++) samples[i] = bands->is_deep ? deep[i] : plain[i];
    double blue = samples[1] - bands->bands[1].middle, red = samples[2] - bands->bands[2].middle;
    double colours[3] = {samples[0] + 1.402 * red,
                         samples[0] - 0.344136 * blue - 0.714136 * red,
                         samples[0] + 1.772 * blue};
    for (int i = 0; i < 3; i++) {
      double rounded = CLAMP(colours[i], 0, full) + 0.5;
      if (bands->is_deep)
        deep[i] = (guint16)rounded;
      else
        plain[i] = (VipsPel)rounded;
    }
  }
}
