// Keeping a state of the pixels and mixing two of them.

static void ph_mix(float *restrict base, const float *top, float opacity, int count) {
  for (int i = 0; i < count; i++) base[i] += opacity * (top[i] - base[i]);
}

static void ph_save(PhBlock *restrict block, const float *payload) {
  int slot = (int)payload[0];
  for (int c = 0; c < 3; c++)
    memcpy(block->saved[slot][c], block->plane[c], (size_t)block->count * sizeof(float));
}

static void ph_mix_saved(PhBlock *restrict block, const float *payload) {
  int slot = (int)payload[0];
  float opacity = payload[1];
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) {
      float saved = block->saved[slot][c][i];
      block->plane[c][i] = saved + opacity * (block->plane[c][i] - saved);
    }
}
