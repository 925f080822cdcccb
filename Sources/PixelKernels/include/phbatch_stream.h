#pragma once

/// One image for several readers that all read it at once, from the top down: its rows are computed
/// once, and only the last few are kept.
///
/// `ph_tee_run` computes them and waits for the slowest reader. Each reader reads its own image, on a
/// thread of its own, and says when it needs no more rows; until then the others wait for it. Images
/// are `VipsImage *`, which this header does not know.
typedef struct PhTee PhTee;

/// For 1…64 readers. Returns NULL, with libvips's error text set, if memory is short.
PhTee *_Nullable ph_tee_new(void *_Nonnull image, int readers);

/// The tee ends with the last image of a reader.
void ph_tee_release(PhTee *_Nonnull tee);

/// Bytes of the rows that a tee keeps of an image of rows of `row_bytes` bytes, where libvips computes
/// `buffered` rows together.
long ph_tee_bytes(long row_bytes, int buffered);

/// The image of one reader, counted from 0; it belongs to the caller.
///
/// Returns NULL, with libvips's error text set, if that fails.
void *_Nullable ph_tee_reader(PhTee *_Nonnull tee, int reader);

/// Computes all rows, as far as anybody reads them. Returns 0, or −1 with libvips's error text set;
/// then `ph_tee_fail` has to follow.
int ph_tee_run(PhTee *_Nonnull tee);

/// Lets every reader fail that waits for rows, or will.
void ph_tee_fail(PhTee *_Nonnull tee);

/// A reader needs no more rows.
void ph_tee_leave(PhTee *_Nonnull tee, int reader);

/// Has libvips compute `strip` rows of an image at a time, 16 by itself, and keep `together` rows of
/// it wherever it keeps some, 128 by itself; at least as many as its threads compute two strips each.
///
/// For the whole process, and not while an image is computed. Returns 0, or −1 with libvips's error
/// text set.
int ph_set_buffered_rows(int together, int strip);
