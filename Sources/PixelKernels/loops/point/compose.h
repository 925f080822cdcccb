// Compositing of the planes with the saved planes, each with their alpha. See
// `phbatch_composition`.

/// The fractions F and G of a mode; see `phbatch_composition`. The fraction F of the planes is
/// `planes + planes_slope × the saved alpha`. The fraction G of the saved planes is `saved +
/// saved_slope × the alpha of the planes`.
typedef struct {
  float planes, planes_slope, saved, saved_slope;
} PhShares;

static void ph_compose(PhBlock *restrict block, const float *payload) {
  static const PhShares modes[] = {
      [PHBATCH_COMPOSE_CLEAR] = {0, 0, 0, 0},     [PHBATCH_COMPOSE_SOURCE] = {1, 0, 0, 0},
      [PHBATCH_COMPOSE_OVER] = {1, 0, 1, -1},     [PHBATCH_COMPOSE_IN] = {0, 1, 0, 0},
      [PHBATCH_COMPOSE_OUT] = {1, -1, 0, 0},      [PHBATCH_COMPOSE_ATOP] = {0, 1, 1, -1},
      [PHBATCH_COMPOSE_DEST] = {0, 0, 1, 0},      [PHBATCH_COMPOSE_DEST_OVER] = {1, -1, 1, 0},
      [PHBATCH_COMPOSE_DEST_IN] = {0, 0, 0, 1},   [PHBATCH_COMPOSE_DEST_OUT] = {0, 0, 1, -1},
      [PHBATCH_COMPOSE_DEST_ATOP] = {1, -1, 0, 1}, [PHBATCH_COMPOSE_XOR] = {1, -1, 1, -1},
      [PHBATCH_COMPOSE_SATURATE] = {1, 0, 1, 0},
  };
  const float (*saved)[PH_PLANE] = block->saved[(int)payload[0]];
  float opacity = payload[1];
  int cover = (int)payload[2];
  int mode = (int)payload[3];
  PhShares shares = modes[mode];
  float slope = mode == PHBATCH_COMPOSE_SATURATE ? 1.0f : 0.0f;
  float above[PH_BLOCK];
  float below[PH_BLOCK];
  for (int i = 0; i < block->count; i++) {
    above[i] = opacity;
    below[i] = 1.0f;
  }
  if (cover >= 0)
    for (int i = 0; i < block->count; i++) above[i] *= block->cover[cover][i];
  if (block->bands == 4)
    for (int i = 0; i < block->count; i++) {
      above[i] *= ph_unit(block->plane[3][i]);
      below[i] = ph_unit(saved[3][i]);
    }
  for (int i = 0; i < block->count; i++) {
    float room = 1.0f - slope * below[i];
    float stays = above[i] * (shares.planes + shares.planes_slope * below[i]);
    float taken = stays < room ? stays : room;
    float alpha = taken + below[i] * (shares.saved + shares.saved_slope * above[i]);
    above[i] = alpha > 0.0f ? taken / alpha : 0.0f;
    below[i] = alpha < 1.0f ? alpha : 1.0f;
  }
  if (block->bands == 4) memcpy(block->plane[3], below, (size_t)block->count * sizeof(float));
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = saved[c][i] + above[i] * (block->plane[c][i] - saved[c][i]);
}
