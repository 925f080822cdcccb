import Vips

/// The format of samples between operations.
public enum SampleFormat: String, Sendable, Hashable {
  /// 8 bits, 0…255.
  case uchar
  /// 16 bits, 0…65535.
  case ushort
  /// 32-bit float, nominally 0…1, unclipped.
  case float

  var bytes: Int {
    switch self {
    case .uchar: 1
    case .ushort: 2
    case .float: 4
    }
  }

  /// The value of full light.
  var maximum: Double {
    switch self {
    case .uchar: 255
    case .ushort: 65_535
    case .float: 1
    }
  }

  static func integer(depth: Int) -> SampleFormat { depth > 8 ? .ushort : .uchar }
}

extension Format {
  init(_ format: SampleFormat) {
    self =
      switch format {
      case .uchar: .uchar
      case .ushort: .ushort
      case .float: .float
      }
  }
}

/// The later use of the samples that a point program produces, which determines its required
/// precision.
public enum ProgramEnd: Sendable, Hashable {
  /// The samples may be written with 16 bits.
  case fine
  /// The samples are rounded to 8 bits at the end of the pipeline.
  case display
  /// The next operation clips the samples and rounds them to 8 bits.
  case shown

  var precision: SampledCurve.Precision { self == .fine ? .fine : .display }
}
