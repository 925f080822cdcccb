#include "network.h"

#include <glib.h>
#include <string.h>

/// The maximum number of wires of a merge: eight columns of eleven wires each. A wire is a row of
/// samples.
enum { PH_WIRES = 88 };

/// A sorted list: wires with samples of one column, or of several adjacent columns that were
/// merged, in ascending order of the samples.
typedef struct {
  int count;
  int wire[PH_WIRES];
} PhList;

/// A merge: copies of two sorted lists, each shifted by a number of columns, and the comparators
/// that merge them.
typedef struct {
  PhList source[2];
  int shift[2];
  /// The first wire of the copies.
  int base;
  /// The range of the comparators that merge the copies: from `first` to before `end`.
  int first, end;
} PhStage;

struct PhNetwork {
  int radius;
  int wires;
  /// The number of comparators that sort single columns. The wires of these columns come first.
  int sorting;
  /// The number of merges: into lists of two, four and eight columns, then of the remaining columns
  /// into one list.
  int stages;
  PhStage stage[4];
  GArray *exchanges;
  /// Pairs of wires. The median is the minimum over all pairs of the greater sample of each pair.
  GArray *pairs;
};

static void exchange(PhNetwork *network, int low, int high) {
  PhExchange pair = {.low = low, .high = high, .keep = PH_KEEP_LOW | PH_KEEP_HIGH};
  g_array_append_val(network->exchanges, pair);
}

/// Returns every second wire of a list, beginning with the wire at index `first`.
static PhList alternate(const PhList *list, int first) {
  PhList half = {.count = 0};
  for (int i = first; i < list->count; i += 2) half.wire[half.count++] = list->wire[i];
  return half;
}

/// Merges two sorted lists by Batcher's odd-even merge.
static PhList merge(PhNetwork *network, const PhList *a, const PhList *b) {
  if (a->count == 0) return *b;
  if (b->count == 0) return *a;
  if (a->count == 1 && b->count == 1) {
    exchange(network, a->wire[0], b->wire[0]);
    return (PhList){.count = 2, .wire = {a->wire[0], b->wire[0]}};
  }
  PhList a_even = alternate(a, 0), b_even = alternate(b, 0);
  PhList a_odd = alternate(a, 1), b_odd = alternate(b, 1);
  PhList even = merge(network, &a_even, &b_even);
  PhList odd = merge(network, &a_odd, &b_odd);
  PhList merged = {.count = 1, .wire = {even.wire[0]}};
  for (int i = 0; i + 1 < even.count || i < odd.count; i++) {
    gboolean both = i + 1 < even.count && i < odd.count;
    if (both) exchange(network, odd.wire[i], even.wire[i + 1]);
    if (i < odd.count) merged.wire[merged.count++] = odd.wire[i];
    if (i + 1 < even.count) merged.wire[merged.count++] = even.wire[i + 1];
  }
  return merged;
}

/// Sorts the wires `from` … `from + count − 1`.
static PhList sort(PhNetwork *network, int from, int count) {
  if (count == 1) return (PhList){.count = 1, .wire = {from}};
  PhList low = sort(network, from, count / 2);
  PhList high = sort(network, from + count / 2, count - count / 2);
  return merge(network, &low, &high);
}

/// Removes the wires that cannot be the median of `total` samples because of their rank in their
/// own list. `rank`, counted from 1, becomes the median's rank among the remaining wires.
static PhList trimmed(const PhList *list, int total, int *rank) {
  int middle = (total + 1) / 2;
  int first = MAX(0, list->count - middle);
  int end = MIN(list->count, middle);
  PhList rest = {.count = end - first};
  memcpy(rest.wire, list->wire + first, (size_t)rest.count * sizeof(int));
  *rank -= first;
  return rest;
}

/// Adds a stage that merges two lists, each shifted by a number of columns. Returns the merged
/// list.
static PhList merge_moved(PhNetwork *network, const PhList *a, int a_shift, const PhList *b,
                          int b_shift) {
  PhStage *stage = &network->stage[network->stages++];
  *stage = (PhStage){.source = {*a, *b}, .shift = {a_shift, b_shift}, .base = network->wires,
                     .first = (int)network->exchanges->len};
  PhList copies[2] = {{.count = a->count}, {.count = b->count}};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < copies[side].count; i++) copies[side].wire[i] = network->wires++;
  PhList merged = merge(network, &copies[0], &copies[1]);
  stage->end = (int)network->exchanges->len;
  return merged;
}

