/// The sample formats that the kernels read and write, by their nicknames in libvips.
package enum SampleFormat: String, CaseIterable {
  case uchar
  case ushort
  case float

  /// The largest `Raster.distance` allowed after a kernel.
  ///
  /// The tolerance is a hundredth of a step for 8 bits, half a step for 16 bits, and 1e-5 for
  /// float.
  package var tolerance: Double {
    switch self {
    case .uchar: 0.01
    case .ushort: 0.5
    case .float: 1e-5
    }
  }

  /// The tolerance after an edit that converts to OKLab and back.
  ///
  /// The encoding's slope near black is 12.92, and the dark channel of a vivid colour is a small
  /// difference of large values. With the half step of rounding, 16-bit results are within 4 steps.
  package var longTolerance: Double {
    switch self {
    case .uchar: 0.01
    case .ushort: 3.5
    case .float: 2e-4
    }
  }
}
