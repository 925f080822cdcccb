/// A kind of file as its bytes tell it: what phbatch reads, and what it knows by name and refuses.
///
/// There is one object for each format: a library's files are told by references to it.
public final class InputFormat: Sendable {
  public enum Family: String, Sendable, CaseIterable {
    /// Still pictures that are read.
    case photo
    /// A camera's sensor data.
    case raw
    case video
    /// Pages and drawings without a size in pixels.
    case document
    /// Pictures whose decoders are not for files from strangers, or are not there.
    case picture
  }

  /// As `select.where` and reports say it: `jpeg`.
  public let name: String
  /// As messages say it: `a Canon raw photo (CR2)`.
  public let title: String
  public let family: Family
  /// In small letters, without the point.
  public let extensions: [String]
  /// The word by which a recipe asks for it in `inputs.formats`; nil: it is read always, or never.
  public let request: String?
  /// True if files of other formats may begin in the same way; the extension must then name this
  /// format.
  let isWeak: Bool
  let matches: @Sendable (FileHead) -> Bool

  init(
    _ name: String, _ title: String, _ family: Family = .photo, _ extensions: String = "",
    request: String? = nil, isWeak: Bool = false,
    matches: @escaping @Sendable (FileHead) -> Bool
  ) {
    self.name = name
    self.title = title
    self.family = family
    self.extensions = extensions.split(separator: " ").map(String.init)
    self.request = request
    self.isWeak = isWeak
    self.matches = matches
  }

  /// True if the format is read without a request in the recipe.
  public var isPhoto: Bool { family == .photo }
}

extension InputFormat: Hashable {
  public static func == (left: InputFormat, right: InputFormat) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension InputFormat: CustomStringConvertible {
  public var description: String { name }
}

extension InputFormat {
  /// The hint for a user who wants a file of this format rendered.
  public var remedy: String {
    if let request {
      return "say \"inputs\": {\"formats\": [\"\(request)\"]} in the recipe to read it"
    }
    switch family {
    case .photo: return "open it in a viewer"
    case .raw: return "develop it first, or let the camera write JPEG too"
    case .video: return "take a frame out of it first"
    case .document, .picture: return "save it as PNG, TIFF or JPEG first"
    }
  }
}
