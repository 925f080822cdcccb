import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

/// Real sidecars of other programs, each beside a photo with the matching name.
@Suite(.enabled(if: Corpus.isHere)) struct ForeignCorpusTests {
  /// The expected description of each sidecar: its kind, with its version if it has one.
  private static let expected = [
    "darktable-tests/almost-all.xmp": "darktable 5",
    "darktable-tests/colorbalancergb.xmp": "darktable 4",
    "darktable-tests/enlarge-canvas.xmp": "darktable 5",
    "darktable-tests/exposure.xmp": "darktable 4",
    "darktable-tests/lut3d-srgb-pyramid.xmp": "darktable 5",
    "darktable-tests/multiple-modules.xmp": "darktable 4",
    "darktable-tests/orientation-180.xmp": "darktable 4",
    "darktable-tests/orientation-minus-90.xmp": "darktable 4",
    "exifr/IMG_5910.xmp": "alreadyApplied",
    "exiftool/PLIST.aae": "film",
    "exiftool/PLUS.xmp": "description",
    "exiftool/XMP.xmp": "description",
    "exiftool/XMP2.xmp": "description",
    "exiftool/XMP5.xmp": "description",
    "lightroom-presets/BW_Kodak_T-MAX_3200.xmp": "line 1, column 1: expected an element",
    "lightroom-presets/Ilford HP5 Plus -1.xmp": "preset",
    "lightroom-presets/Light and Airy Fine Art.xmp": "preset",
    "metadata-extractor/APhotoManager-exmaple.xmp": "description",
    "metadata-extractor/digikam-example.xmp": "description",
    "metadata-extractor/exiftool-9.74-example.xmp": "description",
    "metadata-extractor/jPhotoTagger-example.xmp": "description",
    "photoprism/IMG_4120.AAE": "aae 1.4",
    "photoprism/canon_eos_6d.xmp": "camera-raw 11.0",
    "photoprism/date.heic.xmp": "description",
    "photoprism/fstop-favorite.xmp": "description",
    "photoprism/iphone_7.xmp": "description",
    "photoprism/ladybug.xmp": "alreadyApplied",
    "photoprism/photoshop.xmp": "description",
    "rawtherapee/Brighten.pp3": "rawtherapee ",
    "rawtherapee/Film Negative.pp3": "rawtherapee ",
    "rawtherapee/Pop 1.pp3": "rawtherapee ",
    "rawtherapee/Pop 4 Black-and-White.pp3": "rawtherapee ",
  ]

  @Test func everyRealSidecarOfAnotherProgramIsRecognized() throws {
    let root = try #require(Corpus.folder) + "/sidecars/"
    var found: [String: String] = [:]
    for path in Corpus.files(below: "sidecars") {
      let name = String(path.dropFirst(root.count))
      let file = FilePath(path)
      guard let kind = file.extension?.lowercased(), ["aae", "xmp", "pp3"].contains(kind) else {
        continue
      }
      found[name] = try description(of: file)
    }
    #expect(found == Self.expected)
  }

  /// Describes a sidecar.
  ///
  /// A `.pp3` profile is named after the photo's full name, the other sidecars after its stem.
  private func description(of file: FilePath) throws -> String {
    let folder = try TemporaryFolder()
    let stem = try #require(file.stem)
    let kind = try #require(file.extension)
    let photo = stem.hasSuffix(".heic") ? stem : stem + ".jpg"
    try folder.write("", to: photo)
    let name = kind == "pp3" ? "\(photo).pp3" : "\(stem).\(kind)"
    let source = try RealFileSystem(root: file.removingLastComponent())
    let own = FilePath(try #require(file.lastComponent).string)
    try folder.write(try source.read(own, limit: 1 << 20), to: name)
    let files = try RealFileSystem(root: folder.path)
    let scanned = try #require(try Scan(files).map { try $0.get() }.first)
    switch ForeignFile.find(for: FileName(photo), in: scanned, files: files).first {
    case .edit(let edit): return "\(edit.kind.rawValue) \(edit.formatVersion)"
    case .companion(_, let reason): return "\(reason)"
    case .unreadable(_, let error), .unreadableAdjustment(_, let error, _): return error.message
    case nil: return "nothing"
    }
  }

  /// The original, the adjustment (AAE) and the edited image that an iPhone exports are recognized
  /// as one photo with an edit.
  @Test func theThreeFilesOfAnIPhoneExportAreOnePhotoWithAnEdit() throws {
    let folder = try TemporaryFolder()
    let root = try #require(Corpus.folder)
    let source = try RealFileSystem(root: FilePath("\(root)/sidecars/photoprism"))
    for name in ["IMG_4120.AAE", "IMG_4120.JPG", "IMG_E4120.JPG"] {
      try folder.write(try source.read(FilePath(name), limit: 1 << 20), to: "trip/\(name)")
    }
    let files = try RealFileSystem(root: folder.path)
    let scanned = try #require(try Scan(files).map { try $0.get() }.last)
    #expect(scanned.files.map { "\($0.name)" } == ["IMG_4120.JPG"])
    let found = ForeignFile.find(for: FileName("IMG_4120.JPG"), in: scanned, files: files)
    guard case .edit(let edit)? = found.first, found.count == 1 else {
      Issue.record("no edit, or more: \(found)")
      return
    }
    #expect(edit.formatIdentifier == "com.apple.photo")
    #expect(edit.current == "trip/IMG_E4120.JPG")
    #expect(
      "\(edit.digest)" == "22124f121e7201dadbcc0abd93c3483fc01fb046ab2f4eee4b1ac5d984e4addb")
  }
}
