extension BinaryFloatingPoint {
  /// The smoothstep of the number: 0 up to 0, 1 from 1 on, and `x² (3 − 2x)` in between.
  var smoothstep: Self {
    let x = min(1, max(0, self))
    return x * x * (3 - 2 * x)
  }
}
