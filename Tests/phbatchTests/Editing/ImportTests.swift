import Foundation
import SystemPackage
import TestSupport
import Testing

/// `phbatch import` from the point of view of a photographer.
@Suite struct ImportCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let profile = "[Exposure]\nCompensation=-0.5\n[Wavelet]\nEnabled=true\n"

  private func path(_ name: String) -> String { folder[name].string }

  @Test func importWritesARecipeThatRuns() throws {
    let place = try Workplace()
    try place.folder.write(Self.profile, to: "IMG_1.JPG.pp3")
    let recipe = place.path("recipe.json")
    let result = try Command.run(["import", place.path("IMG_1.JPG.pp3"), "-o", recipe])
    #expect(result.code == 0)
    #expect(result.output == "wrote \(recipe): 1 filter\n")
    #expect(
      result.messages == """
        exact: Exposure.Compensation = -0.5 → exposure: the same change in stops
        dropped: Wavelet = on: phbatch has no filter for this

        """)
    #expect(
      try Command.run(["validate", recipe]).output
        == "\(recipe): org.example.imported.img-1-jpg 1.0.0 is valid\n")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  /// Camera Raw writes its settings into DNG files; a sidecar turns the photo beside it.
  @Test(.enabled(if: Corpus.isHere)) func importReadsSettingsInAPhotoAndTurnsThoseBesideIt() throws
  {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon_eos_6d.dng") })
    let inside = try Command.run(["import", path, "--format", "json"])
    #expect(inside.code == 0, "\(inside.messages)")
    let other = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-g10.jpg") })
    let none = try Command.run(["import", other])
    #expect(none.code == 65 && none.messages.contains("settings"), "\(none.messages)")
    var file = SyntheticDNG(width: 60, height: 40) { _, _, _ in 0.2 }
    file.orientation = 6
    try folder.write(file.bytes, to: "a.dng")
    try folder.write(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       xmlns:tiff="http://ns.adobe.com/tiff/1.0/" crs:HasSettings="True" tiff:Orientation="3"
       crs:RawFileName="a.dng"/></rdf:RDF></x:xmpmeta>
      """, to: "a.xmp")
    let beside = try Command.run(["import", self.path("a.xmp")])
    #expect(beside.output.contains(#""filter": "rotate", "angle": 90"#), "\(beside.output)")
  }

  /// A rotated crop needs the shape of the photo, which a DNG file states without EXIF.
  @Test func theShapeOfARawPhotoBesideTheSettingsIsUsed() throws {
    func imported(_ size: (Int, Int)?, crop: [Int]? = nil) throws -> String {
      let folder = try TemporaryFolder()
      if let size {
        var file = SyntheticDNG(width: size.0, height: size.1) { _, _, _ in 0.2 }
        file.crop = crop
        try folder.write(file.bytes, to: "a.dng")
      }
      try folder.write(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
         xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:HasSettings="True"
         crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.2" crs:CropRight="0.9"
         crs:CropBottom="0.7" crs:CropAngle="5" crs:RawFileName="a.dng"/></rdf:RDF></x:xmpmeta>
        """, to: "a.xmp")
      let result = try Command.run(["import", folder["a.xmp"].string])
      #expect(result.messages.contains("3:2 is assumed") == (size == nil), "\(result.messages)")
      return result.output
    }
    let (assumed, wide, square) = (
      try imported(nil), try imported((90, 60)), try imported((60, 60))
    )
    #expect(assumed == wide && square != wide)
    #expect(try imported((90, 60), crop: [10, 0, 60, 60]) == square)
  }

  /// RawTherapee states a crop in pixels, so a rotated one needs the size of the photo.
  @Test func theSizeOfARawPhotoBesideTheSettingsIsUsed() throws {
    try folder.write(SyntheticDNG(width: 90, height: 60) { _, _, _ in 0.2 }.bytes, to: "a.dng")
    try folder.write(
      "[RAW]\nPreExposure=2\n[Rotation]\nDegree=4\n[Crop]\nEnabled=true\nX=20\nY=20\nW=40\nH=20",
      to: "a.pp3")
    let result = try Command.run(["import", path("a.pp3")])
    #expect(result.messages.contains("the same part of the rotated photo"), "\(result.messages)")
    // The file belongs to a raw photo, although its name does not say so.
    #expect(result.output.contains(#""filter": "exposure", "stops": 1"#), "\(result.output)")
  }

  /// `status` and `import` agree on the program whose edit a file contains.
  @Test func anEditByDarktableInAFileOfCameraRawIsNamedAndConverted() throws {
    let place = try Workplace()
    try place.folder.write(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       xmlns:darktable="http://darktable.sf.net/" crs:HasSettings="True"
       crs:Exposure2012="+1.50"><darktable:history><rdf:Seq><rdf:li
       darktable:operation="exposure" darktable:enabled="1" darktable:modversion="5"
       darktable:params="00000000000000000000803f00004842000080c0"/></rdf:Seq>
      </darktable:history></rdf:Description></rdf:RDF></x:xmpmeta>
      """, to: "photos/a.jpg.xmp")
    let status = try Command.run(["status", place.library]).output
    #expect(status.contains("org.darktable"), "\(status)")
    let result = try Command.run(["import", place.path("photos/a.jpg.xmp")])
    #expect(result.output.contains(#""filter": "exposure", "stops": 1 "#), "\(result.output)")
    #expect(result.messages.contains("the settings of Camera Raw are left out"))
  }

  /// The image that Photos has rendered already contains the edit.
  @Test func anEditOfPhotosIsNotAppliedToItsOwnImage() throws {
    let settings = #"""
      {"metadata": {"masterWidth": 90, "masterHeight": 60, "orientation": 1}, "adjustments":
       [{"identifier": "Crop", "settings":
         {"xOrigin": 15, "yOrigin": 0, "width": 60, "height": 60}}]}
      """#
    let file = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
      <key>adjustmentData</key><data>\(Data(settings.utf8).base64EncodedString())</data>
      <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
      <key>adjustmentFormatVersion</key><string>1.4</string></dict></plist>
      """
    for hasImage in [true, false] {
      let place = try Workplace([])
      try place.folder.write(SyntheticPhoto.jpeg(width: 90, height: 60), to: "photos/IMG_1.JPG")
      try place.folder.write(file, to: "photos/IMG_1.AAE")
      if hasImage {
        try place.folder.write(SyntheticPhoto.jpeg(width: 60, height: 60), to: "photos/IMG_E1.JPG")
      }
      let result = try Command.run(
        ["import", place.path("photos/IMG_1.AAE"), "-o", place.path("recipe.json")])
      #expect(result.code == 0)
      #expect(result.messages.contains("edited image = IMG_E1.JPG") == hasImage)
      #expect(try place.reasons().reasons == ["IMG_1.JPG": "rendered"])
      let history = try Command.run(["history", place.library]).output
      #expect(history.contains("variant imported") == hasImage)
      #expect(history.contains("IMG_1.full.jpg 60×60"), "\(history)")
    }
  }

  @Test func importReplacesAnExistingFileOnlyWithTheOptionYes() throws {
    try folder.write(Self.profile, to: "a.pp3")
    try folder.write("mine", to: "recipe.json")
    let result = try Command.run(["import", path("a.pp3"), "-o", path("recipe.json")])
    #expect(result.code == 73)
    #expect(result.messages.contains("already exists"))
    #expect(result.output == "")
    #expect(try folder.read("recipe.json") == Array("mine".utf8))
    #expect(
      try Command.run(["import", path("a.pp3"), "-o", path("recipe.json"), "--yes"]).code == 0)
    #expect(try folder.read("recipe.json").first == UInt8(ascii: "{"))
    #expect(try folder.files() == ["a.pp3", "recipe.json"])
  }

  /// A FIFO is no file that a command may replace.
  @Test func importNamesTheRecipeThatCannotBeWritten() throws {
    try folder.write(Self.profile, to: "a.pp3")
    let recipe = path("none/recipe.json")
    let result = try Command.run(["import", path("a.pp3"), "-o", recipe])
    #expect(result.code == 73)
    #expect(result.messages.contains("Error: cannot write '\(recipe)': No such file"))
    #expect(result.messages.contains("hint: name a file in a folder that exists"))
  }

  @Test func importReplacesNoFIFO() throws {
    try folder.write(Self.profile, to: "a.pp3")
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let result = try Command.run(["import", path("a.pp3"), "-o", path("pipe"), "--yes"])
    #expect(result.code != 0 && result.messages.contains("a file is needed"), "\(result.messages)")
    #expect(
      try FileManager.default.attributesOfItem(atPath: path("pipe"))[.type] as? FileAttributeType
        != .typeRegular)
  }

  @Test func importPrintsTheRecipeToStdoutAndNotesToStderr() throws {
    try folder.write(Self.profile, to: "a.pp3")
    let result = try Command.run(["import", path("a.pp3"), "--identifier", "org.example.mine"])
    #expect(result.output.contains("\"identifier\": \"org.example.mine\""))
    #expect(!result.output.contains("Wavelet"))
    #expect(result.messages.contains("Wavelet"))
    #expect(try folder.files() == ["a.pp3"])
  }

  @Test func importNotesAreAlsoPrintedAsJSON() throws {
    try folder.write(Self.profile, to: "a.pp3")
    let result = try Command.run(["import", path("a.pp3"), "--format", "json"])
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let notes = json?["notes"] as? [[String: String]] ?? []
    #expect(notes.map { $0["fidelity"] } == ["exact", "dropped"])
    #expect(notes.map { $0["filter"] } == ["exposure", nil])
    #expect((json?["filters"] as? [[String: Any]])?.count == 1)
    #expect(result.messages == "")
  }

  @Test(
    arguments: [
      ("none.xmp", nil, 66, "cannot open"), ("text.xmp", "404: Not Found", 65, "not an AAE"),
      ("empty.aae", "", 65, "not an AAE"),
      ("bomb.xmp", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", 65, "column"),
      ("rating.pp3", "[General]\nRank=1\n", 65, "not contain settings"),
    ] as [(String, String?, Int32, String)])
  func importReportsWhyAFileCannotBeRead(
    _ name: String, _ text: String?, _ code: Int32, _ part: String
  ) throws {
    if let text { try folder.write(text, to: name) }
    let result = try Command.run(["import", path(name), "-o", path("recipe.json")])
    #expect(result.code == code)
    #expect(result.messages.contains(part))
    #expect(result.messages.contains("hint:"))
    #expect(result.output == "")
    #expect(try !folder.files().contains("recipe.json"))
  }

  @Test func importRefusesAHugeFile() throws {
    let text = String(repeating: "#\n", count: 1 << 20)
    try importReportsWhyAFileCannotBeRead("huge.pp3", text, 65, "larger than 1024 KiB")
  }

  @Test func importRefusesAnInvalidRecipeIdentifier() throws {
    try folder.write(Self.profile, to: "a.pp3")
    let result = try Command.run(["import", path("a.pp3"), "--identifier", "not one"])
    #expect(result.code == 65)
    #expect(result.messages.contains("reverse-DNS"))
  }
}

