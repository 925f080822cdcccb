#pragma STDC FP_CONTRACT OFF

#include "chroma.h"

#include <string.h>

/// The weights of BT.709.
static const float red_weight = 0.2126f, green_weight = 0.7152f, blue_weight = 0.0722f;

size_t ph_chroma_room(int width, int height, int margin) {
  return 4 * (size_t)(width + 2 * margin) * (size_t)(height + 2 * margin);
}

PhChromaPlanes ph_chroma_read(const PhWindow *window, int margin, float *memory) {
  int width = window->width + 2 * margin, height = window->height + 2 * margin;
  size_t plane = (size_t)width * (size_t)height;
  PhArea area = {memory, width, width, height};
  PhChromaPlanes planes = {area, area, area, area};
  planes.red.samples += plane;
  planes.blue.samples += 2 * plane;
  planes.alpha.samples += 3 * plane;
  for (int y = 0; y < height; y++) {
    ptrdiff_t from = (ptrdiff_t)(y - margin) * window->pitch - margin;
    const float *red = window->in[0] + from, *green = window->in[1] + from;
    const float *blue = window->in[2] + from;
    const float *alpha = window->bands == 4 ? window->in[3] + from : NULL;
    int at = y * width;
    for (int x = 0; x < width; x++) {
      float opacity = alpha ? alpha[x] : 1;
      float scale = !alpha ? 1 : opacity > 1.0f / 512 ? 1 / opacity : 0;
      float r = red[x] * scale, g = green[x] * scale, b = blue[x] * scale;
      float luma = red_weight * r + green_weight * g + blue_weight * b;
      planes.luma.samples[at + x] = luma;
      planes.red.samples[at + x] = r - luma;
      planes.blue.samples[at + x] = b - luma;
      planes.alpha.samples[at + x] = scale > 0 ? opacity : 0;
    }
  }
  return planes;
}

/// Computes the colours of a row from its luma and two differences.
static void colours(const float *luma, const float *red, const float *blue, int count,
                    float (*to)[PH_BLOCK]) {
  for (int x = 0; x < count; x++) {
    to[0][x] = luma[x] + red[x];
    to[1][x] = luma[x] - (red_weight * red[x] + blue_weight * blue[x]) / green_weight;
    to[2][x] = luma[x] + blue[x];
  }
}

void ph_chroma_write(const PhKernel *kernel, const PhWindow *window, const PhChromaPlanes *planes,
                     int margin, int y, const float *red, const float *blue) {
  const PhLoops *loops = kernel->loops;
  int count = window->width, at = (y + margin) * planes->luma.pitch + margin;
  const float *old_red = planes->red.samples + at, *old_blue = planes->blue.samples + at;
  if (!memcmp(red, old_red, (size_t)count * sizeof(float)) &&
      !memcmp(blue, old_blue, (size_t)count * sizeof(float)))
    return;
  float old[3][PH_BLOCK], new[3][PH_BLOCK];
  colours(planes->luma.samples + at, old_red, old_blue, count, old);
  colours(planes->luma.samples + at, red, blue, count, new);
  for (int c = 0; c < 3; c++) {
    loops->decode_run[PH_OPAQUE](old[c], count);
    loops->decode_run[PH_OPAQUE](new[c], count);
  }
  for (int x = 0; x < count; x++) {
    float light = red_weight * old[0][x] + green_weight * old[1][x] + blue_weight * old[2][x];
    float found = red_weight * new[0][x] + green_weight * new[1][x] + blue_weight * new[2][x];
    float factor = found > 1e-6f && light > 0 ? light / found : 1;
    for (int c = 0; c < 3; c++) new[c][x] *= factor;
  }
  for (int c = 0; c < 3; c++) {
    loops->encode_run[PH_OPAQUE](new[c], count);
    float *to = window->out[c] + y * window->width;
    for (int x = 0; x < count; x++) {
      if (red[x] == old_red[x] && blue[x] == old_blue[x]) continue;
      to[x] = new[c][x] * planes->alpha.samples[at + x];
    }
  }
}
