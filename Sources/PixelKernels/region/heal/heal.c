#pragma STDC FP_CONTRACT OFF

#include <math.h>
#include <string.h>

#include "base/row_cache.h"
#include "membrane.h"
#include "spots.h"

/// The operation `phbatch_heal`: replaces discs by other parts of the image, fitted to the pixels
/// around each disc.
///
/// `spots` has six numbers for each spot:
///
/// - The centre, as fractions of the width and of the height.
/// - The radius, as a fraction of the longer edge.
/// - The feather, as a fraction of the radius.
/// - The centre of the source, as fractions, or −1 twice to search the source.
///
/// The new colours are the source plus a membrane. The membrane is the solution of Laplace's
/// equation that makes the new colours equal to the image around the disc (P. Pérez, M. Gangnet and
/// A. Blake, "Poisson Image Editing", SIGGRAPH 2003). A spot without a fitting source gets the
/// membrane alone. The new colours cover the image fully up to the radius; over the next feather ×
/// radius, the coverage falls to 0 by a smoothstep. The membrane is computed up to this outer edge.
///
/// Every spot reads the input, not the result of other spots. Pixels of other spots belong neither
/// to the border nor to a source. Where spots overlap, their colours are mixed; the weight of each
/// spot is 0 at its edge. The input is RGB with or without premultiplied alpha; alpha is kept.
///
/// Reach: `ph_spot_reach` of the spots. Kind of buffers: spots (see AreaKernel.Buffers).
typedef struct {
  PhKernel parent_instance;
  VipsArea *places;

  /// Set by `build`: the spots, the image that is read, and the number of rows by which other
  /// threads may be behind.
  PhSpot *spots;
  int count;
  VipsImage *source;
  int lag;
  /// For each spot, its new colours while they are needed; protected by `lock`.
  struct PhHealed *healed;
  GMutex lock;
} PhHeal;

/// The new colours of a spot: three planes of the pixels of its box.
typedef struct PhHealed {
  float *colours;
  /// True if the colours have been computed; if `colours` is NULL then, the spot stays as it is.
  int is_done;
  /// The number of threads that read the colours.
  int users;
} PhHealed;

/// The state of one thread.
typedef struct {
  /// The regions for rows that pass through, and for the surroundings of spots.
  VipsRegion *rows, *around;
  /// The spots that the current area touches.
  int *touched;
  int touched_count;
} PhHealSequence;

typedef PhKernelClass PhHealClass;

PH_DEFINE_OPERATION(PhHeal, ph_heal, ph_kernel_get_type())

/// The number of values that describe a spot.
enum { PH_SPOT_VALUES = 6 };

/// The rows below a spot after which its colours are released.
enum { PH_KEPT_ROWS = 512 };

static int ph_heal_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhHealSequence *own = sequence;
  VIPS_UNREF(own->rows);
  VIPS_UNREF(own->around);
  g_free(own->touched);
  g_free(own);
  return 0;
}

static void *ph_heal_start(VipsImage *out, void *a, void *b) {
  (void)out;
  const PhHeal *heal = b;
  PhHealSequence *own = g_new0(PhHealSequence, 1);
  own->rows = vips_region_new(a);
  own->around = vips_region_new(a);
  own->touched = g_new(int, heal->count);
  return own;
}

/// Sets `across` and `down` to the offset from a spot to its source, in pixels. Returns the same as
/// `ph_spot_find_source`.
static int find_source(const PhSpots *spots, int number, VipsRegion *region, int *across,
                       int *down) {
  const PhSpot *spot = &spots->spots[number];
  const VipsImage *image = spots->kernel->in;
  if (!spot->has_source) return ph_spot_find_source(spots, number, region, across, down);
  // A source that is partly outside the image is moved into it.
  *across = VIPS_CLIP(-spot->box.left, (int)floor(spot->source_x - spot->x + 0.5),
                      image->Xsize - VIPS_RECT_RIGHT(&spot->box));
  *down = VIPS_CLIP(-spot->box.top, (int)floor(spot->source_y - spot->y + 0.5),
                    image->Ysize - VIPS_RECT_BOTTOM(&spot->box));
  return 1;
}

