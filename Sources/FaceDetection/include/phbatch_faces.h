#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A face: a square from the brows to the chin, in pixels. It may extend beyond the picture.
typedef struct {
  int32_t left, top, width, height;
  /// The certainty of the detector; 0 is the limit of a detector that is not adjusted.
  double score;
} PhFace;

/// The name and the version of the library that detects faces; NULL if phbatch was built without
/// it.
const char *phbatch_face_library(void);

/// Detects the faces in a picture: at least about 75 pixels wide, turned to the camera or up to
/// about 45° away from it.
///
/// `grey` has one byte for each pixel, rows from the top. At most `most` faces are written to
/// `faces`, the most certain ones first. Returns their number; −1 if phbatch was built without the
/// library.
int32_t phbatch_detect_faces(const uint8_t *grey, int32_t width, int32_t height, PhFace *faces,
                             int32_t most);

#ifdef __cplusplus
}
#endif
