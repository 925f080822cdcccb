import Foundation
import Glibc
import TestSupport
import Testing

/// A copy of a library may have all names in another Unicode normalization form.
@Suite struct UnicodeNameTests {
  private let composed = "\u{E9}"
  private let decomposed = "e\u{301}"

  /// Renames the files and folders of a library whose names contain the composed letter.
  private func decompose(_ place: Workplace) throws {
    for name in try place.names().reversed() where name.unicodeScalars.contains("\u{E9}") {
      let old = place.path("photos/\(name)")
      let new = place.path("photos/\(name.replacing(composed, with: decomposed))")
      #expect(rename(old, new) == 0)
    }
  }

  /// The names of a library in which a letter is composed.
  private func composedNames(_ place: Workplace) throws -> [String] {
    try place.names().filter { $0.unicodeScalars.contains("\u{E9}") }
  }

  @Test func sidecarsRecordRenditionsWhoseNamesGotAnotherForm() throws {
    let place = try Workplace(["\(composed).jpg"])
    try place.recipe("one", variant: nil, output: #""name": "one", "format": "png""#)
    try place.recipe(
      "web", from: "current",
      output: #""name": "web", "format": "jpeg", "path": "{root}/web/{stem}.{ext}""#)
    for recipe in ["one", "web"] { #expect(try place.run(recipe).code == 0) }
    try decompose(place)
    let renamed = try place.snapshot().mapValues(\.bytes)
    #expect(try composedNames(place) == [])

    let verified = try Command.run(["verify", place.library])
    #expect(verified.code == 0, "\(verified.output)")
    for recipe in ["one", "web"] {
      #expect(try place.reasons(recipe) == (["\(decomposed).jpg": "up-to-date"], 0))
    }
    #expect(try place.snapshot().mapValues(\.bytes) == renamed)

    // The renditions are replaced at their present paths, and the variant finds its base.
    try place.recipe("one", variant: nil, stops: 1, output: #""name": "one", "format": "png""#)
    for recipe in ["one", "web"] {
      #expect(try place.reasons(recipe) == (["\(decomposed).jpg": "rendered"], 0))
    }
    #expect(try composedNames(place) == [])
    #expect(try place.names().count == renamed.count)
    #expect(try Command.run(["verify", place.library]).code == 0)
  }
}
