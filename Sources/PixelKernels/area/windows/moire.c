#pragma STDC FP_CONTRACT OFF

#include "chroma.h"

/// The operation `phbatch_moire`: removes false colours of fine patterns; luminance stays.
///
/// Both chroma channels are filtered in the same way. All squares are centred on the pixel and have
/// the given `radius` (1…16 pixels).
///
/// - Opening: the minimum over the square, then the maximum. Closing: the maximum, then the
///   minimum. Both keep edges, and areas that are wider than the square.
/// - Target: the mean over the square, limited to the range from the opening to the closing.
/// - Peak: the greatest height of the channel above the opening, over the square.
/// - Valley: the greatest depth of the channel below the closing, over the square.
///
/// The channel moves by `amount` (0…1) × the distance to the target, after that distance is limited
/// to the lesser of peak and valley. A single line or spot is either a peak or a valley, so its
/// limit is 0 and it does not change.
///
/// The input is RGB with or without premultiplied alpha; alpha is kept, and transparent pixels do
/// not count. Source of openings and closings: J. Serra, "Image Analysis and Mathematical
/// Morphology", 1982.
///
/// Reach: 3 × radius. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  int radius;
  double amount;
  PhGaussian box;
  PhWindowPlan plan;
} PhMoire;

typedef PhKernelClass PhMoireClass;

PH_DEFINE_OPERATION(PhMoire, ph_moire, ph_kernel_get_type())

/// The chroma that transparent pixels get before a minimum is computed, so that they do not count;
/// before a maximum, they get its negative.
static const float ph_nothing = 1e6f;

/// The number of planes of scratch memory, without the planes of the chroma and of the result.
enum { PH_MOIRE_PLANES = 6 };

static int margin_of(const PhMoire *moire) { return 3 * moire->radius; }

static size_t ph_moire_scratch(const PhKernel *kernel, int width, int height) {
  int margin = margin_of((const PhMoire *)kernel);
  int wide = width + 2 * margin;
  return ph_chroma_room(width, height, margin) +
         PH_MOIRE_PLANES * (size_t)wide * (size_t)(height + 2 * margin) + (size_t)wide +
         2 * (size_t)width * (size_t)height;
}

/// The planes of a block in scratch memory, with the block's margin on every side.
typedef struct {
  const PhMoire *moire;
  PhChromaPlanes chroma;
  /// In this order: the input of an opening or closing, the result of its first step, the opening,
  /// the closing, the peaks and the valleys.
  PhArea filled, half, low, high, peaks, valleys;
  float *row;
} PhMoireBench;

/// The part of a plane that a block needs after `radii` of the three radii of its margin are used.
static PhArea inside(const PhMoireBench *bench, PhArea plane, int radii) {
  return ph_area_inset(plane, radii * bench->moire->radius);
}

/// Computes the opening (`first` is the minimum and `second` the maximum) or the closing of a
/// channel.
static void open_or_close(const PhMoireBench *bench, PhArea channel, PhExtreme first,
                          PhExtreme second, float nothing, PhArea to) {
  int radius = bench->moire->radius;
  const float *alpha = bench->chroma.alpha.samples;
  for (int i = 0; i < channel.pitch * channel.height; i++)
    bench->filled.samples[i] = alpha[i] > 0 ? channel.samples[i] : nothing;
  ph_area_extreme(first, radius, inside(bench, bench->filled, 1).samples, channel.pitch,
                  bench->row, inside(bench, bench->half, 1));
  ph_area_extreme(second, radius, inside(bench, bench->half, 2).samples, channel.pitch, bench->row,
                  inside(bench, to, 2));
}

/// Computes peaks, the greatest heights of a channel above `low` over each square; or valleys, the
/// greatest depths below `low`, if `sign` is −1.
static void find_heights(const PhMoireBench *bench, PhArea channel, PhArea low, float sign,
                         PhArea to) {
  PhArea area = inside(bench, bench->half, 2), from = inside(bench, channel, 2);
  PhArea base = inside(bench, low, 2), opaque = inside(bench, bench->chroma.alpha, 2);
  for (int y = 0; y < area.height; y++)
    for (int x = 0; x < area.width; x++) {
      int at = y * area.pitch + x;
      float height = sign * (from.samples[at] - base.samples[at]);
      area.samples[at] = opaque.samples[at] > 0 ? height : 0;
    }
  ph_area_extreme(bench->moire->parent_instance.loops->highest, bench->moire->radius,
                  inside(bench, bench->half, 3).samples, area.pitch, bench->row,
                  inside(bench, to, 3));
}

