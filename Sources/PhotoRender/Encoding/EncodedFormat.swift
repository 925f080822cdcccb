import FileStructure
import PhotoRecipes

/// An output format with the facts about its encoder and its files; each format has one file in
/// `Formats`.
///
/// Bytes and seconds were measured with the codecs of Debian 12.
protocol EncodedFormat: OutputFormat {
  /// The bytes that the encoder of a picture takes, without the rows on their way to it; `row` is
  /// the bytes of one row.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int
  /// The seconds that encoding a megapixel takes on one core of 2023, rounded up; 0 for encoders
  /// that are as fast as the rendering.
  func secondsPerMegapixel(isDeep: Bool) -> Double
  /// True if the encoder computes its rows itself, a strip at a time.
  static var computesStrips: Bool { get }
  /// True if a file that was just written is complete, as far as its container tells.
  ///
  /// libvips 8.14 can report success though the last strip was not written.
  static func isComplete(_ file: ByteSource) -> Bool
  /// True if this machine can write the format.
  static var canWrite: Bool { get }
  /// True if a photo is a file of this format.
  static func isFormat(of header: PhotoHeader) -> Bool
}

extension EncodedFormat {
  func secondsPerMegapixel(isDeep: Bool) -> Double { 0 }

  static var computesStrips: Bool { false }

  /// libvips needs the codecs of most formats itself, or is never built without.
  static var canWrite: Bool { true }
}

extension OutputFormat {
  /// The facts about the format's type.
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

  /// The bytes that encoding a picture takes; `row` is the bytes of one row.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    encoded.encodingBytes(end, row: row)
  }
}

extension Output {
  /// The factor by which another machine may be slower, or the same one under load.
  static let timeMargin = 4.0
  /// The number of times that a picture is encoded to find the quality that fits the budget.
  private static let tries = 8.0

  /// The seconds that encoding the output may take on one core of a slow machine.
  func encodingSeconds(_ end: Pipeline.Output) -> Double {
    let format = format as? any EncodedFormat
    let seconds = format?.secondsPerMegapixel(isDeep: end.depth > 8) ?? 0
    let tries = budget.maxBytes == nil ? 1 : Self.tries
    return Self.timeMargin * tries * seconds * Double(end.size.pixels) / 1e6
  }
}

/// Values by the effort of an encoder, from 0 on.
struct EffortTable {
  private let values: [Double]

  init(_ values: [Double]) { self.values = values }

  /// The value of an effort, or the nearest there is.
  subscript(effort: Int) -> Double { values[max(0, min(values.count - 1, effort))] }
}
