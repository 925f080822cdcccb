#pragma STDC FP_CONTRACT OFF

#include "layers.h"

#include <math.h>
#include <stdlib.h>

#include "base/alpha.h"
#include "base/row_cache.h"

/// The parameters of an image that is computed from a source and from layers, images such as blurs
/// of the source. Either `combine` or `change` is set.
typedef struct {
  const PhKernel *kernel;
  PhCombine combine;
  PhChange change;
  /// Returns the layers that are needed for an area; NULL if all layers are needed everywhere.
  PhNeeds needs;
  int count;
  /// The source, then the layers, then NULL.
  VipsImage *images[PH_LAYERS + 2];
} PhLayers;

/// The state of one thread, with a region and a block for each image.
typedef struct {
  PhBlock block[PH_LAYERS + 1];
  VipsRegion *regions[PH_LAYERS + 1];
} PhLayersSequence;

static int ph_layers_stop(void *sequence, void *a, void *b) {
  (void)a;
  PhLayersSequence *own = sequence;
  const PhLayers *layers = b;
  for (int i = 0; i <= layers->count; i++) VIPS_UNREF(own->regions[i]);
  free(own);
  return 0;
}

static void *ph_layers_start(VipsImage *out, void *a, void *b) {
  (void)out, (void)a;
  const PhLayers *layers = b;
  PhLayersSequence *own = aligned_alloc(_Alignof(PhLayersSequence), sizeof(PhLayersSequence));
  if (!own) {
    vips_error("phbatch_kernel", "out of memory");
    return NULL;
  }
  for (int i = 0; i <= layers->count; i++) own->regions[i] = vips_region_new(layers->images[i]);
  return own;
}

static int ph_layers_generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)a, (void)stop;
  PhLayersSequence *own = sequence;
  const PhLayers *layers = b;
  const PhKernel *kernel = layers->kernel;
  const VipsRect *area = &out->valid;
  int alpha = kernel->in->Bands == 4;
  // The layers are prepared first, because they read further down than the source.
  unsigned needed = layers->needs ? layers->needs(kernel, area) : (1u << layers->count) - 1;
  PhBlock *others[PH_LAYERS];
  for (int i = layers->count; i > 0; i--) {
    int reads = needed >> (i - 1) & 1;
    others[i - 1] = reads ? &own->block[i] : NULL;
    if (reads && vips_region_prepare(own->regions[i], area)) return -1;
  }
  if (vips_region_prepare(own->regions[0], area)) return -1;
  int clipped = 0;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++)
    for (int x = area->left; x < VIPS_RECT_RIGHT(area); x += PH_BLOCK) {
      for (int i = 0; i <= layers->count; i++) {
        if (i > 0 && !others[i - 1]) continue;
        PhBlock *block = &own->block[i];
        block->left = x;
        block->top = y;
        block->count = VIPS_MIN(PH_BLOCK, VIPS_RECT_RIGHT(area) - x);
        kernel->loops->unpack[i == 0 ? kernel->from : PH_FLOAT][alpha](
            VIPS_REGION_ADDR(own->regions[i], x, y), block);
        if (alpha) ph_unpremultiply(block);
      }
      if (layers->change) layers->change(kernel, own->block);
      if (layers->combine) layers->combine(kernel, own->block, others);
      if (alpha) ph_premultiply(own->block);
      VipsPel *to = VIPS_REGION_ADDR(out, x, y);
      if (layers->combine)
        clipped += ph_kernel_pack(kernel, own->block, to);
      else
        kernel->loops->pack[PH_FLOAT][alpha](own->block, to);
    }
  if (layers->combine) ph_kernel_tally(kernel, area, clipped);
  return 0;
}

VipsImage *ph_layers_source(PhKernel *kernel, double sigma) {
  if (kernel->in->dtype != VIPS_IMAGE_PARTIAL) return kernel->in;
  // The cache holds the rows within 3 sigma, and the rows further down that `phbatch_blur` reads
  // when it computes a strip of its reduced image.
  return ph_row_cache(kernel, kernel->in, (int)ceil(3.5 * sigma) + 64, 1);
}

VipsImage *ph_layers_blurred(PhKernel *kernel, VipsImage *source, double sigma) {
  VipsImage **blurred = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  return vips_call("phbatch_blur", source, &blurred[0], VIPS_FORMAT_FLOAT, VIPS_CLIP(0.3, sigma, 250),
                   "portable", kernel->portable, NULL)
             ? NULL
             : blurred[0];
}

static PhLayers *new_layers(PhKernel *kernel, VipsImage *source) {
  PhLayers *layers = VIPS_NEW(kernel, PhLayers);
  if (layers) *layers = (PhLayers){.kernel = kernel, .images = {source}};
  return layers;
}

VipsImage *ph_layers_changed(PhKernel *kernel, VipsImage *source, PhChange change) {
  PhLayers *layers = new_layers(kernel, source);
  VipsImage **image = (VipsImage **)vips_object_local_array(VIPS_OBJECT(kernel), 1);
  image[0] = vips_image_new();
  if (!layers || vips_image_pipelinev(image[0], VIPS_DEMAND_STYLE_FATSTRIP, kernel->in, NULL))
    return NULL;
  layers->change = change;
  image[0]->BandFmt = VIPS_FORMAT_FLOAT;
  return vips_image_generate(image[0], ph_layers_start, ph_layers_generate, ph_layers_stop, NULL,
                             layers)
             ? NULL
             : image[0];
}

int ph_layers_output(PhKernel *kernel, VipsImage *source, VipsImage *const *images, int count,
                     PhCombine combine, PhNeeds needs) {
  PhLayers *layers = new_layers(kernel, source);
  if (!layers ||
      ph_kernel_open_output(kernel, VIPS_DEMAND_STYLE_FATSTRIP, (VipsImage *[]){kernel->in, NULL}))
    return -1;
  layers->combine = combine;
  layers->needs = needs;
  layers->count = count;
  for (int i = 0; i < count; i++) layers->images[i + 1] = images[i];
  return vips_image_generate(kernel->out, ph_layers_start, ph_layers_generate, ph_layers_stop, NULL,
                             layers);
}
