/// A file format that phbatch recognises by its bytes, either to read the file or to refuse it with
/// the format's name.
///
/// Each format has exactly one object. All values that name the format refer to this object, so two
/// formats are compared by identity.
public final class InputFormat: Sendable {
  public enum Family: String, Sendable, CaseIterable {
    /// Still pictures that phbatch reads by default.
    case photo
    /// Raw photos, which contain the data of a camera's sensor.
    case raw
    case video
    /// Pages and vector drawings, which have no size in pixels.
    case document
    /// Pictures for which decoders are missing, or are not safe for files from untrusted sources.
    case picture
  }

  /// The name of the format in `select.where` and in reports: `jpeg`.
  public let name: String
  /// The name of the format in messages: `a Canon raw photo (CR2)`.
  public let title: String
  public let family: Family
  /// The file extensions in lower case, without the dot.
  public let extensions: [String]
  /// The value in `inputs.formats` by which a recipe requests the format; nil if the format is
  /// always read, or never.
  public let request: String?
  /// True if files of other formats may begin in the same way; the extension must then name this
  /// format.
  let isWeak: Bool
  /// The operation that reads the format; nil for formats that phbatch only recognises.
  public let loader: Loader?
  let matches: @Sendable (FileHead) -> Bool

  init(
    _ name: String, _ title: String, _ family: Family = .photo, _ extensions: String = "",
    request: String? = nil, isWeak: Bool = false, loader: Loader? = nil,
    matches: @escaping @Sendable (FileHead) -> Bool
  ) {
    self.name = name
    self.title = title
    self.family = family
    self.extensions = extensions.split(separator: " ").map(String.init)
    self.request = request
    self.isWeak = isWeak
    self.loader = loader ?? (family == .raw ? .raw : nil)
    self.matches = matches
  }

  /// True if `phbatch-video` reads the format.
  public var isFilm: Bool { [.mov, .mp4, .mkv].contains(self) }

  /// True for the name of a format of raw photos.
  static func isRaw(named name: String) -> Bool { rawPhotos.contains { $0.name == name } }

  /// True if the format is read without a request in the recipe.
  public var isPhoto: Bool { family == .photo }
}

extension InputFormat {
  /// The libvips operation that reads a format.
  public struct Loader: Sendable {
    /// The name of the libvips operation, such as `jpegload_source`; the installed libvips may lack
    /// it.
    public let operation: String
    /// True if files may contain several pictures that can be selected by number.
    public var hasFrames = false
    /// True if the format has no pixels of its own, so that a resolution must be set to draw a
    /// file.
    public var hasDensity = false
    /// True if the operation opens files only by path.
    public var needsPath = false

    public init(
      _ operation: String, hasFrames: Bool = false, hasDensity: Bool = false,
      needsPath: Bool = false
    ) {
      self.operation = operation
      self.hasFrames = hasFrames
      self.hasDensity = hasDensity
      self.needsPath = needsPath
    }

    /// phbatch's own loader of raw photos, by LibRaw.
    public static let raw = Loader("phbatch_rawload")
  }
}

extension InputFormat: Hashable {
  public static func == (left: InputFormat, right: InputFormat) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension InputFormat: CustomStringConvertible {
  public var description: String { name }
}

extension InputFormat {
  /// The hint for a raw file that cannot be read and has no embedded JPEG.
  public var rawConversion: String {
    self == .dng
      ? "save it as TIFF, or as a linear DNG of uncompressed 16-bit integers" : "convert it to DNG"
  }

  /// The hint for a user who wants to render a file of this format.
  public var remedy: String {
    if let request {
      return "add \"inputs\": {\"formats\": [\"\(request)\"]} to the recipe to read it"
    }
    switch family {
    case .photo: return "open it in an image viewer to check it"
    case .raw:
      return rawConversion + ", or add \"inputs\": {\"raw\": {\"fallback\": \"preview\"}} to the"
        + " recipe to render its embedded JPEG"
    case .video:
      return isFilm
        ? "add an output with \"format\": \"mp4\", \"mov\" or \"webm\" to the recipe to edit films"
        : "save a frame of it as a picture, or the film as MP4, first"
    case .document, .picture: return "save it as PNG, TIFF or JPEG first"
    }
  }
}
