import Notation
import TestSupport
import Testing

@testable import PhotoImport

/// The instances, masks and opacities of darktable's modules.
@Suite struct DarktableImportTests {
  private func hex(_ words: [UInt32]) -> String {
    words.map { word in
      (0..<4).map { index in
        let digits = String(word >> (8 * index) & 255, radix: 16)
        return digits.count == 1 ? "0\(digits)" : digits
      }.joined()
    }.joined()
  }

  /// An entry of the module `exposure`.
  private func exposure(
    _ stops: Float, instance: Int = 0, compensates: Bool = false, _ more: String = ""
  ) -> String {
    """
    darktable:operation="exposure" darktable:modversion="6" darktable:multi_priority="\(instance)"
    darktable:params="\(hex([0, 0, stops.bitPattern, 0, 0, compensates ? 1 : 0]))" \(more)
    """
  }

  private func blending(_ version: Int, _ words: [UInt32]) -> String {
    #"darktable:blendop_version="\#(version)" darktable:blendop_params="\#(hex(words))""#
  }

  private func imported(
    _ entries: String..., photo: SettingsPhoto = SettingsPhoto(), also attributes: String = ""
  ) throws -> ImportedRecipe {
    let items = entries.enumerated().map { number, entry in
      #"<rdf:li darktable:num="\#(number)" darktable:enabled="1" \#(entry)/>"#
    }
    return try Import.recipe(
      from: ForeignText.xmp(
        #"darktable:history_end="\#(entries.count)" \#(attributes)"#,
        "<darktable:history><rdf:Seq>\(items.joined())</rdf:Seq></darktable:history>"),
      named: "a.nef.xmp", identifier: "org.example.imported", photo: photo)
  }

  /// Version 10 of the blending parameters put the colour space before the blend mode.
  @Test func stepsWithMasksOpacitiesAndBlendModesOfDarktableAreDropped() throws {
    let (full, half) = (Float(100).bitPattern, Float(50).bitPattern)
    for (text, value) in [
      (blending(11, [3, 4, 24, 0, full]), "a mask"), (blending(9, [5, 24, full]), "a mask"),
      (blending(14, [17, 4, 24, 0, full]), "a mask"),
      (blending(11, [1, 4, 24, 0, half]), "50 %"), (blending(9, [1, 24, half]), "50 %"),
      (blending(11, [1, 4, 4, 0, full]), "blend mode multiply"),
      (blending(9, [1, 41, half]), "blend mode harmonic mean"),
      (blending(11, [1, 4, 0x8000_0026, 0, full]), "blend mode divide, reverse"),
      (blending(11, [1, 4, 0x8000_0018, 0, full]), "blend mode normal, reverse"),
      (blending(14, [1, 4, 42, 0, full]), "blend mode 42"),
      (blending(11, [1]), "unreadable"), (blending(4, [1, full]), "unreadable"),
      (#"darktable:blendop_params="gz05@@@@""#, "unreadable"),
    ] {
      let result = try imported(exposure(2, text))
      #expect(result.filters.isEmpty, "\(text)")
      #expect(result.notes.map(\.fidelity) == [.dropped] && result.notes.first?.value == value)
    }
    for text in [
      blending(11, [0, 4, 4, 0, half]), blending(11, [1, 4, 24, 0, full]),
      blending(9, [1, 24, full]), blending(9, [1, 25, full]), blending(4, [0, half]),
    ] {
      #expect(try imported(exposure(2, text)).filters.map { $0["stops"]?.number } == [2], "\(text)")
    }
  }

  @Test func eachInstanceOfADarktableModuleBecomesAStep() throws {
    let result = try imported(
      exposure(3), exposure(-2, instance: 1), exposure(1), exposure(0.5, instance: 2))
    #expect(result.filters.map { $0["stops"]?.number } == [1, -2, 0.5])
    #expect(result.notes.map(\.setting) == ["exposure", "exposure 1", "exposure 2"])
  }

  /// The presets brighten the first instance only, before each of the tone mappings.
  @Test(arguments: ["agx", "filmicrgb", "sigmoid"])
  func theStopsOfDarktablesPresetsAreNoEdit(_ look: String) throws {
    let mapping = #"darktable:operation="\#(look)" darktable:modversion="1""#
    let result = try imported(exposure(0.7), exposure(1, instance: 1), mapping)
    #expect(result.filters.map { $0["stops"]?.number } == [1])
    let clamped = try imported(exposure(18), mapping)
    #expect(clamped.notes.first?.reason.contains("limited to the range") == true)
  }

  /// darktable can take back the exposure bias that the photographer set; its presets do so.
  @Test func theExposureBiasOfThePhotoIsTakenBack() throws {
    let look = #"darktable:operation="sigmoid" darktable:modversion="2""#
    for (bias, stops) in [(2, -1), (-0.5, 1.5), (0, 1), (9, -4)] {
      let result = try imported(
        exposure(1, compensates: true), photo: SettingsPhoto(exposureBias: bias))
      #expect(result.filters.map { $0["stops"]?.number } == [stops])
      #expect(result.notes.map(\.fidelity) == [.approximated])
    }
    let preset = try imported(
      exposure(0.7, compensates: true), look, photo: SettingsPhoto(exposureBias: 2))
    #expect(preset.filters.map { $0["stops"]?.number } == [-2])
    let off = try imported(exposure(1), photo: SettingsPhoto(exposureBias: 2))
    #expect(off.filters.map { $0["stops"]?.number } == [1])
    let unknown = try imported(exposure(1, compensates: true))
    #expect(unknown.filters.map { $0["stops"]?.number } == [1])
    #expect(unknown.notes.first?.setting == "exposure compensate_exposure_bias")
    #expect(unknown.notes.map(\.fidelity) == [.dropped, .approximated])
  }

  /// In the order of modules for raw photos, the exposure of another photo precedes the conversion
  /// to linear light.
  @Test(arguments: [
    (#"darktable:iop_order_version="2""#, false, true), ("", false, true),
    (#"darktable:iop_order_version="4""#, false, true),
    (#"darktable:iop_order_version="3""#, false, false),
    (#"darktable:iop_order_version="5""#, false, false),
    (#"darktable:iop_order_version="2""#, true, false),
  ])
  func exposureOfCodedValuesIsStated(_ order: String, _ isRaw: Bool, _ isCoded: Bool) throws {
    let result = try imported(exposure(1), photo: SettingsPhoto(isRaw: isRaw), also: order)
    #expect(result.notes.map(\.fidelity) == [.approximated])
    #expect(result.notes.first?.reason.contains("coded values") == isCoded)
  }

  /// darktable keeps the settings of Camera Raw in a file to which it adds its history.
  @Test func anEditByDarktablePrecedesThatOfCameraRaw() throws {
    let result = try imported(
      exposure(1), also: #"crs:HasSettings="True" crs:Exposure2012="+0.50""#)
    #expect(result.filters.map { $0["stops"]?.number } == [1])
    #expect(result.notes.map(\.setting) == ["exposure", "HasSettings"])
    #expect(result.notes.last?.fidelity == .dropped)
  }
}
