#include "raw/lossless_jpeg.h"

#include <string.h>

// Section and table numbers are those of ITU-T T.81 (1992).

enum {
  // A code of at most so many bits is found by one look into a table.
  PH_QUICK = 12,
  // The longest sample: a code of 16 bits and a difference of 15.
  PH_LONGEST = 31,
  // The bytes that a refill reads beyond the used bits.
  PH_SLACK = 16,
};

/// A Huffman table (annex C, F.2.2.3) whose values are SSSS, the lengths of the differences.
typedef struct {
  // For each next PH_QUICK bits: the bits of code and difference | those of the code << 8 |
  // 63 − SSSS << 16. 0 for what `rare` must find: longer codes, no code, and SSSS = 16 and above.
  guint32 quick[1 << PH_QUICK];
  // For each length: the first code, the number of codes, and where their values begin.
  guint32 first[17], count[17], begin[17];
  guint8 values[256];
} PhCodes;

struct PhLossless {
  PhLosslessHead head;
  int width, predictor, shift;
  // The rows between two restarts; 0 if there is no restart.
  int interval;
  int row;
  gboolean first_line, damaged;
  PhCodes *codes[4];
  // Which of `codes` each component uses.
  int uses[4];
  // The part of the stream that is not in the window yet.
  const guint8 *next, *end;
  // The window holds `fill` bytes of the scan without stuffed zeros; the first `bit` bits of it are
  // used up. Before each row it holds `need` further bytes, as much as any row may use, or `ended`
  // says that a marker or the end follows, and at least `need` zeros stand there instead. So the
  // loops over samples need no check of bounds.
  guint8 *window;
  gsize capacity, need, fill;
  guint64 bit;
  gboolean ended;
  // The last row, without the point transform; only if the predictor uses it.
  guint16 *above;
  // The prediction for the first sample of each component.
  guint16 first[4];
};

/// The next bits of the window, from the highest bit on; at least `left` of them are valid.
typedef struct {
  guint64 bits;
  guint left;
  gboolean bad;
  const guint8 *next;
} PhBits;

typedef struct {
  guint16 difference;
  guint8 used;
  guint8 bad;
} PhRare;

/// Brings the valid bits to 56 or more.
static inline __attribute__((always_inline)) void refill(PhBits *b) {
  guint64 word;
  memcpy(&word, b->next, sizeof word);
  b->bits |= GUINT64_FROM_BE(word) >> b->left;
  b->next += (63 - b->left) >> 3;
  b->left |= 56;
}

/// Returns the difference whose bits begin `bits` (F.2.2.1, EXTEND), modulo 2^16.
///
/// `rest` is 63 − SSSS. If the first bit is 0 the difference is negative: minus the inverted bits.
static inline __attribute__((always_inline)) guint16 extend(guint64 bits, guint rest) {
  guint64 negative = (bits >> 63) - 1;
  guint64 size = (bits ^ negative) >> 1 >> (rest & 63);
  return (guint16)((size ^ negative) - negative);
}

/// Decodes what the quick table leaves out (F.2.2.3, DECODE; H.1.2.2 for SSSS = 16).
static __attribute__((noinline)) PhRare rare(const PhCodes *codes, guint64 bits) {
  for (guint length = 1; length <= 16; length++) {
    guint32 index = (guint32)(bits >> (64 - length)) - codes->first[length];
    if (index >= codes->count[length]) continue;
    guint8 size = codes->values[codes->begin[length] + index];
    if (size < 16)
      return (PhRare){extend(bits << length, 63u - size), (guint8)(length + size), FALSE};
    return (PhRare){32768, (guint8)length, size > 16};
  }
  return (PhRare){0, 1, TRUE};
}

