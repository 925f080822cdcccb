// Interleaved pixels to the planes of a block, and back.

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

#define PH_PLANES(name, type) \
  PH_UNPACK(name, type, 3)    \
  PH_UNPACK(name, type, 4)    \
  PH_PACK(name, type, 3)      \
  PH_PACK(name, type, 4)

PH_PLANES(uchar, uint8_t)
PH_PLANES(ushort, uint16_t)
PH_PLANES(float, float)
PH_LOOKUP(uchar, uint8_t, 256, 3)
PH_LOOKUP(uchar, uint8_t, 256, 4)
PH_LOOKUP(ushort, uint16_t, 65536, 3)
PH_LOOKUP(ushort, uint16_t, 65536, 4)
#undef PH_PLANES
#undef PH_LOOKUP
#undef PH_PACK
#undef PH_UNPACK
