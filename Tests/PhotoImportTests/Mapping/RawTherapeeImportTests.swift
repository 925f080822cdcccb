import Notation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoImport

/// The exposure, the tone curve and the detail of RawTherapee.
@Suite struct RawTherapeeImportTests {
  private func imported(
    _ profile: String, _ name: String = "a.CR2.pp3"
  ) throws -> ImportedRecipe {
    try Import.recipe(
      from: Array(profile.utf8), named: name, identifier: "org.example.imported")
  }

  private static let matched = """
    [Exposure]
    HistogramMatching=true
    CurveFromHistogramMatching=true
    Curve=1;0;0;0.2;0.3;1;1;
    """

  /// The look `camera` also gives a raw photo the tones of its embedded JPEG.
  @Test func theLookTakesThePlaceOfAnAutoMatchedCurve() throws {
    let raw = try imported(Self.matched)
    #expect(raw.filters.isEmpty && raw.notes.map(\.fidelity) == [.dropped])
    #expect(raw.notes.first?.setting == "Exposure.HistogramMatching, Exposure.Curve")
    #expect(raw.notes.first?.reason.contains("look of raw photos") == true)
    let own = try imported(Self.matched.replacing("=true", with: "=false"))
    #expect(own.filters.map(\.stepID) == ["curves"] && own.notes.map(\.fidelity) == [.approximated])
    let plain = try imported(Self.matched, "a.jpg.pp3")
    #expect(plain.filters.map(\.stepID) == ["curves"])
  }

  @Test func theGainOfTheSensorBecomesExposureOfARawPhoto() throws {
    let text = "[RAW]\nPreExposure=2.0\n[Exposure]\nCompensation=-0.5"
    let raw = try imported(text)
    #expect(raw.filters.map { $0["stops"]?.number } == [1, -0.5])
    #expect(raw.notes.map(\.fidelity) == [.approximated, .exact])
    let plain = try imported(text, "a.jpg.pp3")
    #expect(plain.filters.map { $0["stops"]?.number } == [-0.5])
    #expect(plain.notes.map(\.fidelity) == [.dropped, .exact])
    let neutral = try imported("[RAW]\nPreExposure=1\nCA=false")
    #expect(neutral.filters.isEmpty && neutral.notes.isEmpty)
    #expect(try imported("[RAW]\nPreExposure=0").notes.map(\.fidelity) == [.dropped])
  }

  @Test(arguments: [
    ("RAW", "DarkFrame=a.nef"), ("RAW", "DarkFrameAuto=true"), ("RAW", "FlatFieldFile=a.nef"),
    ("RAW", "CA=true"), ("RAW", "HotPixelFilter=true"), ("RAW Bayer", "PreBlack0=200"),
    ("RAW X-Trans", "PreBlackGreen=-20"), ("RAW Bayer", "LineDenoise=5"),
    ("HLRecovery", "Enabled=true"),
  ])
  func settingsOfTheDecodingAreStatedForRawPhotos(_ group: String, _ setting: String) throws {
    let text = "[\(group)]\n\(setting)"
    let result = try imported(text)
    let key = setting.split(separator: "=")[0]
    #expect(result.filters.isEmpty && result.notes.map(\.setting) == ["\(group).\(key)"])
    #expect(result.notes.map(\.fidelity) == [.dropped])
    let plain = try Import.recipe(
      from: Array(text.utf8), named: "a.jpg.pp3", identifier: "org.example.imported",
      photo: SettingsPhoto(isRaw: false))
    #expect(plain.notes.isEmpty)
  }

  /// RawTherapee writes all settings of a group, also the neutral ones.
  @Test func neutralSettingsOfTheDecodingGetNoNote() throws {
    let result = try imported(
      """
      [RAW]
      DarkFrame=
      DarkFrameAuto=false
      FlatFieldFile=
      FlatFieldBlurRadius=32
      FlatFieldBlurType=Area Flatfield
      CA=false
      CAAvoidColourshift=true
      CAAutoIterations=2
      CARed=0
      HotDeadPixelThresh=100
      [RAW Bayer]
      Method=amaze
      Border=4
      PreBlack0=0
      PreTwoGreen=true
      LineDenoiseDirection=3
      [HLRecovery]
      Enabled=false
      Method=Coloropp
      [Color Management]
      InputProfile=(cameraICC)
      WorkingProfile=ProPhoto
      OutputProfile=RTv4_sRGB
      """)
    #expect(result.filters.isEmpty && result.notes.isEmpty, "\(result.notes)")
  }

  @Test(arguments: [
    ("file:x.dcp", true), ("(none)", true), ("(camera)", false), ("(embedded)", false), ("", false),
  ])
  func anotherColourProfileIsStated(_ profile: String, _ isStated: Bool) throws {
    let notes = try imported("[Color Management]\nInputProfile=\(profile)").notes
    #expect(notes.map(\.setting) == (isStated ? ["Color Management.InputProfile"] : []))
  }

  @Test func highlightsAreCompressedWithoutExposureCompensation() throws {
    let result = try imported("[Exposure]\nCompensation=0\nHighlightCompr=80")
    #expect(result.filters.map(\.stepID) == ["highlights"])
    #expect(result.filters.first?["amount"]?.number == -0.16)
    #expect(result.notes.map(\.fidelity) == [.approximated])
  }

