public import PhotoRecipes
import Vips

/// Checks whether photos can be rendered with a part of a recipe, without reading a photo.
///
/// An image that the recipe names is decoded once, completely. Placeholders of a text get example
/// values.
public struct PartCheck {
  private let part: RecipePart
  private let recipe: Recipe
  private let sources: [String: PhotoFile]
  private let limits: RenderLimits
  private let image: NamedImage?

  /// The frame in which texts are drawn.
  private static let frame = Size(400, 400)
  /// The memory in bytes that Little CMS needs for the tables of a profile.
  private static let tableBytes = 16 << 20

  /// Prepares the check; reads the header if the part is an image.
  ///
  /// - Parameters:
  ///   - part: A part of `recipe`.
  ///   - recipe: The recipe.
  ///   - sources: The files of the part, by their paths as written in the recipe.
  ///   - limits: The limits of images.
  /// - Throws: `unreadableFile`, `unsupportedFile`, `tooManyFilePixels`.
  public init(
    _ part: RecipePart, of recipe: Recipe, _ sources: [String: PhotoFile], _ limits: RenderLimits
  ) throws(RenderError) {
    self.part = part
    self.recipe = recipe
    self.sources = sources
    self.limits = limits
    switch part {
    case .image(let file), .table(let file):
      let image = try NamedImage(file, sources[file.path] ?? .bytes([]))
      try image.check(limits)
      self.image = image
    case .text, .profile: image = nil
    }
  }

  /// The size of the image that is decoded, in megapixels.
  public var megapixels: Double { Double(image?.pixels ?? 0) / 1e6 }

  /// The memory that the check needs.
  public var needs: MemoryNeeds {
    let files = NamedFileMemory.bytes(sources.values.map(\.size))
    let own =
      switch part {
      case .image: image?.decodingBytes(asMap: false) ?? 0
      case .table:
        (image?.decodingBytes(asMap: true) ?? 0)
          + LookupTables.bytes(numbers: 3 * (image?.pixels ?? 0))
      case .text(let caption): DrawingMemory.bytes(.text(caption), in: Self.frame)
      case .profile: Self.tableBytes
      }
    let bytes = MemoryNeeds.withGaps(
      MemoryNeeds.working(pixels: image?.pixels ?? Self.frame.pixels) + files + own)
    return MemoryNeeds(usual: bytes, spilled: bytes)
  }

  /// Checks the part.
  ///
  /// - Throws: The reason why no photo can be rendered with the part.
  public func run() throws(RenderError) {
    var files: [String: [UInt8]] = [:]
    for (path, source) in sources { files[path] = try source.contents(named: path) }
    switch part {
    case .table(let file): _ = try LookupTables.shared.table(file, files, limits)
    case .image(let file): try Self.decode(file, files[file.path] ?? [])
    case .text(let caption): try Self.draw(caption, files)
    case .profile(_, let name):
      for output in recipe.outputs where output.name == name {
        try OutputColour.check(output, files: files)
      }
    }
  }

  private static func decode(_ file: NamedFile, _ bytes: [UInt8]) throws(RenderError) {
    _ = VipsRuntime.takeWarnings()
    do throws(VipsError) {
      let image = try Image.streamed(bytes)
      _ = try Image.calling("avg", ["in": .image(image)])
    } catch {
      throw .unreadableFile(file.path, error.reason)
    }
    if VipsRuntime.takeWarnings().signs.contains(.prematureEnd) {
      throw .unreadableFile(file.path, "pixels at the end of the picture are missing")
    }
  }

  private static func draw(
    _ caption: Caption, _ files: [String: [UInt8]]
  ) throws(RenderError) {
    do {
      let image = try CaptionImage(caption, files, TextTemplate.examples)
      _ = try image.pieces(in: frame)
    } catch RenderError.unusableText(var text) {
      // The values of placeholders depend on the photo, so the message shows the text as written.
      text.text = text.content
      throw .unusableText(text)
    } catch let error as RenderError {
      throw error
    } catch {
      let text = caption.content.text
      throw .unusableText(
        UnusableText(
          content: text, text: text, isBadMarkup: false,
          detail: (error as? VipsError)?.reason ?? "\(error)"))
    }
  }
}

extension RenderError {
  /// The text in the recipe that causes the error, and its key; nil for errors of a photo.
  public var culprit: (text: String, key: String?)? {
    switch self {
    case .unreadableFile(let path, _), .unsupportedFile(let path, _),
      .tooManyFilePixels(let path, _, _), .unusableProfile(let path), .unfitProfile(let path, _):
      (path, nil)
    case .unreadableFont(let path): (path, "fontFile")
    case .missingFont(let family): (family, "font")
    case .unusableText(let text): (text.content, "content")
    default: nil
    }
  }
}
