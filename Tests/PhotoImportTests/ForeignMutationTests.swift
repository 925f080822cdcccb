import Foundation
import Notation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing

@testable import PhotoImport

/// Other programs' files with bytes changed, removed, doubled and swapped: each is either read or
/// refused.
@Suite struct ForeignMutationTests {
  static let samples: [(name: String, bytes: [UInt8])] = {
    let payload: [String: Any] = [
      "slowMotion": ["regions": [["start": 5, "flags": 1]], "rate": 0.125], "list": [1, 2, "c"],
    ]
    let binary = try? PropertyListSerialization.data(
      fromPropertyList: payload, format: .binary, options: 0)
    return [
      ("Photos", ForeignText.photos(["Effect": #"{"effectName":"Noir"}"#, "Crop": "{}"])),
      ("film", ForeignText.aae(Array(binary ?? Data()), identifier: "com.apple.video.slomo")),
      ("property list", Array(binary ?? Data())),
      (
        "Camera Raw",
        ForeignText.xmp(
          "crs:HasSettings=\"True\" crs:Exposure2012=\"1\" crs:CropLeft=\"0.1\" tiff:Orientation=\"6\"",
          "<crs:ToneCurvePV2012><rdf:Seq><rdf:li>0, 9</rdf:li></rdf:Seq></crs:ToneCurvePV2012>")
      ),
      ("profile", Array("[Exposure]\nCompensation=1\nCurve=1;0;0;0.5;0.6;1;1;\n[Crop]\nX=1".utf8)),
    ]
  }()

  @Test(arguments: samples)
  func mutatedFilesAreReadOrRefusedWithoutACrash(_ name: String, _ sample: [UInt8]) throws {
    var generator = SeededGenerator(seed: UInt64(sample.count))
    for _ in 0..<400 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...8, using: &generator) { generator.mutate(&bytes) }
      try Self.read(bytes)
    }
    for count in stride(from: 0, to: sample.count, by: max(1, sample.count / 200)) {
      try Self.read(Array(sample[..<count]))
    }
  }

  /// The compressed settings in files by Photos are read or refused after bytes of them have been
  /// changed.
  @Test func mutatedSettingsOfPhotosAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 8)
    let json = Array(#"{"adjustments":[{"identifier":"Crop","settings":{"width":1e3}}]}"#.utf8)
    for _ in 0..<400 {
      var data = Deflated.stored(json)
      for _ in 0..<Int.random(in: 1...4, using: &generator) { generator.mutate(&data) }
      try Self.read(ForeignText.aae(data))
    }
  }

  private static func read(_ bytes: [UInt8]) throws {
    do throws(ForeignFileError) {
      let imported = try Import.recipe(from: bytes, named: "a", identifier: "org.example.a")
      let document = try? RecipeDocument(SourceText(name: "recipe", text: imported.text)) {
        file throws(Problem) in throw .missingFile(file.path)
      }
      #expect((try? document?.recipe()) != nil, "\(imported.text)")
    } catch { #expect(!error.message.isEmpty && !error.hint.isEmpty) }
    // The reader of binary lists accepts arbitrary bytes.
    _ = try? BinaryPropertyList.parse(bytes)
  }
}
