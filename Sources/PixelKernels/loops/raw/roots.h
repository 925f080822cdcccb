// The square roots of light, in which mosaics are interpolated.
//
// Across edges, light differs by ratios rather than by differences, and the noise of roots does not
// depend on the light.

/// The number that is added to samples before the root is taken. It limits the effect of noise in
/// the shadows.
#define PH_ROOT_FLOOR 0.003f

typedef float *restrict PhRow;
typedef const float *PhSource;

/// Replaces samples, which are at least 0, by roots.
PH_INLINE void ph_take_roots(PhRow samples, int count) {
  for (int i = 0; i < count; i++)
    samples[i] = __builtin_elementwise_sqrt(samples[i] + PH_ROOT_FLOOR);
}

/// Returns the light of a root.
PH_INLINE float ph_light(float root) {
  return root > 0 ? root * root - PH_ROOT_FLOOR : -PH_ROOT_FLOOR;
}
