#include "phbatch_stream.h"

#include <string.h>
#include <vips/vips.h>

enum { PH_MOST_READERS = 64 };

/// The number of rows that a reader may be ahead of the slowest reader.
enum { PH_AHEAD_ROWS = 64 };

/// The number of rows that a blocked thread waits for before it is woken; fewer would wake it too
/// often. It is at most half of PH_AHEAD_ROWS, because reader and writer would otherwise wait for
/// each other.
enum { PH_PIECE_ROWS = PH_AHEAD_ROWS / 2 };

static const char nickname[] = "tee";

struct PhTee {
  /// The reference count: one for the owner, and one for each reader's image.
  gint references;
  VipsImage *image;
  GMutex lock;
  /// Signals readers that rows have arrived, or will never arrive.
  GCond came;
  /// Signals the waiting writer that readers no longer need the rows whose space it will reuse.
  GCond left;
  size_t stride;
  /// The last `capacity` rows; row y is at index y modulo capacity.
  guchar *rows;
  int capacity;
  /// The number of rows that a reader may go back, for operations that read neighbouring rows or
  /// read ahead.
  int kept;
  /// The number of rows that have arrived.
  int bottom;
  /// The value of `bottom` at which the first waiting reader continues; G_MAXINT if no reader
  /// waits.
  int wanted;
  /// The writer waits until no reader needs a row before this one; G_MAXINT if the writer does not
  /// wait.
  int blocking;
  /// The first row that each reader may still read; G_MAXINT if the reader has left.
  int next[PH_MOST_READERS];
  int readers;
  gboolean has_failed;
};

typedef struct {
  PhTee *tee;
  int number;
} PhReader;

long ph_tee_bytes(long row_bytes, int buffered) { return (2 * buffered + PH_AHEAD_ROWS) * row_bytes; }

PhTee *ph_tee_new(void *image, int readers) {
  PhTee *tee = g_new0(PhTee, 1);
  VipsImage *in = image;
  tee->references = 1;
  tee->image = in;
  g_object_ref(in);
  g_mutex_init(&tee->lock);
  g_cond_init(&tee->came);
  g_cond_init(&tee->left);
  tee->wanted = tee->blocking = G_MAXINT;
  tee->readers = VIPS_CLIP(1, readers, PH_MOST_READERS);
  tee->stride = VIPS_IMAGE_SIZEOF_LINE(in);
  int width, height, buffered;
  vips_get_tile_size(in, &width, &height, &buffered);
  tee->kept = 2 * buffered;
  tee->capacity = VIPS_MIN(tee->kept + PH_AHEAD_ROWS, in->Ysize);
  tee->rows = g_try_malloc((size_t)tee->capacity * tee->stride);
  if (tee->rows) return tee;
  vips_error(nickname, "memory is short");
  ph_tee_release(tee);
  return NULL;
}

void ph_tee_release(PhTee *tee) {
  if (!g_atomic_int_dec_and_test(&tee->references)) return;
  g_object_unref(tee->image);
  g_mutex_clear(&tee->lock);
  g_cond_clear(&tee->came);
  g_cond_clear(&tee->left);
  g_free(tee->rows);
  g_free(tee);
}

static guchar *row(const PhTee *tee, int y) {
  return tee->rows + (size_t)(y % tee->capacity) * tee->stride;
}

/// The first row that any reader may still read; G_MAXINT if all readers have left. The caller must
/// hold the lock.
static int slowest(const PhTee *tee) {
  int least = G_MAXINT;
  for (int i = 0; i < tee->readers; i++) least = VIPS_MIN(least, tee->next[i]);
  return least;
}

/// Wakes all waiting readers if enough rows have arrived for one of them. The caller must hold the
/// lock.
static void tell_readers(PhTee *tee) {
  if (tee->bottom < tee->wanted && !tee->has_failed) return;
  tee->wanted = G_MAXINT;
  g_cond_broadcast(&tee->came);
}

/// Declares that a reader no longer needs the rows before `next`. The caller must hold the lock.
static void let_go(PhTee *tee, int reader, int next) {
  if (next <= tee->next[reader]) return;
  tee->next[reader] = next;
  if (tee->blocking != G_MAXINT && slowest(tee) >= tee->blocking) g_cond_signal(&tee->left);
}

/// Waits for rows from `y` on, and returns the end of the rows that have arrived; −1 with libvips's
/// error text set if they will never arrive, or are no longer kept.
static int wait_for(PhTee *tee, int reader, int y) {
  g_mutex_lock(&tee->lock);
  gboolean is_gone = y < tee->next[reader];
  let_go(tee, reader, y - tee->kept);
  if (tee->bottom <= y) {
    int wanted = VIPS_MIN(y + PH_PIECE_ROWS, tee->image->Ysize);
    while (tee->bottom < wanted && !tee->has_failed) {
      tee->wanted = VIPS_MIN(tee->wanted, wanted);
      g_cond_wait(&tee->came, &tee->lock);
    }
  }
  int bottom = tee->bottom;
  g_mutex_unlock(&tee->lock);
  if (is_gone) {
    vips_error(nickname, "out of order read at line %d", y);
  } else if (bottom <= y) {
    vips_error(nickname, "the image gave out at line %d", y);
  }
  return is_gone || bottom <= y ? -1 : bottom;
}

