import Notation
import PhotoRecipes
import TestRandom
import Testing

@testable import PhotoImport

@Suite struct ImportTests {
  /// Imports a file as a recipe; returns the recipe's steps by their ids, and the notes.
  private func steps(_ bytes: [UInt8]) throws -> (steps: [String: JSON], notes: [ImportNote]) {
    let imported = try Import.recipe(from: bytes, named: "a \"b\"", identifier: "org.example.a")
    let document = try RecipeDocument(SourceText(name: "recipe", text: imported.text)) {
      file throws(Problem) in throw .missingFile(file.path)
    }
    let recipe = try document.recipe().recipe
    #expect(recipe.title == "Imported from a \"b\"")
    #expect(recipe.steps.count == imported.filters.count)
    let named = imported.filters.map { ($0.stepID ?? "", $0) }
    return (Dictionary(uniqueKeysWithValues: named), imported.notes)
  }

  private func crs(_ settings: String, _ elements: String = "") -> [UInt8] {
    ForeignText.xmp("crs:HasSettings=\"True\" \(settings)", elements)
  }

  @Test func slidersOfCameraRawAreImportedAsFilters() throws {
    let (steps, notes) = try steps(
      crs(
        """
        crs:Exposure2012="-0.50" crs:Highlights2012="-40" crs:Shadows2012="+20" crs:Tint="0"
        crs:HueAdjustmentAqua="-10" crs:GrainAmount="30" crs:PostCropVignetteAmount="-25"
        crs:LensProfileEnable="1" crs:DefringePurpleAmount="0" crs:PostCropVignetteStyle="2"
        """))
    #expect(steps["exposure"]?["stops"]?.number == -0.5)
    #expect(steps["highlights"]?["amount"]?.number == -0.4)
    #expect(steps["shadows"]?["amount"]?.number == 0.2)
    #expect(steps["hsl"]?["aquaHue"]?.number == -0.1)
    #expect(steps["grain"]?["amount"]?.number == 0.3)
    #expect(steps["vignette"]?["intensity"]?.number == -0.2)
    #expect(steps["lens"]?["tca"]?.bool == false)
    #expect(steps.count == 7)
    let dropped = notes.filter { $0.fidelity == .dropped }.map(\.setting)
    #expect(dropped.sorted() == ["PostCropVignetteStyle"])
  }

  @Test func valuesOutOfRangeAreClampedAndReported() throws {
    let (steps, notes) = try steps(crs("crs:Exposure2012=\"+99\" crs:Saturation=\"nan\""))
    #expect(steps["exposure"]?["stops"]?.number == 10)
    #expect(steps.count == 1)
    #expect(notes.first?.reason.contains("limited to the range") == true)
  }

  @Test func importedCurvesOfCameraRawKeepTheirPoints() throws {
    func curve(_ name: String, _ points: String...) -> String {
      let items = points.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      return "<crs:\(name)><rdf:Seq>\(items)</rdf:Seq></crs:\(name)>"
    }
    let (steps, notes) = try steps(
      crs(
        "crs:ParametricDarks=\"-50\"",
        curve("ToneCurve", "0, 0", "100, 200", "255, 255")
          + curve("ToneCurvePV2012", "0, 51", "255, 204")
          + curve("ToneCurvePV2012Red", "0, 0", "255, 255")
          + curve("ToneCurvePV2012Blue", "0, 0", "51, 102", "51, 153", "255, 255")))
    let points = { (name: String, key: String) in steps[name]?[key]?.compactText }
    #expect(points("curves2", "rgb") == "[[0,0.2],[1,0.8]]")
    #expect(points("curves2", "red") == nil)
    #expect(points("curves2", "blue") == "[[0,0],[0.2,0.4],[1,1]]")
    #expect(steps["curves"]?["rgb"]?.array?.count == 6)
    #expect(notes.map(\.setting) == ["ParametricDarks", "ToneCurvePV2012", "ToneCurvePV2012Blue"])
  }

