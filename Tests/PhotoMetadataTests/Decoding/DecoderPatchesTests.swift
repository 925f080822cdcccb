import FileStructure
import PhotoMetadata
import Testing

/// The patches reorder the properties of a picture: first those that describe it, then those that
/// crop and rotate it.
@Suite struct DecoderPatchesTests {
  private static let size = BoxBytes.full(
    "ispe", 0, BoxBytes.number(30, 4) + BoxBytes.number(20, 4))
  private static let turn = BoxBytes.box("irot", [1])
  private static let flip = BoxBytes.box("imir", [0])

  /// A file of one picture with these property indices, each of one or two bytes.
  private static func file(_ numbers: [UInt8], isWide: Bool = false) -> [UInt8] {
    let entries = numbers.flatMap { isWide ? [$0 & 0x80, $0 & 0x7F] : [$0] }
    let table = BoxBytes.box(
      "ipma",
      [0, 0, 0, isWide ? 1 : 0] + BoxBytes.number(1, 4) + [0, 1, UInt8(numbers.count)] + entries)
    let properties = BoxBytes.box("iprp", BoxBytes.box("ipco", size + turn + flip) + table)
    return BoxBytes.items([(1, "av01")], [properties])
  }

  private static func patched(_ file: [UInt8]) -> [UInt8] {
    var file = file
    for patch in DecoderPatches.patches(for: .bytes(file)) {
      file.replaceSubrange(patch.offset..<(patch.offset + patch.bytes.count), with: patch.bytes)
    }
    return file
  }

  @Test(arguments: [false, true]) func descriptivePropertiesAreMovedBeforeCropAndRotation(
    _ isWide: Bool
  ) {
    let file = Self.file([0x82, 0x83, 1], isWide: isWide)
    #expect(Self.patched(file) == Self.file([1, 0x82, 0x83], isWide: isWide))
    #expect(
      DecoderPatches.descriptions(for: .bytes(file))
        == ["reordered before decoding: cropping and rotation come last"])
  }

  /// The order of crop and rotation properties affects the picture, so it is kept.
  @Test func cropAndRotationPropertiesKeepTheirOrder() {
    #expect(Self.patched(Self.file([0x83, 1, 0x82])) == Self.file([1, 0x83, 0x82]))
  }

  @Test func picturePropertiesInTheRightOrderAreNotChanged() {
    for numbers: [UInt8] in [[1, 0x82, 0x83], [1], [], [0x83], [1, 9, 0x82]] {
      #expect(DecoderPatches.patches(for: .bytes(Self.file(numbers))).isEmpty)
      #expect(DecoderPatches.descriptions(for: .bytes(Self.file(numbers))).isEmpty)
    }
  }
}
