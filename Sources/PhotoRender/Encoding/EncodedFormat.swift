import FileStructure
import PhotoRecipes

/// An output format with properties of its encoder and its files; each format has one source file
/// in the folder `Formats`.
///
/// Memory and time were measured with the codecs of Debian 12.
protocol EncodedFormat: OutputFormat {
  /// The memory in bytes that the encoder of a picture needs, without the rows that phbatch passes
  /// to the encoder; `row` is the size of one row in bytes.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int
  /// The seconds for encoding one megapixel on one core of a 2023 processor, rounded up; 0 if the
  /// encoder is as fast as rendering.
  func secondsPerMegapixel(isDeep: Bool) -> Double
  /// True if the encoder itself computes the image's rows, one strip at a time.
  static var computesStrips: Bool { get }
  /// True if a file that was just written is complete, as far as its container shows.
  ///
  /// libvips 8.14 can report success although the last strip was not written.
  static func isComplete(_ file: ByteSource) -> Bool
  /// True if, with these settings, the encoder spends bytes on the colours of transparent pixels.
  ///
  /// phbatch then fills these pixels with colours of visible pixels.
  var keepsHiddenColours: Bool { get }
  /// True if this machine can write the format.
  static var canWrite: Bool { get }
  /// True if the photo's file has this format.
  static func isFormat(of header: PhotoHeader) -> Bool
}

extension EncodedFormat {
  func secondsPerMegapixel(isDeep: Bool) -> Double { 0 }

  static var computesStrips: Bool { false }

  /// False by default: the encoder fills transparent pixels itself, has no alpha, or is lossless.
  var keepsHiddenColours: Bool { false }

  /// True by default: libvips itself requires the codecs of most formats, or is never built without
  /// them.
  static var canWrite: Bool { true }
}

extension OutputFormat {
  /// The type with the encoder's properties.
  static var encoded: any EncodedFormat.Type {
    guard let type = self as? any EncodedFormat.Type else {
      preconditionFailure("the format '\(name)' has no file in Encoding/Formats")
    }
    return type
  }

  private var encoded: any EncodedFormat {
    guard let format = self as? any EncodedFormat else {
      preconditionFailure("the format '\(Self.name)' has no file in Encoding/Formats")
    }
    return format
  }

  /// True if colours of transparent pixels are filled before a picture or a frame is encoded.
  var keepsHiddenColours: Bool { encoded.keepsHiddenColours }

  /// The memory in bytes for encoding a picture; `row` is the size of one row in bytes.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    encoded.encodingBytes(end, row: row)
  }
}

extension Output {
  /// The factor by which another machine, or a machine under load, may be slower than the machine
  /// of the measurements.
  static let timeMargin = 4.0
  /// The maximum number of times that a picture is encoded to find a quality that fits the budget.
  private static let tries = 8.0

  /// The seconds that encoding the output may take on one core of a slow machine.
  func encodingSeconds(_ end: Pipeline.Output) -> Double {
    let format = format as? any EncodedFormat
    let seconds = format?.secondsPerMegapixel(isDeep: end.depth > 8) ?? 0
    let tries = budget.maxBytes == nil ? 1 : Self.tries
    return Self.timeMargin * tries * seconds * Double(end.size.pixels) / 1e6
  }
}

/// Values for the efforts of an encoder, from effort 0 on.
struct EffortTable {
  private let values: [Double]

  init(_ values: [Double]) { self.values = values }

  /// The value of an effort, or of the nearest effort in the table.
  subscript(effort: Int) -> Double { values[max(0, min(values.count - 1, effort))] }
}
