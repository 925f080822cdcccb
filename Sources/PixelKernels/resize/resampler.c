#include "resampler.h"

#include <stdlib.h>
#include <string.h>

/// The number of input rows that are fetched and added at a time.
enum { PH_ROWS = 32 };

struct PhResampler {
  /// A stripe of input rows, and later of output rows.
  _Alignas(64) float stripe[PH_ROWS][PH_STRIPE];
  /// A stripe of completed sums.
  float complete[PH_LANES][PH_STRIPE];
  const PhResampling *task;

  /// The columns of the output that the resampler computes, and the columns of the input that they
  /// need.
  int left, width, in_left, in_width;
  /// The output rows that are ready in `reduced`; initially none.
  int top, rows;
  /// The next input row to add.
  int next;

  /// The incomplete sums of output rows. The buffer has room for `task->sums` rows, each as wide as
  /// the input, which are reused in turn. `pitch` is the number of samples from one row to the
  /// next.
  float *sums;
  size_t pitch;
  /// A group of eight interleaved rows: `columns` is as wide as the input, `reduced` as wide as the
  /// output.
  float *columns, *reduced;
  size_t sums_room, columns_room, reduced_room;
};

gboolean ph_resampling_carries(const PhResampling *resampling) {
  return resampling->down.from >= resampling->down.to;
}

int ph_resampling_sums(const PhResampling *resampling) {
  const PhAxis *down = &resampling->down;
  int most = PH_LANES;
  if (!ph_resampling_carries(resampling)) return most;
  for (int top = 0, below = 0; top < down->to; top++) {
    int end = ph_axis_end(down, VIPS_MIN(top + PH_LANES, down->to) - 1);
    while (below < down->to && down->first[below] < end) below++;
    most = VIPS_MAX(most, below - top);
  }
  return most;
}

PhResampler *ph_resampler_new(const PhResampling *resampling) {
  PhResampler *own = aligned_alloc(_Alignof(PhResampler), sizeof(PhResampler));
  if (!own) {
    vips_error("phbatch_resize", "out of memory");
    return NULL;
  }
  *own = (PhResampler){.task = resampling};
  return own;
}

void ph_resampler_free(PhResampler *own) {
  if (!own) return;
  free(own->sums);
  free(own->columns);
  free(own->reduced);
  free(own);
}

/// Allocates space for `count` vectors; the old contents are lost.
static int ensure(float **buffer, size_t *room, size_t count) {
  if (count <= *room) return 0;
  free(*buffer);
  *buffer = aligned_alloc(64, VIPS_ROUND_UP(count * PH_LANES * sizeof(float), 64));
  *room = *buffer ? count : 0;
  if (*buffer) return 0;
  vips_error("phbatch_resize", "out of memory");
  return -1;
}

/// Returns the number of vectors for `samples` samples.
static size_t vectors(int samples) { return ((size_t)samples + PH_LANES - 1) / PH_LANES; }

/// Restarts with a range of output columns and the output row `top`.
static int restart(PhResampler *own, int left, int width, int top) {
  const PhResampling *task = own->task;
  int bands = task->bands;
  own->left = left;
  own->width = width;
  own->in_left = task->across.first[left];
  own->in_width = ph_axis_end(&task->across, left + width - 1) - own->in_left;
  own->top = top;
  own->rows = 0;
  own->next = task->down.first[top];
  size_t wide = vectors(own->in_width * bands);
  own->pitch = wide * PH_LANES;
  return ensure(&own->sums, &own->sums_room, wide * (size_t)task->sums) ||
                 ensure(&own->columns, &own->columns_room, wide * PH_LANES) ||
                 ensure(&own->reduced, &own->reduced_room, vectors(width * bands) * PH_LANES)
             ? -1
             : 0;
}

static float *sum(PhResampler *own, int output) {
  return own->sums + own->pitch * (size_t)(output % own->task->sums);
}

/// The bytes of a sample, by format.
static const size_t sample_bytes[] = {1, 2, 4};

/// Converts input samples to the values that are averaged.
static void read_samples(const PhResampling *task, const VipsPel *from, float *to, int count) {
  const PhLoops *loops = task->loops;
  int alpha = task->alpha;
  if (task->linear && task->from == PH_UCHAR) {
    loops->lookup_run[alpha](from, task->light, to, count);
  } else {
    loops->read[task->from](from, to, count);
    if (task->linear) loops->decode_run[alpha](to, count);
  }
  if (alpha) loops->premultiply[alpha](to, count);
}

/// The inverse of `read_samples`; modifies `from`. Returns the number of clipped pixels.
static int write_samples(const PhResampling *task, float *from, VipsPel *to, int count) {
  const PhLoops *loops = task->loops;
  int alpha = task->alpha;
  if (alpha) loops->unpremultiply[alpha](from, count);
  if (task->linear) loops->encode_run[alpha](from, count);
  loops->write[task->to](from, to, count);
  return task->counts ? loops->clipped_run[task->bands - 1](from, count / task->bands) : 0;
}

