import Foundation
import Glibc
import TestSupport
import Testing

/// Output paths with folders: `{folder}`, the removal of empty folders, output folders that are
/// missing, and links or files in place of folders and renditions.
@Suite struct OutputPathTests {
  private func place(_ path: String) throws -> Workplace {
    let place = try Workplace(["a.jpg", "Trip/b.jpg"])
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "\#(path)""#)
    return place
  }

  @Test func emptyOutputFoldersAreRemovedWithTheLastRendition() throws {
    let place = try place("{root}/web/small/{stem}.{ext}")
    #expect(try place.run().code == 0)
    #expect(try place.names().contains("web/small/b.jpg"))
    try place.folder.write("mine", to: "photos/web/notes.txt")
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "{root}/new/{stem}.{ext}""#)
    #expect(try place.run().code == 0)
    #expect(
      try place.names() == [
        "Trip", "Trip/b.jpg", "Trip/b.jpg.phbatch.json", "a.jpg", "a.jpg.phbatch.json", "new",
        "new/a.jpg", "new/b.jpg", "web", "web/notes.txt",
      ])
    #expect(try Command.run(["undo", place.library]).code == 0)
    #expect(try place.names().contains("web/small/a.jpg"))
    #expect(try !place.names().contains("new"))
  }

  /// The workers receive the recipe with its variant.
  @Test func theNameOfTheVariantCanBePartOfThePath() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe(
      variant: "gallery",
      output: #""name": "web", "format": "jpeg", "path": "{stem}.{variant}.{ext}""#)
    #expect(try place.run().code == 0)
    #expect(try place.names().contains("a.gallery.jpg"))
    #expect(try place.reasons().reasons == ["a.jpg": "up-to-date"])
  }

  /// `{folder}` mirrors the library below one folder; photos at the top of the library are written
  /// directly into that folder.
  @Test func theFolderPlaceholderMirrorsTheLibrary() throws {
    let place = try place("web/{folder}/{name}.jpg")
    try place.addPhoto("Trip/Day 1/b.jpg")
    #expect(
      try place.run("recipe", "--dry-run").lines[2] == "  writes web/Trip/Day 1/b.jpg.jpg,"
        + " Trip/Day 1/b.jpg.phbatch.json")
    #expect(try place.run().code == 0)
    let wanted = ["web/a.jpg.jpg", "web/Trip/b.jpg.jpg", "web/Trip/Day 1/b.jpg.jpg"]
    #expect(Set(try place.names()).isSuperset(of: wanted))
    #expect(
      try place.reasons().reasons
        == ["a.jpg": "up-to-date", "Trip/b.jpg": "up-to-date", "Trip/Day 1/b.jpg": "up-to-date"])
    // With --output, the mirrored folders are below the output folder.
    let output = place.path("out")
    #expect(try place.run("recipe", "--output", output).code == 0)
    #expect(Set(try place.snapshot(below: "out").keys).isSuperset(of: wanted))
  }

  /// Two photos must not have the same output path, and `{folder}` must be a whole component of the
  /// path, followed by others.
  @Test func collisionsOfPathsWithTheFolderPlaceholderAreReported() throws {
    let place = try place("{folder}/web.{stem}.jpg")
    try place.addPhoto("Trip/b.png")
    let result = try place.run()
    #expect(result.code == 3)
    #expect(result.messages.contains("'Trip/web.b.jpg' would also be a rendition of"))
    for path in [
      "web-{folder}/{name}.jpg", "web/{folder}-{name}.jpg", "web/{folder}", "{folder}/../{name}",
    ] {
      try place.recipe(output: #""name": "web", "format": "jpeg", "path": "\#(path)""#)
      #expect(try place.run().code == 65, "\(path)")
    }
  }

  @Test(arguments: [
    ("{name}", "'a.jpg' is an original", "put {recipe} into the output's path\n"),
    ("c{stem}.jpg", "'ca.jpg' is an original", "path, or move that file away\n"),
  ])
  func aPathThatIsAnOriginalIsRefused(_ path: String, _ problem: String, _ hint: String) throws {
    let place = try Workplace(["a.jpg", "ca.jpg"])
    // A file with settings of its own is an original, whatever its name.
    let words = ["adjust", place.path("photos/ca.jpg"), "--library", place.library]
    let adjusted = try Command.run(words + ["--focal-point", "0,0"])
    #expect(adjusted.code == 0)
    try place.recipe(output: #""name": "web", "format": "jpeg", "path": "\#(path)""#)
    let messages = try place.run().messages
    #expect(messages.contains(problem) && messages.contains(hint), "\(messages)")
    #expect(!messages.contains("put {name}"))
  }

  /// A link or a file in place of a folder is reported as occupied, and not as a failure of the
  /// photo.
  ///
  /// Links are not followed.
  @Test(arguments: [true, false]) func linksAndFilesInPlaceOfOutputFoldersAreReported(
    _ isLink: Bool
  ) throws {
    let place = try place("web/{stem}.{ext}")
    try FileManager.default.createDirectory(
      atPath: place.path("elsewhere"), withIntermediateDirectories: true)
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: place.path("photos/web"), withDestinationPath: "../elsewhere")
    } else {
      try place.folder.write("mine", to: "photos/web")
    }
    let result = try place.run()
    #expect(result.code == 4)
    #expect(
      result.messages.contains("a.jpg: occupied (a link or a file at 'web/a.jpg' blocks the folder")
    )
    #expect(result.output.hasPrefix("1 rendered (1 rendition, "))
    #expect(result.output.hasSuffix("), 1 occupied\n"))
    #expect(try place.names().contains("Trip/web/b.jpg"))
  }

  /// The folder was there before, and the sidecar is in it, too.
  @Test(arguments: [true, false]) func aLinkOrFileInPlaceOfAFolderThatARunCreatedIsReported(
    _ isLink: Bool
  ) throws {
    let place = try Workplace(["s/a.jpg"])
    try place.recipe()
    let output = place.path("public")
    #expect(try place.run("recipe", "--output", output).code == 0)
    try FileManager.default.moveItem(atPath: "\(output)/s", toPath: place.path("moved"))
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: "\(output)/s", withDestinationPath: "../moved")
    } else {
      try place.folder.write("mine", to: "public/s")
    }
    let result = try place.run("recipe", "--output", output)
    #expect(result.code == 4)
    #expect(
      result.messages.contains("s/a.jpg: occupied (a link or a file at 's' blocks the folder"),
      "\(result.messages)")
  }

  /// A run would create the folder.
  @Test func plansOverAMissingOutputFolderCreateNothing() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let before = try place.folder.files()
    for output in [place.path("new"), "\(place.library)/new"] {
      for option in ["--check", "--dry-run"] {
        let result = try place.run("recipe", "--output", output, option)
        #expect(result.code == (option == "--check" ? 2 : 0), "\(result.messages)")
        #expect(result.lines.last == "1 due")
        #expect(try place.folder.files() == before)
        #expect(!FileManager.default.fileExists(atPath: output))
      }
    }
    let missing = try place.run("recipe", "--output", place.path("no/new"), "--check")
    #expect(missing.code == 66)
    #expect(try place.run("recipe", "--output", place.path("new")).code == 0)
    #expect(try place.run("recipe", "--output", place.path("new"), "--check").code == 0)
  }

  /// A run does not create the folder to which a link leads.
  @Test func plansRefuseALinkToAMissingOutputFolderAsRunsDo() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let link = place.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "none")
    for options in [["--dry-run"], ["--check"], []] {
      let result = try Command.run(
        ["run", place.path("recipe.json"), place.library, "--output", link] + options)
      #expect(result.code == 66, "\(options) \(result.messages)")
    }
  }

  @Test func plansOverAMissingOutputFolderNeedNoTemporaryFolder() throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    let result = try place.run(
      "recipe", "--output", place.path("new"), "--dry-run",
      environment: ["TMPDIR": place.path("none")])
    #expect(result.code == 0, "\(result.messages)")
    #expect(result.lines.last == "1 due")
  }

  @Test(arguments: ["keep", "overwrite", "adopt"]) func aLinkInPlaceOfARenditionIsReported(
    _ policy: String
  ) throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    #expect(try place.run().code == 0)
    try FileManager.default.moveItem(
      atPath: place.path("photos/a.web.jpg"), toPath: place.path("moved.jpg"))
    try FileManager.default.createSymbolicLink(
      atPath: place.path("photos/a.web.jpg"), withDestinationPath: "../moved.jpg")
    let before = try place.snapshot()
    for more in [[], ["--check"]] {
      let result = try Command.run(
        ["run", place.path("recipe.json"), place.library, "--on-modified", policy] + more)
      #expect(result.code == 4)
      #expect(
        result.messages.contains(
          "a.jpg: occupied (a link or a folder is in place of the rendition 'a.web.jpg'"),
        "\(result.messages)")
    }
    #expect(try place.snapshot() == before)
  }

  @Test(.enabled(if: Unprivileged.isPossible), arguments: ["keep", "overwrite", "adopt"])
  func aRenditionThatCannotBeReadIsNotCalledChanged(_ policy: String) throws {
    let place = try Workplace(["a.jpg"])
    try place.recipe()
    try Unprivileged.open(place)
    #expect(try place.run(prefix: Unprivileged.prefix).code == 0)
    #expect(chmod(place.path("photos/a.web.jpg"), 0) == 0)
    let result = try place.run("recipe", "--on-modified", policy, prefix: Unprivileged.prefix)
    #expect(result.code == 3)
    #expect(
      result.messages.contains("a.jpg: unreadable (cannot open 'a.web.jpg': Permission denied)"),
      "\(result.messages)")
  }
}
