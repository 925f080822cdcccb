import PhotoLibrary
import PhotoRecipes
import SystemPackage
import Testing

@Suite struct RenditionPlaceTests {
  private func origins(
    _ template: String, _ path: FilePath, output: String = "web"
  ) throws -> [String] {
    let place = RenditionPlace(
      try PathTemplate(template), extension: "jpg", output: output, recipe: "gallery",
      variant: "small")
    #expect(RenditionPlace(place.json) == place)
    return place.origins(of: path).map { origin in
      "\(origin.folder)/\(origin.name)" + (origin.isWhole ? " whole" : "")
    }
  }

  @Test(
    arguments: [
      ("{stem}.{output}.{ext}", "trip/a.web.jpg", ["trip/a"]),
      ("{stem}.{output}.{ext}", "trip/a.b.web.jpg", ["trip/a.b"]),
      ("{stem}.{output}.{ext}", "trip/a.jpg", []),
      ("{stem}.{output}.{ext}", "trip/a.web.png", []),
      ("{stem}.{output}.{ext}", "trip/.web.jpg", []),
      ("{name}.{ext}", "a.png.jpg", ["/a.png whole"]),
      ("web-{stem}.{ext}", "web-a.jpg", ["/a"]),
      ("{recipe}/{variant}/{stem}.{ext}", "x/gallery/small/a.jpg", ["x/a"]),
      ("{recipe}/{variant}/{stem}.{ext}", "gallery/a.jpg", []),
      ("{stem}_{width}x{height}.{ext}", "a_640x480.jpg", ["/a"]),
      ("{stem}_{width}.{ext}", "a_.jpg", []),
      ("{stem}.{date:yyyy/MM}.{ext}", "x/a.2019/07.jpg", ["x/a"]),
      ("{stem}.{digest:4}.{ext}", "a.09af.jpg", ["/a"]),
      ("{stem}.{digest:4}.{ext}", "a.09ag.jpg", []),
      // These templates do not identify the original: if a path contains only the stem, it fits too
      // many originals, and `{root}` does not contain the original's folder.
      ("{stem}.{ext}", "a.jpg", []),
      ("{root}/web/{stem}.{ext}", "web/a.jpg", []),
    ] as [(String, FilePath, [String])])
  func theOriginalIsDeterminedFromTheRenditionsPath(
    _ template: String, _ path: FilePath, _ expected: [String]
  ) throws {
    #expect(try origins(template, path) == expected)
  }

  /// A search that backtracks would try all ways to divide the digits among the placeholders: more
  /// than 10^11.
  @Test func placeholdersThatFollowOneAnotherAreMatchedInShortTime() throws {
    let sizes = String(repeating: "{width}", count: 8)
    let digits = String(repeating: "1", count: 120)
    #expect(try origins("{stem}-\(sizes)Z.{ext}", FilePath("a-\(digits)Y.jpg")) == [])
    #expect(try origins("{stem}-\(sizes)Z.{ext}", FilePath("a-\(digits)Z.jpg")) == ["/a"])
    #expect(
      try origins("\(sizes){name}\(sizes).{ext}", FilePath("\(digits).jpg")).count == 104 * 105 / 2)
  }

  @Test(
    arguments: [
      ("{stem}-{name}.{ext}", "a-b.png.jpg", ["/b.png whole"]),
      ("{name}-{stem}.{ext}", "a.png-b.jpg", ["/a.png whole"]),
      ("{stem}/{stem}-x.{ext}", "a/b-x.jpg", ["/b"]),
      ("{stem}-{name}.{ext}", "a-b-c.jpg", ["/b-c whole", "/c whole"]),
    ] as [(String, FilePath, [String])])
  func oneOfSeveralNamesInAPathDeterminesTheOriginal(
    _ template: String, _ path: FilePath, _ expected: [String]
  ) throws {
    #expect(try origins(template, path) == expected)
  }

  /// The film of a Live Photo has the path of its photo, with another extension.
  @Test(
    arguments: [
      ("{stem}.{output}.{ext}", "trip/a.web.mov", ["trip/a"]),
      ("{stem}.{output}.{ext}", "trip/a.web.jpg", []),
      ("{stem}.{output}.{ext}", "trip/a.mov", []),
      ("web/{stem}_{width}.{ext}", "x/web/a_640.mov", ["x/a"]),
      ("{stem}.web.jpg", "a.web.jpg.mov", ["/a"]),
      ("{stem}.web.jpg", "a.web.mov", []),
    ] as [(String, FilePath, [String])])
  func thePathOfAFilmDeterminesTheOriginal(
    _ template: String, _ path: FilePath, _ expected: [String]
  ) throws {
    #expect(try origins(template, path, output: "web film") == expected)
  }

  @Test(arguments: [
    ("{stem}.{output}.{ext}", true), ("web/{name}.{ext}", false), ("{root}/{stem}.{ext}", false),
    ("{stem}.{date:yyyy/MM}.{ext}", false),
  ])
  func somePathsStayInTheFolder(_ template: String, _ stays: Bool) throws {
    let place = RenditionPlace(
      try PathTemplate(template), extension: "jpg", output: "web", recipe: "gallery", variant: nil)
    #expect(place.staysInFolder == stays)
  }
}
