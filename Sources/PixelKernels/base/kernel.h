#pragma once
#include <vips/vips.h>

#include "loops/loops.h"
#include "phbatch_tally.h"

/// The abstract libvips operation `phbatch_kernel`, from which all kernels inherit.
///
/// Input and output are uchar, ushort or float (nominal 0…1); `format` is the output's format.
/// Float output of three or four bands has the interpretation sRGB. This is phbatch's convention,
/// because libvips has no interpretation for RGB in 0…1. `portable` selects loops that run on any
/// CPU of the architecture; they compute the same pixels as the faster loops. `tally`, if given,
/// counts the pixels that are written as integers, and the clipped pixels among them; the input
/// then has at most four bands.
///
/// The comment of each kernel ends with its reach, the number of pixels that it reads on each side
/// of a pixel, and the kind of its buffers, from which phbatch predicts the memory of a photo (see
/// `AreaKernel.Buffers` in PhotoRecipes). These are the kinds:
/// - rows: the strips that the kernel reads and writes.
/// - sums: float rows of the resampler, and rows of its input and output.
/// - span: the input rows that a row of the output crosses.
/// - neighbours: a cache of rows with a height of twice the reach, and float blocks of a strip.
/// - windows: a cache as for neighbours, and float windows of 128 rows with margins as wide as
///   the reach.
/// - blurs: a cache as for neighbours, and float blocks of a strip for each Gaussian that
///   the kernel mixes.
///
/// Any number of threads may compute a kernel, unless its comment states otherwise.
typedef struct {
  VipsOperation parent_instance;
  VipsImage *in;
  VipsImage *out;
  VipsBandFormat format;
  gboolean portable;
  PhTally *tally;

  /// Set by `build`: the loops for this CPU, and the sample formats of input and output.
  const PhLoops *loops;
  PhFormat from;
  PhFormat to;
} PhKernel;

typedef VipsOperationClass PhKernelClass;

/// Defines the GType of an operation, as G_DEFINE_TYPE does, and adds the operation to the list of
/// `phbatch_operations_register`. The linker collects this list from all files, in a section.
#define PH_DEFINE_OPERATION(Type, name, parent)                            \
  G_DEFINE_TYPE(Type, name, parent)                                        \
  static GType (*const name##_listed)(void)                                \
    __attribute__((used, retain, section("ph_operations"))) = name##_get_type;

GType ph_kernel_get_type(void);
#define PH_KERNEL(object) ((PhKernel *)(object))

/// Fails, with libvips's error text set, unless the input has 3 bands, or 4 with alpha last.
int ph_kernel_check_rgb(PhKernel *kernel);

/// Translates a libvips format. Returns FALSE, with libvips's error text set, for a format that
/// kernels neither read nor write.
gboolean ph_kernel_translate(PhKernel *kernel, VipsBandFormat format, PhFormat *to);

/// True if clipped pixels are counted: the kernel has a tally, and its output has integer samples,
/// to which values outside 0…1 are clipped.
gboolean ph_kernel_counts(const PhKernel *kernel);

/// Converts samples of whole pixels to the output's format. Returns the number of clipped pixels as
/// defined in PhLoops; 0 if they are not counted.
int ph_kernel_write(const PhKernel *kernel, const float *from, void *to, int samples);

/// Converts a block to the output's format. Returns the same count as `ph_kernel_write`.
int ph_kernel_pack(const PhKernel *kernel, const PhBlock *block, void *to);

/// Returns the number of pixels of a block that would be clipped when they are written; 0 if they
/// are not counted.
int ph_kernel_clipped(const PhKernel *kernel, const PhBlock *block);

/// Adds an area of the output that has been written, and its `clipped` pixels, to the tally; has no
/// effect without a tally.
void ph_kernel_tally(const PhKernel *kernel, const VipsRect *area, int clipped);

/// Sets the image's format to the kernel's output format, and its interpretation accordingly.
void ph_kernel_describe(const PhKernel *kernel, VipsImage *image);

/// Creates the kernel's `out` with the size and bands of `inputs[0]` (the list ends with NULL) and
/// the kernel's `format`. Returns 0, or −1 with libvips's error text set.
int ph_kernel_open_output(PhKernel *kernel, VipsDemandStyle hint, VipsImage **inputs);

/// Copies the numbers of an argument, of which there must be `count`. Returns 0, or −1 with libvips's
/// error text set.
int ph_kernel_read_numbers(const char *nickname, const VipsArrayDouble *array, int count, float *to);

/// Sets the nickname, description and build function of an operation's class; call it before adding
/// arguments.
void ph_kernel_class_describe(gpointer class, const char *nickname, const char *description,
                              int (*build)(VipsObject *));
