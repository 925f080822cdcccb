import Foundation
import Notation
import PhotoImport
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import TestRandom
import TestSupport
import Testing

@testable import PhotoBatch

/// Runs each command that reads other programs' files over damaged and hostile files.
@Suite struct BadForeignTests {
  /// An AAE file with these bytes as its settings.
  private static func aae(
    _ data: [UInt8], identifier: String = "com.apple.photo", more: String = ""
  ) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>adjustmentData</key><data>\(Data(data).base64EncodedString())</data>
    <key>adjustmentFormatIdentifier</key><string>\(identifier)</string>
    <key>adjustmentFormatVersion</key><string>1.4</string>\(more)
    </dict></plist>
    """
  }

  /// One DEFLATE block that expands to zero bytes only, in which each 13 bits give 258 bytes.
  private static var bomb: [UInt8] {
    // Fixed codes: literal 0 (00110000), then runs of length 258 at distance 1 (11000101 00000).
    var bits = [1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<80_000 { bits += [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] }
    bits += [0, 0, 0, 0, 0, 0, 0]
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | UInt8($1.1) << $1.0 }
    }
  }

  private static func xmp(_ head: String, _ body: String) -> String {
    """
    <?xml version="1.0"?>\(head)
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
     crs:HasSettings="True" crs:Exposure2012="\(body)"/>
    </rdf:RDF></x:xmpmeta>
    """
  }

  /// Hostile files; `isEdit` is true if the file is treated as an edit, otherwise it causes a
  /// warning.
  private static let files: [(name: String, text: String, isEdit: Bool)] = [
    ("a.AAE", aae([0x4B, 0xCA]), true),
    ("a.AAE", aae(bomb), true),
    ("a.AAE", aae([1, 2, 3], identifier: "org.nobody.knows"), true),
    ("a.AAE", aae([], more: "<key>adjustmentTimestamp</key><date></date>"), true),
    ("a.AAE", aae([]), true),
    ("a.AAE", "", false), ("a.AAE", "<plist>", false), ("a.AAE", "bplist00", false),
    ("a.AAE", aae([1]).replacing("<string>com.apple.photo</string>", with: "<integer/>"), false),
    (
      "a.xmp",
      xmp(
        "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;'>]>", "&c;"
      ),
      false
    ),
    ("a.xmp", xmp("<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>", "&e;"), false),
    ("a.xmp", xmp("<!DOCTYPE x SYSTEM 'http://127.0.0.1:1/a.dtd'>", "&e;"), false),
    ("a.xmp", xmp("", "&unknown;"), false),
    ("a.xmp", xmp("", "1e999999"), true),
    ("a.xmp", String(xmp("", "+0.5").dropLast(40)), false),
    ("a.jpg.xmp", String(repeating: "<a>", count: 100_000), false),
    ("a.jpg.pp3", "[Exposure]\nCompensation=nan\n", true),
    ("a.jpg.pp3", "[Exposure", false),
  ]

  /// A file that is an edit is recorded; any other file causes a warning.
  ///
  /// Every command succeeds, and none changes the file.
  @Test func everyCommandEndsAndLeavesHostileFilesOfOtherProgramsUnchanged() async throws {
    for file in TestVolume.one(of: 2, Self.files) {
      let words = "\(file.name): \(file.text.prefix(200))"
      let place = try Library(["a.jpg"])
      try place.folder.write(
        try String(decoding: place.folder.read("recipe.json"), as: UTF8.self)
          .replacing(#""variant": "web","#, with: ""), to: "recipe.json")
      try place.folder.write(file.text, to: "photos/\(file.name)")
      let before = try place.contents()
      var options = BatchOptions()
      options.workerExecutable = Command.executable
      let outcome = try #require(try await place.run(options).first)
      #expect(outcome.reason == .rendered, "\(words)")
      let sidecar = try place.folder.read("photos/a.jpg.phbatch.json")
      let isRecorded = String(decoding: sidecar, as: UTF8.self).contains(#""foreign""#)
      #expect(isRecorded == file.isEdit, "\(words)")
      let isWarned = outcome.warnings.contains { $0.contains("was ignored") }
      #expect(isWarned == !file.isEdit, "\(words): \(outcome.warnings)")
      for command in EditingCommand.allCases where command != .runWithEveryLeave {
        let reasons = try await command.reasons(for: "a.jpg", in: place)
        // `noEdit` is allowed, because one of the commands adjusts a variant that the photo does
        // not have.
        let isFine = reasons.allSatisfy { $0.outcome == .fine || $0 == .noEdit }
        #expect(isFine, "\(words), \(command): \(reasons)")
      }
      let after = try place.contents()
      for (name, bytes) in before { #expect(after[name] == bytes, "\(name): \(words)") }
    }
  }

  /// `import` creates a valid recipe, or reports why it cannot.
  @Test func importCreatesAValidRecipeOrReportsTheReasonOfTheFailure() throws {
    for file in Self.files {
      do throws(ForeignFileError) {
        let imported = try Import.recipe(
          from: Array(file.text.utf8), named: file.name, identifier: "org.example.imported")
        let source = SourceText(name: "recipe", text: imported.text)
        let document = try? RecipeDocument(source) { file throws(Problem) in
          throw .missingFile(file.path)
        }
        #expect(throws: Never.self) { _ = try document?.recipe() }
        #expect(document != nil)
      } catch {
        #expect(!error.message.isEmpty && !error.hint.isEmpty)
      }
    }
  }
}
