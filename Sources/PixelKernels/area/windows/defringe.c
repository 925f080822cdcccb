#pragma STDC FP_CONTRACT OFF

#include "chroma.h"

/// The operation `phbatch_defringe`: removes coloured fringes along edges; luminance stays.
///
/// Purple and green fringes are found separately. All squares are centred on the pixel; `radius` is
/// 1…16 pixels.
///
/// - Colour: the difference of the pixel's greatest and least channel, times the weight of its hue.
///   The weight is 1 from `from` to `to` (degrees of the HSV wheel), and falls to 0 over 15 degrees
///   on either side.
/// - Share: the part of the colour that belongs to a fringe. It is the colour minus its opening
///   (the minimum, then the maximum, over the square of `radius`), divided by the colour. It is 0
///   in areas that are wider than the square.
/// - Leaves: a meadow has many narrow leaves, which are not fringes. The mean colour over the
///   square of 2 × radius is divided by the pixel's colour; the share is multiplied by 1 minus a
///   smoothstep of this ratio from 0.35 to 0.7.
/// - Strength: the share, times `amount` (0…1), times a smoothstep of the range of the luma over
///   the square of `radius`, from 0 at 0.5 × `contrast` (0…1) to 1 at 1.5 × `contrast`.
///
/// The shares of purple and green are added, up to 1, and so are their strengths. The chroma moves
/// by the strength towards its mean over the square of 2 × radius. In this mean, a pixel has the
/// weight 1 − share. The input is RGB with or without premultiplied alpha; alpha is kept, and
/// transparent pixels do not count.
///
/// Reach: 4 × radius. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  int radius;
  double contrast;
  /// The amounts and the hues of purple and green.
  double amounts[2], from[2], to[2];
  PhGaussian box;
  PhWindowPlan plan;
} PhDefringe;

typedef PhKernelClass PhDefringeClass;

PH_DEFINE_OPERATION(PhDefringe, ph_defringe, ph_kernel_get_type())

/// The degrees over which the weight of a hue falls to 0.
static const float ph_soft_hues = 15;

/// The number of planes of scratch memory, without the planes of the chroma.
enum { PH_FRINGE_PLANES = 7 };

/// The value of transparent pixels in the input of a minimum, which thus ignores them.
static const float ph_nothing = 1e6f;

/// The ratios of the mean colour around a pixel to the pixel's colour: the share is reduced from
/// the first ratio on, and is 0 from the second.
static const float ph_fringe_foot = 0.35f, ph_fringe_top = 0.7f;

static int margin_of(const PhDefringe *defringe) { return 4 * defringe->radius; }

static size_t ph_defringe_scratch(const PhKernel *kernel, int width, int height) {
  int margin = margin_of((const PhDefringe *)kernel);
  int wide = width + 2 * margin;
  return ph_chroma_room(width, height, margin) +
         PH_FRINGE_PLANES * (size_t)wide * (size_t)(height + 2 * margin) + (size_t)wide +
         2 * (size_t)width;
}

/// The planes of a block in scratch memory, with the block's margin on every side.
typedef struct {
  const PhDefringe *defringe;
  PhChromaPlanes chroma;
  /// In this order: the colour of one kind of fringe, two planes for its opening, the shares, the
  /// strengths, the weights of the mean, and the mean colour around each pixel.
  PhArea colour, half, opening, share, strength, weight, around;
  float *row;
} PhFringeBench;

/// The part of a plane that a block needs after `radii` of the four radii of its margin are used.
static PhArea inside(const PhFringeBench *bench, PhArea plane, int radii) {
  return ph_area_inset(plane, radii * bench->defringe->radius);
}

/// The weight of a hue in degrees.
static float weight_of(float hue, float from, float to) {
  float width = to - from;
  if (width < 0) width += 360;
  float after = hue - from;
  if (after < 0) after += 360;
  if (after <= width) return 1;
  float beyond = after - width, before = 360 - after;
  float distance = beyond < before ? beyond : before;
  return distance < ph_soft_hues ? 1 - distance / ph_soft_hues : 0;
}