/// Takes a difference from the bits, of which PH_LONGEST must be valid.
static inline __attribute__((always_inline)) guint16 take(PhBits *b, const PhCodes *codes) {
  guint32 entry = codes->quick[b->bits >> (64 - PH_QUICK)];
  if (G_UNLIKELY(!entry)) {
    PhRare found = rare(codes, b->bits);
    b->bits <<= found.used;
    b->left -= found.used;
    b->bad |= found.bad;
    return found.difference;
  }
  guint16 difference = extend(b->bits << (entry >> 8 & 63), entry >> 16);
  b->bits <<= entry & 63;
  b->left -= entry & 63;
  return difference;
}

/// Takes the second difference after a refill.
static inline __attribute__((always_inline)) guint16 take_next(PhBits *b, const PhCodes *codes) {
  if (G_UNLIKELY(b->left < PH_LONGEST)) refill(b);
  return take(b, codes);
}

/// Decodes a row whose samples are predicted from their left neighbours (table H.1, 1).
static inline __attribute__((always_inline)) void row_left(const PhLossless *d, PhBits *bits,
                                                           guint16 *to, int components) {
  PhBits b = *bits;
  const PhCodes *codes[4];
  guint16 left[4];
  for (int c = 0; c < components; c++) {
    codes[c] = d->codes[d->uses[c]];
    left[c] = d->first[c];
  }
  const guint16 *end = to + d->head.samples;
  if (components == 1) {
    for (; end - to >= 2; to += 2) {
      refill(&b);
      to[0] = left[0] = (guint16)(left[0] + take(&b, codes[0]));
      to[1] = left[0] = (guint16)(left[0] + take_next(&b, codes[0]));
    }
    if (to < end) {
      refill(&b);
      to[0] = (guint16)(left[0] + take(&b, codes[0]));
    }
  } else {
    for (; to < end; to += components)
      for (int c = 0; c < components; c++) {
        if (c % 2 == 0) refill(&b);
        to[c] = left[c] =
            (guint16)(left[c] + (c % 2 ? take_next(&b, codes[c]) : take(&b, codes[c])));
      }
  }
  *bits = b;
}

/// Decodes a row, not the first, with a predictor that uses the row above (table H.1, 2 to 7).
static void row_above(const PhLossless *d, PhBits *bits, guint16 *to) {
  PhBits b = *bits;
  int n = d->head.components;
  for (int i = 0; i < d->head.samples; i++) {
    int guess = d->first[i % n];
    if (i >= n) {
      int left = to[i - n], above = d->above[i], corner = d->above[i - n];
      switch (d->predictor) {
        case 2: guess = above; break;
        case 3: guess = corner; break;
        case 4: guess = left + above - corner; break;
        case 5: guess = left + ((above - corner) >> 1); break;
        case 6: guess = above + ((left - corner) >> 1); break;
        default: guess = (left + above) >> 1;
      }
    }
    refill(&b);
    to[i] = (guint16)(guess + take(&b, d->codes[d->uses[i % n]]));
  }
  *bits = b;
}

/// Moves the unused bytes to the front of the window and adds bytes of the scan (F.1.2.3, B.1.1.5).
static void fill_window(PhLossless *d) {
  gsize used = MIN((gsize)(d->bit >> 3), d->fill);
  memmove(d->window, d->window + used, d->fill - used);
  d->fill -= used;
  d->bit -= 8 * used;
  while (d->fill < d->capacity) {
    gsize room = MIN(d->capacity - d->fill, (gsize)(d->end - d->next));
    const guint8 *stop = room ? memchr(d->next, 0xFF, room) : NULL;
    gsize plain = stop ? (gsize)(stop - d->next) : room;
    memcpy(d->window + d->fill, d->next, plain);
    d->fill += plain;
    d->next += plain;
    if (stop && d->end - stop >= 2 && stop[1] == 0) {
      d->window[d->fill++] = 0xFF;
      d->next += 2;
    } else if (stop || d->next == d->end) {
      d->ended = TRUE;
      memset(d->window + d->fill, 0, d->need + PH_SLACK);
      return;
    }
  }
}

