// Instructions that save the planes, load another image into them, or mix them with the saved
// planes.

static void ph_save(PhBlock *restrict block, const float *payload) {
  int slot = (int)payload[0];
  for (int c = 0; c < block->bands; c++)
    memcpy(block->saved[slot][c], block->plane[c], (size_t)block->count * sizeof(float));
}

static void ph_mix(PhBlock *restrict block, const float *payload) {
  const float (*saved)[PH_PLANE] = block->saved[(int)payload[0]];
  float opacity = payload[1];
  int cover = (int)payload[2];
  float part[PH_BLOCK];
  for (int i = 0; i < block->count; i++) part[i] = opacity;
  if (cover >= 0)
    for (int i = 0; i < block->count; i++) part[i] *= block->cover[cover][i];
  if (block->bands == 4)
    for (int i = 0; i < block->count; i++) {
      float below = saved[3][i];
      float above = block->plane[3][i];
      float alpha = below + part[i] * (above - below);
      block->plane[3][i] = alpha;
      float visible = part[i] * above / alpha;
      part[i] = below != above && alpha > 0.0f ? visible : part[i];
    }
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = saved[c][i] + part[i] * (block->plane[c][i] - saved[c][i]);
}

static void ph_multiply(PhBlock *restrict block, const float *payload) {
  const float (*saved)[PH_PLANE] = block->saved[(int)payload[0]];
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) block->plane[c][i] *= saved[c][i];
  if (block->bands == 4)
    memcpy(block->plane[3], saved[3], (size_t)block->count * sizeof(float));
}

static void ph_layer(PhBlock *restrict block, const float *payload) {
  const PhLayer *layer = &block->layers[(int)payload[0]];
  int alpha = block->bands == 4;
  switch (layer->format) {
    case PH_UCHAR: (alpha ? ph_unpack_uchar4 : ph_unpack_uchar3)(layer->pixels, block); break;
    case PH_USHORT: (alpha ? ph_unpack_ushort4 : ph_unpack_ushort3)(layer->pixels, block); break;
    default: (alpha ? ph_unpack_float4 : ph_unpack_float3)(layer->pixels, block);
  }
}
