import Notation
import Testing

@testable import PhotoRecipes

@Suite struct RawSettingsTests {
  private static func read(_ text: String) -> InputSettings {
    let source = SourceText(name: "", text: text)
    return InputSettings(JSONParser.parse(source).json)
  }

  @Test func rawSettingsAreReadAndWrittenUnchanged() {
    let text =
      #"{"raw":{"fallback":"preview","highlights":"rebuild","hotPixels":"keep","look":"linear"},"#
      + #""rawAndJPEG":"raw"}"#
    let settings = Self.read(text)
    #expect(settings.raw.look == .linear)
    #expect(settings.raw.fallback == .preview)
    #expect(settings.raw.highlights == .rebuild)
    #expect(settings.raw.hotPixels == .keep)
    #expect(settings.rawAndJPEG == .raw)
    #expect(settings.sparse?.compactText == text)
    #expect(Self.read("{}").sparse == nil)
  }

  @Test func theChoiceBetweenRawAndJPEGDoesNotChangeTheLook() {
    #expect(Self.read(#"{"rawAndJPEG": "both"}"#).looks == InputSettings())
    #expect(Self.read(#"{"raw": {"look": "linear"}}"#).looks != InputSettings())
  }

  /// The tone curve for raw photos maps the scene's middle grey to the picture's middle grey, and
  /// rises everywhere.
  @Test func theNeutralToneCurveKeepsMiddleGreyAndRisesEverywhere() {
    #expect(abs(NeutralTone.light(NeutralTone.grey) - NeutralTone.shown) < 1e-9)
    #expect(abs(NeutralTone.light(NeutralTone.top) - 1) < 1e-9)
    #expect(NeutralTone.light(0) == 0)
    let tones = (0...500).map { NeutralTone.light(Double($0) / 100) }
    #expect(zip(tones, tones.dropFirst()).allSatisfy { $0 < $1 })
  }
}
