public import FileStructure

/// The channels of a JPEG 2000 file, and their meaning.
///
/// - Source: ITU-T T.800, A.5.1 (SIZ) and I.5.3 (boxes of the header); ITU-T T.801, table M.25
///   (colour spaces).
public struct JP2Channels: Sendable, Hashable {
  public enum Model: Sendable, Hashable {
    case grey, rgb
    /// Brightness and two colour differences: sYCC.
    case ycc
    /// CMYK; the highest value is most ink.
    case inks

    /// The number of channels of the colours.
    public var colours: Int {
      switch self {
      case .grey: 1
      case .rgb, .ycc: 3
      case .inks: 4
      }
    }
  }

  public struct Channel: Sendable, Hashable {
    /// The index of the component in the codestream.
    public let component: Int
    /// The palette's column from which the channel gets its values; nil if the channel has the
    /// component's own samples.
    public let column: Int?
  }

  public struct Palette: Sendable, Hashable {
    /// The entries, row by row.
    public let entries: [Int]
    /// The number of bits of each column.
    public let bits: [Int]
  }

  public let model: Model
  /// The colours in the order of the model, then alpha if the file has it.
  public let channels: [Channel]
  public let palette: Palette?
  /// True if colours are premultiplied by alpha.
  public let isPremultiplied: Bool
  /// The ICC profile, which libvips 8.14 ignores; nil if the header states a colour space by its
  /// code.
  public let profile: [UInt8]?

  /// Reads a file; nil if it is no JPEG 2000 file, or its header is damaged.
  ///
  /// - Throws: `UnreadColours` for colours that cannot be converted to RGB.
  public init?(of source: ByteSource) throws(UnreadColours) {
    guard let file = JP2File(source), let components = JP2Component.all(in: file) else {
      return nil
    }
    let header = JP2Header(file)
    if header.isDamaged { return nil }
    palette = header.palette
    profile = file.profile
    let all =
      header.mapping
      ?? palette.map { palette in palette.bits.indices.map { Channel(component: 0, column: $0) } }
      ?? components.indices.map { Channel(component: $0, column: nil) }
    // The limit also counts components that belong to no channel, because a decoder keeps them in
    // memory, too.
    guard components.count <= Self.mostComponents else { throw .channels(components.count) }
    guard all.allSatisfy({ components.indices.contains($0.component) }) else { return nil }
    let alpha = header.definitions.first { $0.isAlpha && all.indices.contains($0.channel) }
    isPremultiplied = alpha?.isPremultiplied ?? false
    var colours = header.definitions.filter { $0.colour != nil && all.indices.contains($0.channel) }
      .sorted { ($0.colour ?? 0, $0.channel) < ($1.colour ?? 0, $1.channel) }.map(\.channel)
    if colours.isEmpty { colours = all.indices.filter { $0 != alpha?.channel } }
    let isSubsampled = palette == nil && components.haveCoarseColours
    model = try header.model(of: colours.count, isSubsampled: isSubsampled)
    // If the file does not define its channels, the channel after the colours is alpha.
    let rest = Array(colours.dropFirst(model.colours))
    let mayEndWithAlpha = alpha == nil && header.definitions.isEmpty
    guard rest.count <= (mayEndWithAlpha ? 1 : 0) else { throw .channels(all.count) }
    let last = alpha?.channel ?? rest.first
    channels = (Array(colours.prefix(model.colours)) + (last.map { [$0] } ?? [])).map { all[$0] }
  }

  /// The maximum number of components: four colours and alpha.
  private static let mostComponents = 5

  public var hasAlpha: Bool { channels.count > model.colours }
}

/// A component of a codestream.
struct JP2Component {
  /// The horizontal distance between the component's samples on the reference grid, in pixels;
  /// `down` is the vertical distance.
  let across: Int
  let down: Int

  /// The components in the header of a codestream; nil if it is damaged.
  fileprivate static func all(in file: JP2File) -> [JP2Component]? {
    let start = file.isBare ? 0 : file.boxes.first { $0.name == "jp2c" }?.content.lowerBound
    guard let start, let count = file.source.number(at: start + 40, 2, .big),
      file.source.bytes(at: start, 4) == [0xFF, 0x4F, 0xFF, 0x51],
      let bytes = file.source.whole(at: start + 42, 3 * count), count > 0
    else { return nil }
    return (0..<count).map {
      JP2Component(across: Int(bytes[3 * $0 + 1]), down: Int(bytes[3 * $0 + 2]))
    }
  }
}

extension [JP2Component] {
  /// True if the second and third of three components have fewer samples than the first, as colour
  /// differences have.
  fileprivate var haveCoarseColours: Bool {
    guard count == 3, self[0].across == 1, self[0].down == 1 else { return false }
    return dropFirst().allSatisfy { $0.across * $0.down > 1 }
  }
}
