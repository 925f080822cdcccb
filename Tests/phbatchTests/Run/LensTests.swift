import Foundation
import TestSupport
import Testing

/// Lens corrections with an artificial lens database, from the command to the sidecar.
@Suite(.enabled(if: ExifTool.isHere)) struct LensTests {
  private static let database = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Oracles/lenses.xml").standardizedFileURL

  /// A library with a photo by a camera of the artificial lens database.
  private let place: Workplace
  /// An environment in which the user's lens database is the one in the workplace.
  private var environment: [String: String] { ["XDG_DATA_HOME": place.path("data")] }

  init() throws {
    place = try Workplace([])
    try add("a.jpg", lens: "Testar 50mm f/1.8")
    try place.folder.write(Array(Data(contentsOf: Self.database)), to: "data/lensfun/made.xml")
    try recipe()
  }

  private func add(_ name: String, lens: String) throws {
    let photo = try ExifTool.writing(
      [
        "-Make=Testmaker Corporation", "-Model=TESTMAKER T1", "-LensModel=\(lens)",
        "-FocalLength=50", "-FNumber=1.8",
      ], into: SyntheticPhoto.jpeg(width: 300, height: 200), "jpg")
    try place.folder.write(photo, to: "photos/\(name)")
  }

  private func recipe(_ more: String = "") throws {
    try place.folder.write(
      """
      { "identifier": "org.example.lens", "version": "1.0.0",
        "filters": [ { "filter": "lens"\(more) }, { "filter": "straighten", "angle": 1 } ],
        "outputs": [ { "name": "web", "format": "png" } ] }
      """, to: "recipe.json")
  }

  @Test func theSidecarRecordsTheLens() throws {
    let result = try place.run(environment: environment)
    #expect(result.code == 0 && !result.messages.contains("warning"), "\(result.messages)")
    let sidecar = try place.sidecar("a.jpg")
    #expect(sidecar.contains(#""lens": "Testmaker Testar 50mm f/1.8""#), "\(sidecar)")
    #expect(sidecar.contains(#""lens": "Testar 50mm f/1.8""#))
    #expect(sidecar.contains("poly3") && sidecar.contains("vignetting"))
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  /// A lost rendition is rendered again with the recorded lens profile, even if the database no
  /// longer has the lens.
  @Test func aLostRenditionIsRenderedAgainWithTheRecordedLensProfile() throws {
    #expect(try place.run(environment: environment).code == 0)
    let before = try place.read("a.web.png")
    try FileManager.default.removeItem(atPath: place.path("photos/a.web.png"))
    try FileManager.default.removeItem(atPath: place.path("data/lensfun/made.xml"))
    let result = try place.run(environment: environment)
    #expect(result.code == 0, "\(result.messages)")
    #expect(try place.read("a.web.png") == before)
  }

  @Test func explainNamesTheLensAndItsCorrections() throws {
    let arguments = ["explain", place.path("recipe.json"), place.path("photos/a.jpg")]
    let text = try Command.run(arguments, environment: environment).output
    #expect(text.contains("Testmaker Testar 50mm f/1.8, on Testmaker Corporation TESTMAKER T1"))
    #expect(text.contains("knows its distortion, lateral colour, vignetting"), "\(text)")
    let json = try Command.run(arguments + ["--format", "json"], environment: environment).output
    #expect(json.contains(#""lenses""#))
  }

  @Test func anUnknownLensIsAWarningAndWithStrictAnError() throws {
    try add("b.jpg", lens: "Zoomar 28mm f/2")
    let result = try place.run(environment: environment)
    #expect(result.code == 0)
    #expect(
      result.messages.contains("unknown lens, not corrected: the database has no 'Zoomar 28mm"),
      "\(result.messages)")
    #expect(try !place.sidecar("b.jpg").contains("lenses"))
    let arguments = ["explain", place.path("recipe.json"), place.path("photos/b.jpg")]
    #expect(
      try Command.run(arguments, environment: environment).output.contains("unknown lens"))
    try recipe(#", "tca": false"#)
    let strict = try place.run("recipe", "--strict", environment: environment)
    #expect(strict.code == 3 && strict.messages.contains("unknown lens"), "\(strict.messages)")
  }

  /// The size of an unknown camera's sensor is a guess, unless the photo states the equivalent focal length.
  @Test(arguments: [false, true])
  func anUnknownCameraIsAWarningIfItsSensorIsNotKnown(_ isStated: Bool) throws {
    let facts = [
      "-Make=Other", "-Model=OTHER 1", "-LensModel=Testar 50mm f/1.8", "-FocalLength=50",
      "-FNumber=1.8",
    ]
    let photo = try ExifTool.writing(
      facts + (isStated ? ["-FocalLengthIn35mmFormat=75"] : []),
      into: SyntheticPhoto.jpeg(width: 300, height: 200),
      "jpg")
    try place.folder.write(photo, to: "photos/a.jpg")
    let result = try place.run(environment: environment)
    let warns = result.messages.contains("has no camera 'OTHER 1'")
    #expect(result.code == 0 && warns != isStated, "\(result.messages)")
    #expect(try place.sidecar("a.jpg").contains(#""isCropAssumed": true"#) != isStated)
  }

  /// A recipe may name the lens that the photo does not name.
  @Test func aRecipeMayNameTheLensOfAPhoto() throws {
    try add("a.jpg", lens: "")
    try recipe(#", "lens": "Testar 50mm""#)
    let result = try place.run(environment: environment)
    #expect(result.code == 0 && !result.messages.contains("unknown"), "\(result.messages)")
    #expect(try place.sidecar("a.jpg").contains("Testmaker Testar 50mm f/1.8"))
  }
}