/// Writes the known values of the membrane: the colours around the spot minus the colours of the
/// source. Returns the number of known pixels.
static int set_up(const PhPatch *target, const PhPatch *source, uint8_t *part, float *membrane) {
  int count = target->width * target->height, known = 0;
  for (int i = 0; i < count; i++) {
    int reasons = target->reasons[i];
    int missing = source->reasons ? source->reasons[i] & (PH_BEYOND | PH_CLEAR) : 0;
    int is_known = reasons == 0 && !missing;
    part[i] = reasons & PH_BEYOND ? PH_OUTSIDE
              : reasons & PH_OWN  ? PH_FREE
              : is_known          ? PH_KNOWN
                                  : PH_OUTSIDE;
    known += is_known;
    for (int c = 0; c < 3; c++) {
      float from = source->colours ? source->colours[c * count + i] : 0;
      membrane[c * count + i] = target->colours[c * count + i] - from;
    }
  }
  return known;
}

/// Computes a spot's colours from the patches of target and source, which are one pixel wider than
/// its box on every side. Returns NULL if no pixel around the spot is known, or if memory runs out.
static float *fill(const PhSpot *spot, const PhPatch *target, const PhPatch *source) {
  int width = target->width, height = target->height;
  size_t plane = (size_t)width * (size_t)height;
  size_t room = ph_membrane_room(width, height);
  float *membrane = g_try_new(float, 3 * plane + room);
  uint8_t *part = g_try_new(uint8_t, plane);
  float *result = g_try_new(float, 3 * spot->box.width * spot->box.height);
  int is_solved = membrane && part && result && set_up(target, source, part, membrane) > 0 &&
                  ph_membrane_solve(part, membrane, width, height, membrane + 3 * plane);
  float *to = result;
  for (size_t c = 0; c < 3 && is_solved; c++)
    for (int y = 1; y <= spot->box.height; y++)
      for (int x = 1; x <= spot->box.width; x++) {
        size_t at = c * plane + (size_t)y * (size_t)width + (size_t)x;
        *to++ = membrane[at] + (source->colours ? source->colours[at] : 0);
      }
  g_free(membrane);
  g_free(part);
  if (!is_solved) g_clear_pointer(&result, g_free);
  return result;
}

/// Computes the new colours of a spot. The caller must hold the lock.
static int solve(const PhHeal *heal, int number, VipsRegion *region) {
  PhSpots spots = {&heal->parent_instance, heal->spots, heal->count};
  const PhSpot *spot = &heal->spots[number];
  int across = 0, down = 0;
  int found = find_source(&spots, number, region, &across, &down);
  if (found < 0) return -1;
  VipsRect part = spot->box;
  vips_rect_marginadjust(&part, 1);
  PhPatch target, source = {0};
  if (ph_patch_read(&spots, number, region, part, 1, &target)) return -1;
  part.left += across;
  part.top += down;
  int failed = found ? ph_patch_read(&spots, number, region, part, 1, &source) : 0;
  if (!failed) {
    heal->healed[number].colours = fill(spot, &target, &source);
    heal->healed[number].is_done = TRUE;
  }
  ph_patch_clear(&target);
  ph_patch_clear(&source);
  return failed;
}

/// True if an area has pixels of the rows of a spot.
static int touches(const PhSpot *spot, const VipsRect *area) {
  VipsRect hit;
  vips_rect_intersectrect(&spot->box, area, &hit);
  return !vips_rect_isempty(&hit);
}

/// Requests the rows that spots still need, from the top down, because rows of a file cannot be read
/// again later: those before the rows of an area, and those between the area and the sources of the
/// spots that it touches. The caller must hold the lock.
static int read_ahead(const PhHeal *heal, const VipsRect *area, VipsRegion *region) {
  if (heal->source == heal->parent_instance.in) return 0;
  VipsRect need = {area->left, area->top, 1, area->height};
  for (int k = 0; k < heal->count; k++) {
    const PhSpot *spot = &heal->spots[k];
    if (heal->healed[k].is_done) continue;
    if (touches(spot, area)) {
      int end = VIPS_MIN((int)spot->y + ph_spot_reach(spot), heal->source->Ysize);
      need.height = VIPS_MAX(need.height, end - need.top);
    }
    if (VIPS_RECT_BOTTOM(&spot->box) + heal->lag <= area->top) continue;
    int first = VIPS_MAX(0, (int)spot->y - ph_spot_reach(spot));
    if (first >= need.top) continue;
    need.height += need.top - first;
    need.top = first;
  }
  return vips_region_prepare(region, &need);
}

