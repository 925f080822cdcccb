public import PhotoRecipes
import Vips

/// A PNG image that shows photos before and after an edit, in pairs, each pair under its name.
public struct ContactSheet {
  public struct Pair: Sendable {
    public var title: String
    /// The image files of the photo before and after the edit; nil if the pair has no pictures to
    /// show.
    public var pictures: (before: [UInt8], after: [UInt8])?

    public init(_ title: String, _ pictures: (before: [UInt8], after: [UInt8])?) {
      self.title = title
      self.pictures = pictures
    }
  }

  private let pairs: [Pair]

  public init(_ pairs: [Pair]) { self.pairs = pairs }

  /// The maximum width and height of a picture, in pixels.
  private static let tile = Size(480, 480)
  private static let gap = 12
  private static let margin = 32
  private static let line = 34
  /// The maximum number of pairs in one column; a sheet with more pairs has two columns.
  private static let column = 12
  private static let paper = [244.0, 243, 240]
  private static let ink = [28.0, 27, 25]

  /// Writes the sheet to an empty file.
  ///
  /// - Parameters:
  ///   - descriptor: The file's descriptor, open for writing.
  ///   - mark: The keyword, without spaces, of a compressed text chunk in the PNG file.
  /// - Returns: The sheet's size.
  /// - Throws: `RenderError` if a picture cannot be decoded or the file cannot be written.
  public func write(to descriptor: Int32, mark: String) throws(RenderError) -> Size {
    do throws(VipsError) {
      var rows: [Image] = []
      for pair in pairs { rows.append(try row(pair)) }
      let length = rows.count > Self.column ? (rows.count + 1) / 2 : rows.count
      var sheet = try Self.joined(rows.prefix(length), "vertical")
      if length < rows.count {
        let second = try Self.joined(rows.dropFirst(length), "vertical")
        sheet = try Self.joined([sheet, second], "horizontal")
      }
      let framed = try Self.embedded(
        sheet, Self.margin, Self.margin,
        Size(sheet.width + 2 * Self.margin, sheet.height + 2 * Self.margin)
      ).setting(["png-comment-0-\(mark)": .text("Photos before and after")])
      try framed.save(to: Target(descriptor: descriptor), as: "pngsave_target", [:])
      return Size(framed.width, framed.height)
    } catch { throw RenderError(error) }
  }

  /// Joins images side by side or one below the other; without images the result is empty.
  private static func joined(
    _ images: ArraySlice<Image>, _ direction: String
  ) throws(VipsError) -> Image {
    guard var joined = images.first else { return try title(" ", width: tile.width) }
    for image in images.dropFirst() {
      joined = try joined.applying(
        "join",
        [
          "in2": .image(image), "direction": .choice(direction), "expand": .flag(true),
          "shim": .integer(margin), "background": .numbers(paper),
        ])
    }
    return joined
  }

  private func row(_ pair: Pair) throws(VipsError) -> Image {
    let width = 2 * Self.tile.width + Self.gap
    let title = try Self.title(pair.title, width: width)
    guard let pictures = pair.pictures else {
      return try Self.embedded(title, 0, 0, Size(width, Self.line))
    }
    let (before, after) = (try Self.picture(pictures.before), try Self.picture(pictures.after))
    let height = Self.line + max(before.height, after.height)
    var row = try Self.embedded(title, 0, 0, Size(width, height))
    for (image, left) in [(before, 0), (after, Self.tile.width + Self.gap)] {
      row = try row.applying(
        "insert",
        ["sub": .image(image), "x": .integer(left), "y": .integer(Self.line)])
    }
    return row
  }

  private static func picture(_ bytes: [UInt8]) throws(VipsError) -> Image {
    let image = try Image.recognised(bytes)
    let scale = min(
      1, Double(tile.width) / Double(image.width), Double(tile.height) / Double(image.height))
    let size = Size(image.width, image.height).scaled(by: scale)
    return try image.applying(
      .resize,
      [
        "width": .integer(size.width), "height": .integer(size.height), "format": .choice("uchar"),
      ]
    ).materialized()
  }

  /// A line of text on the sheet's background.
  private static func title(_ text: String, width: Int) throws(VipsError) -> Image {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
    let letters = try Image.calling(
      "text",
      [
        "text": .text(escaped), "font": .text("sans-serif 15"), "dpi": .integer(72),
      ]
    ).image("out")
    let cover = try letters.applying(
      "extract_area",
      [
        "left": .integer(0), "top": .integer(0), "width": .integer(min(width, letters.width)),
        "height": .integer(min(line, letters.height)),
      ])
    // The colour of a pixel is between the colours of paper and ink, in proportion to the coverage
    // by letters.
    let slopes = zip(paper, ink).map { ($1 - $0) / 255 }
    return try cover.applying(
      "linear", ["a": .numbers(slopes), "b": .numbers(paper), "uchar": .flag(true)]
    ).applying("copy", ["interpretation": .choice("srgb")]).materialized()
  }

  private static func embedded(
    _ image: Image, _ left: Int, _ top: Int, _ size: Size
  ) throws(VipsError) -> Image {
    try image.applying(
      "embed",
      [
        "x": .integer(left), "y": .integer(top), "width": .integer(size.width),
        "height": .integer(size.height), "extend": .choice("background"),
        "background": .numbers(paper),
      ])
  }
}
