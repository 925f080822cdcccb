import Foundation
import Notation
import PhotoImport
import PhotoRecipes
import TestSupport
import Testing

/// Other programs' settings for raw photos.
@Suite struct RawSettingsTests {
  private func imported(
    _ bytes: [UInt8], _ name: String, orientation: Orientation? = nil, aspect: Double? = nil
  ) throws -> (steps: [JSON], notes: [String: ImportNote]) {
    let result = try Import.recipe(
      from: bytes, named: name, identifier: "org.example.imported",
      photo: SettingsPhoto(orientation: orientation, aspect: aspect))
    let document = try RecipeDocument(SourceText(name: "recipe", text: result.text)) {
      file throws(Problem) in throw .missingFile(file.path)
    }
    _ = try document.recipe()
    let notes = Dictionary(result.notes.map { ($0.setting, $0) }) { first, _ in first }
    return (result.filters, notes)
  }

  private func crs(_ settings: String) -> [UInt8] {
    ForeignText.xmp(#"crs:HasSettings="True" crs:RawFileName="IMG_1.CR2" \#(settings)"#)
  }

  private func step(_ name: String, in steps: [JSON]) -> JSON? {
    steps.first { $0["filter"]?.string == name }
  }

  /// RawTherapee crops the photo in the frame that it had before the rotation by a few degrees.
  @Test func aCropOfARotatedPhotoInRawTherapeeIsImported() throws {
    func steps(_ photo: SettingsPhoto, _ more: String = "") throws -> [JSON] {
      let text = """
        [Rotation]
        Degree=5
        [Crop]
        Enabled=true
        X=300
        Y=200
        W=1200
        H=700
        \(more)
        """
      return try Import.recipe(
        from: Array(text.utf8), named: "a.jpg.pp3", identifier: "org.example.imported",
        photo: photo
      ).filters
    }
    let known = SettingsPhoto(orientation: .turnedLeft, size: Size(2048, 1536))
    let common = "[Common Properties for Transformations]\nAutoFill="
    let turned = try steps(known, common + "false")
    #expect(turned.map { $0["filter"]?.string } == ["straighten", "crop"])
    #expect(turned[0]["angle"]?.number == -5 && turned[0]["keep"]?.string == "all")
    // The frame of the whole rotated photo has 1708.65 × 2174.08 pixels.
    #expect(turned[1]["width"]?.string == "70.231%" && turned[1]["left"]?.string == "22.61%")
    #expect(turned[1]["height"]?.string == "32.198%" && turned[1]["top"]?.string == "12.099%")
    let filled = try steps(known, common + "true")
    #expect(filled[1]["width"]?.string == "63.134%" && filled[1]["top"]?.string == "15.929%")
    // RawTherapee fills the corners unless the profile says otherwise.
    #expect(try steps(known) == filled)
    let unknown = try steps(SettingsPhoto())
    #expect(unknown[0]["keep"] == nil && unknown[1]["width"]?.integer == 1200)
  }

  @Test func theWhiteBalanceOfCameraRawIsImportedInKelvin() throws {
    let (steps, notes) = try imported(
      crs(#"crs:WhiteBalance="Custom" crs:Temperature="4350" crs:Tint="+12""#), "IMG_1.xmp")
    let light = try #require(step("whiteBalance", in: steps))
    #expect(light["kelvin"]?.number == 4350 && light["tint"]?.number == 12)
    #expect(notes["Temperature, Tint"]?.fidelity == .approximated)
    let shot = try imported(
      crs(#"crs:WhiteBalance="As Shot" crs:Temperature="4350" crs:Tint="+12""#), "IMG_1.xmp")
    #expect(shot.steps.isEmpty && shot.notes.isEmpty)
    let bad = try imported(crs(#"crs:WhiteBalance="Custom" crs:Temperature="warm""#), "IMG_1.xmp")
    #expect(bad.steps.isEmpty && bad.notes["Temperature"]?.fidelity == .dropped)
    let found = try imported(crs(#"crs:WhiteBalance="Auto" crs:Exposure2012="1""#), "IMG_1.xmp")
    #expect(found.notes["WhiteBalance"]?.fidelity == .dropped)
  }

  /// White balance and exposure act on the sensor's light only if no other step precedes them.
  @Test func theManualVignetteOfCameraRawComesAfterWhiteBalanceAndExposure() throws {
    let settings =
      #"crs:WhiteBalance="Custom" crs:Temperature="4350" crs:Tint="0" crs:Exposure2012="1""#
    let (steps, _) = try imported(crs(settings + #" crs:VignetteAmount="10""#), "IMG_1.xmp")
    let names = steps.map { $0["filter"]?.string }
    #expect(names == ["whiteBalance", "exposure", "vignette"])
  }

  /// The lens correction comes before the crop, because the crop refers to the corrected photo.
  @Test func theLensCorrectionOfCameraRawComesBeforeTheCrop() throws {
    let (steps, notes) = try imported(
      crs(
        """
        crs:LensProfileEnable="1" crs:LensProfileDistortionScale="100" crs:AutoLateralCA="1"
        crs:LensProfileVignettingScale="0" crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.2"
        crs:CropRight="0.9" crs:CropBottom="0.7" crs:CropAngle="0" crs:LensManualDistortionAmount="5"
        """), "IMG_1.xmp")
    #expect(steps.map { $0["filter"]?.string } == ["lens", "crop"])
    #expect(steps[0]["vignetting"]?.bool == false && steps[0]["tca"] == nil)
    #expect(notes["Crop"]?.fidelity == .approximated)
    #expect(notes["LensProfileEnable"]?.fidelity == .approximated)
    #expect(notes["LensManualDistortionAmount"]?.fidelity == .dropped)
    let off = try imported(crs(#"crs:LensProfileEnable="0" crs:Exposure2012="1""#), "IMG_1.xmp")
    #expect(off.steps.map { $0["filter"]?.string } == ["exposure"])
    let part = try imported(
      crs(#"crs:LensProfileEnable="1" crs:LensProfileDistortionScale="60""#), "IMG_1.xmp")
    #expect(part.notes["LensProfileDistortionScale"]?.fidelity == .dropped)
  }

  /// A photo in the light that the settings state becomes neutral, also if `Green` is not 1: a
  /// photo with more green corresponds to a light with less green.
  @Test func theWhiteBalanceOfRawTherapeeIsImportedInKelvin() throws {
    let profile = """
      [White Balance]
      Setting=Custom
      Temperature=5200
      Green=1.06
      [Crop]
      Enabled=true
      X=10
      Y=20
      W=300
      H=200
      [LensProfile]
      LcMode=lfmanual
      UseDistortion=true
      UseVignette=true
      UseCA=false
      LFCameraMake=Canon
      LFCameraModel=EOS 30D
      LFLens=Canon EF 50mm f/1.8
      """
    let (steps, notes) = try imported(Array(profile.utf8), "IMG_1.CR2.pp3")
    #expect(steps.map { $0["filter"]?.string } == ["lens", "crop", "whiteBalance"])
    #expect(steps[0]["camera"]?.string == "EOS 30D" && steps[0]["tca"]?.bool == false)
    #expect(steps[2]["kelvin"]?.number == 5200)
    let tint = try #require(steps[2]["tint"]?.number)
    #expect(abs(tint + 9.7) < 0.1)
    #expect(notes["Crop"]?.fidelity == .approximated)
    let plain = try imported(Array(profile.utf8), "IMG_1.JPG.pp3")
    #expect(plain.notes["Crop"]?.fidelity == .exact)
    for mode in ["autold", "Camera"] {
      let text = profile.replacing("Setting=Custom", with: "Setting=\(mode)")
      let other = try imported(Array(text.utf8), "IMG_1.CR2.pp3")
      #expect(step("whiteBalance", in: other.steps) == nil)
      #expect((other.notes["White Balance"]?.fidelity == .dropped) == (mode == "autold"))
    }
  }

  private func history(
    _ entries: [(String, Int, String)], end: Int? = nil, more: String = ""
  )
    -> [UInt8]
  {
    let items = entries.enumerated().map { number, entry in
      """
      <rdf:li darktable:num="\(number)" darktable:operation="\(entry.0)" darktable:enabled="1"
       darktable:modversion="\(entry.1)" darktable:params="\(entry.2)" darktable:multi_priority="0"/>
      """
    }
    return ForeignText.xmp(
      #"darktable:history_end="\#(end ?? entries.count)" \#(more)"#,
      "<darktable:history><rdf:Seq>\(items.joined())</rdf:Seq></darktable:history>")
  }

  @Test func modulesOfDarktableAreImportedAsFilters() throws {
    let (steps, notes) = try imported(
      history([
        ("rawprepare", 1, "00"), ("temperature", 3, "006007400000803f0000b33f0000c07f"),
        ("exposure", 5, "00000000000000000000803f00004842000080c0"),
        ("lens", 7, "0100000005000000"), ("flip", 2, "05000000"),
        ("crop", 1, "0000803dcdcccc3d0000603f0000803f0000000001000000"),
        ("sharpen", 1, "000040400000403f0000003f"), ("velvia", 2, "0000c8410000803f"),
      ]), "mire1.cr2.xmp")
    #expect(
      steps.map { $0["filter"]?.string } == ["exposure", "lens", "rotate", "crop", "sharpen"])
    #expect(steps[0]["stops"]?.number == 1 && steps[1]["vignetting"]?.bool == false)
    #expect(steps[2]["angle"]?.integer == 90)
    #expect(steps[3]["left"]?.string == "6.25%" && steps[3]["width"]?.string == "81.25%")
    #expect(steps[4]["amount"]?.number == 0.75 && steps[4]["radius"]?.number == 3)
    #expect(notes["temperature"]?.fidelity == .dropped && notes["velvia"]?.fidelity == .dropped)
    #expect(notes["rawprepare"] == nil && notes["crop"]?.fidelity == .approximated)
  }

  /// Later states of a module replace earlier states; undone steps are ignored.
  ///
  /// The presets of darktable brighten a photo by 0.7 stops before its tone mapping.
  @Test func onlyTheActiveStateOfDarktableIsImported() throws {
    let one = ("exposure", 6, "00000000000080b90000803f00004842000080c001000000")
    let two = ("exposure", 6, "00000000000080b90000004000004842000080c001000000")
    let look = ("sigmoid", 2, "00")
    let first = try imported(history([one, look, two], end: 2), "a.nef.xmp")
    #expect(first.steps.map { $0["stops"]?.number } == [0.3])
    let second = try imported(history([one, two]), "a.nef.xmp")
    #expect(second.steps.map { $0["stops"]?.number } == [2])
    #expect(first.notes["sigmoid"]?.reason.contains("look of raw photos") == true)
  }

  @Test(arguments: [
    ("exposure", 5, "zz"), ("exposure", 99, "00000000"), ("exposure", 5, "00"),
    ("exposure", 5, "000000000000c07f0000c07f"), ("exposure", 6, "gz05@@@@"),
    ("exposure", 6, "gz05eJw="), ("crop", 1, "0000803f0000803f0000000000000000"), ("crop", 9, ""),
    ("flip", 2, ""), ("flip", 2, "08000000"), ("lens", 1, "07000000"), ("sharpen", 3, "0000"),
    ("exposure", 5, "010000000000000000000000"),
  ])
  func unreadableParametersOfDarktableAreIgnored(
    _ name: String, _ version: Int, _ text: String
  ) throws {
    let (steps, notes) = try imported(history([(name, version, text)]), "a.nef.xmp")
    #expect(steps.isEmpty && notes[name]?.fidelity == .dropped)
  }

  /// The orientation that the camera stored is reversed before the orientation of darktable is
  /// applied.
  @Test func darktableRotationsAreRelativeToTheCamerasOrientation() throws {
    let turned = try imported(
      history([("flip", 2, "06000000")], more: #"tiff:Orientation="6""#), "a.nef.xmp")
    #expect(turned.steps.map { $0["angle"]?.integer } == [180])
    #expect(turned.notes["flip"]?.fidelity == .approximated)
    let same = try imported(
      history([("flip", 2, "05000000")], more: #"tiff:Orientation="6""#), "a.nef.xmp")
    #expect(same.steps.isEmpty)
  }

  /// darktable's files do not state the camera's orientation, so that of the photo counts.
  @Test(arguments: Orientation.allCases, 0..<8)
  func darktableTurnsTheStoredPictureOfThePhoto(_ own: Orientation, _ number: Int) throws {
    let numbers = [0: 1, 1: 4, 2: 2, 3: 3, 4: 5, 5: 6, 6: 8, 7: 7]
    let shown = try #require(numbers[number].flatMap(Orientation.init))
    let turn = own.turn(to: shown)
    let (steps, notes) = try imported(
      history([("flip", 2, "0\(number)000000")]), "a.nef.xmp", orientation: own)
    #expect(steps.contains { $0["filter"]?.string == "flip" } == turn.flip)
    #expect(step("rotate", in: steps)?["angle"]?.integer ?? 0 == 90 * turn.quarterTurns)
    #expect(notes["flip"]?.fidelity == (own == shown ? nil : .exact))
    let cameras = try imported(
      history([("flip", 2, "ffffffff")]), "a.nef.xmp", orientation: own)
    #expect(cameras.steps.isEmpty && cameras.notes.isEmpty)
  }

  /// The first version of the module turned the upright photo.
  @Test func theFirstVersionOfDarktablesTurnIsRelative() throws {
    let (steps, notes) = try imported(
      history([("flip", 1, "05000000")]), "a.nef.xmp", orientation: .turnedLeft)
    #expect(steps.map { $0["angle"]?.integer } == [90] && notes["flip"]?.fidelity == .exact)
  }

  /// A turn in Camera Raw comes before the crop, whose rectangle is a part of the stored picture.
  @Test func aTurnInCameraRawIsImported() throws {
    let settings = #"""
      tiff:Orientation="6" crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.2"
      crs:CropRight="0.9" crs:CropBottom="0.7" crs:CropAngle="0"
      """#
    let (steps, notes) = try imported(crs(settings), "IMG_1.xmp", orientation: .upright)
    #expect(steps.map { $0["filter"]?.string } == ["rotate", "crop"])
    #expect(steps[0]["angle"]?.integer == 90)
    #expect(steps[1]["left"]?.string == "30%" && steps[1]["width"]?.string == "50%")
    #expect(notes["Orientation"]?.fidelity == .exact)
    let same = try imported(crs(settings), "IMG_1.xmp", orientation: .turnedLeft)
    #expect(same.steps.map { $0["filter"]?.string } == ["crop"] && same.notes["Orientation"] == nil)
    let unknown = try imported(crs(settings), "IMG_1.xmp")
    #expect(unknown.notes["Orientation"]?.fidelity == .dropped)
    let mirrored = try imported(
      crs(#"tiff:Orientation="1" crs:Exposure2012="1""#), "IMG_1.xmp", orientation: .mirrored)
    #expect(mirrored.steps.map { $0["filter"]?.string } == ["flip", "exposure"])
  }

  /// A packet that states no orientation and no size is one of the photo beside it.
  @Test func aCropOfAPacketWithoutAnOrientationIsThatOfThePhoto() throws {
    let crop = #"""
      crs:HasCrop="True" crs:CropLeft="0.1" crs:CropTop="0.2" crs:CropRight="0.9"
      crs:CropBottom="0.7" crs:CropAngle="0"
      """#
    let turned = try imported(crs(crop), "IMG_1.xmp", orientation: .turnedLeft)
    #expect(turned.steps.map { $0["filter"]?.string } == ["crop"])
    #expect(turned.steps[0]["left"]?.string == "30%" && turned.steps[0]["width"]?.string == "50%")
    let slanted = crop.replacing("CropAngle=\"0\"", with: "CropAngle=\"5\"")
    let assumed = try imported(crs(slanted), "a.xmp").steps
    let known = try imported(crs(slanted), "a.xmp", aspect: 1.5).steps
    let other = try imported(crs(slanted), "a.xmp", aspect: 4 / 3.0)
    #expect(assumed.last?["width"]?.string == known.last?["width"]?.string)
    #expect(other.steps.last?["width"]?.string != known.last?["width"]?.string)
    #expect(other.notes["Crop"].map { "\($0)".contains("3:2") } == false)
  }

  /// Settings of a raw photo do not suit the JPEG that its camera made.
  @Test(
    arguments: [
      (ForeignText.xmp(#"crs:HasSettings="True" crs:Exposure2012="1""#), "IMG_1.CR2.xmp", true),
      (ForeignText.xmp(#"crs:HasSettings="True" crs:Exposure2012="1""#), "IMG_1.JPG.xmp", false),
      (Array("[Exposure]\nCompensation=1".utf8), "IMG_1.CR2.pp3", true),
      (Array("[Exposure]\nCompensation=1".utf8), "preset.pp3", false),
    ] as [([UInt8], String, Bool)])
  func settingsOfARawPhotoSelectTheRawFile(
    _ bytes: [UInt8], _ name: String, _ isRaw: Bool
  ) throws {
    try expectRaw(bytes, name, isRaw)
  }

  @Test(arguments: [("IMG_1.CR2.xmp", true), ("IMG_1.JPG.xmp", false)])
  func aHistoryOfARawPhotoSelectsTheRawFile(_ name: String, _ isRaw: Bool) throws {
    try expectRaw(
      history([("exposure", 5, "00000000000000000000803f00004842000080c0")]), name, isRaw)
  }

  private func expectRaw(_ bytes: [UInt8], _ name: String, _ isRaw: Bool) throws {
    let result = try Import.recipe(from: bytes, named: name, identifier: "org.example.imported")
    let document = try RecipeDocument(SourceText(name: "recipe", text: result.text)) {
      file throws(Problem) in throw .missingFile(file.path)
    }
    let inputs = try document.recipe().recipe.inputs
    #expect(inputs.rawAndJPEG == (isRaw ? .raw : .jpeg))
    #expect(result.json["inputs"]?["rawAndJPEG"]?.string == (isRaw ? "raw" : nil))
  }

  /// The turn from one orientation to another gives the picture that the other gives.
  @Test(arguments: Orientation.allCases, Orientation.allCases)
  func turnsBetweenOrientationsAreComplete(_ first: Orientation, _ second: Orientation) {
    // The corners of a picture, clockwise from the upper left.
    func changed(_ corners: [Int], _ change: (flip: Bool, quarterTurns: Int)) -> [Int] {
      let flipped = change.flip ? [1, 0, 3, 2].map { corners[$0] } : corners
      return (0..<4).map { flipped[($0 - change.quarterTurns + 8) % 4] }
    }
    let stored = [0, 1, 2, 3]
    #expect(
      changed(changed(stored, first.correction), first.turn(to: second))
        == changed(stored, second.correction))
  }

  @Test(.enabled(if: Corpus.isHere)) func realHistoriesOfDarktableAreRead() throws {
    for name in ["exposure", "almost-all", "multiple-modules", "orientation-180"] {
      let folder = try #require(Corpus.folder)
      let file = "\(folder)/sidecars/darktable-tests/\(name).xmp"
      let bytes = Array(try Data(contentsOf: URL(filePath: file)))
      let (steps, _) = try imported(bytes, "mire1.cr2.xmp")
      if name == "exposure" { #expect(steps.first?["stops"]?.number == 1) }
      if name == "almost-all" {
        #expect(step("lens", in: steps) != nil && step("crop", in: steps) != nil)
      }
      if name == "orientation-180" { #expect(steps.first?["angle"]?.integer == 180) }
    }
  }
}
