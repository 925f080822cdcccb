import FileStructure
import Glibc
import Notation

/// A Canon raw photo of the years 2000 to 2005 (CRW): a tree of records without EXIF.
///
/// - Source: P. Harvey, "The Canon RAW (CRW) File Format", 2005; ExifTool 12.57, Canon's raw tables.
package struct CRWFile {
  private enum Tag {
    static let makeAndModel = 0x080A
    static let date = 0x180E
    static let exposure = 0x1818
    static let focalLength = 0x1029
    static let shot = 0x102A
  }

  /// A record: its tag without the bits that tell where the value is, and the place of the value.
  private struct Record {
    let tag: Int
    let place: Range<Int>
  }

  private let source: ByteSource
  private let order: ByteOrder
  private let root: Range<Int>
  /// The maximum number of records that are read: folders of a damaged file may contain each other.
  private static let mostRecords = 1_000

  /// Reads the header; nil if the file is not a CRW file.
  init?(_ source: ByteSource) {
    let head = source.bytes(at: 0, 14)
    guard head.dropFirst(6).starts(with: "HEAPCCDR".utf8) else { return nil }
    order = head.starts(with: [0x4D, 0x4D]) ? .big : .little
    guard let length = head.number(at: 2, 4, order), length >= 14, length < source.count else {
      return nil
    }
    self.source = source
    root = length..<source.count
  }

  /// The records of all folders, at most `mostRecords`.
  private var records: [Record] {
    var records: [Record] = []
    var folders = [root]
    var count = 0
    while let folder = folders.popLast() {
      for entry in entries(of: folder) {
        count += 1
        guard count <= Self.mostRecords else { return records }
        guard let type = source.number(at: entry, 2, order),
          let size = source.number(at: entry + 2, 4, order),
          let start = source.number(at: entry + 6, 4, order)
        else { continue }
        let tag = type & 0x3FFF
        // The value is either in the entry itself or in the folder's heap.
        if type & 0xC000 == 0x4000 {
          records.append(Record(tag: tag, place: (entry + 2)..<(entry + 10)))
        } else if type & 0xC000 == 0, start <= folder.count, size <= folder.count - start {
          let place = (folder.lowerBound + start)..<(folder.lowerBound + start + size)
          let isFolder = [0x2800, 0x3000].contains(tag & 0x3800)
          if isFolder {
            folders.append(place)
          } else {
            records.append(Record(tag: tag, place: place))
          }
        }
      }
    }
    return records
  }

  /// The offsets of a folder's entries; the end of the folder says where they begin.
  private func entries(of folder: Range<Int>) -> [Int] {
    guard folder.count > 6, let offset = source.number(at: folder.upperBound - 4, 4, order),
      offset <= folder.count - 6,
      let count = source.number(at: folder.lowerBound + offset, 2, order)
    else { return [] }
    return (0..<count).map { folder.lowerBound + offset + 2 + 10 * $0 }
  }

  var blocks: Blocks {
    var exif = EXIF(order: order)
    for record in records {
      let bytes = source.bytes(at: record.place.lowerBound, min(record.place.count, 256))
      func hasNot(_ tag: EXIFTag) -> Bool { exif.fractions(tag).isEmpty }
      switch record.tag {
      case Tag.makeAndModel:
        let texts = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard texts.count >= 2 else { continue }
        exif.set(.make, text: texts[0])
        exif.set(.model, text: texts[1])
      case Tag.date:
        guard let seconds = bytes.number(at: 0, 4, order), seconds > 0 else { continue }
        exif.set(.taken, text: Self.date(seconds))
      case Tag.exposure:
        // The exponents of the exposure time and of the aperture (APEX).
        guard let time = bytes.float(at: 4, order), let aperture = bytes.float(at: 8, order),
          abs(time) < 20, (0..<20).contains(aperture)
        else { continue }
        Self.set(time: time, aperture: aperture, in: &exif)
      case Tag.shot:
        // Numbers of 16 bits: the first is the number of bytes, and the others are, by their index,
        // the sensitivity and its base, the aperture and the exposure time.
        let values = (0..<(bytes.count / 2)).map { index in
          Int(Int16(truncatingIfNeeded: bytes.number(at: 2 * index, 2, order) ?? 0))
        }
        guard values.count > 22 else { continue }
        let sensitivity = 100 * exp2(Double(values[1]) / 32) * exp2(Double(values[2]) / 32) / 32
        if values[2] > 0, (1...1e6).contains(sensitivity) {
          exif.set(.sensitivity, short: min(65_535, Int(sensitivity.rounded())))
        }
        let (aperture, time) = (Self.exponent(values[21]), Self.exponent(values[22]))
        if values[21] > 0, abs(time) < 20, aperture < 20, hasNot(.fNumber) {
          Self.set(time: time, aperture: aperture, in: &exif)
        }
      case Tag.focalLength:
        guard let length = bytes.number(at: 2, 2, order), length > 0 else { continue }
        exif.set(.focalLength, fractions: [(length, 1)])
      default: continue
      }
    }
    var blocks = Blocks()
    if !exif.isEmpty { blocks.exif = exif }
    return blocks
  }

  /// Sets the exposure time and the f-number by their exponents (APEX).
  private static func set(time: Double, aperture: Double, in exif: inout EXIF) {
    exif.set(
      .exposureTime,
      fractions: [
        time >= 0
          ? (1, Int(exp2(time).rounded())) : (Int((10 * exp2(-time)).rounded()), 10)
      ])
    exif.set(.fNumber, fractions: [(Int((10 * exp2(aperture / 2)).rounded()), 10)])
  }

  /// The exponent that Canon writes as a number of 1 ÷ 32; thirds are rounded to 12 and 20.
  ///
  /// - Source: ExifTool 12.57, `Canon.pm`: `CanonEv`.
  private static func exponent(_ value: Int) -> Double {
    let part = abs(value) % 32
    let whole = Double(abs(value) - part)
    let third = part == 0x0C ? 32.0 / 3 : part == 0x14 ? 64.0 / 3 : Double(part)
    return (value < 0 ? -1 : 1) * (whole + third) / 32
  }

  /// EXIF's text for the camera's clock, whose seconds count from 1970 in local time.
  private static func date(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = unsafe tm()
    // `gmtime_r` fails only if the year does not fit in 32 bits; the seconds do.
    _ = unsafe gmtime_r(&seconds, &parts)
    let day = unsafe [parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday]
    let time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    return [day, time].map { $0.map { Int($0).digits(2) }.joined(separator: ":") }
      .joined(separator: " ")
  }
}

extension [UInt8] {
  /// The number of four bytes at an offset as a float; nil if the array ends before, or for a NaN.
  fileprivate func float(at offset: Int, _ order: ByteOrder) -> Double? {
    guard let bits = number(at: offset, 4, order) else { return nil }
    let value = Double(Float(bitPattern: UInt32(bits)))
    return value.isNaN ? nil : value
  }
}
