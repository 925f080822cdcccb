import FileStructure
import Foundation
import PhotoMetadata
import PhotoRecipes
import PhotoRender
import TestSupport
import Testing
import Vips

/// Photo files from phones, from the corpus.
@Suite(.enabled(if: Corpus.isHere)) struct PhonePhotoTests {
  private static func photo(_ name: String) throws -> PhotoFile {
    let path = "\(Corpus.folder ?? "")/\(name)"
    return .bytes(Array(try Data(contentsOf: URL(filePath: path))))
  }

  private static func bytes(_ name: String) throws -> [UInt8] {
    guard case .bytes(let bytes) = try photo(name) else { return [] }
    return bytes
  }

  private static let small = #"[{"filter": "resize", "longEdge": 320}]"#

  /// Without phbatch's correction, libheif 1.15 refuses the file because of its tone map item.
  @Test func photosOfIOS18AreRead() throws {
    let name = "aux/ios26/iphone.heic"
    let header = try Renderer.header(of: Self.photo(name))
    #expect(header.size == Size(5_712, 4_284))
    #expect(header.captureDate == "2026-02-19T14:22:37")
    let file = try Studio.develop(Self.bytes(name), Self.small)
    let samples = try Samples(file: file)
    #expect(samples.width == 320)
    #expect(Set(samples.values).count > 100)
    // The same file is read through a file descriptor, and corrected while it is read.
    let handle = try #require(fopen("\(Corpus.folder ?? "")/\(name)", "r"))
    defer { fclose(handle) }
    #expect(try Renderer.header(of: .descriptor(fileno(handle))).size == header.size)
  }

  /// Rare HEIF files are read: thumbnails of another size than declared, grids, rotated files, and
  /// files with 10 or 12 bits.
  @Test(arguments: [
    ("formats/heic/Issue 437 (dotnet).heic", 4_000, 1_848),
    ("formats/heic/cat.hif", 4_240, 2_832), ("aux/pillow_heif/pug.heic", 4_032, 3_024),
    ("aux/exif-samples/iphone_13_pro_max.HEIC", 3_024, 4_032),
    ("formats/pillow/rot1mir1.avif", 640, 427),
    ("formats/avif/fox.profile2.12bpc.yuv422.avif", 1_204, 800),
  ])
  func rareKindsOfHEIFFilesAreRead(_ name: String, _ width: Int, _ height: Int) throws {
    let recipe = try Studio.recipe(Self.small)
    let (files, report) = try Studio.render(Self.bytes(name), recipe)
    #expect(report.header.size == Size(width, height))
    #expect(try Set(Samples(file: #require(files["out"])).values).count > 8)
  }

  /// A rendition in another format has no gain map, and its metadata must not announce one.
  @Test(arguments: [
    "aux/libvips/ultra-hdr.jpg", "aux/ultrahdr-samples/Ultra_HDR_Samples_Originals_02.jpg",
    "aux/libultrahdr/apple_gainmap_new.jpg", "live/edit/IMG_4682_edited.jpeg",
    "aux/libavif/paris_exif_xmp_icc_gainmap_bigendian.jpg",
  ])
  func aRenditionWithoutAGainMapHasNoMetadataAboutOne(_ name: String) throws {
    let recipe = try Studio.recipe(
      Self.small, output: #""format": "webp", "metadata": "all""#)
    let (files, report) = try Studio.render(Self.bytes(name), recipe)
    #expect(report.warnings.contains { $0.contains("gain map") }, "\(report.warnings)")
    let file = try #require(files["out"])
    let text = String(decoding: file, as: UTF8.self)
    for word in ["hdrgm", "GainMap", "gainmap", "MPF\0", "21496"] {
      #expect(!text.contains(word), "\(name): \(word)")
    }
  }

  /// Renditions in JPEG keep a gain map and its description.
  @Test(arguments: [
    "aux/libvips/ultra-hdr.jpg", "aux/ultrahdr-samples/Ultra_HDR_Samples_Originals_02.jpg",
    "aux/ultra-hdr-01.jpg", "aux/uhdr-vearutop.jpg", "aux/libavif/seine_sdr_gainmap_srgb.jpg",
  ])
  func renditionsInJPEGKeepTheGainMap(_ name: String) throws {
    let photo = try Self.bytes(name)
    let original = try #require(GainMap(of: .bytes(photo)))
    let recipe = try Studio.recipe(Self.small, output: #""format": "jpeg", "metadata": "all""#)
    let (files, report) = try Studio.render(photo, recipe)
    #expect(!report.warnings.contains { $0.contains("gain map") }, "\(report.warnings)")
    let map = try #require(GainMap(of: .bytes(files["out"] ?? [])))
    #expect(map.description.channels.count == original.description.channels.count)
    for (kept, channel) in zip(map.description.channels, original.description.channels) {
      #expect(abs(kept.minimum - channel.minimum) < 1e-6)
      #expect(abs(kept.maximum - channel.maximum) < 1e-6 && abs(kept.gamma - channel.gamma) < 1e-6)
    }
    let headroom = original.description.alternateHeadroom
    #expect(abs(map.description.alternateHeadroom - headroom) < 1e-6)
    func mean(_ map: GainMap) throws -> Double {
      let values = try Samples(file: map.picture).values
      return Double(values.reduce(0, +)) / Double(values.count)
    }
    #expect(try abs(mean(map) - mean(original)) < 1.5)
  }

  /// The gain maps of Apple's dialects and of HEIC and AVIF files reach each format; the highest
  /// gain is the headroom that the files state.
  @Test(
    arguments: [
      ("live/edit/IMG_4682.HEIC", 3.197087), ("live/edit/IMG_4682_edited.heic", 3.197087),
      ("live/edit/IMG_4682_edited.jpeg", 3.197087), ("aux/ios26/iphone.heic", 4.887384),
      ("aux/exif-samples/iphone_13_pro_max.HEIC", 3.116), ("live/edit/IMG_5492.HEIC", nil),
      ("aux/libultrahdr/apple_gainmap_new.jpg", 4.532783),
      ("aux/libultrahdr/apple_gainmap_old.jpg", 8), ("live/edit/IMG_5492_edited.heic", nil),
      ("aux/libavif/seine_sdr_gainmap_srgb.avif", nil),
    ] as [(String, Double?)])
  func gainMapsOfAllDialectsAreKept(_ name: String, _ headroom: Double?) throws {
    let photo = try Self.bytes(name)
    let read = GainMap(of: .bytes(photo))
    let original = try #require(read, "\(name)")
    if let headroom {
      let found = exp2(original.description.alternateHeadroom)
      #expect(abs(found - headroom) < 0.002 * headroom, "\(name): \(found)")
    }
    var levels: [Double] = []
    for format in ["jpeg", "heic", "avif", "jxl"] {
      if format == "heic" && !VipsRuntime.canEncodeHEVC { continue }
      let recipe = try Studio.recipe(
        Self.small, output: #""format": "\#(format)", "metadata": "all""#)
      let (files, report) = try Studio.render(photo, recipe)
      #expect(!report.warnings.contains { $0.contains("gain map") }, "\(report.warnings)")
      let kept = GainMap(of: .bytes(files["out"] ?? []))
      let map = try #require(kept, "\(name) \(format)")
      #expect(map.description.channels.count == original.description.channels.count)
      let values = try Samples(file: map.picture).values
      levels.append(Double(values.reduce(0, +)) / Double(values.count))
    }
    #expect((levels.max() ?? 0) - (levels.min() ?? 0) < 1.5, "\(name): \(levels)")
  }

  @Test func auxiliaryPicturesOfAPhotoAreListed() throws {
    let lines = try Renderer.description(
      of: Self.photo("aux/pillow_heif/pug.heic"), InputSettings())
    #expect(lines.contains("renditions can keep: depth map"))
    // The camera's MakerNote does not state the headroom of the map.
    #expect(lines.contains("in the file, but not in renditions: gain map"))
    #expect(lines.contains { $0.hasPrefix("item 49: grid, 4032x3024, 48 tiles") })
    let portrait = try Renderer.description(
      of: Self.photo("aux/ios-depth-sampler/image-with-matte.jpg"), InputSettings())
    #expect(portrait.contains { $0.contains("after the photo: matte") })
  }

  /// phbatch refuses this truncated file at once; libvips 8.14 hangs when it examines the file.
  @Test func aTruncatedVectorDrawingIsRefusedImmediately() throws {
    var inputs = InputSettings()
    let photo = try Self.photo("broken/libvips/truncated.svgz")
    #expect(throws: RenderError.unsupported(.svgz)) { try Renderer.header(of: photo, inputs) }
    inputs.formats = ["svg"]
    #expect(throws: RenderError.self) { try Renderer.header(of: photo, inputs) }
  }

  @Test func compressedVectorDrawingsAreRead() throws {
    var inputs = InputSettings()
    inputs.formats = ["svg"]
    let plain = try Renderer.header(of: Self.photo("formats/libvips/logo.svg"), inputs)
    let compressed = try Renderer.header(of: Self.photo("formats/libvips/logo.svgz"), inputs)
    #expect(plain.size == compressed.size)
  }
}
