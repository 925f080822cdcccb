#pragma once

/// One image for several concurrent readers, all of which read it from the top down. Each row is
/// computed once, and only the most recent rows are kept.
///
/// `ph_tee_run` computes the rows at the pace of the slowest reader. Each reader reads its own
/// image on its own thread, and calls `ph_tee_leave` when it needs no more rows; until then the
/// other readers wait for it. Images are `VipsImage *`, a type that this header does not import.
typedef struct PhTee PhTee;

/// Creates a tee for 1…64 readers. Returns NULL, with libvips's error text set, if memory is short.
PhTee *_Nullable ph_tee_new(void *_Nonnull image, int readers);

/// Releases the owner's reference; the images of the readers keep the tee alive.
void ph_tee_release(PhTee *_Nonnull tee);

/// The size, in bytes, of the memory in which a tee keeps rows of `row_bytes` bytes, if libvips
/// buffers `buffered` rows.
long ph_tee_bytes(long row_bytes, int buffered);

/// Creates the image of one reader, counted from 0; it belongs to the caller.
///
/// Returns NULL, with libvips's error text set, on failure.
void *_Nullable ph_tee_reader(PhTee *_Nonnull tee, int reader);

/// Computes all rows, or stops when all readers have left. Returns 0, or −1 with libvips's error
/// text set; then `ph_tee_fail` must be called.
int ph_tee_run(PhTee *_Nonnull tee);

/// Makes all readers fail: readers that wait for rows now, and readers that request rows later.
void ph_tee_fail(PhTee *_Nonnull tee);

/// Declares that a reader needs no more rows.
void ph_tee_leave(PhTee *_Nonnull tee, int reader);

/// Sets the number of rows that libvips computes at a time (`strip`, 16 by default) and the number
/// of rows in its buffers (`together`, 128 by default); a buffer has at least two strips for each
/// thread.
///
/// The setting applies to the whole process; do not call it while an image is computed. Returns 0,
/// or −1 with libvips's error text set.
int ph_set_buffered_rows(int together, int strip);
