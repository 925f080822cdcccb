#pragma once
#include <vips/vips.h>

#include "loops/loops.h"
#include "phbatch_tally.h"

/// The abstract libvips operation `phbatch_kernel`, from which all kernels inherit.
///
/// Input and output are uchar, ushort or float (nominal 0…1); `format` is the output's format.
/// Float output of three or four bands has the interpretation sRGB: our convention, because libvips
/// has no interpretation for RGB in 0…1. `portable` selects the loops for any CPU; the pixels are
/// the same. `tally`, if given, counts the pixels that are written as integers, and those of them
/// that are clipped; the input then has at most four bands.
///
/// The comment of each kernel ends with its reach, the pixels that it reads on each side of a pixel,
/// and its buffers, which memory prediction must know (`Kernel.Buffers` in PhotoRender):
/// - rows: the strips that it reads and writes.
/// - sums: float rows of the resampler, and rows of its input and output.
/// - span: the input rows that a row of the output crosses.
/// - neighbours: a cache of twice its reach of rows, and float blocks of a strip.
/// - windows: such a cache, and float windows of 128 rows with margins of its reach.
/// - blurs: such a cache, and such blocks for each Gaussian that it mixes.
/// Any number of threads computes a kernel, unless its comment says otherwise.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsImage *out;
  VipsBandFormat format;
  gboolean portable;
  PhTally *tally;

  /// Set by `build`.
  const PhLoops *loops;
  PhFormat from;
  PhFormat to;
} PhKernel;

typedef VipsOperationClass PhKernelClass;

GType ph_kernel_get_type(void);
#define PH_KERNEL(object) ((PhKernel *)(object))

/// Fails, with libvips's error text set, unless the input has 3 bands, or 4 with alpha last.
int ph_kernel_check_rgb(PhKernel *kernel);

/// Translates a libvips format. Returns FALSE, with libvips's error text set, for a format that
/// kernels neither read nor write.
gboolean ph_kernel_translate(PhKernel *kernel, VipsBandFormat format, PhFormat *to);

/// True if the output can be clipped (it is of integers) and clipped pixels are to be counted.
gboolean ph_kernel_counts(const PhKernel *kernel);

/// Converts samples of whole pixels to the output's format. Returns the number of clipped pixels,
/// as PhLoops defines them; 0 if they are not counted.
int ph_kernel_write(const PhKernel *kernel, const float *from, void *to, int samples);

/// The same for a block.
int ph_kernel_pack(const PhKernel *kernel, const PhBlock *block, void *to);

/// The number of a block's pixels that writing would clip; 0 if they are not counted.
int ph_kernel_clipped(const PhKernel *kernel, const PhBlock *block);

/// Adds an area of the output, which has been written, to the tally, if there is one.
void ph_kernel_tally(const PhKernel *kernel, const VipsRect *area, int clipped);

/// Sets the image's format to the kernel's output format, and its interpretation accordingly.
void ph_kernel_describe(const PhKernel *kernel, VipsImage *image);

/// Creates the kernel's `out` with the size and bands of `inputs[0]` (the list ends with NULL) and
/// the kernel's `format`. Returns 0, or −1 with libvips's error text set.
int ph_kernel_open_output(PhKernel *kernel, VipsDemandStyle hint, VipsImage **inputs);

/// Sets the nickname, description and build function of an operation's class; call it before adding
/// arguments.
void ph_kernel_class_describe(gpointer class, const char *nickname, const char *description,
                              int (*build)(VipsObject *));