  /// A value that was limited to the range of the filter has another effect.
  @Test func aLimitedValueIsNotExact() throws {
    let result = try imported("[Exposure]\nCompensation=-12")
    #expect(result.filters.map { $0["stops"]?.number } == [-10])
    #expect(result.notes.map(\.fidelity) == [.approximated])
    #expect(result.notes.first?.reason.hasSuffix("limited to the range of 'exposure'") == true)
    #expect(try imported("[Exposure]\nCompensation=-9").notes.map(\.fidelity) == [.exact])
  }

  /// RawTherapee clips light above white.
  @Test func brighterExposureClipsTheHighlightsOfPhotosThatAreNotRaw() throws {
    let plain = try imported("[Exposure]\nCompensation=1", "a.jpg.pp3")
    #expect(plain.members["highlights"]?["rolloff"]?.string == "hard")
    #expect(plain.notes.map(\.fidelity) == [.approximated])
    let raw = try imported("[Exposure]\nCompensation=1")
    #expect(raw.members.keys == ["inputs"] && raw.notes.map(\.fidelity) == [.approximated])
    for profile in ["Compensation=-1", "Compensation=1\nHighlightCompr=80"] {
      #expect(try imported("[Exposure]\n" + profile, "a.jpg.pp3").members.keys.isEmpty)
    }
  }

  @Test(arguments: [
    ("Dehaze", "dehaze", "amount", 0.6), ("Local Contrast", "clarity", "amount", 0.3),
    ("SharpenMicro", "texture", "amount", 0.2), ("PCVignette", "vignette", "intensity", -0.3402),
    ("Sharpening", "sharpen", "amount", 2), ("LensProfile", "lens", "", 0),
  ])
  func aGroupThatIsOnlySwitchedOnHasTheDefaultsOfRawTherapee(
    _ group: String, _ filter: String, _ key: String, _ value: Double
  ) throws {
    let result = try imported("[\(group)]\nEnabled=true\nLcMode=lfauto")
    #expect(result.filters.map(\.stepID) == [filter])
    if !key.isEmpty { #expect(result.filters[0][key]?.number == value) }
    #expect(result.notes.map(\.fidelity).first == .approximated)
  }

  @Test(arguments: ["Crop", "Dehaze", "Local Contrast", "PCVignette", "Vibrance"])
  func aGroupWithoutItsSwitchIsOff(_ group: String) throws {
    let result = try imported(
      "[\(group)]\nX=10\nY=10\nW=50\nH=50\nStrength=3\nAmount=1\nPastels=50")
    #expect(result.filters.isEmpty && result.notes.isEmpty)
  }

  @Test(arguments: [
    ("Custom", "1.5", true), ("22", "1.5", true), ("Custom", "2.4", false), ("none", "1.5", false),
    ("sRGB", "1.5", false), ("linear", "1.5", false),
  ])
  func aToneCurveOfTheWorkingSpaceIsStated(
    _ curve: String, _ gamma: String, _ isStated: Bool
  ) throws {
    let result = try imported(
      "[Color Management]\nWorkingTRC=\(curve)\nWorkingTRCGamma=\(gamma)", "a.jpg.pp3")
    #expect(result.filters.isEmpty)
    #expect(result.notes.map(\.setting) == (isStated ? ["Color Management.WorkingTRC"] : []))
  }

  @Test(arguments: [
    ("[Sharpening]\nEnabled=true\nContrast=20\nOnlyEdges=true", "Sharpening.OnlyEdges"),
    ("[Sharpening]\nEnabled=true\nHalocontrolEnabled=true", "Sharpening.HalocontrolEnabled"),
    (
      "[RGB Curves]\nEnabled=true\nLumaMode=true\nrCurve=1;0;0;0.5;0.6;1;1;",
      "RGB Curves.LumaMode"
    ),
  ])
  func settingsThatRefineAGroupAreStated(_ profile: String, _ setting: String) throws {
    let result = try imported(profile)
    #expect(result.filters.count == 1)
    #expect(result.notes.filter { $0.fidelity == .dropped }.map(\.setting) == [setting])
    let off = try imported(profile.replacing("Enabled=true", with: "Enabled=false"))
    #expect(off.notes.allSatisfy { $0.fidelity != .dropped })
  }

  @Test func aLuminosityModeWithoutCurvesHasNoEffect() throws {
    #expect(try imported("[RGB Curves]\nEnabled=true\nLumaMode=true\nrCurve=0;").notes.isEmpty)
  }

  @Test(arguments: [
    ("Resize", "Enabled=true", "resize"), ("Film Simulation", "Enabled=true", "lut"),
    ("Perspective", "Method=simple\nVertical=-8", "perspective"),
    ("PostDemosaicSharpening", "Enabled=true", "deconvolve"),
  ])
  func aGroupThatAFilterCouldReplaceNamesTheFilter(
    _ group: String, _ settings: String, _ filter: String
  ) throws {
    let notes = try imported("[\(group)]\n\(settings)").notes
    #expect(notes.map(\.setting) == [group] && notes.map(\.fidelity) == [.dropped])
    #expect(notes.first?.reason.hasSuffix("see the filter \(filter)") == true)
  }

  /// RawTherapee writes the method and the camera's lens also without a correction.
  @Test func aGroupWithoutASwitchIsOnByItsAmounts() throws {
    let off = "[Perspective]\nMethod=simple\nHorizontal=0\nVertical=0\nCameraFocalLength=50"
    #expect(try imported(off).notes.isEmpty)
    #expect(try imported("[CACorrection]\nRed=0\nBlue=0.002").notes.map(\.fidelity) == [.dropped])
  }
}