/// Begins a restart interval: skips the marker RSTm, but not before the first row (H.1.1, H.1.2.1).
static gboolean restart(PhLossless *d) {
  if (d->row) {
    while (!d->ended) {
      d->fill = 0;
      fill_window(d);
    }
    while (d->end - d->next >= 2 && d->next[1] == 0xFF) d->next++;
    int m = (d->row / d->interval - 1) % 8;
    if (d->end - d->next < 2 || d->next[1] != 0xD0 + m) return FALSE;
    d->next += 2;
  }
  d->fill = 0;
  d->bit = 0;
  d->ended = FALSE;
  d->first_line = TRUE;
  for (int c = 0; c < 4; c++) d->first[c] = (guint16)(1 << (d->head.bits - d->shift - 1));
  return TRUE;
}

int ph_lossless_row(PhLossless *d, guint16 *to) {
  if (d->damaged || d->row == d->head.rows) return -1;
  gboolean starts = !d->row || (d->interval && d->row % d->interval == 0);
  d->damaged = starts && !restart(d);
  if (d->damaged) return -1;
  if (!d->ended && d->fill - (gsize)(d->bit >> 3) < d->need) fill_window(d);
  PhBits b = {.next = d->window + (d->bit >> 3)};
  refill(&b);
  b.bits <<= d->bit & 7;
  b.left -= d->bit & 7;
  if (d->predictor != 1 && !d->first_line) row_above(d, &b, to);
  else if (d->head.components == 1) row_left(d, &b, to, 1);
  else if (d->head.components == 2) row_left(d, &b, to, 2);
  else if (d->head.components == 3) row_left(d, &b, to, 3);
  else row_left(d, &b, to, 4);
  d->bit = 8 * (guint64)(b.next - d->window) - b.left;
  d->damaged = b.bad || d->bit > 8 * (guint64)d->fill;
  d->row++;
  d->first_line = FALSE;
  gsize samples = (gsize)d->head.samples;
  for (int c = 0; c < d->head.components; c++) d->first[c] = to[c];
  if (d->above) memcpy(d->above, to, samples * sizeof *to);
  if (d->shift)
    for (gsize i = 0; i < samples; i++) to[i] = (guint16)(to[i] << d->shift);
  return d->damaged ? -1 : 0;
}

/// Reads the tables of a segment DHT (B.2.4.2) and builds their codes (annex C).
static gboolean read_codes(PhLossless *d, const guint8 *at, gsize length) {
  while (length) {
    if (length < 17 || at[0] > 3) return FALSE;
    PhCodes **slot = &d->codes[at[0]];
    g_free(*slot);
    PhCodes *codes = *slot = g_new0(PhCodes, 1);
    guint32 code = 0, begin = 0;
    for (guint bits = 1; bits <= 16; bits++, code <<= 1) {
      guint32 count = at[bits];
      if (code + count > 1u << bits || begin + count > 256 || begin + count > length - 17)
        return FALSE;
      codes->first[bits] = code;
      codes->count[bits] = count;
      codes->begin[bits] = begin;
      for (; count; count--, code++, begin++) {
        guint size = codes->values[begin] = at[17 + begin];
        if (bits > PH_QUICK || size > 15) continue;
        guint32 entry = bits + size + (bits << 8) + ((63 - size) << 16);
        guint32 *to = codes->quick + (code << (PH_QUICK - bits));
        for (guint i = 0; i < 1u << (PH_QUICK - bits); i++) to[i] = entry;
      }
    }
    at += 17 + begin;
    length -= 17 + begin;
  }
  return TRUE;
}

