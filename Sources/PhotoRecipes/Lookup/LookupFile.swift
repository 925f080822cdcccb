import FileStructure
public import Notation

/// A file with a table for the filter `lut`: a `.cube` file or a HaldCLUT as PNG.
public struct LookupFile: Sendable {
  private let source: SourceText

  /// - Parameters:
  ///   - name: The file's path, used in messages.
  ///   - bytes: The file's content, or its beginning up to `longest` bytes.
  public init(name: String, bytes: [UInt8]) {
    source = SourceText(name: name, bytes: bytes)
  }

  /// The maximum size in bytes; a longer file is not a lookup file.
  public static let longest = CubeFile.longest

  public var isCube: Bool { source.name.lowercased().hasSuffix(".cube") }

  /// The table of a `.cube` file.
  public func table() throws(InvalidDocument) -> LookupTable { try CubeFile(source).table }

  /// The size in the file's PNG header; nil if the file is not PNG.
  private var pictureSize: Size? {
    PNGFile.size(of: .bytes(source.bytes)).map { Size($0.width, $0.height) }
  }

  /// Checks that the file's content matches the format of its name.
  ///
  /// The pixels of a HaldCLUT are not decoded.
  public func check() throws(InvalidDocument) {
    if isCube {
      _ = try table()
    } else if pictureSize.flatMap(HaldImage.level) == nil {
      let problem = Problem.contradiction(
        "the file is neither a .cube file nor a HaldCLUT",
        remedy: "use a PNG image of L³ × L³ pixels as HaldCLUT, with L from"
          + " \(HaldImage.levels.lowerBound) to \(HaldImage.levels.upperBound)")
      let location = SourceLocation(source: SourceText(name: source.name, bytes: []), offset: 0)
      throw InvalidDocument(diagnostics: [Diagnostic(problem, at: .root, location)])
    }
  }
}
