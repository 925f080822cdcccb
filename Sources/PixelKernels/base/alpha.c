#include "alpha.h"

void ph_unpremultiply(PhBlock *block) {
  for (int i = 0; i < block->count; i++) {
    float alpha = block->plane[3][i];
    float scale = alpha > 0 ? 1 / alpha : 0;
    for (int c = 0; c < 3; c++) block->plane[c][i] *= scale;
  }
}

void ph_premultiply(PhBlock *block) {
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++) block->plane[c][i] *= block->plane[3][i];
}
