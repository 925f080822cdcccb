import Testing
import Vips

@Suite struct HeaderTests {
  @Test func headerFieldsAreReadBackUnchanged() throws {
    let plain = try Image.ramp()
    let image = try plain.setting([
      "orientation": .integer(6), "stops": .number(0.5), "note": .text("Grüße"),
      "xmp-data": .blob([60, 120, 62]), "points": .numbers([0, 0.25, 1]),
      "delay": .integers([40, 50]),
      "thumb": .image(try Image.ramp(width: 2, height: 2)),
    ])
    guard case .integer(6) = image.field("orientation"), case .number(0.5) = image.field("stops"),
      case .text("Grüße") = image.field("note"),
      case .blob([60, 120, 62]) = image.field("xmp-data"),
      case .numbers([0, 0.25, 1]) = image.field("points"),
      case .integers([40, 50]) = image.field("delay"), case .image(let thumb) = image.field("thumb")
    else {
      Issue.record("a field is missing, or of another type")
      return
    }
    #expect(thumb.width == 2)
    #expect(image.fieldNames.contains("orientation"))
    #expect(plain.field("orientation") == nil && !plain.fieldNames.contains("orientation"))
    #expect(try image.pixels() == plain.pixels())
  }

  @Test func headerFieldsCanBeRemoved() throws {
    let image = try Image.ramp().setting(["orientation": .integer(6), "note": .text("a")])
    let bare = try image.setting(["orientation": nil, "never there": nil])
    #expect(bare.field("orientation") == nil)
    #expect(bare.field("note") != nil)
    #expect(image.field("orientation") != nil)
  }

  @Test func propertiesOfTheImageCannotBeSetAsFields() throws {
    let image = try Image.ramp()
    guard case .integer(64) = image.field("width"),
      case .text("srgb") = image.field("interpretation")
    else {
      Issue.record("width or interpretation is not as made")
      return
    }
    for name in ["width", "format", "interpretation", "xres", "filename"] {
      #expect(throws: VipsError.self) { try image.setting([name: .integer(3)]) }
    }
  }

  @Test(arguments: [
    Field.other("GType"), .integer(Int.max), .integers([1, Int.min]), .text("a\0b"),
  ])
  func fieldValuesThatCannotBeStoredThrow(_ value: Field) throws {
    let image = try Image.ramp()
    #expect(throws: VipsError.self) { try image.setting(["note": value]) }
  }

  /// An EXIF tag that is set together with a whole EXIF block replaces the tag in the block.
  ///
  /// libvips parses `exif-data` before the other fields are set, regardless of their order.
  @Test func anEXIFTagReplacesTheTagInTheEXIFBlock() throws {
    let tagged = try Image.ramp().setting(["exif-ifd0-Copyright": .text("(c) A")])
    let exif = try Image.load(from: Source(bytes: tagged.encoded(as: "jpegsave_target")))
    guard case .blob(let block) = exif.field("exif-data") else {
      Issue.record("the file has no EXIF block")
      return
    }
    let changed = try Image.ramp().setting([
      "exif-data": .blob(block), "exif-ifd0-Copyright": .text("(c) B"), "a": .integer(1),
    ])
    let file = try Image.load(from: Source(bytes: changed.encoded(as: "jpegsave_target")))
    guard case .text(let copyright) = file.field("exif-ifd0-Copyright") else {
      Issue.record("the file has no copyright")
      return
    }
    #expect(copyright.hasPrefix("(c) B"))
  }
}
