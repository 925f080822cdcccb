import PhotoRecipes
import PhotoRender
import TestRandom
import TestSupport
import Testing
import Vips

/// The planned sizes of outputs equal the sizes of the files.
@Suite struct SizeTests {
  private static func step(_ random: inout SeededGenerator, _ index: Int) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let id = #""id": "s\#(index)""#
    switch number(0...7) {
    case 0:
      return
        #"{"filter": "crop", \#(id), "width": "\#(number(20...99))%", "height": "\#(number(20...99))%", "gravity": "southeast"}"#
    case 1: return #"{"filter": "crop", \#(id), "aspect": "\#(number(1...5)):\#(number(1...5))"}"#
    case 2: return #"{"filter": "rotate", \#(id), "angle": \#(number(-3...3) * 90)}"#
    case 3: return #"{"filter": "flip", \#(id)}"#
    case 4: return #"{"filter": "resize", \#(id), "longEdge": \#(number(3...200))}"#
    case 5:
      return
        #"{"filter": "resize", \#(id), "width": \#(number(3...150)), "height": \#(number(3...150)), "fit": "cover", "kernel": "\#(["nearest", "linear", "lanczos3"][number(0...2)])"}"#
    case 6: return #"{"filter": "pad", \#(id), "aspect": "\#(number(1...4)):\#(number(1...4))"}"#
    default:
      return #"{"filter": "resize", \#(id), "percent": \#(number(3...160)), "enlarge": true}"#
    }
  }

  @Test(arguments: 0..<60) func plannedSizesEqualTheSizesOfTheFiles(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = Size(
      Int.random(in: 1...400, using: &random), Int.random(in: 1...400, using: &random))
    let steps = (0..<Int.random(in: 1...4, using: &random)).map { Self.step(&random, $0) }
    let photo = try SyntheticPhoto.bytes(
      SyntheticPhoto.image(width: size.width, height: size.height), "jpegsave_target",
      ["Q": .integer(90)])
    var sizes: [Size] = []
    for rendering in ["balanced", "exact"] {
      let filters = "[\(steps.joined(separator: ", "))]"
      let recipe = try Studio.recipe(filters, rendering: rendering)
      let (files, report) = try Studio.render(photo, recipe)
      let image = try Image.load(from: Source(bytes: #require(files["out"])))
      let made = Size(image.width, image.height)
      #expect(report.renditions[0].size == made, "\(size) \(rendering) \(filters)")
      sizes.append(made)
    }
    #expect(sizes[0] == sizes[1])
  }
}
