#include "window.h"

#include <stdlib.h>
#include <string.h>

#include "base/row_cache.h"

/// The maximum number of rows of a block.
enum { PH_ROWS = 128 };

/// The state of one thread.
typedef struct {
  PhBlock block;
  VipsRegion *source;
  /// Memory for the planes of the input, then the planes of the output, then scratch; 64-byte
  /// aligned.
  float *memory;
  size_t room;
} PhWindowSequence;

static int ph_window_stop(void *sequence, void *a, void *b) {
  (void)a, (void)b;
  PhWindowSequence *own = sequence;
  VIPS_UNREF(own->source);
  free(own->memory);
  free(own);
  return 0;
}

static void *ph_window_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)b;
  PhWindowSequence *own = aligned_alloc(_Alignof(PhWindowSequence), sizeof(PhWindowSequence));
  if (!own) {
    vips_error("phbatch_kernel", "out of memory");
    return NULL;
  }
  own->source = vips_region_new(a);
  own->memory = NULL;
  own->room = 0;
  return own;
}

/// Rounds `count` floats up to a multiple of 64 bytes.
static size_t aligned(size_t count) { return (count + 15) & ~(size_t)15; }

static int ensure(PhWindowSequence *own, size_t count) {
  if (count <= own->room) return 0;
  free(own->memory);
  own->memory = aligned_alloc(64, aligned(count) * sizeof(float));
  own->room = own->memory ? count : 0;
  if (own->memory) return 0;
  vips_error("phbatch_kernel", "out of memory");
  return -1;
}

/// Reads one row of the window's input into each plane at `to`.
static void read_row(PhWindowSequence *own, const PhKernel *kernel, int left, int y, int count,
                     float *const *to) {
  int alpha = kernel->in->Bands == 4;
  VipsRect image = {0, 0, kernel->in->Xsize, kernel->in->Ysize};
  y = VIPS_CLIP(0, y, image.height - 1);
  int before = VIPS_CLIP(0, -left, count);
  int end = VIPS_MIN(count, image.width - left);
  for (int x = before; x < end; x += PH_BLOCK) {
    own->block.count = VIPS_MIN(PH_BLOCK, end - x);
    kernel->loops->unpack[kernel->from][alpha](VIPS_REGION_ADDR(own->source, left + x, y),
                                               &own->block);
    for (int band = 0; band < kernel->in->Bands; band++)
      memcpy(to[band] + x, own->block.plane[band], (size_t)own->block.count * sizeof(float));
  }
  for (int band = 0; band < kernel->in->Bands; band++) {
    for (int x = 0; x < before; x++) to[band][x] = to[band][before];
    for (int x = end; x < count; x++) to[band][x] = to[band][end - 1];
  }
}

/// Packs the block's rows into the output. Returns the number of clipped pixels.
static int write_rows(PhWindowSequence *own, const PhKernel *kernel, const PhWindow *window,
                       VipsRegion *out) {
  int clipped = 0;
  own->block.count = window->width;
  for (int y = 0; y < window->height; y++) {
    for (int band = 0; band < window->bands; band++)
      memcpy(own->block.plane[band], window->out[band] + (size_t)y * (size_t)window->width,
             (size_t)window->width * sizeof(float));
    clipped += ph_kernel_pack(kernel, &own->block,
                              VIPS_REGION_ADDR(out, window->left, window->top + y));
  }
  return clipped;
}

