import FileStructure

/// The place of the samples in a raw file of Panasonic.
///
/// The file states the length that the samples have when they are decoded, so their length in the
/// file follows from the coding: packets of 16 bytes for a number of pixels that divides the width.
/// - Source: ExifTool 12.57, `PanasonicRaw.pm` (tags); rawspeed, `Rw2Decoder.cpp` and
///   `PanasonicV4Decompressor.cpp` to V7 (packets and blocks); LibRaw 0.22, `pana8.cpp`.
struct PanasonicSamples {
  private enum Tag {
    static let width: UInt16 = 2
    static let height: UInt16 = 3
    static let bits: UInt16 = 10
    static let coding: UInt16 = 45
    static let stripes: UInt16 = 66
    static let stripeOffsets: UInt16 = 68
    static let stripeLengths: UInt16 = 70
    static let offset: UInt16 = 280
  }

  private static let packet = 16
  /// The bytes of a block in the codings 4 and 5.
  ///
  /// The parts of a block are exchanged, so the last block is stored as a whole.
  private static let block = 16_384
  private static let mostStripes = 5

  /// True if the file ends before its samples do.
  let areCut: Bool

  /// Reads the directory; nil if the coding is not known, as in files before 2008.
  init?(_ file: TIFFFile) {
    func number(_ tag: UInt16) -> Int? {
      file.field(tag).flatMap { file.numbers($0, limit: 8)?.first }
    }
    guard let start = number(Tag.offset), let coding = number(Tag.coding),
      let width = number(Tag.width), let height = number(Tag.height), width < 1 << 16,
      height < 1 << 16
    else { return nil }
    let end = file.source.count - file.start
    let isOf12Bits = number(Tag.bits) == 12
    let pixels: Int
    switch coding {
    case 4: pixels = 14
    case 5, 7: pixels = isOf12Bits ? 10 : 9
    case 6: pixels = isOf12Bits ? 14 : 11
    case 8:
      guard let count = number(Tag.stripes), let offsets = file.field(Tag.stripeOffsets),
        let lengths = file.field(Tag.stripeLengths)
      else { return nil }
      // Each list begins with two bytes that state its length; lengths are in bits.
      func entry(_ index: Int, of list: TIFFFile.Field) -> Int? {
        file.source.number(at: file.offset(list) + 2 + 4 * index, 4, file.order)
      }
      areCut = (0..<min(count, Self.mostStripes)).contains { index in
        guard let start = entry(index, of: offsets), let bits = entry(index, of: lengths) else {
          return true
        }
        return start + (bits + 7) / 8 > end
      }
      return
    default: return nil
    }
    guard width > 0, width % pixels == 0 else { return nil }
    let bytes = width / pixels * height * Self.packet
    let isInBlocks = coding < 6
    let stored = isInBlocks ? (bytes + Self.block - 1) / Self.block * Self.block : bytes
    areCut = start + stored > end
  }
}
