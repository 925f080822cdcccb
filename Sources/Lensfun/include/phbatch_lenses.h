// The database of lenses of lensfun, a library that is loaded when it is first needed.

#ifndef PHBATCH_LENSES_H
#define PHBATCH_LENSES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The setting of a lens; numbers are 0 if they are unknown.
struct phbatch_lens_setting {
  // Millimetres, f-number, metres.
  double focal_length;
  double aperture;
  double distance;
  // The focal length with the same field of view on a 36 × 24 mm frame.
  double equivalent;
};

// The places of numbers in a profile.
enum phbatch_lens_number {
  // The crop factors of the camera, and of the camera with which the lens was measured; the aspect
  // ratio of its photos; the position of the optical axis.
  PHBATCH_LENS_CROP,
  PHBATCH_LENS_MEASURED_CROP,
  PHBATCH_LENS_MEASURED_ASPECT,
  PHBATCH_LENS_SHIFT_X,
  PHBATCH_LENS_SHIFT_Y,
  // The model of distortion: 0 none, 1 poly3, 2 poly5, 3 ptlens; then its three numbers.
  PHBATCH_LENS_DISTORTION,
  // The model of lateral colour: 0 none, 1 linear, 2 poly3; then its six numbers, red before blue.
  PHBATCH_LENS_COLOUR = PHBATCH_LENS_DISTORTION + 4,
  // The model of vignetting: 0 none, 1 pa; then its three numbers.
  PHBATCH_LENS_VIGNETTING = PHBATCH_LENS_COLOUR + 7,
  PHBATCH_LENS_NUMBERS = PHBATCH_LENS_VIGNETTING + 4,
};

enum phbatch_lens_result {
  PHBATCH_LENS_FOUND,
  // The lens is found, but the size of the camera's sensor is not known: it is taken to be that of
  // the sensor with which the lens was measured.
  PHBATCH_LENS_FOUND_WITHOUT_SENSOR,
  PHBATCH_LENS_UNKNOWN_CAMERA,
  PHBATCH_LENS_UNKNOWN_LENS,
  PHBATCH_LENS_UNKNOWN_FOCAL_LENGTH,
};

// Loads the library and the database: `file`, or the system's and the user's files if `file` is
// NULL. Returns NULL on failure, with the reason in `reason`.
//
// Several threads may use these functions at the same time.
void *phbatch_open_lenses(const char *file, char *reason, size_t size);

void phbatch_close_lenses(void *lenses);

// Finds the camera and the lens by their names, which are empty if they are unknown. If `loosely`
// is 1, parts of the names are enough. Writes the profile to `numbers`, and the name of the camera,
// a newline and the name of the lens to `names`. If nothing is found, `names` has the name of the
// camera, if that is known.
enum phbatch_lens_result phbatch_find_lens(
    void *lenses, const char *maker, const char *camera, const char *lens, int loosely,
    struct phbatch_lens_setting setting, double numbers[PHBATCH_LENS_NUMBERS], char *names,
    size_t size);

#ifdef __cplusplus
}
#endif

#endif