/// Reads, computes and writes one block.
static int run_block(PhWindowSequence *own, const PhKernel *kernel, const PhWindowPlan *plan,
                     const VipsRect *area, VipsRegion *out) {
  int margin = plan->margin;
  int pitch = (int)aligned((size_t)(area->width + 2 * margin));
  size_t plane = (size_t)pitch * (size_t)(area->height + 2 * margin);
  size_t result = aligned((size_t)area->width * (size_t)area->height);
  size_t scratch =
      plan->scratch ? plan->scratch(kernel, area->width, area->height) : 0;
  int bands = kernel->in->Bands;
  if (ensure(own, (size_t)bands * (plane + result) + scratch)) return -1;
  PhWindow window = {.left = area->left, .top = area->top, .width = area->width,
                     .height = area->height, .pitch = pitch, .bands = bands,
                     .scratch = own->memory + (size_t)bands * (plane + result)};
  for (int y = 0; y < area->height + 2 * margin; y++) {
    float *rows[4];
    for (int band = 0; band < bands; band++)
      rows[band] = own->memory + (size_t)band * plane + (size_t)y * (size_t)pitch;
    read_row(own, kernel, area->left - margin, area->top - margin + y, area->width + 2 * margin,
             rows);
  }
  for (int band = 0; band < bands; band++) {
    window.in[band] = own->memory + (size_t)band * plane + margin * pitch + margin;
    window.out[band] = own->memory + (size_t)bands * plane + (size_t)band * result;
    for (int y = 0; y < area->height; y++)
      memcpy(window.out[band] + (size_t)y * (size_t)area->width, window.in[band] + y * pitch,
             (size_t)area->width * sizeof(float));
  }
  plan->filter(kernel, &window);
  ph_kernel_tally(kernel, area, write_rows(own, kernel, &window, out));
  return 0;
}

static int ph_window_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  PhWindowSequence *own = sequence;
  const PhKernel *kernel = ((void **)b)[0];
  const PhWindowPlan *plan = ((void **)b)[1];
  const VipsRect *area = &out->valid;
  VipsRect image = {0, 0, kernel->in->Xsize, kernel->in->Ysize};
  VipsRect need = *area;
  vips_rect_marginadjust(&need, plan->margin);
  vips_rect_intersectrect(&need, &image, &need);
  if (vips_region_prepare(own->source, &need)) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y += PH_ROWS)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += plan->columns) {
      VipsRect block = {x, y, plan->columns, PH_ROWS};
      vips_rect_intersectrect(&block, area, &block);
      if (run_block(own, kernel, plan, &block, out)) return -1;
    }
  return 0;
}

/// Passes the rows of a cache on unchanged.
static int ph_window_pass(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)b, (void)stop;
  VipsRegion *cached = sequence;
  const VipsRect *area = &out->valid;
  return vips_region_prepare(cached, area) ||
                 vips_region_region(out, cached, area, area->left, area->top)
             ? -1
             : 0;
}

int ph_window_output(PhKernel *kernel, const PhWindowPlan *plan) {
  VipsImage *inputs[] = {kernel->in, NULL};
  VipsImage *source = ph_row_cache_input(kernel, plan->margin, 1);
  if (!source || ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, inputs)) return -1;
  const void **client = VIPS_ARRAY(kernel, 2, const void *);
  client[0] = kernel;
  client[1] = plan;
  if (plan->rows == 0)
    return vips_image_generate(kernel->out, ph_window_start, ph_window_generate, ph_window_stop,
                               source, client);

  VipsImage **images = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 2);
  images[0] = vips_image_new();
  int strips = 2 + (vips_concurrency_get() > 1 ? vips_concurrency_get() : 0);
  if (vips_image_pipeline_array(images[0], VIPS_DEMAND_STYLE_FATSTRIP, inputs)) return -1;
  images[0]->BandFmt = kernel->format;
  images[0]->Type = kernel->out->Type;
  if (vips_image_generate(images[0], ph_window_start, ph_window_generate, ph_window_stop, source,
                          client) ||
      vips_tilecache(images[0], &images[1], "tile_width", kernel->in->Xsize, "tile_height",
                     plan->rows, "max_tiles", strips, "access", VIPS_ACCESS_SEQUENTIAL,
                     "threaded", TRUE, NULL))
    return -1;
  return vips_image_generate(kernel->out, vips_start_one, ph_window_pass, vips_stop_one, images[1],
                             NULL);
}
