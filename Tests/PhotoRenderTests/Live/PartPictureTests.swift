import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing

@testable import PhotoRender

/// A part of the photo at 1:1 has the same pixels as the file that a run writes.
@Suite struct PartPictureTests {
  static let edits =
    LivePictureTests.edits + [
      #"[{"filter": "resize", "longEdge": 400}, {"filter": "clarity", "amount": %}]"#,
      #"[{"filter": "straighten", "angle": 4}, {"filter": "exposure", "stops": %}, {"filter": "shadows", "amount": 0.5}]"#,
    ]

  private static func held(_ bytes: [UInt8]) throws -> HeldPhoto {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
    fflush(file)
    return try HeldPhoto(fileno(file), InputSettings(), files: [:], .standard)
  }

  private static func show(
    _ recipe: Recipe, _ held: HeldPhoto, _ part: Rectangle, isMoving: Bool = false
  ) throws -> (picture: ShownPicture, samples: Samples) {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    var picture = LivePicture(longEdge: 300)
    picture.part = part
    picture.isMoving = isMoving
    let renderer = Renderer(recipe)
    let shown = try renderer.show(
      renderer.partPlan(picture, of: held), of: held, into: fileno(file))
    return (shown, try Samples(file: Studio.content(of: file)))
  }

  @Test(
    arguments: TestVolume.pairs(
      edits, [#""format": "png""#, #""format": "jpeg", "dither": true"#]))
  func aPartAt1To1HasThePixelsOfARun(_ edit: String, _ output: String) throws {
    let photo = try SyntheticPhoto.jpeg(width: 700, height: 500)
    let held = try Self.held(photo)
    for value in [0.1, 0.35] {
      let filters = edit.replacing("%", with: "\(value)")
      let recipe = try Studio.recipe(filters, output: output)
      // A file of another format could not be compared: its encoder changes the pixels.
      let run = try Samples(
        file: Studio.develop(photo, filters, output: output.replacing("jpeg", with: "png")))
      for (left, top) in [(0, 0), (131, 57), (9000, 9000)] {
        let (shown, part) = try Self.show(
          recipe, held, Rectangle(left: left, top: top, size: Size(200, 150)))
        let place = try #require(shown.part)
        #expect(shown.fullSize == Size(run.width, run.height))
        #expect(place.size == Size(200, 150) && place.left <= run.width - 200)
        let wanted = run.part(place.left, place.top, place.size.width, place.size.height)
        #expect(part == wanted, "\(edit) at \(place)")
      }
    }
  }

  @Test func aPartLargerThanThePhotoShowsTheWholePhoto() throws {
    let photo = try SyntheticPhoto.jpeg(width: 120, height: 80)
    let recipe = try Studio.recipe("[]")
    let (shown, part) = try Self.show(
      recipe, Self.held(photo), Rectangle(left: 5, top: 5, size: Size(400, 300)))
    #expect(shown.part == Rectangle(left: 0, top: 0, size: Size(120, 80)))
    #expect(part == (try Samples(file: Studio.develop(photo, "[]"))))
  }

  @Test func aPartDrawnWhileASliderMovesIsCloseToThePartDrawnAfterwards() throws {
    let photo = try SyntheticPhoto.jpeg(width: 700, height: 500)
    let recipe = try Studio.recipe(#"[{"filter": "exposure", "stops": 0.2}]"#)
    let (held, place) = (try Self.held(photo), Rectangle(left: 99, top: 40, size: Size(200, 150)))
    let moving = try Self.show(recipe, held, place, isMoving: true).samples
    let resting = try Self.show(recipe, held, place).samples
    let differences = zip(moving.values, resting.values).map { abs($0 - $1) }
    #expect(differences.reduce(0, +) < 4 * differences.count)
    #expect(moving != resting)
  }

  @Test func aLivePictureFitsIntoItsBox() throws {
    var picture = LivePicture(longEdge: 1000)
    #expect(picture.edge(of: Size(600, 400)) == 1000)
    picture.box = Size(300, 100)
    #expect(picture.edge(of: Size(600, 400)) == 150)
    #expect(picture.edge(of: Size(400, 600)) == 100)
    #expect(picture.edge(of: Size(30, 20)) == 30)
  }
}
