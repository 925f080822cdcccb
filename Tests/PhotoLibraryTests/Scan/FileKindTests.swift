import Foundation
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import TestSupport
import Testing

@Suite struct FileKindTests {
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)

  private func kind(_ head: [UInt8], _ name: String) -> FileKind {
    FileKind(head: FileHead(head), name: FileName(name))
  }

  private func kind(_ head: String, _ name: String) -> FileKind { kind(Array(head.utf8), name) }

  /// The kind of a file; for an unsupported format only its family.
  enum Family: Equatable {
    case photo(InputFormat)
    case unsupported(InputFormat.Family)
    case unreadable(claimed: InputFormat)
    case notPhoto

    init(_ kind: FileKind) {
      switch kind {
      case .photo(let format): self = .photo(format)
      case .unsupported(let format): self = .unsupported(format.family)
      case .unreadable(let claimed, _): self = .unreadable(claimed: claimed)
      case .notPhoto: self = .notPhoto
      }
    }
  }

  @Test(arguments: ["a.jpg", "a", "a.png", "a.txt", "a.nef", "a.mov", ".jpg", "a.pdf"])
  func theBytesOfAJPEGDetermineTheKindWhateverTheExtension(_ name: String) {
    #expect(kind(Self.jpeg, name) == .photo(.jpeg))
  }

  @Test func aFileWithAPhotoExtensionAndOtherContentIsUnreadable() {
    #expect(kind("hello", "a.JPG") == .unreadable(claimed: .jpeg, found: nil))
    #expect(kind("", "a.heic") == .unreadable(claimed: .heif, found: nil))
    #expect(kind("%PDF-1.7", "a.jpg") == .unreadable(claimed: .jpeg, found: .pdf))
    #expect(
      kind("\0\0\0\u{18}ftypmp42\0\0\0\0isom", "a.jpg")
        == .unreadable(claimed: .jpeg, found: .mp4))
    #expect(kind("8BPS\0\u{1}", "a.jpg") == .unsupported(.psd))
  }

  @Test(arguments: ["readme.txt", "a", "a.xmp", "a.jpg.phbatch.json", "a.superlongextension"])
  func filesWithoutPhotoContentAndExtensionAreNotPhotos(_ name: String) {
    #expect(kind("hello", name) == .notPhoto)
  }

  @Test func formatsWithoutASignatureAreRecognizedByExtension() {
    #expect(kind("", "a.mov") == .unsupported(.mov))
    #expect(kind("anything", "a.CR2") == .unsupported(.cr2))
    #expect(kind("", "a.svgz") == .unsupported(.svgz))
    #expect(kind("\0\0\u{2}\0", "a.tga") == .unsupported(.picture))
  }

  @Test func formatsWithAShortSignatureAlsoNeedTheirExtension() {
    #expect(kind("P6\n1 1\n255\n", "a.ppm") == .unsupported(.ppm))
    #expect(kind("P6\n1 1\n255\n", "a.txt") == .notPhoto)
    #expect(kind("BM, a letter", "a.txt") == .notPhoto)
    #expect(kind("<p>An <svg> is", "a.html") == .notPhoto)
    #expect(kind("\u{FEFF} <?xml version='1.0'?><svg>", "a.xml") == .unsupported(.svg))
  }

  @Test(arguments: [
    ("heic", "mif1", FileKind.photo(.heif)), ("avif", "mif1", .photo(.avif)),
    ("mif1", "avif", .photo(.avif)), ("mif1", "heic", .photo(.heif)), ("tmap", "", .photo(.heif)),
    ("crx ", "isom", .unsupported(.cr3)), ("qt  ", "", .unsupported(.mov)),
    ("isom", "mif1", .unsupported(.mp4)), ("xxxx", "", .unsupported(.mp4)),
  ])
  func theBrandsOfAnISOFileDetermineTheFormat(
    _ major: String, _ compatible: String, _ expected: FileKind
  ) {
    let size = UInt8(16 + compatible.utf8.count)
    let head = [0, 0, 0, size] + Array("ftyp\(major)\0\0\0\0\(compatible)".utf8)
    #expect(kind(head, "a") == expected)
  }

  /// A TIFF directory of these entries, each with a tag and one 16-bit value.
  private func tiff(_ entries: [(tag: UInt16, value: UInt16)], isLittle: Bool) -> [UInt8] {
    func bytes(_ number: UInt16) -> [UInt8] {
      let high = UInt8(number >> 8)
      let low = UInt8(number & 255)
      return isLittle ? [low, high] : [high, low]
    }
    let start: [UInt8] =
      isLittle ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    let type = bytes(3)
    let one = isLittle ? bytes(1) + bytes(0) : bytes(0) + bytes(1)
    var tiff = start + bytes(UInt16(entries.count))
    for entry in entries { tiff += bytes(entry.tag) + type + one + bytes(entry.value) + [0, 0] }
    return tiff
  }

  @Test(arguments: [true, false])
  func rawFilesAreDistinguishedFromTIFFFiles(_ isLittle: Bool) {
    #expect(kind(tiff([(262, 2)], isLittle: isLittle), "a.tif") == .photo(.tiff))
    #expect(kind(tiff([(262, 2)], isLittle: isLittle), "a.NEF") == .unsupported(.nef))
    #expect(kind(tiff([(262, 32_803)], isLittle: isLittle), "a.tif") == .unsupported(.raw))
    #expect(kind(tiff([(50_706, 1)], isLittle: isLittle), "a") == .unsupported(.dng))
    #expect(kind(tiff([(254, 1), (330, 9)], isLittle: isLittle), "a.jpg") == .unsupported(.raw))
    #expect(kind(tiff([(254, 0), (330, 9)], isLittle: isLittle), "a.tif") == .photo(.tiff))
  }

  /// Distinguishes raw files from BigTIFF, which has eight-byte offsets and counts.
  @Test func rawFilesAreDistinguishedFromBigTIFFFiles() {
    func file(_ low: UInt8, _ high: UInt8) -> [UInt8] {
      let start: [UInt8] = [0x49, 0x49, 43, 0, 8, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0]
      let zeros = [UInt8](repeating: 0, count: 7)
      return start + [1] + zeros + [low, high, 3, 0, 1] + zeros + [1] + zeros
    }
    // Tag 50706 is DNGVersion, tag 256 the width.
    #expect(kind(file(0x12, 0xC6), "a.tif") == .unsupported(.dng))
    #expect(kind(file(0, 1), "a.tif") == .photo(.tiff))
    let far = [0x49, 0x49, 43, 0, 8, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
    #expect(kind(far, "a.tif") == .photo(.tiff))
  }

  /// The first bytes of a file always give a file kind, even if they are truncated or hostile.
  @Test func everyTruncatedStartOfAFileGivesAKind() {
    let full = tiff([(254, 1), (330, 9)], isLittle: true)
    for count in 0...full.count { _ = kind(Array(full.prefix(count)), "a.tif") }
    let far: [UInt8] = [0x49, 0x49, 42, 0, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(kind(far, "a.tif") == .photo(.tiff))
    #expect(kind([0, 0, 0, 0] + Array("ftypheic".utf8), "a") == .photo(.heif))
    #expect(kind([0xFF, 0xFF, 0xFF, 0xFF] + Array("ftypheic".utf8), "a") == .photo(.heif))
  }

  // MARK: Tests with the files of the corpus

  private static func corpus() throws -> RealFileSystem {
    try RealFileSystem(root: FilePath(#require(Corpus.folder)))
  }

  /// The kind that each format in the corpus's index must have; ExifTool determined the names of
  /// the formats.
  private static let formats: [String: Family] = [
    "JPEG": .photo(.jpeg), "jpg": .photo(.jpeg), "MPO": .photo(.jpeg), "PNG": .photo(.png),
    "png": .photo(.png), "APNG": .photo(.png), "WEBP": .photo(.webp),
    "Extended WEBP": .photo(.webp), "GIF": .photo(.gif), "TIFF": .photo(.tiff),
    "BTF": .photo(.tiff), "HEIC": .photo(.heif), "HEIF": .photo(.heif), "AVIF": .photo(.avif),
    "JXL": .photo(.jxl), "JXL Codestream": .photo(.jxl), "JP2": .photo(.jp2),
    "JPX": .photo(.jp2), "J2C": .photo(.jp2), "PPM": .unsupported(.picture),
    "PGM": .unsupported(.picture),
    "PBM": .unsupported(.picture), "PFM": .unsupported(.picture), "EXR": .unsupported(.picture),
    "HDR": .unsupported(.picture),
    "CR2": .unsupported(.raw), "CR3": .unsupported(.raw), "CRW": .unsupported(.raw),
    "DNG": .unsupported(.raw), "NEF": .unsupported(.raw), "RAF": .unsupported(.raw),
    "MRW": .unsupported(.raw), "RW2": .unsupported(.raw), "IIQ": .unsupported(.raw),
    "X3F": .unsupported(.raw), "RAW": .unsupported(.raw), "MP4": .unsupported(.video),
    "MOV": .unsupported(.video), "AVI": .unsupported(.video), "3GP": .unsupported(.video),
    "MKV": .unsupported(.video),
    "M2TS": .unsupported(.video), "empty .mov": .unsupported(.video),
    "PDF": .unsupported(.document), "SVG": .unsupported(.document),
    "GZIP": .unsupported(.document), "PSD": .unsupported(.picture), "BMP": .unsupported(.picture),
    "TGA": .unsupported(.picture), "ICO": .unsupported(.picture), "FITS": .unsupported(.picture),
    "DICOM": .unsupported(.picture), "qoi": .unsupported(.picture), "XMP": .notPhoto,
    "AAE": .notPhoto, "PP3": .notPhoto, "ICC": .notPhoto, "CUBE": .notPhoto, "3DL": .notPhoto,
  ]

  /// The kinds of corpus files for which the format in the corpus's index gives a wrong kind.
  ///
  /// These files are an animation that ExifTool takes for a film, two pictures in the compact form
  /// of HEIF (`mini`), and two files that do not start like the format in their name.
  private static let corrections: [String: Family] = [
    "aux/libavif/colors-animated-8bpc-depth-exif-xmp.avif": .photo(.avif),
    "formats/heic/lightning_mini.heif": .unsupported(.picture),
    "broken/metadata-extractor/21a84b8472f6d18f5bb5c0026e97cfaa.jpg": .unreadable(claimed: .jpeg),
    "broken/pillow/negative_size.ppm": .unsupported(.picture),
    "formats/heic/simple_osm_tile_alpha.avif": .unsupported(.picture),
  ]

  @Test(.enabled(if: Corpus.isHere))
  func everyFileOfTheCorpusIsClassifiedCorrectly() throws {
    let files = try Self.corpus()
    let rows = try Corpus.index()
    #expect(rows.count > 400)
    for columns in rows {
      let path = FilePath(columns[0])
      let name = FileName(try #require(path.lastComponent))
      let expected = try #require(
        Self.corrections[columns[0]] ?? Self.formats[columns[4]], "\(columns[0]): \(columns[4])")
      let found = try FileKind(of: files.open(path), named: name, in: files)
      #expect(Family(found) == expected, "\(columns[0])")
    }
  }

  /// Recognizes camera formats by their first bytes alone, regardless of the file's name.
  @Test(
    .enabled(if: Corpus.isHere),
    arguments: [
      ("raw/exiftool/CanonRaw.cr2", InputFormat.cr2), ("raw/exiftool/CanonRaw.cr3", .cr3),
      ("raw/exiftool/CanonRaw.crw", .crw), ("raw/exiftool/DNG.dng", .dng),
      ("raw/exiftool/FujiFilm.raf", .raf), ("raw/exiftool/Minolta.mrw", .mrw),
      ("raw/exiftool/Nikon.nef", .nef), ("raw/exiftool/Panasonic.rw2", .rw2),
      ("raw/exiftool/PhaseOne.iiq", .iiq), ("raw/exiftool/Sigma.x3f", .x3f),
      ("raw/exiv2/Canon-R6-pruned.CR3", .cr3), ("raw/exiv2/IMG_1361.dng", .dng),
      ("raw/imageio/Nikon_uncompressed.nef", .nef), ("raw/photoprism/canon_eos_6d.dng", .dng),
      ("video/exiftool/M2TS.mts", .mts), ("video/exiftool/Matroska.mkv", .mkv),
      ("video/exiftool/QuickTime.mov", .mov), ("video/metadata-extractor/100_0306.AVI", .avi),
      ("video/metadata-extractor/sample.3gp", .mp4), ("video/photoprism/earth.mov", .mov),
    ])
  func rawAndVideoFormatsAreRecognizedByContentAlone(_ path: String, _ expected: InputFormat) throws
  {
    let files = try Self.corpus()
    let file = try files.open(FilePath(path))
    #expect(try FileKind(of: file, named: FileName("photo"), in: files) == .unsupported(expected))
  }

  /// If the directory of a TIFF file is beyond the bytes that are read first, it is read too before
  /// the file is classified as a photo.
  @Test func aTIFFDirectoryFarFromTheStartOfTheFileIsRead() throws {
    let far = tiff([(50_706, 1)], isLittle: true).dropFirst(8)
    let offset = 20_000
    var head: [UInt8] = [0x49, 0x49, 42, 0, UInt8(offset & 255), UInt8(offset >> 8), 0, 0]
    head += [UInt8](repeating: 0, count: FileHead.length - head.count)
    let missing = try #require(FileHead(head).missing)
    #expect(missing.lowerBound == offset)
    let whole = FileHead(head, directory: (offset, Array(far)))
    #expect(FileKind(head: whole, name: FileName("a.tif")) == .unsupported(.dng))
    #expect(FileKind(head: FileHead(head), name: FileName("a.tif")) == .photo(.tiff))
  }
}
