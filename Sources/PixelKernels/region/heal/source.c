#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "spots.h"

/// The size of the search.
///
/// The picture is reduced until the spot's radius is about `PH_SEARCH_RADIUS` pixels. The search
/// covers `PH_SEARCH_ACROSS` radii to the left and to the right, and `PH_SEARCH_DOWN` radii up and
/// down. Rows cost more than columns, because rows are kept until the search ends.
enum { PH_SEARCH_RADIUS = 8, PH_SEARCH_ACROSS = 6, PH_SEARCH_DOWN = 3 };

/// A pixel of a patch.
typedef struct {
  int x, y;
} PhPoint;

/// A spot in a patch of its surroundings.
///
/// `ring` lists the pixels around the spot, which are compared with the same pixels of a source.
/// `inside` lists the pixels that the spot covers.
typedef struct {
  PhPatch patch;
  /// The radius in pixels of the patch.
  double radius;
  PhPoint *ring, *inside;
  int ring_count, inside_count;
  /// The variance of the ring's luma.
  double variance;
} PhScene;

static const float *colours(const PhPatch *patch, int band) {
  return patch->colours + (size_t)band * (size_t)patch->width * (size_t)patch->height;
}

static double luma(const PhPatch *patch, int at) {
  return 0.2126 * (double)colours(patch, 0)[at] + 0.7152 * (double)colours(patch, 1)[at] +
         0.0722 * (double)colours(patch, 2)[at];
}

/// The variance of `count` values from their sum and the sum of their squares.
static double variance(double sum, double squares, int count) {
  double mean = sum / count;
  return squares / count - mean * mean;
}

static void scene_clear(PhScene *scene) {
  ph_patch_clear(&scene->patch);
  g_clear_pointer(&scene->ring, g_free);
  g_clear_pointer(&scene->inside, g_free);
}

/// Lists the pixels of the ring and the pixels inside. The width of the ring is a quarter of the
/// radius, but at least two pixels.
static void list_points(const PhSpot *spot, PhScene *scene) {
  const PhPatch *patch = &scene->patch;
  double x = (spot->x - patch->left) / patch->scale, y = (spot->y - patch->top) / patch->scale;
  double ring = scene->radius + fmax(2, scene->radius / 4);
  double sum = 0, squares = 0;
  for (int v = 0; v < patch->height; v++)
    for (int u = 0; u < patch->width; u++) {
      double distance = hypot(u + 0.5 - x, v + 0.5 - y);
      int at = v * patch->width + u;
      if (distance <= scene->radius + 1 && !(patch->reasons[at] & PH_BEYOND))
        scene->inside[scene->inside_count++] = (PhPoint){u, v};
      if (distance > ring || patch->reasons[at]) continue;
      scene->ring[scene->ring_count++] = (PhPoint){u, v};
      sum += luma(patch, at);
      squares += luma(patch, at) * luma(patch, at);
    }
  if (scene->ring_count == 0) return;
  scene->variance = variance(sum, squares, scene->ring_count);
}

/// Reads a spot's surroundings, `across` and `down` pixels of the image to each side of it.
static int scene_read(const PhSpots *spots, int number, VipsRegion *region, int scale, int across,
                      int down, PhScene *scene) {
  const PhSpot *spot = &spots->spots[number];
  int ring = (int)ceil(spot->outer * 1.25) + 3 * scale;
  VipsRect part = {(int)floor(spot->x) - across - ring, (int)floor(spot->y) - down - ring,
                   2 * (across + ring), 2 * (down + ring)};
  *scene = (PhScene){.radius = spot->outer / scale};
  if (ph_patch_read(spots, number, region, part, scale, &scene->patch)) return -1;
  int most = (2 * ring / scale + 2) * (2 * ring / scale + 2);
  scene->ring = g_try_new(PhPoint, most);
  scene->inside = g_try_new(PhPoint, most);
  if (scene->ring && scene->inside) {
    list_points(spot, scene);
    return 0;
  }
  vips_error("phbatch_heal", "out of memory");
  scene_clear(scene);
  return -1;
}

/// Returns the variance of the luma of the part of `source` that is (`u`, `v`) away from the spot;
/// HUGE_VAL if it has a pixel that cannot be a source.
static double variance_inside(const PhScene *scene, const PhPatch *source, int u, int v) {
  double sum = 0, squares = 0;
  for (int i = 0; i < scene->inside_count; i++) {
    int x = scene->inside[i].x + u, y = scene->inside[i].y + v;
    if (x < 0 || y < 0 || x >= source->width || y >= source->height) return HUGE_VAL;
    int at = y * source->width + x;
    if (source->reasons[at]) return HUGE_VAL;
    double light = luma(source, at);
    sum += light;
    squares += light * light;
  }
  return variance(sum, squares, scene->inside_count);
}