/// Runs `phbatch import` on sidecars that other programs wrote for real photos.
@Suite(.enabled(if: Corpus.isHere)) struct ImportCorpusTests {
  /// The files of the corpus that contain settings for photos; all others are refused.
  private static let imported: Set = [
    "IMG_5910.xmp", "PLIST.aae", "Ilford HP5 Plus -1.xmp", "Light and Airy Fine Art.xmp",
    "IMG_4120.AAE", "canon_eos_6d.xmp", "ladybug.xmp", "Brighten.pp3", "Film Negative.pp3",
    "Pop 1.pp3", "Pop 4 Black-and-White.pp3", "almost-all.xmp", "colorbalancergb.xmp",
    "enlarge-canvas.xmp", "exposure.xmp", "lut3d-srgb-pyramid.xmp", "multiple-modules.xmp",
    "orientation-180.xmp", "orientation-minus-90.xmp",
  ]

  @Test func everySidecarOfTheCorpusIsImportedOrRefused() throws {
    let folder = try TemporaryFolder()
    for file in Corpus.files(below: "sidecars") {
      let url = URL(filePath: file)
      guard ["aae", "xmp", "pp3"].contains(url.pathExtension.lowercased()) else { continue }
      let name = url.lastPathComponent
      let recipe = folder["\(name).json"].string
      let result = try Command.run(["import", file, "-o", recipe])
      #expect(result.code == (Self.imported.contains(name) ? 0 : 65), "\(name): \(result.messages)")
      guard result.code == 0 else { continue }
      #expect(try Command.run(["validate", recipe]).code == 0, "\(name)")
    }
  }
}
