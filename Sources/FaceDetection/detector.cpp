#pragma STDC FP_CONTRACT OFF

#include "phbatch_faces.h"

// dlib is linked as a static library, and its model of faces is a part of its headers: neither the
// start of the program nor the sandbox of workers depends on a file. Package.swift defines the
// macro if dlib is installed.
#ifdef PHBATCH_FACES

// These headers contain the configuration of Debian's dlib. LAPACK, which it uses for large
// matrices, would be a further library; the model needs only small matrices.
#include <dlib/assert.h>
#include <dlib/test_for_odr_violations.h>

#undef DLIB_USE_BLAS
#undef DLIB_USE_LAPACK

#include <dlib/array2d.h>
#include <dlib/image_processing/frontal_face_detector.h>
#include <dlib/revision.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#define PH_TEXT(x) PH_TEXT_OF(x)
#define PH_TEXT_OF(x) #x

const char *phbatch_face_library(void) {
  return "dlib " PH_TEXT(DLIB_MAJOR_VERSION) "." PH_TEXT(DLIB_MINOR_VERSION);
}

int32_t phbatch_detect_faces(const uint8_t *grey, int32_t width, int32_t height, PhFace *faces,
                             int32_t most) {
  // A detector contains buffers, so it detects the faces of one picture at a time.
  static std::mutex lock;
  std::lock_guard<std::mutex> guard(lock);
  static dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
  dlib::array2d<unsigned char> picture(height, width);
  for (int32_t y = 0; y < height; y++)
    std::memcpy(&picture[y][0], grey + (size_t)y * (size_t)width, (size_t)width);
  std::vector<dlib::rect_detection> found;
  // On stripes and clothes, dlib finds faces with a confidence of up to 0.17; real ones had 0.7 and
  // more.
  const double least = 0.25;
  detector(picture, found, least);
  // The most certain ones come first.
  int32_t count = std::min(most, (int32_t)found.size());
  for (int32_t i = 0; i < count; i++) {
    const dlib::rectangle &rect = found[(size_t)i].rect;
    faces[i] = {(int32_t)rect.left(), (int32_t)rect.top(), (int32_t)rect.width(),
                (int32_t)rect.height(), found[(size_t)i].detection_confidence};
  }
  return count;
}

#else

const char *phbatch_face_library(void) { return nullptr; }

int32_t phbatch_detect_faces(const uint8_t *, int32_t, int32_t, PhFace *, int32_t) { return -1; }

#endif
