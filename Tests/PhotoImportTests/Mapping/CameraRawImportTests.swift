import Notation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoImport

/// Settings of Camera Raw that are incomplete, or whose neutral value is not 0.
@Suite struct CameraRawImportTests {
  private func imported(_ settings: String) throws -> ImportedRecipe {
    try Import.recipe(
      from: ForeignText.xmp(
        #"crs:HasSettings="True" crs:RawFileName="a.CR2" \#(settings)"#),
      named: "a.xmp", identifier: "org.example.imported")
  }

  @Test func aTemperatureWithoutANameIsCustom() throws {
    let result = try imported(#"crs:Temperature="4500" crs:Tint="+10""#)
    #expect(result.filters.map { $0["kelvin"]?.number } == [4500])
    #expect(result.filters.map { $0["tint"]?.number } == [10])
    #expect(result.notes.map(\.fidelity) == [.approximated])
  }

  @Test(arguments: [
    (#"crs:WhiteBalance="Daylight""#, ["WhiteBalance"]),
    (#"crs:WhiteBalance="Daylight" crs:IncrementalTemperature="0""#, ["WhiteBalance"]),
    (#"crs:WhiteBalance="Custom""#, ["WhiteBalance"]),
    (#"crs:WhiteBalance="Custom" crs:Tint="+10""#, ["WhiteBalance", "Tint"]),
    (#"crs:Tint="+10""#, ["Tint"]), (#"crs:Tint="0""#, []),
    (#"crs:WhiteBalance="As Shot" crs:Tint="+10""#, []),
    (#"crs:WhiteBalance="Custom" crs:IncrementalTemperature="0" crs:IncrementalTint="0""#, []),
  ])
  func aWhiteBalanceWithoutATemperatureIsDropped(
    _ settings: String, _ dropped: [String]
  ) throws {
    let result = try imported(settings)
    #expect(result.filters.isEmpty && result.notes.map(\.setting) == dropped)
    #expect(result.notes.allSatisfy { $0.fidelity == .dropped })
  }

  /// Process version 2012 replaced `Clarity` by `Clarity2012`.
  @Test func theEarlierClarityCountsInEarlierProcessVersionsOnly() throws {
    let both = #"crs:ProcessVersion="11.0" crs:Clarity="20" crs:Clarity2012="+30""#
    let new = try imported(both)
    #expect(new.filters.map { $0["amount"]?.number } == [0.3])
    #expect(new.notes.map(\.setting) == ["Clarity2012"])
    let old = try imported(#"crs:ProcessVersion="5.7" crs:Clarity="20""#)
    #expect(old.filters.map { $0["amount"]?.number } == [0.2])
  }

  /// The packet of an XMP file may not name the photo beside it.
  @Test(
    arguments: [
      ("", "a.xmp", true, true), ("", "a.xmp", false, false), ("", "a.xmp", nil, false),
      ("", "a.CR2.xmp", nil, true), ("", "a.jpg.xmp", nil, false),
      (#"photoshop:SidecarForExtension="JPG""#, "a.xmp", true, false),
      (#"crs:RawFileName="a.CR2""#, "a.xmp", false, true),
      (#"crs:RawFileName="a""#, "a.xmp", true, true),
    ] as [(String, String, Bool?, Bool)])
  func settingsBesideARawPhotoAreThoseOfARawPhoto(
    _ attributes: String, _ name: String, _ photo: Bool?, _ isRaw: Bool
  ) throws {
    let result = try Import.recipe(
      from: ForeignText.xmp(
        #"crs:HasSettings="True" crs:ProcessVersion="5.7" crs:Brightness="+50" \#(attributes)"#),
      named: name, identifier: "org.example.imported", photo: SettingsPhoto(isRaw: photo))
    #expect(result.filters.isEmpty == isRaw, "\(result.notes)")
  }

  /// Colours have no effect in the black-and-white treatment, and stay in the file.
  @Test(arguments: [#"crs:ConvertToGrayscale="True""#, #"crs:Treatment="Monochrome""#])
  func coloursOfABlackAndWhitePhotoAreLeftOut(_ treatment: String) throws {
    let mixer = #" crs:GrayMixerBlue="-80""#
    let grey = try imported(treatment + mixer)
    let both = try imported(
      treatment + mixer + #" crs:Saturation="-100" crs:Vibrance="20" crs:HueAdjustmentRed="100""#
        + #" crs:SaturationAdjustmentBlue="-100" crs:LuminanceAdjustmentGreen="5""#)
    #expect(both.filters.map(\.stepID) == ["hsl", "blackAndWhite"])
    #expect(both.text == grey.text && both.notes == grey.notes)
  }

  @Test func theEmbeddedProfileOfAPhotoThatIsNotRawIsNoEdit() throws {
    func notes(_ name: String, _ profile: String) throws -> [String] {
      try Import.recipe(
        from: ForeignText.xmp(#"crs:HasSettings="True" crs:CameraProfile="\#(profile)""#),
        named: name, identifier: "org.example.imported"
      ).notes.map(\.setting)
    }
    #expect(try notes("a.jpg.xmp", "Embedded").isEmpty)
    #expect(try notes("a.CR2.xmp", "Embedded") == ["CameraProfile"])
    #expect(try notes("a.jpg.xmp", "Adobe Standard") == ["CameraProfile"])
  }

  @Test(arguments: ["PerspectiveScale", "CurveRefineSaturation"])
  func settingsWithTheNeutralValue100AreStatedOnlyIfTheyDiffer(_ name: String) throws {
    for value in ["100", "+100", "100.0"] {
      #expect(try imported(#"crs:\#(name)="\#(value)""#).notes.isEmpty)
    }
    for value in ["120", "0", "much"] {
      let notes = try imported(#"crs:\#(name)="\#(value)""#).notes
      #expect(notes.map(\.setting) == [name] && notes.map(\.fidelity) == [.dropped], "\(value)")
    }
  }
}