  private func decision(_ elements: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?><ColorDecisionList xmlns="urn:ASC:CDL:v1.01"><ColorDecision>
      \(elements)</ColorDecision></ColorDecisionList>
      """.utf8)
  }

  @Test func aColourDecisionIsImportedAsACDLStep() throws {
    let (steps, notes) = try steps(
      decision(
        """
        <ColorCorrection id="a"><SOPNode><Slope>1.1 1 0.95</Slope><Offset>-0.02 0 1.5e-2</Offset>
        <Power>1 1.02 1</Power></SOPNode><SATNode><Saturation>0.9</Saturation></SATNode>
        </ColorCorrection><ColorCorrection id="b"><SOPNode><Slope>2 2 2</Slope></SOPNode>
        </ColorCorrection>
        """))
    let step = try #require(steps["cdl"])
    #expect(step["slopeRed"]?.number == 1.1 && step["slopeBlue"]?.number == 0.95)
    #expect(step["offsetRed"]?.number == -0.02 && step["offsetBlue"]?.number == 0.015)
    #expect(step["powerGreen"]?.number == 1.02 && step["saturation"]?.number == 0.9)
    #expect(notes.filter { $0.fidelity == .dropped }.map(\.value) == ["b"])
    // Numbers that have no effect are imported without a step and without a note.
    let (nothing, silent) = try self.steps(
      decision("<ColorCorrection><SOPNode><Slope>1 1 1</Slope></SOPNode></ColorCorrection>"))
    #expect(nothing.isEmpty && silent.isEmpty)
    // A file may also consist of a single `ColorCorrection` element, without the elements around
    // it.
    let alone = "<ColorCorrection><SatNode><Saturation>5</Saturation></SatNode></ColorCorrection>"
    let (limited, told) = try self.steps(Array(alone.utf8))
    #expect(limited["cdl"]?["saturation"]?.number == 4)
    #expect(told.first?.reason.contains("limited to the range") == true)
    #expect(told.first?.fidelity == .approximated)
  }

  /// Programs may give the elements a prefix, and put long comments before the root.
  @Test func aColourDecisionWithANamespacePrefixIsImported() throws {
    let comment = "<!-- \(String(repeating: "graded ", count: 100)) -->"
    let text = """
      <?xml version="1.0"?>\(comment)
      <cdl:ColorCorrection xmlns:cdl="urn:ASC:CDL:v1.2" id="a"><cdl:SOPNode>
      <cdl:Slope>1.1 1 0.95</cdl:Slope><cdl:Offset>0 0 0</cdl:Offset><cdl:Power>1 1 1</cdl:Power>
      </cdl:SOPNode></cdl:ColorCorrection>
      """
    let (steps, _) = try steps(Array(text.utf8))
    #expect(steps["cdl"]?["slopeRed"]?.number == 1.1)
  }

  /// XML that is neither XMP nor a colour decision is of no known format.
  @Test(arguments: [
    "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html><body>ColorCorrection</body></html>",
    "<?xml version='1.0'?><settings><Slope>1 1 1</Slope></settings>",
  ])
  func otherXMLIsOfNoKnownFormat(_ text: String) {
    #expect(throws: ForeignFileError.unknownFormat) { try steps(Array(text.utf8)) }
    #expect(throws: ForeignFileError.noProperties) {
      try steps(Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8))
    }
  }

  @Test(arguments: [
    "<Slope>1 1</Slope>", "<Slope>1 1 nan</Slope>", "<Slope>1 -0.1 1</Slope>",
    "<Power>a b c</Power>", "<Power>1 0 1</Power>",
  ])
  func invalidNumbersAreRefused(_ element: String) {
    let bytes = decision("<ColorCorrection><SOPNode>\(element)</SOPNode></ColorCorrection>")
    #expect(throws: ForeignFileError.self) { try steps(bytes) }
  }

  @Test func theGreyMixerIsImportedOnlyForGreyscalePhotos() throws {
    let mixer = "crs:GrayMixerRed=\"20\" crs:GrayMixerBlue=\"-30\""
    let (grey, _) = try steps(crs("crs:ConvertToGrayscale=\"True\" \(mixer)"))
    #expect(grey["hsl"]?["blueLuminance"]?.number == -0.3)
    #expect(grey["blackAndWhite"] != nil)
    let (colour, notes) = try steps(crs("crs:ConvertToGrayscale=\"False\" \(mixer)"))
    #expect(colour.isEmpty)
    #expect(notes.isEmpty)
  }

  @Test func aFileWithoutEditsIsRefused() {
    #expect(throws: ForeignFileError.noSettings) { try steps(ForeignText.xmp("xmp:Rating=\"3\"")) }
    #expect(throws: ForeignFileError.noSettings) { try steps(Array("[General]\nRank=1".utf8)) }
    let darktable = ForeignText.xmp(
      "", "<darktable:history><rdf:Seq><rdf:li/></rdf:Seq></darktable:history>")
    #expect(throws: ForeignFileError.noSettings) { try steps(darktable) }
    #expect(throws: ForeignFileError.noSettings) { try steps(decision("")) }
    for text in ["", "404: Not Found", "\0\0", "{}"] {
      #expect(throws: ForeignFileError.unknownFormat) { try steps(Array(text.utf8)) }
    }
  }

  @Test func adjustmentsOfPhotosAreImportedAsFilters() throws {
    let (steps, notes) = try steps(
      ForeignText.photos([
        "Vignette": #"{"intensity":0.5,"radius":0.4,"falloff":0.6}"#,
        "SmartTone": #"{"inputExposure":0.1,"offsetExposure":0.2,"offsetBlack":0.3}"#,
        "Effect": #"{"effectName":"CIPhotoEffectFade","intensity":0.5}"#,
        "Levels": #"{"blackSrcRGB":0.1,"whiteSrcRGB":0.9}"#,
        "Curves": #"{"pointsL":[{"x":0,"y":0},{"x":0.5,"y":0.6},{"x":1,"y":1}]}"#,
        "SelectiveColor":
          #"{"corrections":[{"red":0.1,"green":0.2,"blue":0.9,"hueShift":30,"saturation":-50}]}"#,
        "WhiteBalance": #"{"colorType":2,"temperature":5000,"tint":20}"#,
        "Retouch": #"{"inputStrokes":[]}"#, "Unheard": #"{"a":1}"#,
        "Crop": #"{"xOrigin":400,"yOrigin":300,"width":2000,"height":1500}"#,
      ]))
    #expect(steps["vignette"]?["intensity"]?.number == -0.5)
    #expect(steps["exposure"]?["stops"]?.number == 0.3)
    #expect(steps["blacks"]?["amount"]?.number == -0.3)
    #expect(steps["look"]?["name"]?.string == "fade")
    #expect(
      steps["curves"]?["rgb"]?.compactText == "[[0.1,0],[0.25,0.25],[0.5,0.5],[0.75,0.75],[0.9,1]]")
    #expect(steps["curves2"]?["rgb"]?.compactText == "[[0,0],[0.5,0.6],[1,1]]")
    #expect(steps["hsl"]?["blueHue"]?.number == 0.5)
    #expect(steps["hsl"]?["blueSaturation"]?.number == -0.5)
    #expect(steps["whiteBalance"]?["tint"]?.number == 20)
    #expect(steps["crop"]?["left"]?.string == "10%")
    #expect(steps["crop"]?["top"]?.string == "40%")
    let dropped = notes.filter { $0.fidelity == .dropped }
    #expect(dropped.map(\.setting) == ["Retouch", "Unheard"])
  }

  /// Photos stores its Cast slider as two values; their sum becomes one `cast` step.
  @Test func theCastOfPhotosIsImportedAsOneStep() throws {
    let (steps, notes) = try steps(
      ForeignText.photos(["SmartColor": #"{"inputCast":0.25,"offsetCast":0.5}"#]))
    #expect(steps.count == 1 && steps["cast"]?["amount"]?.number == 0.75)
    #expect(notes.allSatisfy { $0.fidelity == .approximated })
  }

  /// A white balance that Photos takes from a face becomes a `skinTone` step.
  ///
  /// Photos stores the face's chromaticity without its brightness; its sliders range from 0 to 1.
  @Test func aFaceWhiteBalanceOfPhotosIsImportedAsSkinTone() throws {
    let (steps, notes) = try steps(
      ForeignText.photos([
        "WhiteBalance":
          #"{"colorType":"faceBalance","faceI":0.1,"faceQ":0.02,"faceStrength":0.4,"faceWarmth":0.75}"#
      ]))
    // The colour is Y'IQ converted to R'G'B'. Red is 0.6 + 0.956 × 0.1 + 0.621 × 0.02 = 0.708,
    // green is 0.56 and blue is 0.523.
    let step = try #require(steps["skinTone"])
    #expect(step["colour"]?.string == "#b58f85")
    #expect(step["strength"]?.number == 0.4 && step["warmth"]?.number == 0.5)
    #expect(notes.allSatisfy { $0.fidelity == .approximated } && notes.count == 1)
    let (nothing, dropped) = try self.steps(
      ForeignText.photos(["WhiteBalance": #"{"colorType":1,"faceStrength":0.4}"#]))
    #expect(nothing.isEmpty && dropped.map(\.fidelity) == [.dropped])
  }

  @Test func aNeutralGreyOfPhotosIsImportedAsAGreyPoint() throws {
    let (steps, notes) = try steps(
      ForeignText.photos([
        "WhiteBalance":
          #"{"colorType":"neutralGray","grayY":0.6,"grayI":0.1,"grayQ":0.02,"grayStrength":0.75}"#
      ]))
    let step = try #require(steps["greyPoint"])
    #expect(step["colour"]?.string == "#b58f85" && step["strength"]?.number == 0.75)
    #expect(notes.allSatisfy { $0.fidelity == .approximated } && notes.count == 1)
    let (nothing, dropped) = try self.steps(
      ForeignText.photos(["WhiteBalance": #"{"colorType":0,"grayY":0.6}"#]))
    #expect(nothing.isEmpty && dropped.map(\.fidelity) == [.dropped])
  }

  /// The light setting of Photos for the whole photo is imported as `levels`, or as `light`
  /// if it darkens; the brilliance of regions is imported as `localLight`.
  @Test func theBrillianceOfPhotosIsImportedAsLocalLight() throws {
    let (steps, notes) = try steps(
      ForeignText.photos([
        "SmartTone": #"{"inputLight":0.2,"inputLocalLight":0.3,"offsetLocalLight":0.25}"#
      ]))
    #expect(steps.count == 2 && steps["levels"]?["gamma"]?.number == 1.2386)
    #expect(steps["levels"]?["black"]?.number == 0.0442)
    #expect(steps["levels"]?["outShadow"]?.number == 0.2332)
    #expect(steps["localLight"]?["amount"]?.number == 0.55)
    #expect(notes.allSatisfy { $0.fidelity == .approximated })
    let (dark, _) = try self.steps(ForeignText.photos(["SmartTone": #"{"inputLight":-0.2}"#]))
    #expect(dark.count == 1 && dark["light"]?["amount"]?.number == -0.2)
    let (bright, _) = try self.steps(ForeignText.photos(["SmartTone": #"{"inputLight":7}"#]))
    #expect(bright["levels"]?["black"]?.number == 0.2212)
  }

  /// More colour is imported as more vibrance, less colour as less saturation.
  @Test func theColourOfPhotosIsImportedAsVibranceOrSaturation() throws {
    func steps(_ settings: String) throws -> [String: JSON] {
      try self.steps(ForeignText.photos(["SmartColor": settings])).steps
    }
    let more = try steps(#"{"inputColor":0.25,"offsetSaturation":0.5}"#)
    #expect(more["vibrance"]?["amount"]?.number == 0.3485)
    #expect(more["cast"]?["amount"]?.number == -0.3016)
    #expect(more["cast"]?["mask"]?["colour"]?["tolerance"]?.number == 0.03)
    #expect(more["saturation"]?["amount"]?.number == 0.3)
    let less = try steps(#"{"inputColor":-0.5}"#)
    #expect(less.count == 1 && less["saturation"]?["amount"]?.number == -0.3)
  }

  @Test func theBlackAndWhiteOfPhotosIsImportedAsOneStep() throws {
    let (steps, notes) = try steps(
      ForeignText.photos([
        "SmartBlackAndWhite": #"{"strength":0.5,"tone":0.4,"neutral":-0.5,"grain":0.3,"hue":0.2}"#
      ]))
    let grey = try #require(steps["blackAndWhite"])
    #expect(steps.count == 1 && grey["tone"]?.number == 0.2 && grey["grain"]?.number == 0.3)
    #expect(grey["neutral"]?.number == -0.35)
    #expect(notes.filter { $0.fidelity == .dropped }.map(\.setting) == ["SmartBlackAndWhite.hue"])
  }

  @Test func disabledAdjustmentsAreNotImported() throws {
    let text =
      #"{"adjustments":[{"identifier":"Definition","enabled":false,"settings":{"intensity":1}}]}"#
    let (steps, notes) = try steps(ForeignText.aae(Array(text.utf8)))
    #expect(steps.isEmpty)
    #expect(notes.isEmpty)
  }

  /// Contrast below 0 is converted with another scale, because the S-curve of the `contrast` filter
  /// is then less steep than the sliders of the other programs.
  @Test func contrastBelowZeroUsesAnotherScale() throws {
    func amount(_ bytes: [UInt8]) throws -> Double? {
      try steps(bytes).steps["contrast"]?["amount"]?.number
    }
    #expect(try amount(Array("[Exposure]\nContrast=20\n".utf8)) == 0.3)
    #expect(try amount(Array("[Exposure]\nContrast=-20\n".utf8)) == -0.5)
    #expect(try amount(Array("[Luminance Curve]\nContrast=20\n".utf8)) == 0.24)
    #expect(try amount(Array("[Luminance Curve]\nContrast=-20\n".utf8)) == -0.4)
    #expect(try amount(crs("crs:Contrast2012=\"50\"")) == 0.3)
    #expect(try amount(crs("crs:Contrast2012=\"-50\"")) == -0.48)
    #expect(try amount(ForeignText.photos(["SmartTone": #"{"inputContrast":0.5}"#])) == 0.25)
    #expect(try amount(ForeignText.photos(["SmartTone": #"{"inputContrast":-0.5}"#])) == -0.4)
  }

  @Test func profilesOfRawTherapeeAreImportedAsFilters() throws {
    let (steps, notes) = try steps(
      Array(
        """
        [Exposure]
        Compensation=0.5
        Curve=1;0;0;0.5;0.6;1;1;
        Curve2=0;
        [Luminance Curve]
        Enabled=false
        Contrast=50
        [Crop]
        Enabled=true
        X=10
        Y=20
        W=300
        H=200
        [Coarse Transformation]
        Rotate=270
        HorizontalFlip=true
        [Channel Mixer]
        Enabled=true
        Red=900;100;0;
        Green=0;1000;0;
        Blue=0;0;1000;
        [Wavelet]
        Enabled=true
        [Retinex]
        Enabled=false
        """.utf8))
    #expect(steps["exposure"]?["stops"]?.number == 0.5)
    #expect(steps["curves"]?["rgb"]?.compactText == "[[0,0],[0.5,0.6],[1,1]]")
    #expect(steps["contrast"] == nil)
    #expect(steps["crop"]?["left"]?.integer == 10)
    #expect(steps["crop"]?["height"]?.integer == 200)
    #expect(steps["rotate"]?["angle"]?.integer == 270)
    #expect(steps["flip"] != nil)
    #expect(steps["channelMixer"]?["redGreen"]?.number == 0.1)
    #expect(notes.filter { $0.fidelity == .dropped }.map(\.setting) == ["Wavelet"])
  }

  /// A control cage of RawTherapee becomes a curve that touches the middles of the cage's inner
  /// segments, but not the inner points.
  @Test func aControlCageOfRawTherapeeIsImportedAsACurve() throws {
    let (steps, _) = try steps(Array("[Exposure]\nCurve=3;0;0;0.2;0;0.6;1;1;1;".utf8))
    let points = try #require(steps["curves"]?["rgb"]?.array).map { $0.compactText }
    #expect(points.count == 9)
    #expect(points.first == "[0,0]")
    #expect(points[4] == "[0.4,0.5]")
    #expect(points.last == "[1,1]")
    let (straight, notes) = try self.steps(Array("[Exposure]\nCurve=3;0;0;1;1;".utf8))
    #expect(straight.isEmpty && notes.isEmpty)
  }

  /// A value that is not a number is reported in every group of settings in which a number is
  /// expected.
  @Test(
    arguments: [
      "[Exposure]\nCompensation=abc": "Exposure.Compensation",
      "[Exposure]\nCurve=1;0;0;half;0.6;1;1;": "Exposure.Curve",
      "[Sharpening]\nEnabled=true\nRadius=nan": "Sharpening.Radius",
      "[Vibrance]\nEnabled=true\nPastels=1,5": "Vibrance.Pastels",
      "[Dehaze]\nEnabled=yes\nStrength=50": "Dehaze.Enabled",
      "[Channel Mixer]\nEnabled=true\nRed=100;0;x;": "Channel Mixer.Red",
      "[Crop]\nEnabled=true\nX=0\nY=0\nW=-5\nH=10": "Crop",
    ])
  func nonNumericRawTherapeeSettingsAreReported(_ profile: String, _ setting: String) throws {
    let (_, notes) = try steps(Array(profile.utf8))
    #expect(notes.contains { $0.setting == setting && $0.fidelity == .dropped }, "\(notes)")
  }

  @Test func nonNumericCameraRawSettingsAreReported() throws {
    let (found, notes) = try steps(
      crs(#"crs:Exposure2012="NaN" crs:Contrast2012="much" crs:HasCrop="perhaps" crs:Texture="""#))
    #expect(found.isEmpty)
    #expect(notes.map(\.setting).sorted() == ["Contrast2012", "Exposure2012", "HasCrop"])
    #expect(notes.allSatisfy { $0.fidelity == .dropped })
  }

