#include "late.h"

#include <dlfcn.h>
#include <jxl/version.h>
#include <stddef.h>

// Libraries that are loaded when libvips starts (in the workers), not when the program starts.
//
// Linking libheif and libjxl, with the libraries that these need, takes a third of the start of the
// program. Their functions are defined here instead: each jumps to the function of that name in the
// loaded library. A function that is missing in these lists is an error of the linker.

#define PH_TEXT(x) PH_TEXT_OF(x)
#define PH_TEXT_OF(x) #x

#define PH_AOM "libaom.so.3"
#define PH_EACH_OF_AOM(X)                                                                        \
  X(aom_codec_av1_cx) X(aom_codec_control) X(aom_codec_destroy) X(aom_codec_enc_config_default)  \
  X(aom_codec_enc_init_ver) X(aom_codec_encode) X(aom_codec_get_cx_data)                         \
  X(aom_codec_iface_name) X(aom_img_wrap)

#define PH_HEIF "libheif.so.1"
#define PH_EACH_OF_HEIF(X)                                                                       \
  X(heif_context_alloc) X(heif_context_encode_image) X(heif_context_free)                        \
  X(heif_context_get_encoder) X(heif_context_get_encoder_descriptors)                            \
  X(heif_context_get_encoder_for_format) X(heif_context_get_image_handle)                        \
  X(heif_context_get_list_of_top_level_image_IDs) X(heif_context_get_primary_image_handle)       \
  X(heif_context_read_from_memory_without_copy) X(heif_context_write) X(heif_decode_image)       \
  X(heif_encoder_release) X(heif_encoder_set_lossless) X(heif_encoder_set_lossy_quality)         \
  X(heif_encoder_set_parameter_integer) X(heif_encoder_set_parameter_string)                     \
  X(heif_encoding_options_alloc) X(heif_encoding_options_free) X(heif_have_encoder_for_format)   \
  X(heif_image_add_plane) X(heif_image_create) X(heif_image_get_bits_per_pixel_range)            \
  X(heif_image_get_chroma_format) X(heif_image_get_height) X(heif_image_get_nclx_color_profile)  \
  X(heif_image_get_plane) X(heif_image_get_plane_readonly) X(heif_image_get_width)               \
  X(heif_image_handle_free_auxiliary_types) X(heif_image_handle_get_auxiliary_image_handle)      \
  X(heif_image_handle_get_auxiliary_type) X(heif_image_handle_get_height)                        \
  X(heif_image_handle_get_list_of_auxiliary_image_IDs) X(heif_image_handle_get_width)            \
  X(heif_image_handle_release) X(heif_image_release) X(heif_image_set_nclx_color_profile)        \
  X(heif_image_set_raw_color_profile) X(heif_init) X(heif_nclx_color_profile_alloc)              \
  X(heif_nclx_color_profile_free) X(heif_nclx_color_profile_set_color_primaries)                 \
  X(heif_nclx_color_profile_set_matrix_coefficients)                                             \
  X(heif_nclx_color_profile_set_transfer_characteristics) X(heif_register_encoder_plugin)

#define PH_JXL "libjxl.so." PH_TEXT(JPEGXL_MAJOR_VERSION) "." PH_TEXT(JPEGXL_MINOR_VERSION)
#define PH_EACH_OF_JXL(X)                                                                        \
  X(JxlDecoderCloseInput) X(JxlDecoderCreate) X(JxlDecoderDestroy) X(JxlDecoderGetBasicInfo)     \
  X(JxlDecoderGetColorAsICCProfile) X(JxlDecoderGetExtraChannelInfo)                             \
  X(JxlDecoderGetICCProfileSize) X(JxlDecoderProcessInput) X(JxlDecoderSetExtraChannelBuffer)    \
  X(JxlDecoderSetImageOutBuffer) X(JxlDecoderSetInput) X(JxlDecoderSubscribeEvents)              \
  X(JxlColorEncodingSetToSRGB) X(JxlEncoderAddImageFrame) X(JxlEncoderCloseInput)                \
  X(JxlEncoderCreate) X(JxlEncoderDestroy) X(JxlEncoderFrameSettingsCreate)                      \
  X(JxlEncoderFrameSettingsSetOption) X(JxlEncoderInitBasicInfo) X(JxlEncoderProcessOutput)      \
  X(JxlEncoderSetBasicInfo) X(JxlEncoderSetColorEncoding) X(JxlEncoderSetFrameDistance)          \
  X(JxlEncoderSetFrameLossless) X(JxlEncoderSetICCProfile) X(JxlEncoderSetParallelRunner)

#if defined(__x86_64__)
#define PH_JUMP(name) "jmp *ph_late_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define PH_JUMP(name)                           \
  "adrp x16, ph_late_" #name "\n"               \
  "ldr x16, [x16, :lo12:ph_late_" #name "]\n"   \
  "br x16\n"
#else
#error "no jump to a loaded function is written for this processor"
#endif

// The symbols are hidden: other libraries find the functions in the loaded library.
#define PH_DEFINE(name)                                         \
  __attribute__((visibility("hidden"))) void *ph_late_##name;   \
  __asm__(".pushsection .text.ph_late, \"ax\", %progbits\n"     \
          ".globl " #name "\n.hidden " #name "\n"               \
          ".type " #name ", %function\n" #name ":\n" PH_JUMP(name) ".popsection\n");

PH_EACH_OF_AOM(PH_DEFINE)
PH_EACH_OF_HEIF(PH_DEFINE)
PH_EACH_OF_JXL(PH_DEFINE)

struct function {
  const char *name;
  void **place;
};

#define PH_LIST(name) {#name, &ph_late_##name},
static const struct function of_aom[] = {PH_EACH_OF_AOM(PH_LIST) {NULL, NULL}};
static const struct function of_heif[] = {PH_EACH_OF_HEIF(PH_LIST) {NULL, NULL}};
static const struct function of_jxl[] = {PH_EACH_OF_JXL(PH_LIST) {NULL, NULL}};

static const char *load(const char *library, const struct function *functions) {
  void *loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (loaded == NULL) return dlerror();
  for (const struct function *function = functions; function->name; function++) {
    *function->place = dlsym(loaded, function->name);
    if (*function->place == NULL) return dlerror();
  }
  return NULL;
}

const char *ph_load_late(void) {
  const char *failure = load(PH_AOM, of_aom);
  if (failure == NULL) failure = load(PH_HEIF, of_heif);
  if (failure == NULL) failure = load(PH_JXL, of_jxl);
  return failure;
}
