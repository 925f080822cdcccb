// For strcasestr.
#define _GNU_SOURCE

#include "phbatch_lenses.h"

#include <ctype.h>
#include <dlfcn.h>
#include <lensfun/lensfun.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PH_LIBRARY "liblensfun.so.1"

/// The functions of the library that are called.
#define PH_EACH_FUNCTION(X)                                                                   \
  X(lf_db_new) X(lf_db_load) X(lf_db_load_file) X(lf_db_destroy) X(lf_db_find_cameras_ext)    \
  X(lf_db_find_lenses_hd) X(lf_lens_interpolate_distortion) X(lf_lens_interpolate_tca)        \
  X(lf_lens_interpolate_vignetting) X(lf_mlstr_get) X(lf_free)

#define PH_POINTER(name) __typeof__(&name) name;

typedef struct {
  PH_EACH_FUNCTION(PH_POINTER)
  lfDatabase *database;
} PhLenses;

/// Locked while the library reads a database or searches one: it then compiles regular expressions
/// that all its databases share, and writes scores to the lenses.
static pthread_mutex_t searching = PTHREAD_MUTEX_INITIALIZER;

/// The distance in metres of a subject whose distance is unknown.
static const float far_away = 1000;

/// The relative difference by which a focal length may be outside the range of a lens: cameras
/// round it.
static const double play = 0.06;