/// Adds the pairs that select the sample of a rank, counted from 1, from two sorted lists. This
/// sample is the minimum over all i of the greater of the i-th sample of one list and the (rank −
/// i)-th sample of the other.
static void pick(PhNetwork *network, const PhList *a, const PhList *b, int rank) {
  for (int i = MAX(0, rank - b->count); i <= MIN(a->count, rank); i++) {
    int j = rank - i;
    PhPair pair = {i > 0 ? a->wire[i - 1] : b->wire[j - 1], j > 0 ? b->wire[j - 1] : a->wire[i - 1]};
    g_array_append_val(network->pairs, pair);
  }
}

/// Keeps only those results of the comparators that a later step reads.
static void prune(PhNetwork *network, int first, int end, gboolean *needed) {
  for (int i = end - 1; i >= first; i--) {
    PhExchange *pair = &g_array_index(network->exchanges, PhExchange, i);
    gboolean low = needed[pair->low];
    gboolean high = needed[pair->high];
    pair->keep = (low ? PH_KEEP_LOW : 0) | (high ? PH_KEEP_HIGH : 0);
    if (pair->keep) needed[pair->low] = needed[pair->high] = TRUE;
  }
}

static void prune_all(PhNetwork *network) {
  gboolean *needed = g_new0(gboolean, network->wires);
  for (guint i = 0; i < network->pairs->len; i++) {
    PhPair pair = g_array_index(network->pairs, PhPair, i);
    needed[pair.a] = needed[pair.b] = TRUE;
  }
  for (int i = network->stages - 1; i >= 0; i--) {
    const PhStage *stage = &network->stage[i];
    prune(network, stage->first, stage->end, needed);
    int copy = stage->base;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < stage->source[side].count; k++)
        if (needed[copy++]) needed[stage->source[side].wire[k]] = TRUE;
  }
  prune(network, 0, network->sorting, needed);
  g_free(needed);
}

PhNetwork *ph_network_new(int radius) {
  int side = 2 * radius + 1;
  PhNetwork *network = g_new0(PhNetwork, 1);
  network->radius = radius;
  network->wires = side;
  network->exchanges = g_array_new(FALSE, FALSE, sizeof(PhExchange));
  network->pairs = g_array_new(FALSE, FALSE, sizeof(PhPair));

  PhList column = sort(network, 0, side);
  network->sorting = (int)network->exchanges->len;
  PhList two = {.count = 0}, widest = column;
  int width = 1;
  for (; 2 * width <= side; width *= 2) {
    widest = merge_moved(network, &widest, 0, &widest, width);
    if (width == 1) two = widest;
  }
  // The widest list contains all columns of the square except one or three, which are merged here.
  PhList none = {.count = 0};
  PhList rest = side - width == 1 ? merge_moved(network, &column, width, &none, 0)
                                  : merge_moved(network, &two, width, &column, width + 2);
  int rank = (side * side + 1) / 2;
  PhList a = trimmed(&widest, side * side, &rank);
  PhList b = trimmed(&rest, side * side, &rank);
  pick(network, &a, &b, rank);
  prune_all(network);
  return network;
}

void ph_network_free(PhNetwork *network) {
  if (!network) return;
  g_array_free(network->exchanges, TRUE);
  g_array_free(network->pairs, TRUE);
  g_free(network);
}

size_t ph_network_room(const PhNetwork *network) {
  // The scratch memory has one row more than there are wires, because a shifted copy of the last
  // wire reads beyond its end.
  return (size_t)(network->wires + 1) * PH_WIRE;
}

void ph_network_run(const PhNetwork *network, const PhLoops *loops, const float *centre, int pitch,
                    int count, float *scratch, float *to) {
  int radius = network->radius;
  const PhExchange *exchanges = (const PhExchange *)(const void *)network->exchanges->data;
  for (int k = 0; k <= 2 * radius; k++) {
    float *wire = scratch + k * PH_WIRE;
    int filled = count + 2 * radius;
    memcpy(wire, centre + (k - radius) * pitch - radius, (size_t)filled * sizeof(float));
    for (int i = filled; i < PH_WIRE; i++) wire[i] = 0;
  }
  loops->exchange(scratch, exchanges, network->sorting);
  for (int i = 0; i < network->stages; i++) {
    const PhStage *stage = &network->stage[i];
    float *copy = scratch + stage->base * PH_WIRE;
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < stage->source[side].count; k++, copy += PH_WIRE)
        memcpy(copy, scratch + stage->source[side].wire[k] * PH_WIRE + stage->shift[side],
               PH_WIRE * sizeof(float));
    loops->exchange(scratch, exchanges + stage->first, stage->end - stage->first);
  }
  loops->pick(scratch, (const PhPair *)(const void *)network->pairs->data,
              (int)network->pairs->len, to, count);
}
