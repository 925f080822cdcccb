import Foundation
import TestSupport
import Testing

/// `phbatch adjust`: the effects of its options on a photo.
@Suite struct AdjustTests {
  private let place: Workplace
  private var photo: String { place.path("photos/a.jpg") }

  init() throws { place = try Workplace() }

  private func recipe(_ filters: String) throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0", "filters": [ \(filters) ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  /// The recorded size of the rendition.
  private func size() throws -> [Int] {
    let sidecar = try place.sidecar("a.jpg")
    let renditions = sidecar.components(separatedBy: #""renditions""#).last ?? ""
    return ["width", "height"].compactMap { edge in
      let rest = renditions.components(separatedBy: "\"\(edge)\": ").dropFirst().first
      return rest.flatMap { Int($0.prefix { $0.isNumber }) }
    }
  }

  /// The photo's own crop rectangle replaces the settings of the recipe's `crop` step, until the
  /// user removes the rectangle.
  @Test(arguments: [
    (#""aspect": "1:1""#, [40, 40]), (#""left": 20"#, [40, 40]), (#""aspect": "3:2""#, [60, 40]),
  ])
  func theCropOfAPhotoReplacesTheCropOfTheRecipe(_ settings: String, _ plain: [Int]) throws {
    try recipe("{ \"filter\": \"crop\", \(settings) }")
    #expect(try size() == plain)
    let adjusted = try Command.run(["adjust", photo, "--crop", "0.1,10%,30,0.5"])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try size() == [30, 20])
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
    let keys = ["left", "top", "width", "height", "aspect"].flatMap { ["--unset", "crop.\($0)"] }
    #expect(try Command.run(["adjust", photo] + keys).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try size() == plain)
  }

  @Test func aPhotoCanHaveItsOwnValueOfAParameter() throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0",
        "parameters": { "edge": { "default": 40, "min": 16, "max": 100 } },
        "filters": [ { "filter": "crop", "aspect": "1:1" } ],
        "outputs": [
          { "name": "web", "format": "png",
            "filters": [ { "filter": "resize", "width": "${edge}" } ] }
        ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try size() == [40, 40])
    let recipe = ["--recipe", place.path("recipe.json")]
    let unknown = try Command.run(["adjust", photo, "--set", "edge=20"])
    #expect(unknown.code == 65)
    #expect(unknown.messages.contains("--recipe"), "\(unknown.messages)")
    #expect(try Command.run(["adjust", photo, "--set", "edge=8"] + recipe).code == 65)
    let adjusted = try Command.run(["adjust", photo, "--set", "edge=20"] + recipe)
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try size() == [20, 20])
    // Later changes without the recipe keep the value.
    #expect(try Command.run(["adjust", photo, "--disable", "crop"]).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try size() == [20, 13])
    let unset = ["--unset", "edge", "--unset", "crop.enabled"]
    #expect(try Command.run(["adjust", photo] + unset).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try size() == [40, 40])
  }

  @Test func adjustRefusesImpossibleCropRectangles() throws {
    try recipe(#"{ "filter": "crop", "left": 20 }"#)
    let before = try place.snapshot()
    #expect(try Command.run(["adjust", photo, "--crop", "0.1,0.1,0,0.5"]).code == 65)
    #expect(try Command.run(["adjust", photo, "--crop", "0.1,0.1,0.5"]).code == 64)
    #expect(try place.snapshot() == before)
  }

  /// A `smartCrop` step uses the photo's focal point if the recipe sets no `strategy`, or sets
  /// `focal`.
  ///
  /// If no step uses the focal point, the command reports that.
  @Test(arguments: [
    (#"{ "filter": "smartCrop", "aspect": "1:1" }"#, true),
    (#"{ "filter": "smartCrop", "aspect": "1:1", "strategy": "focal" }"#, true),
    (#"{ "filter": "smartCrop", "aspect": "1:1", "strategy": "attention" }"#, false),
    (#"{ "filter": "exposure", "stops": 1 }"#, false),
  ])
  func aPhotosFocalPointIsUsedBySmartCropSteps(_ filter: String, _ isUsed: Bool) throws {
    try recipe(filter)
    var seen: Set<[UInt8]> = []
    for point in ["0,0.5", "1,0.5"] {
      let adjusted = try Command.run(["adjust", photo, "--focal-point", point])
      #expect(adjusted.code == 0, "\(adjusted.messages)")
      #expect(adjusted.output.contains("the next run renders it") == isUsed)
      #expect(adjusted.output.contains("no edit of the photo uses it yet") != isUsed)
      #expect(try place.reasons().reasons == ["a.jpg": isUsed ? "rendered" : "up-to-date"])
      seen.insert(try place.read("a.web.png"))
    }
    #expect(seen.count == (isUsed ? 2 : 1))
  }
}
