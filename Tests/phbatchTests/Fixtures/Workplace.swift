import Foundation
import Glibc
import SystemPackage
import TestSupport

/// A folder with a library, recipes, and the command that is run over them.
struct Workplace {
  let folder: TemporaryFolder

  init(_ photos: [String] = ["a.jpg"]) throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: library, withIntermediateDirectories: true)
    for name in photos { try addPhoto(name) }
  }

  var library: String { path("photos") }

  /// The absolute path of a file or folder in the workplace; the path of the workplace for an empty
  /// name.
  func path(_ name: String) -> String { name.isEmpty ? folder.path.string : folder[name].string }

  func addPhoto(_ name: String, width: Int = 60, height: Int = 40) throws {
    let isPNG = name.hasSuffix(".png")
    let bytes =
      try isPNG
      ? SyntheticPhoto.png(width: width, height: height)
      : SyntheticPhoto.jpeg(width: width, height: height)
    try folder.write(bytes, to: "photos/\(name)")
  }

  /// Writes an XMP file with a rating beside a photo.
  func rate(_ photo: String, _ stars: Int) throws {
    try folder.write(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(stars)"/></rdf:RDF></x:xmpmeta>
      """, to: "photos/\(photo).xmp")
  }

  /// Writes a recipe with one output and returns its path.
  @discardableResult
  func recipe(
    _ name: String = "recipe", variant: String? = "web", from: String? = nil, stops: Double = 0.5,
    output: String = #""name": "web", "format": "jpeg""#, more: String = ""
  ) throws -> String {
    let place = [variant.map { "\"variant\": \"\($0)\"," }, from.map { "\"from\": \"\($0)\"," }]
    try folder.write(
      """
      {
        "identifier": "org.example.\(name)", "version": "1.0.0",
        \(place.compactMap(\.self).joined(separator: " ")) \(more)
        "filters": [ { "filter": "exposure", "stops": \(stops) } ],
        "outputs": [ { \(output) } ]
      }
      """, to: "\(name).json")
    return folder["\(name).json"].string
  }

  /// Runs a recipe of this folder over the library.
  func run(
    _ recipe: String = "recipe", _ arguments: String..., environment: [String: String] = [:],
    prefix: [String] = []
  ) throws -> CommandResult {
    try Command.run(
      ["run", folder["\(recipe).json"].string, library] + arguments, environment: environment,
      prefix: prefix)
  }

  /// Runs a recipe and returns the reason for each photo, and the exit code.
  func reasons(
    _ recipe: String = "recipe", _ arguments: String...
  ) throws -> (reasons: [String: String], code: Int32) {
    let result = try Command.run(
      ["run", folder["\(recipe).json"].string, library, "--format", "json"] + arguments)
    return (try result.reasons, result.code)
  }

  func read(_ name: String) throws -> [UInt8] { try folder.read("photos/\(name)") }

  func sidecar(_ name: String) throws -> String {
    String(decoding: try read("\(name).phbatch.json"), as: UTF8.self)
  }

  /// Changes the text of a sidecar.
  func edit(_ photo: String, _ change: (String) -> String) throws {
    try folder.write(change(try sidecar(photo)), to: "photos/\(photo).phbatch.json")
  }

  /// All files of the library except those of `.phbatch/`, with the facts by which a test detects a
  /// change.
  func snapshot(below name: String = "photos") throws -> [String: FileFacts] {
    var facts: [String: FileFacts] = [:]
    let root = folder[name].string
    let names = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
    for name in names where !name.hasPrefix(".phbatch/") && name != ".phbatch" {
      facts[name] = FileFacts("\(root)/\(name)")
    }
    return facts
  }

  func names() throws -> [String] { try snapshot().keys.sorted() }

  /// The temporary files that a run left behind.
  func leftovers() throws -> [String] {
    try folder.files().filter { $0.contains(".phbatch-") }
  }
}

extension CommandResult {
  /// The reason for each photo, from the run's events.
  var reasons: [String: String] {
    get throws {
      var reasons: [String: String] = [:]
      for event in try events where event["event"] as? String == "asset-done" {
        guard let file = event["file"] as? String else { continue }
        reasons[file] = event["due"] as? Bool == true ? "due" : event["reason"] as? String
      }
      return reasons
    }
  }
}

/// The facts about a file by which a test detects a change of the file.
struct FileFacts: Hashable {
  var bytes: [UInt8]?
  var inode: UInt64
  var mode: UInt32
  var modified: Int

  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    mode = status.st_mode
    modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    let isFile = status.st_mode & S_IFMT == S_IFREG
    bytes = isFile ? FileManager.default.contents(atPath: path).map { Array($0) } : nil
  }
}
