// Sorting networks whose wires are rows of PH_WIRE samples.

/// The number of samples of a row processed at a time, chosen so that the compiler keeps them in
/// registers.
enum { PH_EXCHANGED = 16 };

static void ph_exchange(float *rows, const PhExchange *exchange, int count) {
  for (; count > 0; count--, exchange++) {
    float *low = rows + exchange->low * PH_WIRE;
    float *high = rows + exchange->high * PH_WIRE;
    for (int start = 0; start < PH_WIRE; start += PH_EXCHANGED) {
      float least[PH_EXCHANGED], greatest[PH_EXCHANGED];
      for (int i = 0; i < PH_EXCHANGED; i++) {
        float a = low[start + i];
        float b = high[start + i];
        least[i] = a < b ? a : b;
        greatest[i] = a < b ? b : a;
      }
      if (exchange->keep & PH_KEEP_LOW) memcpy(low + start, least, sizeof least);
      if (exchange->keep & PH_KEEP_HIGH) memcpy(high + start, greatest, sizeof greatest);
    }
  }
}

static void ph_pick(const float *rows, const PhPair *pair, int count, float *restrict to,
                    int samples) {
  float least[PH_WIRE];
  for (int k = 0; k < count; k++) {
    const float *a = rows + pair[k].a * PH_WIRE;
    const float *b = rows + pair[k].b * PH_WIRE;
    for (int i = 0; i < PH_WIRE; i++) {
      float greater = a[i] > b[i] ? a[i] : b[i];
      least[i] = k == 0 || greater < least[i] ? greater : least[i];
    }
  }
  memcpy(to, least, (size_t)samples * sizeof(float));
}