/// Computes the colour of each pixel for one kind of fringe. Returns the greatest colour.
static float find_colour(const PhFringeBench *bench, int kind) {
  const PhChromaPlanes *chroma = &bench->chroma;
  float from = (float)bench->defringe->from[kind], to = (float)bench->defringe->to[kind];
  float greatest = 0;
  for (int i = 0; i < chroma->luma.pitch * chroma->luma.height; i++) {
    float red = chroma->red.samples[i], blue = chroma->blue.samples[i];
    float green = -(0.2126f * red + 0.0722f * blue) / 0.7152f;
    float most = red > green ? red : green, least = red < green ? red : green;
    most = blue > most ? blue : most;
    least = blue < least ? blue : least;
    float range = most - least, hue;
    if (!(range > 1e-4f))
      hue = -1;
    else if (most == red)
      hue = 60 * (green - blue) / range + (green < blue ? 360 : 0);
    else if (most == green)
      hue = 60 * (blue - red) / range + 120;
    else
      hue = 60 * (red - green) / range + 240;
    float colour = hue < 0 ? 0 : range * weight_of(hue, from, to);
    bench->colour.samples[i] = colour;
    greatest = colour > greatest ? colour : greatest;
  }
  return greatest;
}

/// The smoothstep from `foot` to `top`; 1 if both are the same.
static float smooth_step(float foot, float top, float value) {
  float part = top > foot ? (value - foot) / (top - foot) : 1;
  part = part > 0 ? part < 1 ? part : 1 : 0;
  return part * part * (3 - 2 * part);
}

/// Writes to `half` how strongly each pixel belongs to an edge, computed from the range of luma
/// around it; valid one radius inside.
static void find_edges(const PhFringeBench *bench) {
  const PhLoops *loops = bench->defringe->parent_instance.loops;
  PhArea luma = bench->chroma.luma, low = bench->opening, high = bench->half;
  const float *alpha = bench->chroma.alpha.samples;
  float foot = 0.5f * (float)bench->defringe->contrast, top = 3 * foot;
  for (int sign = 0; sign < 2; sign++) {
    for (int i = 0; i < luma.pitch * luma.height; i++)
      bench->colour.samples[i] =
          alpha[i] > 0 ? luma.samples[i] : sign ? -ph_nothing : ph_nothing;
    ph_area_extreme(sign ? loops->highest : loops->lowest, bench->defringe->radius,
                    inside(bench, bench->colour, 1).samples, luma.pitch, bench->row,
                    inside(bench, sign ? high : low, 1));
  }
  PhArea edges = inside(bench, high, 1), lows = inside(bench, low, 1);
  for (int y = 0; y < edges.height; y++)
    for (int x = 0; x < edges.width; x++) {
      int at = y * edges.pitch + x;
      float range = edges.samples[at] - lows.samples[at];
      edges.samples[at] = smooth_step(foot, top, range);
    }
}

