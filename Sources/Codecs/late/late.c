#include "late.h"

#include <dlfcn.h>
#include <jxl/version.h>
#include <stddef.h>
#include <vips/version.h>

// Libraries that are loaded when libvips starts (in the workers), not when the program starts.
//
// Linking libvips, libheif and libjxl, with the hundred libraries that these need, takes three
// quarters of the start of the program. Their functions are defined here instead: each jumps to the
// function of that name in the loaded library. A function that is missing in these lists is an error
// of the linker; a function that is called before its library is loaded crashes.

#define PH_TEXT(x) PH_TEXT_OF(x)
#define PH_TEXT_OF(x) #x

// VIPS_MAX_COORD is a constant before.
#if VIPS_MAJOR_VERSION > 8 || VIPS_MINOR_VERSION >= 16
#define PH_EACH_OF_VIPS_8_16(X) X(vips_max_coord_get)
#else
#define PH_EACH_OF_VIPS_8_16(X)
#endif
#define PH_VIPS "libvips.so.42"
#define PH_EACH_OF_VIPS(X)                                                                       \
  PH_EACH_OF_VIPS_8_16(X)                                                                        \
  X(vips_add_option_entries) X(vips_area_unref) X(vips_argument_get_id)                          \
  X(vips_array_double_get) X(vips_array_double_get_type) X(vips_array_image_get)                 \
  X(vips_array_image_get_type) X(vips_array_int_get) X(vips_array_int_get_type)                  \
  X(vips_band_format_get_type) X(vips_black) X(vips_blob_copy) X(vips_blob_get)                  \
  X(vips_blob_get_type) X(vips_block_untrusted_set) X(vips_cache_set_max)                        \
  X(vips_cache_set_max_files) X(vips_cache_set_max_mem) X(vips_call) X(vips_check_bands_same)    \
  X(vips_check_format) X(vips_check_size_same) X(vips_check_uncoded) X(vips_concurrency_get)     \
  X(vips_concurrency_set) X(vips_copy) X(vips_enum_nick) X(vips_error)                           \
  X(vips_error_buffer_copy) X(vips_error_clear) X(vips_extract_area)                             \
  X(vips_foreign_find_load_source) X(vips_foreign_heif_compression_get_type)                     \
  X(vips_format_sizeof_unsafe) X(vips_get_tile_size) X(vips_image_copy_memory)                   \
  X(vips_image_generate) X(vips_image_get) X(vips_image_get_array_double)                        \
  X(vips_image_get_bands) X(vips_image_get_blob) X(vips_image_get_concurrency)                   \
  X(vips_image_get_fields) X(vips_image_get_format) X(vips_image_get_height)                     \
  X(vips_image_get_int) X(vips_image_get_interpretation) X(vips_image_get_string)                \
  X(vips_image_get_type) X(vips_image_get_typeof) X(vips_image_get_width)                        \
  X(vips_image_get_xres) X(vips_image_get_yres) X(vips_image_hasalpha)                           \
  X(vips_image_init_fields) X(vips_image_map) X(vips_image_minimise_all) X(vips_image_new)       \
  X(vips_image_new_from_memory) X(vips_image_new_from_memory_copy)                               \
  X(vips_image_new_matrix_from_array) X(vips_image_new_memory) X(vips_image_new_temp_file)       \
  X(vips_image_pio_input) X(vips_image_pipeline_array) X(vips_image_pipelinev)                   \
  X(vips_image_remove) X(vips_image_set) X(vips_image_set_array_double)                          \
  X(vips_image_set_array_int) X(vips_image_set_blob_copy) X(vips_image_set_double)               \
  X(vips_image_set_image) X(vips_image_set_int) X(vips_image_set_kill)                           \
  X(vips_image_set_progress) X(vips_image_set_string) X(vips_image_wio_input)                    \
  X(vips_image_write) X(vips_image_write_line) X(vips_init) X(vips_interpolate_get_type)         \
  X(vips_interpolate_new) X(vips_interpretation_get_type) X(vips_jpegsave_target)                \
  X(vips_kernel_get_type) X(vips_malloc) X(vips_nickname_find) X(vips_object_argument_isset)     \
  X(vips_object_build) X(vips_object_class_install_argument) X(vips_object_get_args)             \
  X(vips_object_get_property) X(vips_object_get_type) X(vips_object_local_array)                 \
  X(vips_object_map) X(vips_object_set_property) X(vips_object_unref_outputs)                    \
  X(vips_operation_block_set) X(vips_operation_get_type) X(vips_operation_new)                   \
  X(vips_rect_includespoint) X(vips_rect_intersectrect) X(vips_rect_isempty)                     \
  X(vips_rect_marginadjust)                                                                      \
  X(vips_ref_string_get_type) X(vips_region_new) X(vips_region_prepare)                          \
  X(vips_region_prepare_to) X(vips_region_region) X(vips_reorder_prepare_many)                   \
  X(vips_sequential) X(vips_sink_disc) X(vips_source_custom_new) X(vips_source_decode)           \
  X(vips_source_get_type) X(vips_source_map) X(vips_source_new_from_blob)                        \
  X(vips_source_new_from_descriptor) X(vips_source_new_from_file) X(vips_source_read)            \
  X(vips_source_rewind) X(vips_start_many) X(vips_start_one) X(vips_stop_many) X(vips_stop_one)  \
  X(vips_target_end) X(vips_target_get_type)                                                     \
  X(vips_target_new_to_memory) X(vips_target_write) X(vips_thread_shutdown) X(vips_tilecache)    \
  X(vips_tracked_get_allocs) X(vips_tracked_get_files) X(vips_tracked_get_mem)                   \
  X(vips_tracked_get_mem_highwater) X(vips_type_find) X(vips_value_get_array_double)             \
  X(vips_value_get_array_image) X(vips_value_get_array_int) X(vips_value_get_blob)               \
  X(vips_value_get_ref_string) X(vips_value_set_array_double) X(vips_value_set_array_image)      \
  X(vips_value_set_array_int) X(vips_version) X(vips_version_string) X(vips_webpsave_target)

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

PH_EACH_OF_VIPS(PH_DEFINE)
PH_EACH_OF_AOM(PH_DEFINE)
PH_EACH_OF_HEIF(PH_DEFINE)
PH_EACH_OF_JXL(PH_DEFINE)

struct function {
  const char *name;
  void **place;
};

#define PH_LIST(name) {#name, &ph_late_##name},
static const struct function of_vips[] = {PH_EACH_OF_VIPS(PH_LIST) {NULL, NULL}};
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

const char *ph_load_vips(void) {
  return load(PH_VIPS, of_vips);
}

void *ph_address_in_vips(void) {
  return ph_late_vips_init;
}

const char *ph_load_late(void) {
  const char *failure = load(PH_AOM, of_aom);
  if (failure == NULL) failure = load(PH_HEIF, of_heif);
  if (failure == NULL) failure = load(PH_JXL, of_jxl);
  return failure;
}
