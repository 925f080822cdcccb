// Converts interleaved pixels to the planes of a block, and back.

#define PH_UNPACK(name, type, bands)                                               \
  static void ph_unpack_##name##bands(const void *from, PhBlock *restrict block) { \
    const type *pixel = from;                                                      \
    for (int i = 0; i < block->count; i++)                                         \
      for (int band = 0; band < bands; band++)                                     \
        block->plane[band][i] = ph_from_##name(pixel[bands * i + band]);           \
  }

#define PH_PACK(name, type, bands)                                             \
  static void ph_pack_##name##bands(const PhBlock *block, void *restrict to) { \
    type *pixel = to;                                                          \
    for (int i = 0; i < block->count; i++)                                     \
      for (int band = 0; band < bands; band++)                                 \
        pixel[bands * i + band] = ph_to_##name(block->plane[band][i]);         \
  }

#define PH_LOOKUP(name, type, size, bands)                                       \
  static void ph_lookup_##name##bands(const void *from, const float *tables,     \
                                      PhBlock *restrict block) {                 \
    const type *pixel = from;                                                    \
    for (int i = 0; i < block->count; i++) {                                     \
      for (int band = 0; band < 3; band++)                                       \
        block->plane[band][i] = tables[band * size + pixel[bands * i + band]];   \
      if (bands == 4) block->plane[3][i] = ph_from_##name(pixel[bands * i + 3]); \
    }                                                                            \
  }

PH_UNPACK(uchar, uint8_t, 3)
PH_UNPACK(uchar, uint8_t, 4)
PH_UNPACK(ushort, uint16_t, 3)
PH_UNPACK(ushort, uint16_t, 4)
PH_UNPACK(float, float, 3)
PH_UNPACK(float, float, 4)
PH_PACK(ushort, uint16_t, 3)
PH_PACK(ushort, uint16_t, 4)
PH_PACK(float, float, 3)
PH_PACK(float, float, 4)

/// Packs the 8-bit samples of a pixel into a word, with the first sample in the lowest byte.
PH_INLINE uint32_t ph_word(const PhBlock *block, int bands, int i) {
  uint32_t word = ph_to_uchar(block->plane[0][i]) | (uint32_t)ph_to_uchar(block->plane[1][i]) << 8 |
                  (uint32_t)ph_to_uchar(block->plane[2][i]) << 16;
  return bands == 4 ? word | (uint32_t)ph_to_uchar(block->plane[3][i]) << 24 : word;
}

/// Writes four bytes for each pixel except the last; the next pixel overwrites the fourth byte.
/// Without an instruction that shuffles bytes, writing three bytes would need three stores.
static void ph_pack_uchar3(const PhBlock *block, void *restrict to) {
  uint8_t *pixel = to;
  uint32_t words[PH_BLOCK];
  int last = block->count - 1;
  for (int i = 0; i <= last; i++) words[i] = ph_word(block, 3, i);
#pragma clang loop vectorize(disable)
  for (int i = 0; i < last; i++) memcpy(pixel + 3 * i, &words[i], 4);
  memcpy(pixel + 3 * last, &words[last], 3);
}

static void ph_pack_uchar4(const PhBlock *block, void *restrict to) {
  uint32_t *pixel = to;
  for (int i = 0; i < block->count; i++) pixel[i] = ph_word(block, 4, i);
}

PH_LOOKUP(uchar, uint8_t, 256, 3)
PH_LOOKUP(uchar, uint8_t, 256, 4)
PH_LOOKUP(ushort, uint16_t, 65536, 3)
PH_LOOKUP(ushort, uint16_t, 65536, 4)
#undef PH_LOOKUP
#undef PH_PACK
#undef PH_UNPACK