/// Adds one kind of fringe to the shares and strengths, which are valid two radii inside.
/// `edges` are valid one radius inside.
static void find_fringes(const PhFringeBench *bench, int kind, PhArea edges) {
  const PhDefringe *defringe = bench->defringe;
  const PhLoops *loops = defringe->parent_instance.loops;
  const float *alpha = bench->chroma.alpha.samples;
  float amount = (float)defringe->amounts[kind];
  if (!(amount > 0) || !(find_colour(bench, kind) > 0)) return;
  PhArea colour = bench->colour;
  for (int i = 0; i < colour.pitch * colour.height; i++)
    if (!(alpha[i] > 0)) colour.samples[i] = 0;
  ph_area_filter(loops, &defringe->box, inside(bench, colour, 2).samples, colour.pitch, bench->row,
                 inside(bench, bench->around, 2));
  for (int i = 0; i < colour.pitch * colour.height; i++)
    if (!(alpha[i] > 0)) colour.samples[i] = ph_nothing;
  ph_area_extreme(loops->lowest, defringe->radius, inside(bench, colour, 1).samples, colour.pitch,
                  bench->row, inside(bench, bench->weight, 1));
  ph_area_extreme(loops->highest, defringe->radius, inside(bench, bench->weight, 2).samples,
                  colour.pitch, bench->row, inside(bench, bench->opening, 2));
  PhArea own = inside(bench, colour, 2), base = inside(bench, bench->opening, 2);
  PhArea share = inside(bench, bench->share, 2), strength = inside(bench, bench->strength, 2);
  PhArea edge = inside(bench, edges, 2), around = inside(bench, bench->around, 2);
  for (int y = 0; y < own.height; y++)
    for (int x = 0; x < own.width; x++) {
      int at = y * own.pitch + x;
      float value = own.samples[at], more = value - base.samples[at];
      if (!(more > 0) || value >= ph_nothing) continue;
      float part = more / value * (1 - smooth_step(ph_fringe_foot, ph_fringe_top,
                                                   around.samples[at] / value));
      float sum = share.samples[at] + part, force = strength.samples[at] +
                                                    amount * part * edge.samples[at];
      share.samples[at] = sum < 1 ? sum : 1;
      strength.samples[at] = force < 1 ? force : 1;
    }
}

/// Moves a row of a channel of chroma towards the weighted means; `mean` and `weight` are planes of
/// the block.
static void move(const float *from, const float *mean, const float *weight, const float *strength,
                 float *to, int count) {
  for (int x = 0; x < count; x++) {
    float aim = weight[x] > 1e-6f ? mean[x] / weight[x] : 0;
    to[x] = strength[x] > 0 ? from[x] + strength[x] * (aim - from[x]) : from[x];
  }
}

/// Computes the weighted sums of a channel over the squares of twice the radius.
static PhArea average(const PhFringeBench *bench, PhArea channel, PhArea to) {
  PhArea weighted = inside(bench, bench->opening, 2), from = inside(bench, channel, 2);
  PhArea weight = inside(bench, bench->share, 2);
  for (int y = 0; y < from.height; y++)
    for (int x = 0; x < from.width; x++) {
      int at = y * from.pitch + x;
      weighted.samples[at] = from.samples[at] * weight.samples[at];
    }
  ph_area_filter(bench->defringe->parent_instance.loops, &bench->defringe->box,
                 inside(bench, bench->opening, 4).samples, channel.pitch, bench->row,
                 inside(bench, to, 4));
  return inside(bench, to, 4);
}

/// Turns the shares into weights: the share of a pixel that does not belong to a fringe, 0 if the
/// pixel is transparent.
static void weigh(const PhFringeBench *bench) {
  PhArea share = inside(bench, bench->share, 2), alpha = inside(bench, bench->chroma.alpha, 2);
  for (int y = 0; y < share.height; y++)
    for (int x = 0; x < share.width; x++) {
      int at = y * share.pitch + x;
      share.samples[at] = alpha.samples[at] > 0 ? 1 - share.samples[at] : 0;
    }
}

/// True if any pixel of the block has a fringe.
static int has_fringes(const PhFringeBench *bench) {
  PhArea strength = inside(bench, bench->strength, 4);
  for (int y = 0; y < strength.height; y++)
    for (int x = 0; x < strength.width; x++)
      if (strength.samples[y * strength.pitch + x] > 0) return 1;
  return 0;
}