/// Computes the means of a channel over the opaque pixels of the squares, in `half`.
static PhArea average(const PhMoireBench *bench, PhArea channel) {
  const PhMoire *moire = bench->moire;
  const PhLoops *loops = moire->parent_instance.loops;
  PhArea mean = inside(bench, bench->half, 3), weight = inside(bench, bench->filled, 3);
  if (moire->parent_instance.in->Bands == 4) {
    const float *alpha = bench->chroma.alpha.samples;
    for (int i = 0; i < channel.pitch * channel.height; i++)
      bench->half.samples[i] = alpha[i] > 0 ? 1 : 0;
    ph_area_filter(loops, &moire->box, mean.samples, channel.pitch, bench->row, weight);
  }
  ph_area_filter(loops, &moire->box, inside(bench, channel, 3).samples, channel.pitch, bench->row,
                 mean);
  for (int y = 0; y < mean.height && moire->parent_instance.in->Bands == 4; y++)
    for (int x = 0; x < mean.width; x++) {
      int at = y * mean.pitch + x;
      if (weight.samples[at] > 0) mean.samples[at] /= weight.samples[at];
    }
  return mean;
}

/// Moves one channel of chroma towards its mean; `to` has the size of the block.
static void calm(const PhMoireBench *bench, PhArea channel, float *to) {
  const PhLoops *loops = bench->moire->parent_instance.loops;
  float amount = (float)bench->moire->amount;
  open_or_close(bench, channel, loops->lowest, loops->highest, ph_nothing, bench->low);
  open_or_close(bench, channel, loops->highest, loops->lowest, -ph_nothing, bench->high);
  find_heights(bench, channel, bench->low, 1, bench->peaks);
  find_heights(bench, channel, bench->high, -1, bench->valleys);
  PhArea mean = average(bench, channel), from = inside(bench, channel, 3);
  PhArea low = inside(bench, bench->low, 3), high = inside(bench, bench->high, 3);
  PhArea peaks = inside(bench, bench->peaks, 3), valleys = inside(bench, bench->valleys, 3);
  for (int y = 0; y < from.height; y++)
    for (int x = 0; x < from.width; x++) {
      int at = y * from.pitch + x;
      float aim = mean.samples[at], most = peaks.samples[at];
      aim = aim > low.samples[at] ? aim : low.samples[at];
      aim = aim < high.samples[at] ? aim : high.samples[at];
      most = valleys.samples[at] < most ? valleys.samples[at] : most;
      float change = aim - from.samples[at];
      change = change < most ? change : most;
      change = change > -most ? change : -most;
      to[y * from.width + x] = from.samples[at] + amount * change;
    }
}

static void ph_moire_filter(const PhKernel *kernel, const PhWindow *window) {
  PhMoireBench bench = {.moire = (const PhMoire *)kernel};
  int margin = margin_of(bench.moire);
  bench.chroma = ph_chroma_read(window, margin, window->scratch);
  PhArea area = bench.chroma.luma;
  size_t plane = (size_t)area.width * (size_t)area.height;
  float *next = window->scratch + ph_chroma_room(window->width, window->height, margin);
  PhArea *const areas[PH_MOIRE_PLANES] = {&bench.filled, &bench.half,  &bench.low,
                                          &bench.high,   &bench.peaks, &bench.valleys};
  for (int i = 0; i < PH_MOIRE_PLANES; i++, next += plane) {
    *areas[i] = area;
    areas[i]->samples = next;
  }
  bench.row = next;
  float *red = next + area.width, *blue = red + window->width * window->height;
  calm(&bench, bench.chroma.red, red);
  calm(&bench, bench.chroma.blue, blue);
  for (int y = 0; y < window->height; y++)
    ph_chroma_write(kernel, window, &bench.chroma, margin, y, red + y * window->width,
                    blue + y * window->width);
}

static int ph_moire_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhMoire *moire = (PhMoire *)object;
  if (VIPS_OBJECT_CLASS(ph_moire_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  moire->box = ph_gaussian_box(moire->radius);
  moire->plan = (PhWindowPlan){.margin = margin_of(moire), .rows = 128, .columns = 256,
                               .scratch = ph_moire_scratch, .filter = ph_moire_filter};
  return ph_window_output(kernel, &moire->plan);
}

static void ph_moire_finalize(GObject *object) {
  ph_gaussian_clear(&((PhMoire *)object)->box);
  G_OBJECT_CLASS(ph_moire_parent_class)->finalize(object);
}

static void ph_moire_class_init(PhMoireClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_moire_finalize;
  ph_kernel_class_describe(class, "phbatch_moire", "calm colours of fine patterns",
                           ph_moire_build);
  VIPS_ARG_INT(class, "radius", 10, "Radius", "Half the side of a square, in pixels",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhMoire, radius), 1, 16, 6);
  VIPS_ARG_DOUBLE(class, "amount", 11, "Amount", "How much of the false colours is removed",
                  VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhMoire, amount), 0, 1, 1);
}

static void ph_moire_init(PhMoire *moire) {
  moire->radius = 6;
  moire->amount = 1;
}