void *phbatch_open_lenses(const char *file, char *reason, size_t size) {
  void *library = dlopen(PH_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  PhLenses *lenses = library ? calloc(1, sizeof *lenses) : NULL;
  if (!lenses) {
    snprintf(reason, size, "%s", library ? "there is no memory" : dlerror());
    return NULL;
  }
#define PH_FIND(name)                                        \
  *(void **)&lenses->name = dlsym(library, #name);           \
  if (!lenses->name) {                                       \
    snprintf(reason, size, "%s has no " #name, PH_LIBRARY);  \
    free(lenses);                                            \
    return NULL;                                             \
  }
  PH_EACH_FUNCTION(PH_FIND)
  lenses->database = lenses->lf_db_new();
  pthread_mutex_lock(&searching);
  lfError error = file ? lenses->lf_db_load_file(lenses->database, file)
                       : lenses->lf_db_load(lenses->database);
  pthread_mutex_unlock(&searching);
  if (error != LF_NO_ERROR) {
    snprintf(reason, size, "%s", error == LF_NO_DATABASE ? "there is no database"
                                                         : "the database cannot be read");
    phbatch_close_lenses(lenses);
    return NULL;
  }
  return lenses;
}

void phbatch_close_lenses(void *pointer) {
  PhLenses *lenses = pointer;
  lenses->lf_db_destroy(lenses->database);
  free(lenses);
}

/// The facts about a photo that select a lens; unknown names are NULL.
typedef struct {
  const char *maker, *camera, *lens;
  int loosely;
  struct phbatch_lens_setting setting;
} PhFacts;

/// True if a name contains a word in one of its languages. A name is followed by a language, the
/// name in that language, and so on; an empty text ends it.
static int contains(lfMLstr name, const char *word) {
  const char *text = name;
  while (text && *text) {
    if (strcasestr(text, word)) return 1;
    const char *language = text + strlen(text) + 1;
    text = *language ? language + strlen(language) + 1 : NULL;
  }
  return 0;
}

/// True if `maker` and `model` contain all words of `text` that have digits, such as focal lengths,
/// or all of its words if none has digits. A search that is not exact returns names that have only
/// some of them.
static int has_words(lfMLstr maker, lfMLstr model, const char *text) {
  int has_digits = strcspn(text, "0123456789") < strlen(text);
  while (*text) {
    char word[64];
    size_t length = strcspn(text, " ,;");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    int counts = !has_digits || strcspn(word, "0123456789") < strlen(word);
    if (counts && !contains(maker, word) && !contains(model, word)) return 0;
    text += length + (text[length] != 0);
  }
  return 1;
}

/// Returns the camera that fits best; NULL if there is none.
static const lfCamera *find_camera(const PhLenses *lenses, const PhFacts *facts) {
  if (!facts->camera) return NULL;
  for (int loosely = 0; loosely <= facts->loosely; loosely++) {
    const lfCamera **found = lenses->lf_db_find_cameras_ext(
        lenses->database, facts->maker, facts->camera, loosely ? LF_SEARCH_LOOSE : 0);
    const lfCamera *best = NULL;
    // The library takes 'D30' for '30D', because it compares letters and digits separately.
    for (int i = 0; found && found[i] && !best; i++)
      if (has_words(found[i]->Maker, found[i]->Model, facts->camera)) best = found[i];
    lenses->lf_free(found);
    if (best) return best;
  }
  return NULL;
}

/// True if the camera has a lens that cannot be changed: its mount is a word in lower case.
static int has_fixed_lens(const lfCamera *camera) {
  return camera && camera->Mount && islower((unsigned char)camera->Mount[0]);
}

static int covers(const lfLens *lens, double focal_length) {
  if (focal_length <= 0 || lens->MinFocal <= 0) return 1;
  double longest = lens->MaxFocal > lens->MinFocal ? lens->MaxFocal : lens->MinFocal;
  return focal_length >= lens->MinFocal * (1 - play) && focal_length <= longest * (1 + play);
}

/// Returns the lens that fits best of those with the name `name`, or of all lenses of the camera if
/// it is NULL; among equal ones that with the shortest name, which has no converter. NULL if there
/// is none. Sets `named` if a lens fits except for its focal length.
static const lfLens *find_named_lens(const PhLenses *lenses, const lfCamera *camera,
                                     const char *name, double focal_length, int flags,
                                     int *named) {
  const lfLens **found =
      lenses->lf_db_find_lenses_hd(lenses->database, camera, NULL, name, flags);
  const lfLens *best = NULL;
  for (int i = 0; found && found[i]; i++) {
    if (flags == LF_SEARCH_LOOSE && !has_words(found[i]->Maker, found[i]->Model, name))
      continue;
    *named = 1;
    if (!covers(found[i], focal_length)) continue;
    if (!best || (found[i]->Score == best->Score &&
                  strlen(lenses->lf_mlstr_get(found[i]->Model)) <
                      strlen(lenses->lf_mlstr_get(best->Model))))
      best = found[i];
  }
  lenses->lf_free(found);
  return best;
}

static const lfLens *find_lens(const PhLenses *lenses, const lfCamera *camera,
                               const PhFacts *facts, int *named) {
  double focal_length = facts->setting.focal_length;
  const lfLens *best = NULL;
  for (int loosely = 0; facts->lens && !best && loosely <= facts->loosely; loosely++)
    best = find_named_lens(lenses, camera, facts->lens, focal_length,
                           loosely ? LF_SEARCH_LOOSE : 0, named);
  if (!best && has_fixed_lens(camera))
    best = find_named_lens(lenses, camera, NULL, focal_length, 0, named);
  return best;
}

/// Writes a maker and a model as one name, without a maker that the model repeats, after what `to`
/// contains.
static void append_name(const PhLenses *lenses, lfMLstr maker, lfMLstr model, char *to,
                        size_t size) {
  const char *first = maker ? lenses->lf_mlstr_get(maker) : NULL;
  const char *second = model ? lenses->lf_mlstr_get(model) : NULL;
  if (!first || !second || !strncasecmp(first, second, strlen(first))) first = "";
  size_t start = strlen(to);
  snprintf(to + start, size - start, "%s%s%s", first, *first ? " " : "", second ? second : "");
}

static void copy(double *numbers, double model, const float *terms, int count) {
  numbers[0] = model;
  for (int i = 0; i < count; i++) numbers[1 + i] = terms[i];
}

/// Writes the known corrections of the lens at these settings.
static void measure(const PhLenses *lenses, const lfLens *lens,
                    struct phbatch_lens_setting setting, double *numbers) {
  float focal_length = setting.focal_length > 0 ? (float)setting.focal_length : lens->MinFocal;
  lfLensCalibDistortion distortion;
  if (lenses->lf_lens_interpolate_distortion(lens, focal_length, &distortion))
    copy(numbers + PHBATCH_LENS_DISTORTION, distortion.Model, distortion.Terms, 3);
  lfLensCalibTCA colour;
  if (lenses->lf_lens_interpolate_tca(lens, focal_length, &colour))
    copy(numbers + PHBATCH_LENS_COLOUR, colour.Model, colour.Terms, 6);
  lfLensCalibVignetting vignetting;
  float distance = setting.distance > 0 ? (float)setting.distance : far_away;
  if (setting.aperture > 0 &&
      lenses->lf_lens_interpolate_vignetting(lens, focal_length, (float)setting.aperture, distance,
                                             &vignetting))
    copy(numbers + PHBATCH_LENS_VIGNETTING, vignetting.Model, vignetting.Terms, 3);
}

enum phbatch_lens_result phbatch_find_lens(
    void *pointer, const char *maker, const char *camera_name, const char *lens_name, int loosely,
    struct phbatch_lens_setting setting, double numbers[PHBATCH_LENS_NUMBERS], char *names,
    size_t size) {
  const PhLenses *lenses = pointer;
  PhFacts facts = {*maker ? maker : NULL, *camera_name ? camera_name : NULL,
                   *lens_name ? lens_name : NULL, loosely, setting};
  for (int i = 0; i < PHBATCH_LENS_NUMBERS; i++) numbers[i] = 0;
  int named = 0;
  pthread_mutex_lock(&searching);
  const lfCamera *camera = find_camera(lenses, &facts);
  const lfLens *lens = camera || facts.lens ? find_lens(lenses, camera, &facts, &named) : NULL;
  pthread_mutex_unlock(&searching);
  names[0] = 0;
  if (camera) append_name(lenses, camera->Maker, camera->Model, names, size);
  if (!camera && !facts.lens) return PHBATCH_LENS_UNKNOWN_CAMERA;
  if (!lens) return named ? PHBATCH_LENS_UNKNOWN_FOCAL_LENGTH : PHBATCH_LENS_UNKNOWN_LENS;
  if (setting.focal_length <= 0 && lens->MaxFocal > lens->MinFocal)
    return PHBATCH_LENS_UNKNOWN_FOCAL_LENGTH;
  size_t end = strlen(names);
  snprintf(names + end, size - end, "\n");
  append_name(lenses, lens->Maker, lens->Model, names, size);
  double crop = camera ? camera->CropFactor : 0;
  if (crop <= 0 && setting.equivalent > 0 && setting.focal_length > 0)
    crop = setting.equivalent / setting.focal_length;
  numbers[PHBATCH_LENS_CROP] = crop > 0 ? crop : lens->CropFactor;
  numbers[PHBATCH_LENS_MEASURED_CROP] = lens->CropFactor;
  numbers[PHBATCH_LENS_MEASURED_ASPECT] = lens->AspectRatio;
  numbers[PHBATCH_LENS_SHIFT_X] = lens->CenterX;
  numbers[PHBATCH_LENS_SHIFT_Y] = lens->CenterY;
  measure(lenses, lens, setting, numbers);
  return crop > 0 ? PHBATCH_LENS_FOUND : PHBATCH_LENS_FOUND_WITHOUT_SENSOR;
}
