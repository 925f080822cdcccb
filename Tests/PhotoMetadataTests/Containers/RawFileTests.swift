import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// Metadata and embedded JPEGs of raw files that are not ordinary TIFF files.
@Suite(.enabled(if: ExifTool.isHere)) struct RawFileTests {
  private static func big(_ number: Int) -> [UInt8] { ByteOrder.big.bytes(number, 4) }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Box.bytes(name, content)
  }

  /// A TIFF file with one directory; values of more than 4 bytes follow it.
  private static func tiff(
    version: Int = 42, _ entries: [(tag: Int, type: Int, bytes: [UInt8])]
  ) -> [UInt8] {
    let order = ByteOrder.little
    var directory = order.bytes(entries.count, 2)
    var values: [UInt8] = []
    let end = 8 + 2 + 12 * entries.count + 4
    for (tag, type, bytes) in entries {
      let width = type == 3 ? 2 : 1
      directory += order.bytes(tag, 2) + order.bytes(type, 2) + order.bytes(bytes.count / width, 4)
      if bytes.count <= 4 {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        directory += order.bytes(end + values.count, 4)
        values += bytes
      }
    }
    return Array("II".utf8) + order.bytes(version, 2) + order.bytes(8, 4) + directory
      + [0, 0, 0, 0] + values
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private static let primary: [(Int, Int, [UInt8])] = [
    (0x010F, 2, text("CAMERAMAKER")), (0x0110, 2, text("CAMERAMODEL X1")), (0x0112, 3, [6, 0]),
  ]
  private static let photo: [(Int, Int, [UInt8])] = [(0x9003, 2, text("2020:01:02 03:04:05"))]

  /// A CR3 file with two embedded JPEGs, the larger in a track.
  private static func cr3(large: [UInt8], small: [UInt8]) -> [UInt8] {
    let canon: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
      0x48,
    ]
    let preview: [UInt8] = [
      0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D,
      0x16,
    ]
    let canonTags =
      box("CMT1", tiff(primary)) + box("CMT2", tiff(photo))
      + box("CMT3", tiff([(6, 2, text("MAKERNOTE IMAGE TYPE"))]))
      + box("CMT4", tiff([(1, 2, text("N"))]))
    let head = box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8))
    func movie(_ offset: Int) -> [UInt8] {
      let table =
        box("stsz", big(0) + big(large.count) + big(1))
        + box("co64", big(0) + big(1) + big(0) + big(offset))
      return box(
        "moov",
        box("uuid", canon + canonTags)
          + box("trak", box("mdia", box("minf", box("stbl", table)))))
    }
    let shown = box(
      "uuid",
      preview + big(0) + big(1)
        + box("PRVW", big(0) + [0, 1, 0, 60, 0, 40, 0, 1] + big(small.count) + small))
    let start = head.count + movie(0).count + shown.count + 8
    return head + movie(start) + shown + box("mdat", large)
  }

  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    let jpeg = try Specimen.full.get()
    let exif = tiff(primary + [(0x8769, 4, [])].filter { !$0.2.isEmpty })
    return [
      (
        "raf",
        Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 48, count: 68) + big(100)
          + big(jpeg.count) + [UInt8](repeating: 0, count: 8) + jpeg + [1, 2, 3]
      ),
      ("rw2", tiff(version: 0x55, [(0x0002, 3, [9, 0]), (0x002E, 7, jpeg)])),
      ("rw2 without a JPEG", tiff(version: 0x55, [(0x0002, 3, [9, 0])] + primary)),
      ("orf", tiff(version: 0x4F52, primary)),
      ("orf of another version", tiff(version: 0x5352, primary)),
      (
        "mrw",
        Array("\0MRM".utf8) + big(24 + exif.count) + Array("\0PRD".utf8) + big(8)
          + [UInt8](repeating: 0, count: 8) + Array("\0TTW".utf8) + big(exif.count) + exif
      ),
      ("cr3", cr3(large: jpeg, small: try Specimen.plain("jpeg"))),
    ]
  }

  @Test func theMetadataAreFoundInEveryContainer() throws {
    for (name, bytes) in try Self.files() {
      let metadata = Metadata(of: .bytes(bytes))
      #expect(PhotoDetails(metadata).camera == "CAMERAMAKER CAMERAMODEL X1", "\(name)")
      #expect(metadata.orientation == 6, "\(name)")
      #expect(metadata.attachments.isEmpty, "\(name)")
    }
  }

  @Test func theDirectoriesOfACR3FileBecomeOneBlock() throws {
    let file = Self.cr3(
      large: try Specimen.full.get(), small: try Specimen.plain("jpeg"))
    let tags = try ExifTool.tags(
      of: Metadata(of: .bytes(file)).embedded(in: Specimen.plain("jpeg")))
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2020:01:02 03:04:05")
    #expect(tags["GPS:GPSLatitudeRef"] == "N")
    #expect(tags["IFD0:Make"] == "CAMERAMAKER")
  }

  @Test func theLargestEmbeddedJPEGIsFound() throws {
    let (large, small) = (try Specimen.full.get(), try Specimen.plain("jpeg"))
    #expect(large.count > small.count)
    let file = Self.cr3(large: large, small: small)
    #expect(RawFile(of: .bytes(file))?.preview == large)
    // Without the samples at its end, the file still has the small one.
    #expect(RawFile(of: .bytes(Array(file.dropLast(large.count))))?.preview == small)
  }

  /// Lengths and offsets of damaged files lead nowhere.
  @Test func damagedFilesEndNoProcess() throws {
    for bytes in try Self.files().map(\.bytes) + [Self.crw] {
      for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
        let file = RawFile(of: .bytes(Array(bytes.prefix(length))))
        _ = file?.preview
        _ = Metadata(of: .bytes(Array(bytes.prefix(length))))
      }
      for place in stride(from: 0, to: min(bytes.count, 2_000), by: 3) {
        var damaged = bytes
        for index in place..<min(place + 4, damaged.count) { damaged[index] = 0xFF }
        _ = RawFile(of: .bytes(damaged))?.preview
        _ = Metadata(of: .bytes(damaged))
      }
    }
  }

  /// ExifTool reads the same exposure.
  @Test(.enabled(if: Corpus.isHere)) func theExposureOfACRWFileIsRead() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-d30.crw") })
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let details = PhotoDetails(Metadata(of: .bytes(file)))
    #expect(details.exposureTime == 5 && details.aperture == 5.7 && details.sensitivity == 100)
  }

  /// A CRW file with a folder in a folder; CRW files have no orientation.
  private static let crw: [UInt8] = {
    let order = ByteOrder.little
    /// A folder: values, a list of their records, and the offset of this list.
    func folder(_ records: [(tag: Int, bytes: [UInt8])]) -> [UInt8] {
      var (values, entries): ([UInt8], [UInt8]) = ([], [])
      for (tag, bytes) in records {
        entries += order.bytes(tag, 2) + order.bytes(bytes.count, 4) + order.bytes(values.count, 4)
        values += bytes
      }
      return values + order.bytes(records.count, 2) + entries + order.bytes(values.count, 4)
    }
    let inner = folder([
      (0x080A, text("CAMERAMAKER") + text("CAMERAMODEL X1")),
      (0x1818, [0, 0, 0, 0] + order.bytes(0x40C0_0000, 4) + order.bytes(0x4080_0000, 4)),
      (0x1029, [0, 0] + order.bytes(50, 2)),
    ])
    let root = folder([(0x2807, inner), (0x180E, order.bytes(1_000_000_000, 4) + inner.prefix(8))])
    return Array("II".utf8) + order.bytes(14, 4) + Array("HEAPCCDR".utf8) + root
  }()

  @Test func theRecordsOfACRWFileBecomeExif() throws {
    let metadata = Metadata(of: .bytes(Self.crw))
    #expect(PhotoDetails(metadata).camera == "CAMERAMAKER CAMERAMODEL X1")
    let tags = try ExifTool.tags(of: metadata.embedded(in: Specimen.plain("jpeg")))
    #expect(tags["ExifIFD:DateTimeOriginal"] == "2001:09:09 01:46:40")
    #expect(tags["ExifIFD:FNumber"] == "4" && tags["ExifIFD:FocalLength"] == "50")
  }

  /// A folder of a CRW file that contains itself a hundred times.
  @Test func foldersThatContainEachOtherAreReadOnce() {
    let order = ByteOrder.little
    let count = 100
    let entries = 2 + 10 * count
    let entry =
      order.bytes(0x2807, 2) + order.bytes(entries + 4, 4) + order.bytes(0, 4)
    let folder =
      order.bytes(count, 2) + (0..<count).flatMap { _ in entry } + order.bytes(0, 4)
    let file = Array("II".utf8) + order.bytes(14, 4) + Array("HEAPCCDR".utf8) + folder
    #expect(RawFile(of: .bytes(file)) != nil)
    #expect(Metadata(of: .bytes(file)).exif == nil)
  }

  /// The tags of real files, also Canon's own, are those that ExifTool reads from the raw file.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      (
        "exiv2/Canon-R6-pruned.CR3",
        ["ExifIFD:LensModel", "Canon:CanonImageType", "Canon:LensType"]
      ),
      ("exiftool/CanonRaw.cr3", ["ExifIFD:LensModel", "Canon:CanonImageType"]),
      ("exiftool/FujiFilm.raf", ["FujiFilm:Quality", "ExifIFD:FNumber"]),
      ("exiftool/Panasonic.rw2", ["ExifIFD:FNumber", "Panasonic:WhiteBalance"]),
      ("exiftool/Minolta.mrw", ["ExifIFD:FNumber"]), ("canon-d30.crw", []),
      ("exiftool/CanonRaw.crw", []),
    ])
  func realFilesKeepTheirTags(_ name: String, _ tags: [String]) throws {
    let path = try #require(Corpus.folder) + "/raw/\(name)"
    let bytes = try [UInt8](#require(FileManager.default.contents(atPath: path)))
    let found = try ExifTool.tags(
      of: Metadata(of: .bytes(bytes)).embedded(in: Specimen.plain("jpeg")))
    let wanted = try ExifTool.tags(of: bytes)
    for tag in ["IFD0:Model", "ExifIFD:DateTimeOriginal"] + tags {
      // Files without EXIF have the same facts in groups of their own.
      let name = ":" + (tag.split(separator: ":").last ?? "")
      let values =
        wanted[tag].map { [$0] } ?? wanted.filter { $0.key.hasSuffix(name) }.map(\.value)
      #expect(found[tag].map(values.contains) == true, "\(tag): \(found[tag] ?? "") \(values)")
    }
  }
}