  /// Settings with any numbers give a valid recipe that contains every converted step.
  @Test func settingsWithAnyNumbersGiveAValidRecipe() throws {
    var generator = SeededGenerator(seed: 5)
    let names = [
      "Exposure2012", "Contrast2012", "Highlights2012", "Shadows2012", "Whites2012", "Blacks2012",
      "Vibrance", "Saturation", "HueAdjustmentRed", "LuminanceAdjustmentBlue", "Clarity2012",
      "Texture", "Dehaze", "Sharpness", "SharpenRadius", "SharpenEdgeMasking", "GrainAmount",
      "GrainSize", "PostCropVignetteAmount", "PostCropVignetteMidpoint", "PostCropVignetteFeather",
      "VignetteAmount", "LuminanceSmoothing", "ColorNoiseReduction", "IncrementalTemperature",
      "IncrementalTint", "SplitToningShadowHue", "SplitToningShadowSaturation",
      "ColorGradeHighlightHue", "ColorGradeHighlightSat", "ColorGradeMidtoneSat",
      "ColorGradeShadowLum", "ParametricLights", "ParametricMidtoneSplit", "CropLeft", "CropTop",
      "CropRight", "CropBottom", "CropAngle",
    ]
    for _ in 0..<300 {
      let values = names.shuffled(using: &generator).prefix(12).map { name -> String in
        let range: Double = [1.0, 100, 1e6, 1e300].randomElement(using: &generator) ?? 1
        return "crs:\(name)=\"\(Double.random(in: -range...range, using: &generator))\""
      }
      _ = try steps(crs("crs:HasCrop=\"True\" \(values.joined(separator: " "))"))
    }
  }
}