/// Adds the stripe's rows, up to the input row `end`, to the sums of the output rows `top` ..<
/// `bound`. If this completes the group of eight output rows at `top`, stores the group in
/// `columns` from sample `x` on.
static void add_stripe(PhResampler *own, int end, int top, int bound, int x, int count,
                       gboolean is_last) {
  static const float zeros[PH_STRIPE];
  const PhResampling *task = own->task;
  const PhLoops *loops = task->loops;
  const PhAxis *down = &task->down;
  const float *lines[PH_LANES];
  for (int output = top; output < bound && down->first[output] < end; output++) {
    float *kept = sum(own, output) + x;
    gboolean completes = is_last && output < top + PH_LANES;
    float *to = completes ? own->complete[output - top] : kept;
    int begin = down->first[output];
    int first = VIPS_MAX(begin, own->next);
    int last = VIPS_MIN(ph_axis_end(down, output), end);
    if (first < last)
      loops->accumulate(own->stripe[first - own->next],
                        ph_axis_weights(down, output) + (first - begin), last - first,
                        begin < own->next ? kept : zeros, to, count);
    if (completes) lines[output - top] = first < last ? to : kept;
  }
  if (!is_last) return;
  for (int i = VIPS_MIN(PH_LANES, down->to - top); i < PH_LANES; i++) lines[i] = zeros;
  loops->interleave(lines, own->columns + (size_t)x * PH_LANES, count);
}

/// Prefetches the part of an input row that follows its next stripe. The CPU does not predict this
/// access, because other rows are read after every few hundred bytes of a row.
static void prefetch(const VipsPel *row, size_t size) {
  for (size_t byte = 2 * size; byte < 3 * size; byte += 64) __builtin_prefetch(row + byte);
}

/// Adds the next `rows` rows of the input, which may be 0, to the sums of the output rows `top` ..<
/// `bound`. If these are the last rows that the group of eight output rows at `top` needs, stores
/// the group in `columns`.
static int add_rows(PhResampler *own, VipsRegion *source, int rows, int top, int bound,
                    gboolean is_last) {
  const PhResampling *task = own->task;
  const PhPlace *place = &task->place;
  VipsRect need = {place->left + own->in_left, own->next / place->rows,
                   (place->rows - 1) * place->pitch + own->in_width, 0};
  need.height = (own->next + rows - 1) / place->rows + 1 - need.top;
  if (rows > 0 && vips_region_prepare(source, &need)) return -1;
  size_t size = sample_bytes[task->from];
  int samples = own->in_width * task->bands;
  for (int x = 0; x < samples; x += PH_STRIPE) {
    int count = VIPS_MIN(PH_STRIPE, samples - x);
    for (int i = 0; i < rows; i++) {
      int y = own->next + i;
      const VipsPel *row = VIPS_REGION_ADDR(source, need.left + y % place->rows * place->pitch,
                                            y / place->rows) +
                           (size_t)x * size;
      prefetch(row, PH_STRIPE * size);
      read_samples(task, row, own->stripe[i], count);
    }
    add_stripe(own, own->next + rows, top, bound, x, count, is_last);
  }
  own->next += rows;
  return 0;
}

/// Computes the group of at most eight output rows from `top` on.
static int advance(PhResampler *own, VipsRegion *source, int left, int width, int top) {
  const PhResampling *task = own->task;
  const PhAxis *down = &task->down;
  gboolean carries = ph_resampling_carries(task);
  gboolean goes_on = carries && own->rows > 0 && own->left == left && own->width == width &&
                     own->top + own->rows == top;
  if (!goes_on && restart(own, left, width, top)) return -1;
  int rows = VIPS_MIN(PH_LANES, down->to - top);
  int bound = carries ? down->to : top + rows;
  int lacking = ph_axis_end(down, top + rows - 1) - own->next;
  own->rows = 0;
  do {
    int added = VIPS_MIN(PH_ROWS, lacking);
    lacking -= added;
    if (add_rows(own, source, added, top, bound, lacking == 0)) return -1;
  } while (lacking > 0);
  task->loops->across[task->bands - 1](&task->across, left, width, own->columns, own->reduced);
  own->top = top;
  own->rows = rows;
  return 0;
}

/// Writes to `to` those rows of an area that are ready in `reduced`, from row `y` on, and counts
/// clipped pixels. Returns the row after the last written row.
static int write_rows(PhResampler *own, const VipsRect *area, int y, VipsPel *to, size_t pitch,
                      int *clipped) {
  const PhResampling *task = own->task;
  int end = VIPS_MIN(own->top + own->rows, VIPS_RECT_BOTTOM(area));
  size_t size = sample_bytes[task->to];
  int samples = own->width * task->bands;
  // The width of a stripe that contains whole pixels and whole vectors.
  int stripe = PH_STRIPE - PH_STRIPE % (PH_LANES * task->bands);
  float *lines[PH_LANES];
  for (int i = 0; i < PH_LANES; i++) lines[i] = own->stripe[i];
  for (int x = 0; x < samples; x += stripe) {
    int count = VIPS_MIN(stripe, samples - x);
    task->loops->deinterleave(own->reduced + (size_t)x * PH_LANES, lines, count);
    for (int row = y; row < end; row++)
      *clipped += write_samples(task, lines[row - own->top],
                                to + (size_t)(row - y) * pitch + (size_t)x * size, count);
  }
  return end;
}

int ph_resampler_fill(PhResampler *own, VipsRegion *source, const VipsRect *area, VipsPel *to,
                      size_t pitch, int *clipped) {
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area);) {
    gboolean ready = own->left == area->left && own->width == area->width && own->top <= y &&
                     y < own->top + own->rows;
    if (!ready && advance(own, source, area->left, area->width, y)) return -1;
    y = write_rows(own, area, y, to + (size_t)(y - area->top) * pitch, pitch, clipped);
  }
  return 0;
}