/// Computes the spots that an area touches, and keeps them until `release`.
static int acquire(PhHeal *heal, PhHealSequence *own, const VipsRect *area) {
  own->touched_count = 0;
  g_mutex_lock(&heal->lock);
  int failed = read_ahead(heal, area, own->rows);
  for (int k = 0; k < heal->count && !failed; k++) {
    PhHealed *healed = &heal->healed[k];
    if (touches(&heal->spots[k], area)) {
      if (!healed->is_done) failed = solve(heal, k, own->around);
      if (failed) break;
      healed->users++;
      own->touched[own->touched_count++] = k;
    } else if (healed->is_done && healed->users == 0 &&
               VIPS_RECT_BOTTOM(&heal->spots[k].box) + PH_KEPT_ROWS < area->top) {
      // If an area above is requested again, the spot is computed again.
      g_clear_pointer(&healed->colours, g_free);
      healed->is_done = FALSE;
    }
  }
  g_mutex_unlock(&heal->lock);
  return failed;
}

static void release(PhHeal *heal, const PhHealSequence *own) {
  g_mutex_lock(&heal->lock);
  for (int i = 0; i < own->touched_count; i++) heal->healed[own->touched[i]].users--;
  g_mutex_unlock(&heal->lock);
}

/// The sums for the pixels of a block: the weighted colours, the weights, and the greatest
/// coverage.
typedef struct {
  float colours[3][PH_BLOCK], weights[PH_BLOCK], cover[PH_BLOCK];
} PhMix;

/// Adds a spot to the pixels of row `y` from `x` on.
static void add(const PhSpot *spot, const PhHealed *healed, int x, int y, int count, PhMix *mix) {
  int first, end;
  ph_spot_chord(spot, spot->outer, y, &first, &end);
  first = VIPS_MAX(VIPS_MAX(first, x), spot->box.left);
  end = VIPS_MIN(VIPS_MIN(end, x + count), VIPS_RECT_RIGHT(&spot->box));
  size_t plane = (size_t)spot->box.width * (size_t)spot->box.height;
  const float *row = healed->colours + (size_t)(y - spot->box.top) * (size_t)spot->box.width;
  double down = y + 0.5 - spot->y;
  for (int i = first; i < end; i++) {
    double square = (i + 0.5 - spot->x) * (i + 0.5 - spot->x) + down * down;
    double part = square / (spot->outer * spot->outer);
    float weight = (float)((1 - part) * (1 - part)) + 1e-9f;
    double way = sqrt(square) - spot->radius, wide = spot->outer - spot->radius;
    double ramp = way <= 0 ? 1 : wide > 0 ? VIPS_MAX(0, 1 - way / wide) : 0;
    float cover = (float)(ramp * ramp * (3 - 2 * ramp));
    for (size_t c = 0; c < 3; c++)
      mix->colours[c][i - x] += weight * row[c * plane + (size_t)(i - spot->box.left)];
    mix->weights[i - x] += weight;
    mix->cover[i - x] = VIPS_MAX(mix->cover[i - x], cover);
  }
}

/// Lays the touched spots over `count` pixels of row `y`, from `x` on.
static void cover(const PhHeal *heal, const PhHealSequence *own, int x, int y, int count,
                  float *row) {
  VipsRect block = {x, y, count, 1};
  PhMix mix;
  int is_touched = FALSE;
  for (int i = 0; i < own->touched_count; i++) {
    int k = own->touched[i];
    if (!heal->healed[k].colours || !touches(&heal->spots[k], &block)) continue;
    if (!is_touched) memset(&mix, 0, sizeof mix);
    is_touched = TRUE;
    add(&heal->spots[k], &heal->healed[k], x, y, count, &mix);
  }
  int bands = heal->parent_instance.in->Bands;
  for (int i = 0; i < count && is_touched; i++) {
    if (!(mix.cover[i] > 0)) continue;
    float *pixel = row + i * bands, alpha = bands == 4 ? pixel[3] : 1;
    for (int c = 0; c < 3; c++)
      pixel[c] += mix.cover[i] * (mix.colours[c][i] / mix.weights[i] * alpha - pixel[c]);
  }
}

