#pragma once
#include <vips/vips.h>

#include "loops/loops.h"
#include "phbatch_tally.h"

/// What all kernels share: the abstract libvips operation `phbatch_kernel`.
///
/// Input and output are uchar, ushort or float (nominal 0…1); `format` names the output's. Float
/// output of three or four bands has the interpretation sRGB: a convention of ours, for libvips has
/// none for RGB in 0…1. `portable` asks for the loops for any CPU; the pixels are the same. What is
/// written as integers is counted in `tally`, if there is one; images of at most four bands only.
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

/// False, with libvips's error text set, for a format that no kernel reads or writes.
gboolean ph_kernel_translate(PhKernel *kernel, VipsBandFormat format, PhFormat *to);

/// Whether somebody asks for how many pixels are clipped, and they may be.
gboolean ph_kernel_counts(const PhKernel *kernel);

/// Brings samples of whole pixels to the output's format. Returns how many of the pixels were
/// clipped, as PhLoops counts them; 0 where nobody asks.
int ph_kernel_write(const PhKernel *kernel, const float *from, void *to, int samples);

/// The same for a block.
int ph_kernel_pack(const PhKernel *kernel, const PhBlock *block, void *to);

/// How many pixels of a block would be clipped; 0 where nobody asks.
int ph_kernel_clipped(const PhKernel *kernel, const PhBlock *block);

/// Tells who asks of an area of the output that was written.
void ph_kernel_tally(const PhKernel *kernel, const VipsRect *area, int clipped);

/// Gives the image the kernel's output format, and the interpretation that goes with it.
void ph_kernel_describe(const PhKernel *kernel, VipsImage *image);

/// Makes the kernel's `out`: the size and bands of `inputs[0]` (the list ends with NULL), in
/// `format`. Returns 0, or -1 with libvips's error text set.
int ph_kernel_open_output(PhKernel *kernel, VipsDemandStyle hint, VipsImage **inputs);

/// Sets the nickname, description and build function of a kernel's class, before its arguments are
/// added.
void ph_kernel_class_describe(gpointer class, const char *nickname, const char *description,
                              int (*build)(VipsObject *));
