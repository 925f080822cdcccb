import FileStructure
import Notation
import PhotoMetadata
import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// Renditions keep the photo's mattes and depth map, cropped, rotated and resized like the photo.
@Suite struct AuxiliaryRenditionTests {
  private static let photo = Samples(192, 128) { x, y in [60 + x / 2, 90 + y, 200 - x / 2] }
  /// The sample of the map at a position of the stored photo, 0…1.
  private static func level(_ x: Double, _ y: Double) -> Double { 20 + 120 * x + 90 * y }
  private static let levels = Samples(96, 64) { x, y in
    [Int(level((Double(x) + 0.5) / 96, (Double(y) + 0.5) / 64).rounded())]
  }
  private static let made = AuxiliaryJPEGFile(photo: photo, levels: levels)

  /// The ways in which a file contains a map.
  enum Origin: CaseIterable {
    case matte, skin, disparity, depth, inXMP, appended, avif

    var kind: AuxiliaryPicture {
      switch self {
      case .matte: .portrait
      case .skin: .skin
      case .disparity, .depth, .inXMP, .appended, .avif: .depth
      }
    }

    /// True if Google describes the map, so that it becomes a disparity outside JPEG files.
    var isGoogle: Bool { self == .inXMP || self == .appended }

    func file() throws -> [UInt8] {
      switch self {
      case .matte: try made.indexed("depth", "portraiteffectsmatte")
      case .skin: try made.indexed("urn:com:apple:photo:2019:aux:semanticskinmatte", nil)
      case .disparity: try made.indexed("disparity", nil)
      case .depth: try made.indexed("depth", nil)
      case .inXMP: try made.inXMP(#"GDepth:Format="RangeInverse" GDepth:Near="1" GDepth:Far="4""#)
      case .appended: try made.dynamic(#"DepthMap:Format="RangeInverse""#)
      case .avif:
        // libheif returns the alpha of an AVIF file in the photo's size.
        try AuxiliaryFile.made(
          photo,
          Samples(192, 128) { x, y in
            [Int(level((Double(x) + 0.5) / 192, (Double(y) + 0.5) / 128).rounded())]
          }, .depth)
      }
    }
  }

  private static let formats =
    VipsRuntime.canEncodeHEVC ? ["jpeg", "heic", "avif"] : ["jpeg", "avif"]

  private static func rendered(
    _ file: [UInt8], _ filters: String, _ format: String, _ metadata: String = #""all""#
  ) throws -> (file: [UInt8], warnings: [String]) {
    let output = #""format": "\#(format)", "metadata": \#(metadata)"#
    let (files, report) = try Studio.render(file, Studio.recipe(filters, output: output))
    return (try #require(files["out"]), report.warnings)
  }

  /// Steps of a recipe; each is listed with a function from a position in the rendition to the
  /// position in the stored photo.
  private static let geometry: [(String, @Sendable (Double, Double) -> (Double, Double))] = [
    ("[]", { ($0, $1) }),
    (#"[{"filter": "resize", "width": 140}]"#, { ($0, $1) }),
    (
      #"[{"filter": "crop", "left": 48, "right": 48, "bottom": 64}]"#,
      { (0.25 + $0 / 2, $1 / 2) }
    ),
    (#"[{"filter": "rotate", "angle": 90}]"#, { ($1, 1 - $0) }),
    (#"[{"filter": "flip", "direction": "horizontal"}]"#, { (1 - $0, $1) }),
    (
      #"[{"filter": "rotate", "angle": 180}, {"filter": "exposure", "stops": 0.5}]"#,
      { (1 - $0, 1 - $1) }
    ),
  ]

  @Test(arguments: Origin.allCases)
  func mattesAndDepthMapsAreCroppedRotatedAndResizedWithThePhoto(_ origin: Origin) throws {
    let file = try origin.file()
    let offset = Origin.allCases.firstIndex(of: origin) ?? 0
    for (number, format) in Self.formats.enumerated() {
      for (index, (filters, place)) in Self.geometry.enumerated()
      where TestVolume.isWhole || (index + number + offset) % 3 == 0 {
        let found = try Self.rendered(file, filters, format)
        try Self.check(found, origin, format, place, filters)
      }
    }
  }

  private static func check(
    _ found: (file: [UInt8], warnings: [String]), _ origin: Origin, _ format: String,
    _ place: (Double, Double) -> (Double, Double), _ words: String
  ) throws {
    let about = "\(origin) \(format) \(words)"
    #expect(!found.warnings.contains { $0.contains("depth") || $0.contains("matte") }, "\(about)")
    let all = AuxiliaryData.all(in: .bytes(found.file))
    #expect(all.map(\.kind) == [origin.kind], "\(about)")
    let data = try #require(all.first)
    #expect(data.isInXMP == (origin.isGoogle && format == "jpeg"), "\(about)")
    let isNearness = origin.isGoogle && format != "jpeg"
    #expect((data.range != nil) == (data.isInXMP || origin == .depth), "\(about)")
    let picture = try Samples(file: data.picture)
    let whole = try Samples(file: found.file)
    let shape = Double(picture.width) / Double(picture.height)
    #expect(abs(shape / (Double(whole.width) / Double(whole.height)) - 1) < 0.02, "\(about)")
    #expect(picture.width <= whole.width && picture.height <= whole.height, "\(about)")
    for y in stride(from: 1, to: picture.height - 1, by: 5) {
      for x in stride(from: 1, to: picture.width - 1, by: 5) {
        let (u, v) = place(
          (Double(x) + 0.5) / Double(picture.width), (Double(y) + 0.5) / Double(picture.height))
        let wanted = isNearness ? 255 - level(u, v) : level(u, v)
        #expect(abs(Double(picture[x, y, 0]) - wanted) <= 4, "\(about): \(x), \(y)")
      }
    }
  }

  @Test func mapsAreTurnedUprightWithThePhoto() throws {
    var turned = Self.made
    turned.orientation = 6
    for format in Self.formats {
      let found = try Self.rendered(turned.indexed("disparity", nil), "[]", format)
      try Self.check(found, .disparity, format, { ($1, 1 - $0) }, "orientation 6")
    }
  }

  /// A mask of a rendition covers the same positions as that of its original.
  @Test(arguments: Origin.allCases)
  func aRenditionHasTheMaskOfItsOriginal(_ origin: Origin) throws {
    let file = try origin.file()
    let mask =
      origin.kind == .depth
      ? #"{"depth": {"min": 0.55, "feather": 0.4}}"# : #"{"matte": {"of": "\#(origin.kind)"}}"#
    let step = #"{"filter": "invert", "mask": \#(mask)}"#
    let crop = #"{"filter": "crop", "left": 40, "top": 10, "right": 20, "bottom": 22}"#
    let png = #""format": "png", "bitDepth": "8""#
    let wanted = try Samples(file: Studio.develop(file, "[\(crop), \(step)]", output: png))
    let plain = try Samples(file: Studio.develop(file, "[\(crop)]", output: png))
    #expect(plain.difference(from: wanted) > 60)
    for format in Self.formats {
      let rendition = try Self.rendered(file, "[\(crop)]", format).file
      let found = try Samples(file: Studio.develop(rendition, "[\(step)]", output: png))
      let differences = zip(found.values, wanted.values).map { abs($0 - $1) }
      let mean = Double(differences.reduce(0, +)) / Double(differences.count)
      #expect(mean < 3.5, "\(origin) \(format): \(mean)")
    }
  }

  /// The XMP of the rendition describes the same distances.
  @Test func googlesDescriptionsAreKept() throws {
    let format = #"Format="RangeLinear" X:Near="0.25" X:Far="9.5" X:Units="m""#
    for (name, file) in [
      ("GDepth", try Self.made.inXMP("GDepth:" + format.replacing("X:", with: "GDepth:"))),
      ("DepthMap", try Self.made.dynamic("DepthMap:" + format.replacing("X:", with: "DepthMap:"))),
    ] {
      let before = try #require(AuxiliaryData(.depth, in: .bytes(file)))
      let found = try Self.rendered(file, #"[{"filter": "rotate", "angle": 90}]"#, "jpeg")
      let after = try #require(AuxiliaryData(.depth, in: .bytes(found.file)))
      #expect(after.range == before.range && after.range?.near == 0.25, "\(name)")
      let text = String(decoding: found.file, as: UTF8.self)
      #expect(text.contains("<GDepth:Format>RangeLinear<") && !text.contains("DepthMap"))
      #expect(text.contains("<GDepth:Mime>image/png<") && !text.contains("Directory"))
    }
  }

  /// The descriptions of the camera follow the crop, or are left out with a warning.
  @Test func theCalibrationOfTheCameraFollowsTheGeometry() throws {
    func list(_ values: [Double]) -> String {
      "<rdf:Seq>\(values.map { "<rdf:li>\($0)</rdf:li>" }.joined())</rdf:Seq>"
    }
    let matrix = list([200, 0, 0, 0, 200, 0, 100, 60, 1])
    let file = try Self.made.indexed(
      "disparity", nil,
      """
      <depthData:IntrinsicMatrix>\(matrix)</depthData:IntrinsicMatrix>\
      <depthData:IntrinsicMatrixReferenceWidth>192</depthData:IntrinsicMatrixReferenceWidth>\
      <depthData:IntrinsicMatrixReferenceHeight>128</depthData:IntrinsicMatrixReferenceHeight>\
      <depthData:Quality>high</depthData:Quality>
      """)
    func numbers(_ name: String, in text: String) -> [Double] {
      guard let start = text.firstRange(of: "<depthData:\(name)>"),
        let end = text.firstRange(of: "</depthData:\(name)>")
      else { return [] }
      return text[start.upperBound..<end.lowerBound]
        .split { "<>\n ".contains($0) }.compactMap { Double($0) }
    }
    for format in Self.formats {
      let crop = #"[{"filter": "crop", "left": 48, "top": 8, "width": 132, "height": 120}]"#
      let found = try Self.rendered(file, crop, format)
      #expect(!found.warnings.contains { $0.contains("calibration") }, "\(found.warnings)")
      let text = String(decoding: found.file, as: UTF8.self)
      let kept = numbers("IntrinsicMatrix", in: text)
      try #require(kept.count == 9, "\(format)")
      for (value, wanted) in zip(kept, [200.0, 0, 0, 0, 200, 0, 52, 52, 1]) {
        #expect(abs(value - wanted) < 1e-6, "\(format): \(kept)")
      }
      #expect(numbers("IntrinsicMatrixReferenceWidth", in: text) == [132])
      #expect(numbers("IntrinsicMatrixReferenceHeight", in: text) == [120])
      let corners = "[[0.1, 0.1], [0.9, 0], [1, 1], [0, 0.8]]"
      let bent = try Self.rendered(
        file, #"[{"filter": "perspective", "corners": \#(corners)}]"#, format)
      #expect(
        bent.warnings.contains {
          $0.contains("the camera's calibration is not in the depth map of 'out': the perspective")
        }, "\(bent.warnings)")
      let rest = String(decoding: bent.file, as: UTF8.self)
      #expect(!rest.contains("IntrinsicMatrix") && rest.contains("<depthData:Quality>high<"))
      #expect(AuxiliaryData(.depth, in: .bytes(bent.file)) != nil)
    }
  }

  /// A matte covers nothing on a border and below a text.
  @Test func aMatteCoversNothingOnBordersAndBelowTexts() throws {
    let file = try Origin.matte.file()
    let border = try Self.rendered(
      file, ##"[{"filter": "border", "width": 64, "colour": "#ffffff"}]"##, "jpeg")
    #expect(!border.warnings.contains { $0.contains("matte") }, "\(border.warnings)")
    let framed = try Samples(
      file: #require(AuxiliaryData(.portrait, in: .bytes(border.file))).picture)
    #expect(framed[2, 2, 0] <= 3 && framed[framed.width - 3, framed.height / 2, 0] <= 3)
    let middle = Double(framed[framed.width / 2, framed.height / 2, 0])
    #expect(abs(middle - Self.level(0.5, 0.5)) <= 5)
    let text = try Self.rendered(
      file, ##"[{"filter": "text", "content": "██████", "size": 0.5, "colour": "#fff"}]"##, "jpeg")
    let covered = try Samples(
      file: #require(AuxiliaryData(.portrait, in: .bytes(text.file))).picture)
    #expect(covered[covered.width / 2, covered.height / 2, 0] <= 6)
    #expect(abs(Double(covered[covered.width / 2, 2, 0]) - Self.level(0.5, 2.5 / 64)) <= 6)
  }

  @Test(arguments: [
    (##"{"filter": "border", "width": 20, "colour": "#fff"}"##, "what surrounds the photo"),
    (##"{"filter": "text", "content": "a", "size": 0.2, "colour": "#fff"}"##, "what is drawn"),
    (#"{"filter": "external", "command": ["echo"]}"#, "after the step 'external'"),
    (#"{"filter": "censor", "width": 0.5, "method": "fill"}"#, "after the step 'censor'"),
  ])
  func depthMapsThatWouldNotFitAreLeftOutWithAReason(_ step: String, _ reason: String) throws {
    for origin in [Origin.disparity, .inXMP] {
      let found = try Self.rendered(origin.file(), "[\(step)]", "jpeg")
      #expect(AuxiliaryData.all(in: .bytes(found.file)).isEmpty)
      #expect(
        found.warnings.contains { $0.contains("depth map is not in 'out': \(reason)") },
        "\(found.warnings)")
      let text = String(decoding: found.file, as: UTF8.self)
      #expect(!text.contains("GDepth") && !text.contains("MPF\0"))
    }
  }

  /// Renditions without the photo's metadata, and formats without a place for the pictures, get
  /// none, with a warning.
  @Test(arguments: Origin.allCases)
  func otherRenditionsGetNone(_ origin: Origin) throws {
    let name = origin.kind == .depth ? "depth map" : "matte"
    for (format, metadata) in [
      ("jpeg", #""web""#), ("jpeg", #""none""#), ("png", #""all""#), ("jxl", #""all""#),
      ("avif", #""web""#),
    ] {
      let found = try Self.rendered(origin.file(), "[]", format, metadata)
      #expect(
        found.warnings.contains("not in the renditions: the photo's \(name)"),
        "\(found.warnings)")
      #expect(AuxiliaryData.all(in: .bytes(found.file)).isEmpty)
      let text = String(decoding: found.file, as: UTF8.self)
      for word in ["GDepth", "DepthMap", "apdi", "MPF\0", "auxid", "matte"] {
        #expect(!text.contains(word), "\(origin) \(format): \(word)")
      }
    }
  }

  /// A rule of the metadata counts in the descriptions of the maps, too.
  @Test func rulesReachTheDescriptionsOfTheMaps() throws {
    let file = try Self.made.indexed(
      "disparity", nil,
      """
      <apdi:FloatMinValue>0.25</apdi:FloatMinValue>\
      <depthData:Quality>high</depthData:Quality>\
      <exif:GPSLatitude xmlns:exif="http://ns.adobe.com/exif/1.0/">48,12.3456N</exif:GPSLatitude>\
      <p:City xmlns:p="http://ns.adobe.com/photoshop/1.0/">Traunstein</p:City>\
      <d:creator xmlns:d="http://purl.org/dc/elements/1.1/"><rdf:Seq><rdf:li>Ada Byron</rdf:li>\
      </rdf:Seq></d:creator>\
      <depthData:Place rdf:parseType="Resource"><e:GPSLongitude \
      xmlns:e="http://ns.adobe.com/exif/1.0/">11,38.9876E</e:GPSLongitude></depthData:Place>
      """)
    let places = ["12.3456", "38.9876", "Traunstein"]
    let rules: [(metadata: String, denied: [String], kept: [String])] = [
      (#""all""#, [], places + ["Ada Byron", ">high<", ">0.25<"]),
      (#"{"drop": ["gps"]}"#, places, ["Ada Byron", ">high<", ">0.25<"]),
      (
        #"{"preset": "all", "gps": "round(10)"}"#, Array(places.prefix(2)),
        ["Ada Byron", ">0.25<"]
      ),
      (
        #"{"drop": ["dc:creator", "location"]}"#, ["Ada Byron", "Traunstein"],
        ["12.3456", ">high<"]
      ),
      (#"{"drop": ["depthData:*"]}"#, [">high<", "38.9876"], ["Ada Byron", ">0.25<"]),
      (#"{"drop": ["other", "people"]}"#, [">high<"], ["Ada Byron", ">0.25<"]),
    ]
    for (number, rule) in rules.enumerated() {
      let (metadata, denied, kept) = rule
      for (index, format) in Self.formats.enumerated()
      where TestVolume.isWhole || (number + index) % Self.formats.count == 0 {
        let found = try Self.rendered(file, "[]", format, metadata)
        #expect(AuxiliaryData(.depth, in: .bytes(found.file)) != nil, "\(format) \(metadata)")
        let text = String(decoding: found.file, as: UTF8.self)
        for word in denied { #expect(!text.contains(word), "\(format) \(metadata): \(word)") }
        for word in kept { #expect(text.contains(word), "\(format) \(metadata): \(word)") }
      }
    }
  }

  /// `auxiliary` keeps or drops the maps whatever the metadata say.
  @Test func anOutputKeepsOrDropsTheMapsOnRequest() throws {
    for origin in Origin.allCases {
      for format in Self.formats {
        let dropped = try Self.rendered(
          origin.file(), "[]", format, #""all", "auxiliary": "drop""#)
        #expect(AuxiliaryData.all(in: .bytes(dropped.file)).isEmpty, "\(origin) \(format)")
        #expect(dropped.warnings.isEmpty, "\(dropped.warnings)")
        for metadata in [#""web""#, #""none""#] {
          let found = try Self.rendered(
            origin.file(), "[]", format, #"\#(metadata), "auxiliary": "keep""#)
          try Self.check(found, origin, format, { ($0, $1) }, metadata)
        }
      }
    }
    let recipe = #""format": "png", "auxiliary": "keep""#
    #expect(throws: InvalidDocument.self) { try Studio.recipe("[]", output: recipe) }
    #expect(throws: Never.self) {
      try Studio.recipe("[]", output: recipe.replacing("keep", with: "drop"))
    }
  }

  /// If a picture is damaged, the rendition is written without it.
  @Test func damagedPicturesAreLeftOutWithAWarning() throws {
    let whole = try Origin.disparity.file()
    let photo = try Self.photo.file("jpegsave_target", AuxiliaryJPEGFile.best)
    func inXMP(_ data: String) -> [UInt8] {
      UltraHDRFile.inserting(
        AuxiliaryJPEGFile.xmp(
          """
          xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Data="\(data)">
          """), into: photo)
    }
    var files = [1, 700].map { Array(whole.dropLast($0)) }
    files += ["A", "", "QUJDREVG", "!"].map(inXMP)
    for file in files {
      let found = try Self.rendered(file, "[]", "jpeg")
      #expect(AuxiliaryData.all(in: .bytes(found.file)).isEmpty)
      #expect(found.warnings.contains { $0.contains("depth map") }, "\(found.warnings)")
    }
    // Damage inside the picture's data.
    let start = try #require(AuxiliaryData(.depth, in: .bytes(whole))).picture.count
    for place in stride(from: whole.count - start + 4, to: whole.count, by: 37) {
      var damaged = whole
      damaged[place] ^= 0x5A
      _ = try Self.rendered(damaged, "[]", "jpeg")
    }
  }

  /// A limit on the bytes of an output includes the maps.
  @Test func theByteBudgetIncludesTheMaps() throws {
    let output = #""format": "jpeg", "metadata": "all", "maxBytes": 9000"#
    let (files, _) = try Studio.render(
      Origin.disparity.file(), Studio.recipe("[]", output: output))
    let file = try #require(files["out"])
    #expect(file.count <= 9000 && AuxiliaryData(.depth, in: .bytes(file)) != nil)
  }

  /// The plan includes the memory for maps that the rendition keeps.
  @Test func thePlanIncludesTheMemoryForTheMaps() throws {
    let photo = Samples.flat([90, 120, 60], 3000, 2000)
    let map = Samples.flat([90], 1500, 1000)
    let file = try AuxiliaryJPEGFile(photo: photo, levels: map).indexed("disparity", nil)
    func needs(_ metadata: String) throws -> Int {
      let output = #""format": "jpeg", "metadata": "\#(metadata)""#
      return try Renderer(Studio.recipe("[]", output: output)).plan(.bytes(file)).memory.usual
    }
    let more = try needs("all") - needs("web")
    #expect(more >= 1500 * 1000 * 9 && more < 1500 * 1000 * 40)
  }

  /// A gain map and a depth map beside each other, in each format and after a second edit.
  @Test func theGainMapIsKeptBesideTheDepthMap() throws {
    let gains = Samples(96, 64) { x, _ in [40 + x] }
    let file = UltraHDRFile.bytes(
      base: try Origin.inXMP.file(), map: try gains.file("jpegsave_target", AuxiliaryJPEGFile.best),
      .adobe)
    for format in Self.formats {
      let first = try Self.rendered(file, "[]", format)
      let second = try Self.rendered(first.file, "[]", "jpeg")
      for (found, name) in [(first, format), (second, "\(format), then jpeg")] {
        #expect(!found.warnings.contains { $0.contains("map") }, "\(name): \(found.warnings)")
        let map = try #require(GainMap(of: .bytes(found.file)), "\(name)")
        #expect(map.description.alternateHeadroom == 2.5)
        let levels = try Samples(file: map.picture)
        let middle = levels[levels.width / 2, levels.height / 2, 0]
        #expect(abs(middle - 88) <= 4, "\(name): \(middle)")
        let depth = try #require(AuxiliaryData(.depth, in: .bytes(found.file)), "\(name)")
        let picture = try Samples(file: depth.picture)
        let level = Double(picture[picture.width / 2, picture.height / 2, 0])
        let wanted = Self.level(0.5, 0.5)
        #expect(abs(level - (depth.isInXMP ? wanted : 255 - wanted)) <= 4, "\(name): \(level)")
      }
    }
  }

  @Test(.enabled(if: ExifTool.isHere)) func exifToolFindsTheMaps() throws {
    let found = try Self.rendered(Origin.matte.file(), "[]", "jpeg")
    let tags = try ExifTool.tags(of: found.file)
    #expect(tags["MPF0:NumberOfImages"] == "2", "\(tags)")
    let start = try #require(tags["MPImage2:MPImageStart"].flatMap { Int($0) })
    let length = try #require(tags["MPImage2:MPImageLength"].flatMap { Int($0) })
    #expect(start + length == found.file.count)
    let picture = Array(found.file[start..<start + length])
    let own = try ExifTool.tags(of: picture)
    #expect(own["XMP-apdi:AuxiliaryImageSubType"] == "portraiteffectsmatte", "\(own)")
    let google = try ExifTool.tags(of: Self.rendered(Origin.appended.file(), "[]", "jpeg").file)
    #expect(google["XMP-GDepth:Format"] == "RangeInverse", "\(google)")
    #expect(google["XMP-GDepth:Mime"] == "image/png", "\(google)")
  }
}