static void ph_defringe_filter(const PhKernel *kernel, const PhWindow *window) {
  PhFringeBench bench = {.defringe = (const PhDefringe *)kernel};
  int margin = margin_of(bench.defringe);
  bench.chroma = ph_chroma_read(window, margin, window->scratch);
  PhArea area = bench.chroma.luma;
  size_t plane = (size_t)area.width * (size_t)area.height;
  float *next = window->scratch + ph_chroma_room(window->width, window->height, margin);
  PhArea *const areas[PH_FRINGE_PLANES] = {&bench.colour,   &bench.half,   &bench.opening,
                                           &bench.share,    &bench.strength, &bench.weight,
                                           &bench.around};
  for (int i = 0; i < PH_FRINGE_PLANES; i++, next += plane) {
    *areas[i] = area;
    areas[i]->samples = next;
  }
  bench.row = next;
  float *red = next + area.width, *blue = red + window->width;
  for (size_t i = 0; i < plane; i++) bench.share.samples[i] = bench.strength.samples[i] = 0;
  find_edges(&bench);
  for (int kind = 0; kind < 2; kind++) find_fringes(&bench, kind, bench.half);
  if (!has_fringes(&bench)) return;
  weigh(&bench);
  ph_area_filter(kernel->loops, &bench.defringe->box, inside(&bench, bench.share, 4).samples,
                 area.pitch, bench.row, inside(&bench, bench.weight, 4));
  PhArea weight = inside(&bench, bench.weight, 4), strength = inside(&bench, bench.strength, 4);
  PhArea reds = average(&bench, bench.chroma.red, bench.colour);
  PhArea blues = average(&bench, bench.chroma.blue, bench.half);
  for (int y = 0; y < window->height; y++) {
    int at = y * area.pitch;
    move(inside(&bench, bench.chroma.red, 4).samples + at, reds.samples + at, weight.samples + at,
         strength.samples + at, red, window->width);
    move(inside(&bench, bench.chroma.blue, 4).samples + at, blues.samples + at,
         weight.samples + at, strength.samples + at, blue, window->width);
    ph_chroma_write(kernel, window, &bench.chroma, margin, y, red, blue);
  }
}

static int ph_defringe_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhDefringe *defringe = (PhDefringe *)object;
  if (VIPS_OBJECT_CLASS(ph_defringe_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  defringe->box = ph_gaussian_box(2 * defringe->radius);
  defringe->plan =
      (PhWindowPlan){.margin = margin_of(defringe), .rows = 128, .columns = 256,
                     .scratch = ph_defringe_scratch, .filter = ph_defringe_filter};
  return ph_window_output(kernel, &defringe->plan);
}

static void ph_defringe_finalize(GObject *object) {
  ph_gaussian_clear(&((PhDefringe *)object)->box);
  G_OBJECT_CLASS(ph_defringe_parent_class)->finalize(object);
}

static void ph_defringe_class_init(PhDefringeClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_defringe_finalize;
  ph_kernel_class_describe(class, "phbatch_defringe", "remove coloured fringes",
                           ph_defringe_build);
  VIPS_ARG_INT(class, "radius", 10, "Radius", "Half the width of the widest fringe, in pixels",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDefringe, radius), 1, 16, 4);
  VIPS_ARG_DOUBLE(class, "contrast", 11, "Contrast", "Range of luma along an edge",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhDefringe, contrast), 0, 1, 0.3);
  VIPS_ARG_DOUBLE(class, "purple", 12, "Purple", "How much of purple fringes is removed",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDefringe, amounts[0]), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "green", 13, "Green", "How much of green fringes is removed",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDefringe, amounts[1]), 0, 1, 0);
  VIPS_ARG_DOUBLE(class, "purple-from", 14, "Purple from", "First hue of purple",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDefringe, from[0]), 0, 360, 250);
  VIPS_ARG_DOUBLE(class, "purple-to", 15, "Purple to", "Last hue of purple",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDefringe, to[0]), 0, 360, 320);
  VIPS_ARG_DOUBLE(class, "green-from", 16, "Green from", "First hue of green",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDefringe, from[1]), 0, 360, 100);
  VIPS_ARG_DOUBLE(class, "green-to", 17, "Green to", "Last hue of green",
                  VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhDefringe, to[1]), 0, 360, 170);
}

static void ph_defringe_init(PhDefringe *defringe) {
  defringe->radius = 4;
  defringe->contrast = 0.3;
  defringe->from[0] = 250;
  defringe->to[0] = 320;
  defringe->from[1] = 100;
  defringe->to[1] = 170;
}
