#include <libheif/heif.h>
#include <string.h>

#include "base/kernel.h"

/// The operation `phbatch_heifaux`: reads the auxiliary picture with the URN `type`, such as a
/// matte or a depth map, from `source`, a HEIF file.
///
/// `page` is the index, from 0, of the photo to which the auxiliary picture belongs; −1 is the
/// primary picture. The result is one band of uchar or ushort, rotated and cropped as its item
/// specifies; the field "heif-bitdepth" is its bit depth. Fails if the auxiliary picture has more
/// pixels than the photo.
typedef struct {
  VipsOperation parent_instance;
  VipsSource *source;
  VipsImage *out;
  char *type;
  int page;

  struct heif_context *context;
  struct heif_image_handle *photo;
  struct heif_image_handle *handle;
  struct heif_image *picture;
} PhHeifAux;

typedef VipsOperationClass PhHeifAuxClass;

PH_DEFINE_OPERATION(PhHeifAux, ph_heifaux, VIPS_TYPE_OPERATION)

static const char nickname[] = "phbatch_heifaux";

/// The maximum number of pictures that are read from a file, and of auxiliary pictures of a photo.
enum { PH_PICTURES = 256 };

static int fail(const char *words) {
  vips_error(nickname, "%s", words);
  return -1;
}

static int check(struct heif_error error) { return error.code ? fail(error.message) : 0; }

static int open_photo(PhHeifAux *aux) {
  size_t length;
  const void *bytes = vips_source_map(aux->source, &length);
  if (!bytes) return -1;
  aux->context = heif_context_alloc();
  if (!aux->context) return fail("memory is short");
  if (check(heif_context_read_from_memory_without_copy(aux->context, bytes, length, NULL)))
    return -1;
  if (aux->page < 0) return check(heif_context_get_primary_image_handle(aux->context, &aux->photo));
  heif_item_id ids[PH_PICTURES];
  int count = heif_context_get_list_of_top_level_image_IDs(aux->context, ids, PH_PICTURES);
  if (aux->page >= count) return fail("there is no such picture");
  return check(heif_context_get_image_handle(aux->context, ids[aux->page], &aux->photo));
}

/// Finds the first auxiliary picture with the requested type, and stores its handle in `handle`.
static int find(PhHeifAux *aux) {
  heif_item_id ids[PH_PICTURES];
  int count = heif_image_handle_get_list_of_auxiliary_image_IDs(aux->photo, 0, ids, PH_PICTURES);
  for (int i = 0; i < count; i++) {
    if (check(heif_image_handle_get_auxiliary_image_handle(aux->photo, ids[i], &aux->handle)))
      return -1;
    const char *type = NULL;
    if (check(heif_image_handle_get_auxiliary_type(aux->handle, &type))) return -1;
    gboolean is_it = type && !strcmp(type, aux->type);
    heif_image_handle_free_auxiliary_types(aux->handle, &type);
    if (is_it) return 0;
    heif_image_handle_release(aux->handle);
    aux->handle = NULL;
  }
  return fail("this picture has none of that type");
}

/// True if a size is positive and has at most as many pixels as the photo. The product is computed
/// in 64 bits, because width and height may be 2³¹ − 1.
static gboolean fits(const PhHeifAux *aux, int width, int height) {
  gint64 room = (gint64)heif_image_handle_get_width(aux->photo) *
                heif_image_handle_get_height(aux->photo);
  return width > 0 && height > 0 && (gint64)width * height <= room;
}

static int decode(PhHeifAux *aux) {
  if (!fits(aux, heif_image_handle_get_width(aux->handle),
            heif_image_handle_get_height(aux->handle)))
    return fail("it is empty, or larger than the photo");
  return check(heif_decode_image(aux->handle, &aux->picture, heif_colorspace_undefined,
                                 heif_chroma_undefined, NULL));
}

/// Copies the luma plane to the output. Its samples have 8 bits, or up to 16 bits in the machine's
/// byte order.
static int copy(PhHeifAux *aux) {
  int stride;
  const guint8 *plane = heif_image_get_plane_readonly(aux->picture, heif_channel_Y, &stride);
  if (!plane) return fail("it has no brightness");
  int width = heif_image_get_width(aux->picture, heif_channel_Y);
  int height = heif_image_get_height(aux->picture, heif_channel_Y);
  int depth = heif_image_get_bits_per_pixel_range(aux->picture, heif_channel_Y);
  if (!fits(aux, width, height) || depth < 1 || depth > 16)
    return fail("it is empty, or larger than the photo");
  VipsBandFormat format = depth > 8 ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR;
  vips_image_init_fields(aux->out, width, height, 1, format, VIPS_CODING_NONE,
                         depth > 8 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W, 1, 1);
  vips_image_set_int(aux->out, "heif-bitdepth", depth);
  for (int y = 0; y < height; y++)
    if (vips_image_write_line(aux->out, y, (VipsPel *)plane + (size_t)y * (size_t)stride))
      return -1;
  return 0;
}

static int ph_heifaux_build(VipsObject *object) {
  PhHeifAux *aux = (PhHeifAux *)object;
  if (VIPS_OBJECT_CLASS(ph_heifaux_parent_class)->build(object)) return -1;
  g_object_set(object, "out", vips_image_new_memory(), NULL);
  return open_photo(aux) || find(aux) || decode(aux) || copy(aux) ? -1 : 0;
}

static void ph_heifaux_finalize(GObject *object) {
  PhHeifAux *aux = (PhHeifAux *)object;
  if (aux->picture) heif_image_release(aux->picture);
  if (aux->handle) heif_image_handle_release(aux->handle);
  if (aux->photo) heif_image_handle_release(aux->photo);
  if (aux->context) heif_context_free(aux->context);
  G_OBJECT_CLASS(ph_heifaux_parent_class)->finalize(object);
}

static void ph_heifaux_class_init(PhHeifAuxClass *class) {
  ph_kernel_class_describe(class, nickname, "read a picture that belongs to another",
                           ph_heifaux_build);
  G_OBJECT_CLASS(class)->finalize = ph_heifaux_finalize;
  VIPS_OPERATION_CLASS(class)->flags = VIPS_OPERATION_NOCACHE;
  VIPS_ARG_OBJECT(class, "source", 1, "Source", "Where the file is", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhHeifAux, source), VIPS_TYPE_SOURCE);
  VIPS_ARG_IMAGE(class, "out", 2, "Output", "The picture", VIPS_ARGUMENT_REQUIRED_OUTPUT,
                 G_STRUCT_OFFSET(PhHeifAux, out));
  VIPS_ARG_STRING(class, "type", 3, "Type", "The URN of its type", VIPS_ARGUMENT_REQUIRED_INPUT,
                  G_STRUCT_OFFSET(PhHeifAux, type), NULL);
  VIPS_ARG_INT(class, "page", 4, "Page", "The picture that it belongs to",
               VIPS_ARGUMENT_OPTIONAL_INPUT, G_STRUCT_OFFSET(PhHeifAux, page), -1, 100000, -1);
}

static void ph_heifaux_init(PhHeifAux *aux) { aux->page = -1; }
