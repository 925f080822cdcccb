import Foundation
import Notation
import PhotoRecipes
import TestSupport
import Testing

@testable import PhotoRender

/// The looks that are fitted to raw photos and recorded in sidecars.
@Suite struct RecordedLookTests {
  /// The fitted look is used again as long as the photo and its development are the same.
  @Test(.enabled(if: Corpus.isHere))
  func fittedLooksAreUsedAgain() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-30d.cr2") })
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let recipe = try Studio.recipe(#"[{"filter": "resize", "longEdge": 200}]"#)
    var renderer = Renderer(recipe)
    let first = try Studio.render(file, renderer)
    let made = try #require(first.report.look)
    #expect(RecordedLook(made.json) == made)
    // The changed look is used if its key is unchanged, and ignored if its key differs.
    let changed = FittedLook(.object(["curve": .string("0 0 1.6 0.5"), "saturation": .integer(0)]))
    let grey = try #require(changed)
    renderer.recordedLook = RecordedLook(key: made.key, look: grey)
    let again = try Studio.render(file, renderer)
    #expect(again.report.look == renderer.recordedLook)
    #expect(again.files != first.files)
    renderer.recordedLook = made
    #expect(try Studio.render(file, renderer).files == first.files)
    renderer.recordedLook = RecordedLook(key: "other", look: grey)
    #expect(try Studio.render(file, renderer).report.look == made)
    let clipped = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0",
         "inputs": {"raw": {"highlights": "clip"}},
         "filters": [{"filter": "resize", "longEdge": 200}],
         "outputs": [{"name": "out", "format": "png"}]}
        """)
    #expect(try Studio.render(file, Renderer(clipped)).report.look?.key != made.key)
    let exact = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "rendering": "exact",
         "filters": [{"filter": "resize", "longEdge": 200}],
         "outputs": [{"name": "out", "format": "png"}]}
        """)
    #expect(try Studio.render(file, Renderer(exact)).report.look?.key != made.key)
    let facts = try renderer.facts(of: renderer.plan(.bytes(file)))
    #expect(facts.contains { $0.hasPrefix("camera look: tones 10→") }, "\(facts)")
  }

  /// Steps do not change the fitted look: after an exposure step, the photo is still brighter or
  /// darker, and a crop keeps its 16-bit tones.
  @Test(.enabled(if: Corpus.isHere))
  func stepsOfARecipeDoNotChangeTheFittedLook() throws {
    let path = try #require(Corpus.files(below: "raw").first { $0.hasSuffix("/canon-30d.cr2") })
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    func rendered(_ steps: String) throws -> (Samples, RecordedLook) {
      let recipe = try Studio.recipe(
        "[\(steps)]",
        output: #""format": "png", "filters": [{"filter": "resize", "longEdge": 200}]"#)
      let made = try Studio.render(file, recipe)
      return (try Samples(file: #require(made.files["out"])), try #require(made.report.look))
    }
    func mean(_ picture: Samples, _ area: (x: Range<Int>, y: Range<Int>)) -> Double {
      var sum = 0
      for y in area.y { for x in area.x { sum += picture[x, y].reduce(0) { $0 + Int($1) } } }
      return Double(sum) / Double(3 * area.x.count * area.y.count)
    }
    let (plain, look) = try rendered("")
    let (brighter, same) = try rendered(#"{"filter": "exposure", "stops": 1}"#)
    let (cut, alike) = try rendered(#"{"filter": "crop", "left": "50%", "top": "50%"}"#)
    let (_, warm) = try rendered(#"{"filter": "whiteBalance", "kelvin": 3500}"#)
    #expect(same == look && alike == look && warm == look)
    let whole = (x: 0..<plain.width, y: 0..<plain.height)
    #expect(mean(brighter, whole) > mean(plain, whole) + 5_000)
    let corner = (x: (plain.width / 2)..<plain.width, y: (plain.height / 2)..<plain.height)
    let part = (x: 0..<cut.width, y: 0..<cut.height)
    #expect(abs(mean(cut, part) - mean(plain, corner)) < 500)
  }

  @Test func aDamagedRecordOfALookIsRefused() {
    for (curve, saturation) in [
      ("", 1.0), ("0 0", 1), ("0 0 0.5", 1), ("0.1 0 1 1", 1), ("0 0 1 1 0.5 2", 1),
      ("0 0 1 1", -1), ("0 0 1 1", 9), ("0 0 1 nan", 1),
    ] {
      let json = JSON.object(["curve": .string(curve), "saturation": .number(saturation)])
      #expect(FittedLook(json) == nil, "\(curve) \(saturation)")
    }
  }
}
