#include "network.h"
#include "window.h"

/// The operation `phbatch_median`: each band's exact median over a square.
///
/// The input is RGB with or without premultiplied alpha; `radius` is 1…5, each side of the square
/// has 2 × radius + 1 pixels. The edge of the image is repeated outwards. If alpha differs within
/// the square, a colour is the weighted median of the unpremultiplied colours, with alpha as the
/// weight. The values are added in ascending order; the median is the first value at which the sum
/// of weights reaches half of the total.
///
/// Reach: radius. Kind of buffers: windows (see kernel.h).
typedef struct {
  PhKernel parent_instance;
  int radius;
  PhNetwork *network;
  PhWindowPlan plan;
} PhMedian;

typedef PhKernelClass PhMedianClass;

PH_DEFINE_OPERATION(PhMedian, ph_median, ph_kernel_get_type())

/// The maximum number of pixels of a square.
enum { PH_SQUARE = 121 };

typedef struct {
  float value, weight;
} PhSample;

/// Returns the weighted median of samples with positive weights, and changes their order; `half` is
/// half of the sum of the weights.
static float select_weighted(PhSample *samples, int count, double half) {
  int first = 0, end = count;
  // The weight of the samples before `first`, which are all below the median.
  double before = 0;
  while (end - first > 1) {
    float pivot = samples[first + (end - first) / 2].value;
    // The loop moves the samples below the pivot to the front; those equal to the pivot follow.
    int below = first, above = end;
    double lighter = before, equal = 0;
    for (int i = first; i < above;) {
      PhSample sample = samples[i];
      if (sample.value < pivot) {
        samples[i++] = samples[below];
        samples[below++] = sample;
        lighter += (double)sample.weight;
      } else if (sample.value > pivot) {
        samples[i] = samples[--above];
        samples[above] = sample;
      } else {
        equal += (double)sample.weight;
        i++;
      }
    }
    if (lighter >= half && below > first) {
      end = below;
    } else if (lighter + equal >= half || above == end) {
      return pivot;
    } else {
      first = above;
      before = lighter + equal;
    }
  }
  return samples[first].value;
}

/// Computes the colours of the pixel at `x`, `y` of a block by weighted medians.
static void ph_median_weighted(int radius, const PhWindow *window, int x, int y) {
  int place = y * window->width + x;
  const float *alpha = window->in[3] + y * window->pitch + x;
  for (int band = 0; band < 3; band++) {
    PhSample samples[PH_SQUARE];
    const float *plane = window->in[band] + y * window->pitch + x;
    int count = 0;
    double sum = 0;
    for (int j = -radius; j <= radius; j++)
      for (int i = j * window->pitch - radius; i <= j * window->pitch + radius; i++)
        if (alpha[i] > 0) {
          samples[count++] = (PhSample){plane[i] / alpha[i], alpha[i]};
          sum += (double)alpha[i];
        }
    float median = count > 0 ? select_weighted(samples, count, sum / 2) : 0;
    window->out[band][place] = median * window->out[3][place];
  }
}

/// Computes for each column the lowest and the highest alpha of the `2 × radius + 1` rows around
/// row `y` of a block. The columns start `radius` pixels before the block.
static void alpha_range(int radius, const PhWindow *window, int y, float *low, float *high) {
  int count = window->width + 2 * radius;
  for (int j = -radius; j <= radius; j++) {
    const float *alpha = window->in[3] + (y + j) * window->pitch - radius;
    for (int i = 0; i < count; i++) {
      low[i] = j == -radius || alpha[i] < low[i] ? alpha[i] : low[i];
      high[i] = j == -radius || alpha[i] > high[i] ? alpha[i] : high[i];
    }
  }
}

/// Replaces the colours of a row by weighted medians where alpha differs within the square.
static void ph_median_edges(int radius, const PhWindow *window, int y) {
  float low[PH_BLOCK], high[PH_BLOCK];
  alpha_range(radius, window, y, low, high);
  for (int x = 0; x < window->width; x++) {
    float least = low[x], most = high[x];
    for (int i = x + 1; i <= x + 2 * radius; i++) {
      least = VIPS_MIN(least, low[i]);
      most = VIPS_MAX(most, high[i]);
    }
    if (most > least) ph_median_weighted(radius, window, x, y);
  }
}

static size_t ph_median_scratch(const PhKernel *kernel, int width, int height) {
  (void)width, (void)height;
  return ph_network_room(((const PhMedian *)kernel)->network);
}

static void ph_median_filter(const PhKernel *kernel, const PhWindow *window) {
  const PhMedian *median = (const PhMedian *)kernel;
  int step = PH_WIRE - 2 * median->radius;
  for (int band = 0; band < window->bands; band++)
    for (int y = 0; y < window->height; y++)
      for (int x = 0; x < window->width; x += step)
        ph_network_run(median->network, kernel->loops, window->in[band] + y * window->pitch + x,
                       window->pitch, VIPS_MIN(step, window->width - x), window->scratch,
                       window->out[band] + y * window->width + x);
  if (window->bands < 4) return;
  for (int y = 0; y < window->height; y++) ph_median_edges(median->radius, window, y);
}

static int ph_median_build(VipsObject *object) {
  PhKernel *kernel = PH_KERNEL(object);
  PhMedian *median = (PhMedian *)object;
  if (VIPS_OBJECT_CLASS(ph_median_parent_class)->build(object) || ph_kernel_check_rgb(kernel))
    return -1;
  median->network = ph_network_new(median->radius);
  median->plan = (PhWindowPlan){.margin = median->radius, .columns = 256,
                                    .scratch = ph_median_scratch, .filter = ph_median_filter};
  return ph_window_output(kernel, &median->plan);
}

static void ph_median_finalize(GObject *object) {
  ph_network_free(((PhMedian *)object)->network);
  G_OBJECT_CLASS(ph_median_parent_class)->finalize(object);
}

static void ph_median_class_init(PhMedianClass *class) {
  G_OBJECT_CLASS(class)->finalize = ph_median_finalize;
  ph_kernel_class_describe(class, "phbatch_median", "median of a square", ph_median_build);
  VIPS_ARG_INT(class, "radius", 10, "Radius", "Pixels on each side of the centre",
               VIPS_ARGUMENT_REQUIRED_INPUT, G_STRUCT_OFFSET(PhMedian, radius), 1, 5, 1);
}

static void ph_median_init(PhMedian *median) { median->radius = 1; }