static int ph_heal_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  PhHeal *heal = b;
  const PhKernel *kernel = &heal->parent_instance;
  PhHealSequence *own = sequence;
  const VipsRect *area = &out->valid;
  int bands = kernel->in->Bands, clipped = 0;
  float row[PH_BLOCK * 4];
  int failed = acquire(heal, own, area) || vips_region_prepare(own->rows, area);
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area) && !failed; y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      int count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
      kernel->loops->read[kernel->from](VIPS_REGION_ADDR(own->rows, x, y), row, count * bands);
      cover(heal, own, x, y, count, row);
      clipped += ph_kernel_write(kernel, row, VIPS_REGION_ADDR(out, x, y), count * bands);
    }
  release(heal, own);
  if (!failed) ph_kernel_tally(kernel, area, clipped);
  return failed ? -1 : 0;
}

/// Converts the numbers in `places` to spots.
static int open_spots(PhHeal *heal) {
  const VipsImage *in = heal->parent_instance.in;
  int numbers = 0;
  const double *places = vips_array_double_get((VipsArrayDouble *)heal->places, &numbers);
  if (numbers % PH_SPOT_VALUES) {
    vips_error("phbatch_heal", "%d numbers are not %d for each spot", numbers, PH_SPOT_VALUES);
    return -1;
  }
  heal->count = numbers / PH_SPOT_VALUES;
  heal->spots = g_new0(PhSpot, heal->count);
  heal->healed = g_new0(PhHealed, heal->count);
  for (int k = 0; k < heal->count; k++, places += PH_SPOT_VALUES) {
    PhSpot *spot = &heal->spots[k];
    spot->x = places[0] * in->Xsize;
    spot->y = places[1] * in->Ysize;
    spot->radius = places[2] * VIPS_MAX(in->Xsize, in->Ysize);
    spot->outer = spot->radius * (1 + places[3]);
    spot->has_source = places[4] >= 0 && places[5] >= 0;
    spot->source_x = places[4] * in->Xsize;
    spot->source_y = places[5] * in->Ysize;
    ph_spot_place(spot, in);
  }
  return 0;
}

static int ph_heal_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhHeal *heal = (PhHeal *)object;
  if (VIPS_OBJECT_CLASS(ph_heal_parent_class)->build(object) || ph_kernel_check_rgb(kernel) ||
      open_spots(heal))
    return -1;
  int tile_width, tile_height, buffered, reach = 0;
  vips_get_tile_size(kernel->in, &tile_width, &tile_height, &buffered);
  heal->lag = vips_concurrency_get() > 1 ? 2 * buffered : 0;
  for (int k = 0; k < heal->count; k++)
    reach = VIPS_MAX(reach, ph_spot_reach(&heal->spots[k]) + (int)heal->spots[k].outer + 1);
  heal->source = ph_row_cache_input(kernel, VIPS_MIN(reach + heal->lag, kernel->in->Ysize), 1);
  if (!heal->source ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  return vips_image_generate(kernel->out, ph_heal_start, ph_heal_generate, ph_heal_stop,
                             heal->source, heal);
}

static void ph_heal_finalize(GObject *object) {
  PhHeal *heal = (PhHeal *)object;
  for (int k = 0; k < heal->count; k++) g_free(heal->healed[k].colours);
  g_free(heal->healed);
  g_free(heal->spots);
  g_mutex_clear(&heal->lock);
  G_OBJECT_CLASS(ph_heal_parent_class)->finalize(object);
}

static void ph_heal_class_init(PhHealClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_heal_finalize;
  ph_kernel_class_describe(class, "phbatch_heal", "replace spots", ph_heal_build);
  VIPS_ARG_BOXED(class, "spots", 10, "Spots", "Six numbers for each spot",
                 VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhHeal, places),
                 VIPS_TYPE_ARRAY_DOUBLE);
}

static void ph_heal_init(PhHeal *heal) { g_mutex_init(&heal->lock); }
