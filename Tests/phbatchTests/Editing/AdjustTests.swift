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

  /// A run opens the recipe's files before it reads sidecars, so a photo cannot name others.
  @Test func aPhotosOwnSettingsCannotNameAFile() throws {
    let cube = "LUT_3D_SIZE 2\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)
    for name in ["a.cube", "b.cube"] { try place.folder.write(cube, to: name) }
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0",
        "parameters": {
          "look": { "default": "a.cube", "choices": [ "a.cube", "b.cube" ] },
          "title": { "default": "x" }
        },
        "title": "${title}",
        "filters": [ { "filter": "lut", "file": "${look}" }, { "filter": "exposure" } ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let before = try place.snapshot()
    let recipe = ["--recipe", place.path("recipe.json")]
    for arguments in [["--set", "look=b.cube"] + recipe, ["--set", "lut.file=b.cube"]] {
      let refused = try Command.run(["adjust", photo, "--set", "exposure.stops=1"] + arguments)
      #expect(refused.code == 65)
      #expect(refused.messages.contains("needs the file 'b.cube'"), "\(refused.messages)")
    }
    let useless = try Command.run(["adjust", photo, "--set", "title=y"] + recipe)
    #expect(useless.code == 65 && useless.messages.contains("has no effect"))
    #expect(try place.snapshot() == before)
    // A run refuses what an older version has stored, and the photo can be mended.
    #expect(try Command.run(["adjust", photo, "--set", "look=a.cube"] + recipe).code == 0)
    try place.edit("a.jpg") { $0.replacing(#""look": "a.cube""#, with: #""look": "b.cube""#) }
    let run = try place.run()
    #expect(run.code == 4)
    #expect(run.messages.contains("'look' needs the file 'b.cube'"), "\(run.messages)")
    #expect(run.messages.contains("--unset look"), "\(run.messages)")
    #expect(try Command.run(["adjust", photo, "--set", "exposure.stops=1"] + recipe).code == 0)
    #expect(try Command.run(["adjust", photo, "--unset", "look"] + recipe).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
  }

  /// Each forbidden setting is named at once, also those that need the same file.
  @Test func allForbiddenSettingsAreNamed() throws {
    let cube = "LUT_3D_SIZE 2\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)
    for name in ["a.cube", "b.cube"] { try place.folder.write(cube, to: name) }
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0",
        "parameters": { "look": { "default": "a.cube" }, "other": { "default": "a.cube" } },
        "filters": [
          { "filter": "lut", "file": "${look}" }, { "filter": "lut", "id": "second", "file": "${other}" },
          { "filter": "lut", "id": "third", "file": "a.cube" }
        ],
        "outputs": [ { "name": "web", "format": "png" } ]
      }
      """, to: "recipe.json")
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let recipe = ["--recipe", place.path("recipe.json")]
    let keys = ["look", "other", "third.file"]
    for files in [["b.cube", "b.cube", "b.cube"], ["b.cube", "c.cube", "d.cube"]] {
      let values = zip(keys, files).flatMap { ["--set", "\($0)=\($1)"] }
      let refused = try Command.run(["adjust", photo] + values + recipe)
      #expect(refused.code == 65)
      for (key, file) in zip(keys, files) {
        #expect(
          refused.messages.contains("'\(key)' needs the file '\(file)'"), "\(refused.messages)")
      }
    }
    let same = keys.flatMap { ["--set", "\($0)=a.cube"] }
    #expect(try Command.run(["adjust", photo] + same + recipe).code == 0)
    try place.edit("a.jpg") {
      $0.replacing(#""look": "a.cube""#, with: #""look": "b.cube""#)
        .replacing(#""third.file": "a.cube""#, with: #""third.file": "c.cube""#)
    }
    let run = try place.run()
    #expect(run.code == 4)
    #expect(run.messages.contains("'look' needs the file 'b.cube'"), "\(run.messages)")
    #expect(run.messages.contains("'third.file' needs the file 'c.cube'"), "\(run.messages)")
    #expect(run.messages.contains("--unset look --unset third.file"), "\(run.messages)")
    // The first forbidden setting does not hide one that is being made.
    let hidden = try Command.run(["adjust", photo, "--set", "other=b.cube"] + recipe)
    #expect(hidden.code == 65 && hidden.messages.contains("'other'"), "\(hidden.messages)")
    #expect(!hidden.messages.contains("'look'"), "\(hidden.messages)")
    let unset = ["--unset", "look", "--unset", "third.file"]
    #expect(try Command.run(["adjust", photo] + unset + recipe).code == 0)
    #expect(try place.reasons().reasons["a.jpg"] != "corrupt-sidecar")
  }

  @Test func theVariantOfARecipeWithAParameterInItsVariantIsTheNamedOne() throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0",
        "parameters": { "mood": { "default": "warm" } }, "variant": "${mood}",
        "filters": [ { "filter": "exposure" } ],
        "outputs": [ { "name": "web", "format": "png", "path": "{stem}.${mood}.{ext}" } ]
      }
      """, to: "recipe.json")
    #expect(try place.run().code == 0)
    let recipe = ["--recipe", place.path("recipe.json"), "--variant", "cold"]
    let adjusted = try Command.run(["adjust", photo, "--set", "exposure.stops=1"] + recipe)
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(try place.run("recipe", "--set", "mood=cold").code == 0)
    let list = try Command.run(["adjust", photo, "--list"]).output
    #expect(list.contains("variant cold") && list.contains("exposure.stops = 1"), "\(list)")
    #expect(
      try place.sidecar("a.jpg").components(separatedBy: #""formatIdentifier""#).count == 3,
      "the run resumes the edit that has the settings")
  }

  @Test func statusNamesTheOwnValueOfAParameter() throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0",
        "parameters": { "edge": { "default": 40 } }, "filters": [],
        "outputs": [
          { "name": "web", "format": "png",
            "filters": [ { "filter": "resize", "width": "${edge}" } ] }
        ]
      }
      """, to: "recipe.json")
    let recipe = ["--recipe", place.path("recipe.json")]
    let status = ["status", place.library, "--why"] + recipe
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try Command.run(["adjust", photo, "--set", "edge=20"] + recipe).code == 0)
    var why = try Command.run(status).output
    #expect(why.contains("adjusted: edge was the recipe's, is now 20"), "\(why)")
    #expect(!why.contains("recipe changed"), "\(why)")
    _ = try place.run()
    #expect(try Command.run(["adjust", photo, "--unset", "edge"] + recipe).code == 0)
    why = try Command.run(status).output
    #expect(why.contains("adjusted: edge was 20, is now the recipe's"), "\(why)")
    // A change of the recipe beside it is still one of the recipe.
    let text = String(decoding: try place.folder.read("recipe.json"), as: UTF8.self)
    try place.folder.write(
      text.replacing(#""filters": [],"#, with: #""filters": [ { "filter": "sepia" } ],"#),
      to: "recipe.json")
    why = try Command.run(status).output
    #expect(why.contains("adjusted: edge was 20"), "\(why)")
    #expect(why.contains("recipe changed: sepia"), "\(why)")
  }

  /// For each output, status names the changed parameters that it uses.
  @Test func statusNamesTheParametersOfEachOutput() throws {
    try place.folder.write(
      """
      {
        "identifier": "org.example.cropped", "version": "1.0.0",
        "parameters": { "edge": { "default": 40 }, "side": { "default": 30 } }, "filters": [],
        "outputs": [
          { "name": "web", "format": "png",
            "filters": [ { "filter": "resize", "width": "${edge}" } ] },
          { "name": "square", "format": "png",
            "filters": [ { "filter": "resize", "width": "${side}" } ] }
        ]
      }
      """, to: "recipe.json")
    let recipe = ["--recipe", place.path("recipe.json")]
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    let values = ["--set", "edge=20", "--set", "side=10"]
    #expect(try Command.run(["adjust", photo] + values + recipe).code == 0)
    let why = try Command.run(["status", place.library, "--why"] + recipe).output
    let lines = why.split(separator: "\n").filter { $0.contains("adjusted") }
    #expect(lines.count == 2, "\(why)")
    for (output, key, other) in [("web", "edge", "side"), ("square", "side", "edge")] {
      let line = lines.first { $0.contains(output) } ?? ""
      #expect(line.contains("\(key) was") && !line.contains("\(other) was"), "\(why)")
    }
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
      #expect(adjusted.output.contains("1 due") == isUsed, "\(adjusted.output)")
      #expect(adjusted.output.contains("no edit of the photo uses it yet") != isUsed)
      #expect(try place.reasons().reasons == ["a.jpg": isUsed ? "rendered" : "up-to-date"])
      seen.insert(try place.read("a.web.png"))
    }
    #expect(seen.count == (isUsed ? 2 : 1))
  }

  /// The settings of a file that is not what its name says are stored, but no run uses them.
  @Test func adjustReportsThatNoRunRendersAnUnreadablePhoto() throws {
    try place.recipe()
    try place.folder.write("no photo", to: "photos/broken.jpg")
    let recipe = ["--recipe", place.path("recipe.json")]
    let adjusted = try Command.run(
      ["adjust", place.path("photos/broken.jpg"), "--set", "exposure.stops=1"] + recipe
        + ["--library", place.library])
    #expect(adjusted.code == 0, "\(adjusted.messages)")
    #expect(adjusted.output.contains("no run can render the photo"), "\(adjusted.output)")
    #expect(adjusted.output.hasPrefix("broken.jpg: skipped"))
  }

  /// The recorded recipe cannot be rendered as a newer phbatch meant it.
  ///
  /// Commands that do not need this rendering work, and keep the key.
  @Test func adjustNamesAKeyOfTheRecordedRecipeThatThisVersionDoesNotKnow() throws {
    let recipe = try place.recipe()
    #expect(try place.run().code == 0)
    try place.edit("a.jpg") {
      $0.replacing(#""filter": "exposure","#, with: #""filter": "exposure", "x": 8,"#)
    }
    let change = ["adjust", photo, "--set", "exposure.stops=1"]
    let refused = try Command.run(change)
    #expect(refused.code == 65)
    #expect(
      refused.messages.contains(
        "this version of phbatch does not know the recipe that the sidecar records: 'exposure'"
          + " has no key 'x', at $.filters[0].x)"))
    #expect(refused.messages.contains("or name the recipe with --recipe"))
    #expect(!refused.messages.contains("error:"))

    let commands = [
      ["revert", photo], ["undo", photo], ["adjust", photo, "--focal-point", "0,1"],
    ]
    for command in commands {
      #expect(try Command.run(command).code == 0, "\(command)")
    }
    #expect(try place.sidecar("a.jpg").contains(#""x": 8"#))
    #expect(try Command.run(change + ["--recipe", recipe]).code == 0)
    #expect(try place.reasons().reasons == ["a.jpg": "rendered"])
    #expect(try !place.sidecar("a.jpg").contains(#""x": 8"#))
    #expect(try Command.run(["adjust", photo, "--unset", "exposure.stops"]).code == 0)
  }

  @Test func adjustShowsNoLineOfARecordedRecipe() throws {
    try recipe(#"{ "filter": "resize", "longEdge": 40 }"#)
    let refused = try Command.run(["adjust", photo, "--set", "resize.width=10"])
    #expect(refused.code == 65)
    #expect(
      refused.messages.contains("(error: 'resize' has 2 different sizes, at $.filters[0])"))
    #expect(!refused.messages.contains("the sidecar's recipe:"))
  }
}