/// Returns the misfit of a part of `source` at the distance (`u`, `v`), or HUGE_VAL if the part
/// cannot be a source.
///
/// The misfit is the sum of these terms:
/// - For each channel, the variance of the difference between the ring of the spot and the ring of
///   the part, plus a quarter of the square of the mean difference.
/// - 4.5 × the difference between the variances of the luma in both rings. Smooth parts beside a
///   texture would otherwise have an advantage.
/// - 3 × the amount by which the variance of the luma inside the part exceeds the greater variance
///   of the rings. Such an excess may be a blemish.
static double misfit(const PhScene *scene, const PhPatch *source, int u, int v) {
  const PhPatch *patch = &scene->patch;
  double contrast = variance_inside(scene, source, u, v);
  if (contrast == HUGE_VAL) return HUGE_VAL;
  double sum = 0, squares = 0, sums[3] = {0, 0, 0}, all[3] = {0, 0, 0};
  int count = 0;
  for (int i = 0; i < scene->ring_count; i++) {
    int x = scene->ring[i].x + u, y = scene->ring[i].y + v;
    if (x < 0 || y < 0 || x >= source->width || y >= source->height) continue;
    int at = y * source->width + x;
    if (source->reasons[at]) continue;
    int own = scene->ring[i].y * patch->width + scene->ring[i].x;
    double light = luma(source, at);
    sum += light;
    squares += light * light;
    count++;
    for (int c = 0; c < 3; c++) {
      double difference = (double)colours(patch, c)[own] - (double)colours(source, c)[at];
      sums[c] += difference;
      all[c] += difference * difference;
    }
  }
  if (2 * count < scene->ring_count) return HUGE_VAL;
  double around = variance(sum, squares, count);
  double more = contrast - fmax(around, scene->variance);
  double result = 4.5 * fabs(around - scene->variance) + (more > 0 ? 3 * more : 0);
  for (int c = 0; c < 3; c++) {
    double shift = sums[c] / count;
    result += all[c] / count - 0.75 * shift * shift;
  }
  return result;
}

/// Searches a scene, every `step` pixels, for the part with the least misfit. Sets `u` and `v`, in
/// pixels of the scene; near parts have a slight advantage.
static int search(const PhScene *scene, int step, int *u, int *v) {
  double least = HUGE_VAL;
  int wide = (int)(PH_SEARCH_ACROSS * scene->radius), tall = (int)(PH_SEARCH_DOWN * scene->radius);
  for (int y = -tall; y <= tall; y += step)
    for (int x = -wide; x <= wide; x += step) {
      double way = hypot(x, y) / scene->radius;
      if (way * scene->radius < 2 * scene->radius + 2) continue;
      double found = misfit(scene, &scene->patch, x, y) + 1e-6 * way * way;
      if (found >= least) continue;
      least = found;
      *u = x;
      *v = y;
    }
  return least < HUGE_VAL;
}

/// Improves a source at a finer scale: compares all sources up to `steps` pixels of this scale
/// away.
static int improve(const PhSpots *spots, int number, VipsRegion *region, int scale, int steps,
                   int *across, int *down) {
  PhScene scene;
  PhPatch source;
  if (scene_read(spots, number, region, scale, 0, 0, &scene)) return -1;
  VipsRect part = {scene.patch.left + *across - steps * scale,
                   scene.patch.top + *down - steps * scale,
                   (scene.patch.width + 2 * steps) * scale,
                   (scene.patch.height + 2 * steps) * scale};
  int failed = ph_patch_read(spots, number, region, part, scale, &source);
  double least = HUGE_VAL;
  int best_x = steps, best_y = steps;
  for (int y = 0; y <= 2 * steps && !failed; y++)
    for (int x = 0; x <= 2 * steps; x++) {
      double found = misfit(&scene, &source, x, y);
      if (found >= least) continue;
      least = found;
      best_x = x;
      best_y = y;
    }
  *across += (best_x - steps) * scale;
  *down += (best_y - steps) * scale;
  scene_clear(&scene);
  ph_patch_clear(&source);
  return failed ? -1 : least < HUGE_VAL;
}

int ph_spot_find_source(const PhSpots *spots, int number, VipsRegion *region, int *across,
                        int *down) {
  const PhSpot *spot = &spots->spots[number];
  int scale = VIPS_MAX(1, (int)(spot->outer / PH_SEARCH_RADIUS + 0.5));
  PhScene scene;
  int wide = (int)(PH_SEARCH_ACROSS * spot->outer), tall = (int)(PH_SEARCH_DOWN * spot->outer);
  if (scene_read(spots, number, region, scale, wide, tall, &scene)) return -1;
  int step = scene.radius >= 6 ? 2 : 1, u = 0, v = 0;
  int found = scene.ring_count > 0 && scene.inside_count > 0 && search(&scene, step, &u, &v);
  scene_clear(&scene);
  *across = u * scale;
  *down = v * scale;
  if (found == 1 && step > 1)
    found = improve(spots, number, region, scale, step - 1, across, down);
  while (found == 1 && scale > 1) {
    scale = (scale + 1) / 2;
    found = improve(spots, number, region, scale, 2, across, down);
  }
  return found;
}