static int generate(VipsRegion *out, void *sequence, void *a, void *b, gboolean *stop) {
  (void)sequence, (void)b, (void)stop;
  const PhReader *reader = a;
  PhTee *tee = reader->tee;
  const VipsRect *area = &out->valid;
  size_t pixel = VIPS_IMAGE_SIZEOF_PEL(tee->image);
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area);) {
    int end = wait_for(tee, reader->number, y);
    if (end < 0) return -1;
    for (end = VIPS_MIN(end, VIPS_RECT_BOTTOM(area)); y < end; y++)
      memcpy(VIPS_REGION_ADDR(out, area->left, y), row(tee, y) + (size_t)area->left * pixel,
             (size_t)area->width * pixel);
  }
  return 0;
}

/// Copies one metadata item. Leaves out items that are properties of an image object, such as its
/// width; `unlinked` sets these.
static void *copy_item(VipsImage *from, const char *name, GValue *value, void *to) {
  if (!g_object_class_find_property(G_OBJECT_GET_CLASS(from), name)) vips_image_set(to, name, value);
  return NULL;
}

/// A new image with the size, the format and the metadata of another image, but not linked to it.
///
/// When an image is finished, libvips tells all images to which it is linked that they may drop
/// their caches. The reader that finishes first must not drop the rows that the decoder keeps for
/// the others.
static VipsImage *unlinked(VipsImage *like) {
  VipsImage *image = vips_image_new();
  vips_image_init_fields(image, like->Xsize, like->Ysize, like->Bands, like->BandFmt, like->Coding,
                         like->Type, like->Xres, like->Yres);
  image->Xoffset = like->Xoffset;
  image->Yoffset = like->Yoffset;
  vips_image_map(like, copy_item, image);
  return image;
}

void *ph_tee_reader(PhTee *tee, int number) {
  VipsImage *image = unlinked(tee->image);
  PhReader *reader = VIPS_NEW(image, PhReader);
  if (reader) *reader = (PhReader){tee, number};
  if (!reader || vips_image_pipelinev(image, VIPS_DEMAND_STYLE_FATSTRIP, NULL) ||
      vips_image_generate(image, NULL, generate, NULL, reader, NULL)) {
    g_object_unref(image);
    return NULL;
  }
  g_atomic_int_inc(&tee->references);
  g_signal_connect_swapped(image, "postclose", G_CALLBACK(ph_tee_release), tee);
  // Makes a single thread read the image, because the rows must be read from the top down.
  vips_image_set_int(image, VIPS_META_CONCURRENCY, 1);
  return image;
}

/// If there is no space for row `y`, waits until there is space for it and some more rows. Returns
/// the first row for which there is no space; G_MAXINT if all readers have left.
static int wait_for_room(PhTee *tee, int y) {
  g_mutex_lock(&tee->lock);
  if (y - slowest(tee) >= tee->capacity) {
    tee->blocking = VIPS_MIN(y + PH_PIECE_ROWS, tee->image->Ysize) - tee->capacity;
    while (slowest(tee) < tee->blocking) g_cond_wait(&tee->left, &tee->lock);
    tee->blocking = G_MAXINT;
  }
  int first = slowest(tee);
  g_mutex_unlock(&tee->lock);
  return first == G_MAXINT ? G_MAXINT : first + tee->capacity;
}

static int take_rows(VipsRegion *region, VipsRect *area, void *a) {
  PhTee *tee = a;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area);) {
    int end = wait_for_room(tee, y);
    // All readers have left, so the other rows need not be computed.
    if (end == G_MAXINT) return -1;
    end = VIPS_MIN(end, VIPS_RECT_BOTTOM(area));
    for (; y < end; y++) memcpy(row(tee, y), VIPS_REGION_ADDR(region, 0, y), tee->stride);
    g_mutex_lock(&tee->lock);
    tee->bottom = y;
    tell_readers(tee);
    g_mutex_unlock(&tee->lock);
  }
  return 0;
}

/// The number of rows computed at a time.
enum { PH_STRIP = 16 };

/// Computes the rows on the calling thread, so that they need not be passed between threads.
static void run_alone(PhTee *tee) {
  VipsImage *image = tee->image;
  VipsRegion *region = vips_region_new(image);
  VipsRect strip = {0, 0, image->Xsize, PH_STRIP};
  int status = 0;
  for (; !status && strip.top < image->Ysize; strip.top += PH_STRIP) {
    strip.height = VIPS_MIN(PH_STRIP, image->Ysize - strip.top);
    status = vips_region_prepare(region, &strip) || take_rows(region, &strip, tee);
  }
  g_object_unref(region);
  vips_image_minimise_all(image);
}

/// True if the image is computed by one thread and has no progress handler.
static gboolean is_alone(VipsImage *image) {
  int threads = vips_concurrency_get();
  if (vips_image_get_typeof(image, VIPS_META_CONCURRENCY))
    vips_image_get_int(image, VIPS_META_CONCURRENCY, &threads);
  return threads == 1 && !image->progress_signal;
}

int ph_tee_run(PhTee *tee) {
  if (is_alone(tee->image))
    run_alone(tee);
  else
    vips_sink_disc(tee->image, take_rows, tee);
  g_mutex_lock(&tee->lock);
  gboolean is_read = slowest(tee) != G_MAXINT;
  gboolean is_whole = tee->bottom == tee->image->Ysize;
  g_mutex_unlock(&tee->lock);
  return is_read && !is_whole ? -1 : 0;
}

void ph_tee_fail(PhTee *tee) {
  g_mutex_lock(&tee->lock);
  tee->has_failed = TRUE;
  tell_readers(tee);
  g_mutex_unlock(&tee->lock);
}

void ph_tee_leave(PhTee *tee, int reader) {
  g_mutex_lock(&tee->lock);
  let_go(tee, reader, G_MAXINT);
  g_mutex_unlock(&tee->lock);
}
