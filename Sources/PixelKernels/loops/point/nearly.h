// Transfer functions approximated by polynomials, for samples that are finally rounded to 8 bits.

/// The absolute value up to which the polynomial below is accurate.
static const float ph_nearly_top = 1.5f;

/// Approximates ph_linear_light for |x| up to `ph_nearly_top`. The polynomial minimizes the maximum
/// error, which is 0.035 ÷ 255 after encoding.
PH_INLINE float ph_nearly_linear(float x) {
  float size = __builtin_fabsf(x);
  float light = 0.0409858881f;
  light = light * size - 0.202102727f;
  light = light * size + 0.587014644f;
  light = light * size + 0.543161306f;
  light = light * size + 0.0302130141f;
  light = light * size + 0.000992421618f;
  light = size > 0.04045f ? light : size * (1.0f / 12.92f);
  return __builtin_copysignf(light, x);
}

/// The number of samples decoded at a time.
enum { PH_DECODED = 64 };

PH_INLINE int32_t ph_is_far(float x) { return !(__builtin_fabsf(x) <= ph_nearly_top); }

/// Decodes those samples of a run that are outside the polynomial's range with the exact function.
PH_INLINE void ph_decode_far(const float *restrict run, float *restrict light) {
  for (int i = 0; i < PH_DECODED; i++) {
    float exact = ph_linear_light(run[i]);
    light[i] = ph_is_far(run[i]) ? exact : light[i];
  }
}

/// Processes whole runs of samples; the last run may go beyond the block's pixels, because the
/// planes are long enough for it.
static void ph_decode_nearly(PhBlock *restrict block, const float *payload) {
  (void)payload;
  for (int c = 0; c < 3; c++)
    for (int done = 0; done < block->count; done += PH_DECODED) {
      float *restrict run = block->plane[c] + done;
      float light[PH_DECODED];
      int32_t far = 0;
      for (int i = 0; i < PH_DECODED; i++) {
        light[i] = ph_nearly_linear(run[i]);
        far |= ph_is_far(run[i]);
      }
      if (far) ph_decode_far(run, light);
      memcpy(run, light, sizeof light);
    }
}

/// The payload of the instruction CLOSE.
typedef struct {
  float toe, slope, top, factor[7];
} PhClosing;

PH_INLINE PhClosing ph_closing_read(const float *payload) {
  PhClosing closing = {.toe = payload[1], .slope = payload[2], .top = payload[3]};
  memcpy(closing.factor, payload + 4, sizeof closing.factor);
  return closing;
}

PH_INLINE float ph_closed(float x, const PhClosing *closing, int fourth) {
  // The comparison is written so that NaN stays NaN.
  float root = __builtin_elementwise_sqrt(x > closing->top ? closing->top : x);
  if (fourth) root = __builtin_elementwise_sqrt(root);
  float sum = closing->factor[6];
  for (int k = 5; k >= 0; k--) sum = sum * root + closing->factor[k];
  return x < closing->toe ? closing->slope * x : sum;
}

PH_INLINE void ph_close_block(PhBlock *restrict block, const float *payload, int fourth) {
  PhClosing closing = ph_closing_read(payload);
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < block->count; i++)
      block->plane[c][i] = ph_closed(block->plane[c][i], &closing, fourth);
}

static void ph_close(PhBlock *restrict block, const float *payload) {
  if (payload[0] != 0.0f)
    ph_close_block(block, payload, 1);
  else
    ph_close_block(block, payload, 0);
}