/// Reads the segment SOF3 (B.2.2). `names` receives the identifiers of the components.
static gboolean read_frame(PhLossless *d, const guint8 *at, gsize length, guint8 names[4]) {
  if (d->head.components || length < 6) return FALSE;
  PhLosslessHead head = {.rows = at[1] << 8 | at[2], .components = at[5], .bits = at[0]};
  d->width = at[3] << 8 | at[4];
  head.samples = d->width * head.components;
  if (head.bits < 2 || head.bits > 16 || !head.rows || !head.samples || head.components > 4 ||
      length != 6 + 3 * (gsize)head.components)
    return FALSE;
  for (int c = 0; c < head.components; c++) {
    names[c] = at[6 + 3 * c];
    if (at[7 + 3 * c] != 0x11) return FALSE;
  }
  d->head = head;
  return TRUE;
}

/// Reads the segment SOS (B.2.3): all components, in the order of the frame.
static gboolean read_scan(PhLossless *d, const guint8 *at, gsize length, guint interval,
                          const guint8 names[4]) {
  int n = d->head.components;
  if (!n || length != 4 + 2 * (gsize)n || at[0] != n) return FALSE;
  for (int c = 0; c < n; c++) {
    d->uses[c] = at[2 + 2 * c] >> 4;
    if (at[1 + 2 * c] != names[c] || d->uses[c] > 3 || !d->codes[d->uses[c]]) return FALSE;
  }
  d->predictor = at[1 + 2 * n];
  d->shift = at[3 + 2 * n] & 15;
  // An interval is a whole number of rows (H.1.1).
  d->interval = (int)interval / d->width;
  return d->predictor >= 1 && d->predictor <= 7 && d->shift < d->head.bits &&
         (int)interval % d->width == 0;
}

/// Reads all segments up to the scan; leaves `next` where the scan begins.
static gboolean read_head(PhLossless *d) {
  guint interval = 0;
  guint8 names[4] = {0};
  if (d->end - d->next < 2 || d->next[0] != 0xFF || d->next[1] != 0xD8) return FALSE;
  d->next += 2;
  for (;;) {
    if (d->end - d->next < 4 || d->next[0] != 0xFF) return FALSE;
    guint8 marker = d->next[1];
    if (marker == 0xFF) {
      d->next++;
      continue;
    }
    gsize length = (gsize)d->next[2] << 8 | d->next[3];
    const guint8 *at = d->next + 4;
    if (length < 2 || length > (gsize)(d->end - d->next) - 2) return FALSE;
    d->next += 2 + length;
    length -= 2;
    if (marker == 0xDA) return read_scan(d, at, length, interval, names);
    if (marker == 0xC4) {
      if (!read_codes(d, at, length)) return FALSE;
    } else if (marker == 0xC3) {
      if (!read_frame(d, at, length, names)) return FALSE;
    } else if (marker == 0xDD) {
      if (length != 2) return FALSE;
      interval = (guint)at[0] << 8 | at[1];
    } else if (marker < 0xE0 && marker != 0xDB) {
      // Only DQT, which is of no use here, APPn, JPGn and COM may be skipped.
      return FALSE;
    }
  }
}

PhLossless *ph_lossless_open(const guint8 *bytes, gsize length, PhLosslessHead *head) {
  PhLossless *d = g_new0(PhLossless, 1);
  d->next = bytes;
  d->end = bytes + length;
  if (!read_head(d)) {
    ph_lossless_close(d);
    return NULL;
  }
  d->need = (gsize)d->head.samples * PH_LONGEST / 8 + PH_SLACK;
  d->capacity = MIN(MAX(4 * d->need, 65536), (gsize)(d->end - d->next) + 1);
  d->window = g_malloc(d->capacity + d->need + PH_SLACK);
  if (d->predictor != 1) d->above = g_new(guint16, (gsize)d->head.samples);
  *head = d->head;
  return d;
}

void ph_lossless_close(PhLossless *d) {
  if (!d) return;
  for (int i = 0; i < 4; i++) g_free(d->codes[i]);
  g_free(d->window);
  g_free(d->above);
  g_free(d);
}
