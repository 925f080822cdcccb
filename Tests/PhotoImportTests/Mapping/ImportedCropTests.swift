import Notation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoImport

/// Crops and turns of other programs with unusual values.
@Suite struct ImportedCropTests {
  private func cameraRaw(_ settings: String) throws -> ImportedRecipe {
    try Import.recipe(
      from: ForeignText.xmp(#"crs:HasSettings="True" crs:HasCrop="True" \#(settings)"#),
      named: "a.xmp", identifier: "org.example.imported")
  }

  private func edges(_ recipe: ImportedRecipe) -> [String?] {
    ["left", "top", "width", "height"].map { recipe.filters.last?[$0]?.string }
  }

  @Test func missingEdgesOfACropInCameraRawAreThoseOfThePhoto() throws {
    let result = try cameraRaw(#"crs:CropLeft="0.1" crs:CropTop="0.2" crs:CropRight="0.9""#)
    #expect(edges(result) == ["10%", "20%", "80%", "80%"])
    #expect(result.filters.count == 1 && result.notes.map(\.fidelity) == [.exact])
    let whole = try cameraRaw("")
    #expect(whole.filters.isEmpty && whole.notes.isEmpty)
  }

  @Test func aCropOutsideThePhotoIsLimitedToThePhoto() throws {
    let huge = try cameraRaw(
      #"crs:CropLeft="-5" crs:CropTop="-5" crs:CropRight="50" crs:CropBottom="50""#)
    #expect(huge.filters.isEmpty && huge.notes.map(\.fidelity) == [.dropped])
    let part = try cameraRaw(#"crs:CropLeft="-0.2" crs:CropRight="0.5" crs:CropTop="0.25""#)
    #expect(part.filters.last?["width"]?.string == "50%")
    #expect(part.notes.map(\.fidelity) == [.approximated])
    let outside = try cameraRaw(#"crs:CropLeft="1.2" crs:CropRight="1.5""#)
    #expect(outside.filters.isEmpty && outside.notes.map(\.fidelity) == [.dropped])
  }

  private static let steep = #"""
    crs:CropAngle="60" crs:CropLeft="0.4" crs:CropRight="0.5" crs:CropTop="0.1" \#
    crs:CropBottom="0.9" tiff:ImageWidth="3" tiff:ImageLength="2"
    """#
  private static let limit = "; limited to the range of 'straighten'"

  @Test func anAngleBeyondTheRangeOfStraightenIsReported() throws {
    let note = try cameraRaw(Self.steep).notes.first
    #expect(note?.fidelity == .approximated)
    #expect(note?.reason == "the same rotated part of the photo" + Self.limit)
    let profile = try Import.recipe(
      from: Array("[Rotation]\nDegree=60".utf8), named: "a.jpg.pp3",
      identifier: "org.example.imported")
    #expect(profile.filters.map { $0["angle"]?.number } == [-45])
    #expect(profile.notes.first?.reason.hasSuffix(Self.limit) == true)
    let photos = try Import.recipe(
      from: ForeignText.photos([
        "Crop":
          #"{"xOrigin":0,"yOrigin":0,"width":2000,"height":1500,"straightenAngle":60}"#
      ]), named: "a.AAE", identifier: "org.example.imported")
    #expect(photos.filters.map { $0["angle"]?.number } == [45])
    #expect(photos.notes.first?.reason.hasSuffix(Self.limit) == true)
  }

  /// The note states each difference from Camera Raw's crop.
  @Test func aCropOfARawPhotoKeepsItsOwnReason() throws {
    let raw = #"crs:RawFileName="a.CR2" "#
    let edges = "; the edges may differ by a few pixels of the sensor"
    func reason(_ settings: String) throws -> String? {
      try cameraRaw(settings).notes.first { $0.setting == "Crop" }?.reason
    }
    let steep = try reason(raw + Self.steep)
    #expect(steep == "the same rotated part of the photo" + edges + Self.limit)
    let outside = try reason(raw + #"crs:CropLeft="-0.2" crs:CropRight="0.5""#)
    #expect(outside == "the part of the rectangle within the photo" + edges)
    let unknown = try reason(#"crs:CropAngle="5" crs:CropLeft="-0.2" crs:CropRight="0.5""#)
    #expect(unknown?.hasPrefix("the part of the rectangle within the photo; 3:2 is") == true)
  }

  /// A packet may have been copied from a photo of another shape.
  @Test func theShapeOfThePhotoPrecedesThatOfThePacket() throws {
    func width(_ aspect: Double?, _ stated: String, raw: Bool = false) throws -> String? {
      let name = raw ? #"crs:RawFileName="a.CR2""# : ""
      let bytes = ForeignText.xmp(
        #"crs:HasSettings="True" crs:HasCrop="True" crs:CropAngle="5" crs:CropRight="0.9" \#(name)"#
          + stated)
      return try Import.recipe(
        from: bytes, named: "a.xmp", identifier: "org.example.imported",
        photo: SettingsPhoto(aspect: aspect)
      ).filters.last?["width"]?.string
    }
    let stated = #" tiff:ImageWidth="300" tiff:ImageLength="200""#
    #expect(try width(1, stated) == width(1, ""))
    #expect(try width(nil, stated) == width(1.5, ""))
    #expect(try width(1, stated, raw: true) == width(1.5, "", raw: true))
    #expect(try width(1, "") != width(1.5, ""))
  }

  private static let profileCrop = "[Crop]\nEnabled=true\nX=30\nY=20\nW=90\nH=120\n"

  private func profile(_ text: String, _ own: Orientation) throws -> ImportedRecipe {
    try Import.recipe(
      from: Array(text.utf8), named: "a.jpg.pp3", identifier: "org.example.imported",
      photo: SettingsPhoto(isRaw: false, orientation: own, size: Size(360, 240)))
  }

  /// RawTherapee ignores mirrored orientations, and crops the stored picture; with other
  /// orientations it crops the upright photo.
  @Test(arguments: Orientation.allCases)
  func aCropOfRawTherapeeIsInThePictureThatItShows(_ own: Orientation) throws {
    let result = try profile(Self.profileCrop, own)
    let pixels = ["left", "top", "width", "height"].map { result.filters.last?[$0]?.integer }
    let expected: [Int?] =
      switch own {
      case .upright, .upsideDown, .turnedLeft, .turnedRight: [30, 20, 90, 120]
      case .mirrored: [240, 20, 90, 120]
      case .mirroredUpsideDown: [30, 100, 90, 120]
      case .mirroredTurnedLeft: [20, 30, 120, 90]
      case .mirroredTurnedRight: [100, 240, 120, 90]
      }
    #expect(pixels == expected && result.filters.count == 1)
    #expect(result.notes.map(\.fidelity) == [own.correction.flip ? .approximated : .exact])
    let slanted = try profile(Self.profileCrop + "[Rotation]\nDegree=5", own)
    #expect(slanted.filters[0]["angle"]?.number == (own.correction.flip ? 5 : -5))
  }

  /// RawTherapee's own turns of a mirrored photo start from the stored picture, too.
  @Test func aCoarseTurnOfAMirroredPhotoStartsFromTheStoredPicture() throws {
    let turn = "[Coarse Transformation]\nRotate=90\nHorizontalFlip=true\n"
    let result = try profile(turn + Self.profileCrop, .mirroredTurnedLeft)
    #expect(
      result.filters.map { $0["filter"]?.string } == ["flip", "rotate", "rotate", "flip", "crop"])
    #expect(result.filters.last?["left"]?.integer == 30)
    #expect(result.notes.allSatisfy { $0.fidelity == .exact } && result.notes.count == 3)
    let plain = try profile(turn + Self.profileCrop, .turnedLeft)
    #expect(plain.filters.map { $0["filter"]?.string } == ["rotate", "flip", "crop"])
  }

  @Test func aCropBeyondTheEdgeOfAMirroredPhotoIsLimitedToThePhoto() throws {
    let result = try profile(Self.profileCrop.replacing("X=30", with: "X=300"), .mirrored)
    #expect(result.filters[0]["left"]?.integer == 0 && result.filters[0]["width"]?.integer == 60)
  }

  @Test(arguments: [("45", []), ("90", [90]), ("-90", [-90]), ("450", [90]), ("0.5", [])])
  func aCoarseRotationOfRawTherapeeHasQuarterTurnsOnly(_ angle: String, _ turns: [Int]) throws {
    let result = try Import.recipe(
      from: Array("[Coarse Transformation]\nRotate=\(angle)".utf8), named: "a.jpg.pp3",
      identifier: "org.example.imported")
    let found = result.filters.compactMap { $0["angle"]?.integer }
    #expect(found.map { ($0 + 360) % 360 } == turns.map { ($0 + 360) % 360 })
    #expect(result.notes.map(\.fidelity) == [turns.isEmpty ? .dropped : .exact])
  }
}
