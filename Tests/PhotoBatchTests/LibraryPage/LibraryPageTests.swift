import Foundation
import SystemPackage
import TestSupport
import Testing

/// `docs/library.md`: its examples are the other files of this folder, which are compiled with the
/// imports that the page prints.
@Suite struct LibraryPageTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.appending(path: "../../..").standardizedFileURL

  private static func text(_ url: URL) throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }

  /// The code blocks of the page in Swift.
  private static func blocks() throws -> [String] {
    try text(root.appending(path: "docs/library.md")).components(separatedBy: "```swift tested\n")
      .dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  private static func imports(_ text: String) -> Set<String> {
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("import ") }
    return Set(lines.map { String($0.dropFirst("import ".count)) })
  }

  /// A test cannot contain a main function, so the file lacks the attribute.
  @Test(arguments: ["RenderFolder", "RenderSmall", "RenderPhoto"])
  func anExampleIsPrintedAsItIsCompiled(_ name: String) throws {
    let example = try Self.text(Self.folder.appending(path: "\(name).swift"))
    let printed = try Self.blocks().map { $0.replacing("@main\n", with: "") }
    #expect(printed.contains(example))
  }

  @Test func everyExampleIsCompiled() throws {
    #expect(try Self.blocks().count == 4, "the manifest and three examples")
  }

  @Test func theManifestNamesTheProductsThatTheExamplesImport() throws {
    let blocks = try Self.blocks()
    let manifest = try #require(blocks.first { $0.hasPrefix("// swift-tools-version") })
    let imports = blocks.map(Self.imports).reduce(into: Set()) { $0.formUnion($1) }
    for name in imports.subtracting(["Foundation", "PackageDescription"]) {
      #expect(manifest.contains(".product(name: \"\(name)\""), "\(name)")
    }
    let own = try Self.text(Self.root.appending(path: "Package.swift"))
    let lines = own.split(separator: "\n")
    let system = try #require(lines.first { $0.contains("apple/swift-system\"") })
    #expect(manifest.contains(system.drop { $0 == " " }))
  }

  /// The example of a single photo works.
  @Test func aPhotoIsRendered() throws {
    let place = try Library(["a.jpg"])
    func url(_ path: String) -> URL { URL(filePath: place.folder[path].string) }
    try renderPhoto(
      url("photos/a.jpg"), recipe: url("recipe.json"), into: url("photos"))
    #expect(try place.folder.read("photos/web.jpg").count > 1000)
  }
}
