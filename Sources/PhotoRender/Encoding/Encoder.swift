import FileStructure
import Glibc
import PhotoMetadata
import PhotoRecipes
import Vips

/// Writes one output: its pixels, header fields, profile and metadata.
struct Encoder {
  let output: Output
  let colour: OutputColour
  let depth: Int
  var metadata = RenditionMetadata.nothing
  /// The photo's resolution, which is recorded unless the output sets another one; nil for the
  /// image's own.
  ///
  /// The image's own may be another one, because not every operation keeps it.
  var resolution: Resolution?

  /// The result of writing a file.
  struct Written: Sendable {
    /// The quality, if `maxBytes` made it lower than the output's; otherwise nil.
    let quality: Int?
    /// The reason why the file exceeds `maxBytes`; nil if it does not.
    let miss: BudgetMiss?
    /// Warnings about metadata that could not be written.
    let warnings: [String]
    /// The further pictures and records of the photo's file that the rendition does not contain.
    let lost: Set<Metadata.Attachment>
  }

  /// Computes the image's pixels, writes them to an empty file, and then adds the metadata.
  ///
  /// - Parameters:
  ///   - image: The image to write.
  ///   - descriptor: The file's descriptor.
  ///   - spills: True if pixels that are encoded more than once are kept in a file.
  /// - Returns: The quality if it was lowered, warnings, and whether the file exceeds `maxBytes`.
  /// - Throws: `unreadable` if the photo cannot be decoded, `encoderRefused` if the encoder fails,
  ///   `encodeFailed` if the file is incomplete, `deniedMetadata` if it contains denied metadata.
  @discardableResult
  func write(
    _ image: Image, to descriptor: Int32, spills: Bool = false
  ) throws(RenderError) -> Written {
    var quality: Int?
    let said = metadata.curated(for: output, colour, size: image.frameSize)
    do throws(VipsError) {
      var final = try prepared(image)
      var times: [Int]?
      if output.format is WebPFormat, case .integers(let all) = final.field("delay") {
        times = all
        // libvips 8.14 changes short times in the header that it writes, which other outputs share.
        final = try final.setting(["delay": .integers(all)])
      }
      if let limit = output.budget.maxBytes {
        let search = QualitySearch(
          image: try final.materialized(inFile: spills), format: output.format, depth: depth,
          lowest: output.budget.minQuality)
        quality = try search.write(to: descriptor, atMost: limit, growth: said.growth)
      } else {
        try final.save(Target(descriptor: descriptor), output.format, depth: depth)
      }
      if let times,
        !WebPFormat.restore(times: times, in: FinishedFile(descriptor: descriptor))
      {
        throw .failed(operation: "save", detail: "the file cannot be written")
      }
    } catch {
      if error == .cancelled { throw .cancelled }
      throw error.isOf(output.format.saver)
        ? .encoderRefused(output: output.name, error.reason) : .unreadable(error.reason)
    }
    let file = ByteSource.descriptor(descriptor)
    if file.count <= 12 || !type(of: output.format).encoded.isComplete(file) {
      throw .encodeFailed(output: output.name, "the written file is incomplete")
    }
    let warnings = try metadata.write(said, output, colour, to: descriptor)
    let (size, limit) = (file.count, output.budget.maxBytes ?? .max)
    let miss: BudgetMiss? =
      size > limit
      ? .size(size, limit: limit, quality: quality ?? output.format.lossyQuality) : nil
    return Written(quality: quality, miss: miss, warnings: warnings, lost: said.lost)
  }

  /// Returns the picture, or one frame, with the colours of transparent pixels filled from visible
  /// pixels.
  ///
  /// Returns the image itself if the encoder does not spend bytes on the colours of transparent
  /// pixels.
  func filled(_ image: Image) throws(VipsError) -> Image {
    guard image.hasAlpha && output.format.keepsHiddenColours else { return image }
    return try image.applying("phbatch_bleed").watched()
  }

  /// The image with the output's header fields; frames must have been filled before.
  private func prepared(_ image: Image) throws(VipsError) -> Image {
    let format = type(of: output.format)
    let fields = HeaderFields.changes(
      of: image, profile: colour.embedded(in: format), colour.codePoints,
      holdsFrames: format.holdsFrames)
    let timing = format.holdsFrames ? HeaderFields.changes(of: image, output.format.timing) : [:]
    let filled = image.isStill ? try filled(image) : image
    let final = try filled.setting(fields.merging(timing) { $1 })
    return try (output.dpi.map(Resolution.init) ?? resolution)?.stated(in: final) ?? final
  }
}

extension Image {
  /// Encodes the image in a format with its settings.
  func save(_ target: Target, _ format: any OutputFormat, depth: Int) throws(VipsError) {
    if let format = format as? JXLFormat, isForHDR {
      return try save(
        to: target, as: JXLFormat.ownSaver, format.ownArguments.mapValues(\.argument))
    }
    try save(
      to: target, as: format.saver,
      format.arguments(bitDepth: depth, size: Size(width, height)).mapValues(\.argument))
  }

  /// True if the image's code points are those of a rendition for HDR displays.
  private var isForHDR: Bool { [16, 18].contains(integer("cicp-transfer-characteristics")) }
}

extension Image {
  /// The size of one frame; of an image with vertically stacked frames, the size of the first.
  fileprivate var frameSize: Size { Size(width, integer("page-height") ?? height) }

  fileprivate var isStill: Bool { frameSize.height == height }
}

extension VipsError {
  /// True if the encoder itself failed, and not an operation that computes its picture: a line of
  /// libvips's error text then begins with the encoder's name.
  fileprivate func isOf(_ saver: String) -> Bool {
    guard case .failed(_, let detail) = self else { return false }
    return detail.split(separator: "; ").contains { $0.hasPrefix("\(saver): ") }
  }
}

extension EncoderArgument {
  var argument: Argument {
    switch self {
    case .flag(let flag): .flag(flag)
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .choice(let nick): .choice(nick)
    case .text(let text): .text(text)
    }
  }
}
