import Foundation
import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage
import TestRandom
import TestSupport
import Testing

@testable import PhotoBatch

/// Random operations of users and programs on a folder of photos.
struct WatchFuzz {
  private let place: WatchedPlace
  private var random: SeededGenerator
  private var names = 0
  private var copies: [SlowCopy] = []
  private static let photos: [[UInt8]] = (0..<24).compactMap { try? WatchedPlace.photo($0 * 7) }

  /// A file that is written in several pieces.
  private struct SlowCopy {
    let file: FileHandle
    var rest: ArraySlice<UInt8>
  }

  init(_ place: WatchedPlace, seed: UInt64) {
    self.place = place
    random = SeededGenerator(seed: seed)
  }

  private var root: String { place.library.string }

  private mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }

  private mutating func photo() -> Data { Data(pick(Self.photos) ?? []) }

  /// The folders, or the files except hidden files and renditions, sorted by name.
  private func entries(folders: Bool) -> [String] {
    var names: [String] = []
    var waiting = [""]
    while let folder = waiting.popLast() {
      guard let stream = opendir("\(root)/\(folder)") else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream)?.pointee {
        let name = withUnsafePointer(to: entry.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasPrefix(".") { continue }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let isFolder = entry.d_type == UInt8(DT_DIR)
        if isFolder { waiting.append(path) }
        if isFolder == folders && !Self.isMade(path) { names.append(path) }
      }
    }
    return names.sorted()
  }

  /// True for a sidecar or a rendition.
  static func isMade(_ name: String) -> Bool {
    name.hasSuffix(".phbatch.json") || name.hasSuffix(".web.png")
  }

  private mutating func newPath() -> String {
    names += 1
    let folder = pick([""] + entries(folders: true).map { $0 + "/" }) ?? ""
    return "\(root)/\(folder)p\(names).\(pick(["png", "jpg", "PNG"]) ?? "png")"
  }

  /// A random existing file, except files of a phone's export.
  ///
  /// If exported photos change later, the watch leaves the decision to the user, while a fresh run
  /// would render them; the results would differ.
  private mutating func oldPath() -> String? {
    let names = entries(folders: false).filter { !$0.contains("/IMG_") }
    return pick(names).map { "\(root)/\($0)" }
  }

  /// If there are more files than this, some are removed.
  private static let crowd = 200

  /// Does one operation; parts of it may fail because another process was faster.
  mutating func act() {
    if entries(folders: false).count > Self.crowd { removeFolder() }
    for index in copies.indices.reversed() {
      let count = Int.random(in: 1...40, using: &random)
      try? copies[index].file.write(contentsOf: Data(copies[index].rest.prefix(count)))
      copies[index].rest = copies[index].rest.dropFirst(count)
      if copies[index].rest.isEmpty {
        try? copies[index].file.close()
        copies.remove(at: index)
      }
    }
    switch Int.random(in: 0..<24, using: &random) {
    case 0...4: try? photo().write(to: URL(filePath: newPath()))
    case 5: copySlowly()
    case 6, 7: renameIntoPlace(newPath())
    case 8: if let path = oldPath() { renameIntoPlace(path) }
    case 9: if let path = oldPath() { saveAsEditorsDo(path) }
    case 10: makeFolders()
    case 11, 12: moveFolder()
    case 13: if let path = oldPath() { link(path, newPath()) }
    case 14, 15: if let path = oldPath() { unlink(path) }
    case 16: if let path = oldPath() { try? photo().write(to: URL(filePath: path)) }
    case 17: if let path = oldPath() { utimes(path, nil) }
    case 18: if let path = oldPath() { rename(path, newPath()) }
    case 19: removeRendition()
    case 20: removeFolder()
    case 21: takeRawAndJPEG()
    case 22: importFromTelephone()
    default: try? Data("no photo".utf8).write(to: URL(filePath: newPath() + ".txt"))
    }
  }

  /// Writes a raw photo and a JPEG photo, as cameras do; only the JPEG photo is rendered.
  private mutating func takeRawAndJPEG() {
    let url = URL(filePath: newPath()).deletingPathExtension()
    var files = [("NEF", Data("II*\0\u{8}\0\0\0\0\0\0\0\0\0".utf8)), ("JPG", photo())]
    files.shuffle(using: &random)
    for (ending, bytes) in files { try? bytes.write(to: url.appendingPathExtension(ending)) }
  }

  /// A folder with a photo, its edit and the edited image.
  private mutating func importFromTelephone() {
    names += 1
    let folder = place.folder["import"].string
    let export = PhoneExport.files
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in export { try? Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) }
    rename(folder, "\(root)/t\(names)")
  }

  private mutating func copySlowly() {
    let path = newPath()
    try? Data().write(to: URL(filePath: path))
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    copies.append(SlowCopy(file: file, rest: Array(photo())[...]))
  }

  /// Writes a temporary file and renames it, as rsync and browsers do.
  private mutating func renameIntoPlace(_ path: String) {
    let url = URL(filePath: path)
    let temporary = url.deletingLastPathComponent()
      .appending(path: ".\(url.lastPathComponent).Xy12Za").path
    try? photo().write(to: URL(filePath: temporary))
    rename(temporary, path)
  }

  /// Renames the old file to a backup, writes the new file, and removes the backup.
  private mutating func saveAsEditorsDo(_ path: String) {
    rename(path, path + "~")
    try? photo().write(to: URL(filePath: path))
    unlink(path + "~")
  }

  private mutating func makeFolders() {
    names += 1
    let folder = pick([""] + entries(folders: true).map { $0 + "/" }) ?? ""
    if folder.count(where: { $0 == "/" }) > 4 { return }
    let path = "\(root)/\(folder)d\(names)/e/f"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try? photo().write(to: URL(filePath: path + "/first.png"))
  }

  private mutating func moveFolder() {
    let folders = entries(folders: true)
    guard let from = pick(folders), let into = pick([""] + folders.map { $0 + "/" }) else { return }
    names += 1
    rename("\(root)/\(from)", "\(root)/\(into)m\(names)")
  }

  /// Removes a folder by renaming it, or file by file while more files are published into it.
  private mutating func removeFolder() {
    guard let folder = pick(entries(folders: true)) else { return }
    var path = "\(root)/\(folder)"
    if Bool.random(using: &random) {
      let trash = place.folder["trash"].string
      guard rename(path, trash) == 0 else { return }
      path = trash
    }
    for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private mutating func removeRendition() {
    if let path = oldPath() { unlink(path + ".web.png") }
  }

  /// Ends the operations that are still in progress.
  mutating func finish() {
    for copy in copies {
      try? copy.file.write(contentsOf: Data(copy.rest))
      try? copy.file.close()
    }
    copies = []
  }
}

/// The files that a phone exports for a photo that was edited on it.
private enum PhoneExport {
  static let files: [(name: String, bytes: [UInt8])] = [
    ("IMG_1.HEIC", (try? heic) ?? []),
    ("IMG_1.AAE", Array(adjustment.utf8)),
    ("IMG_E1.JPG", (try? SyntheticPhoto.jpeg(width: 20, height: 30)) ?? []),
  ]

  private static var heic: [UInt8] {
    get throws {
      try SyntheticPhoto.bytes(SyntheticPhoto.image(width: 64, height: 48), "heifsave_target")
    }
  }

  private static let adjustment = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>adjustmentData</key><data>AAECAwQ=</data>
    <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>
    <key>adjustmentFormatVersion</key><string>1.4</string>
    </dict></plist>
    """
}

/// Compares a library with the result of a fresh run over the same originals.
struct FreshRun {
  /// The differences as text, each with its path.
  let differences: [String]
  let photos: Int

  init(_ place: WatchedPlace) async throws {
    let fresh = try TemporaryFolder()
    let originals = try place.files().filter { name in
      !WatchFuzz.isMade(name) && !name.hasPrefix(".") && !name.contains("/.")
    }
    for name in originals {
      try fresh.write(place.folder.read("photos/\(name)"), to: "photos/\(name)")
    }
    try FileManager.default.createDirectory(
      atPath: fresh["photos"].string, withIntermediateDirectories: true)
    let batch = try Batch(
      recipe: place.recipe, library: fresh["photos"], options: WatchedPlace.options)
    _ = try await batch.run { _ in }
    var differences: [String] = []
    var photos = 0
    for name in originals {
      for suffix in [".web.png", ".phbatch.json"] {
        let expected = try? fresh.read("photos/\(name)\(suffix)")
        let found = try? place.folder.read("photos/\(name)\(suffix)")
        if suffix == ".web.png" && expected != nil { photos += 1 }
        if Self.plain(expected) != Self.plain(found) {
          let what = found == nil ? "missing" : expected == nil ? "superfluous" : "different"
          differences.append("\(name)\(suffix) \(what)")
        }
      }
    }
    // Renditions of missing photos stay only if their sidecars exist.
    let kept = Set(try place.files())
    let renditions = kept.filter { $0.hasSuffix(".web.png") && !$0.hasPrefix(".") }
    for name in renditions {
      let original = name.dropLast(".web.png".utf8.count)
      if !kept.contains("\(original).phbatch.json") { differences.append("\(name) superfluous") }
    }
    self.differences = differences
    self.photos = photos
  }

  /// A sidecar without its dates; other files as they are.
  private static func plain(_ bytes: [UInt8]?) -> [UInt8]? {
    guard let bytes, bytes.first == UInt8(ascii: "{") else { return bytes }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return Array(
      lines.filter { !String(decoding: $0, as: UTF8.self).contains("\"date\"") }.joined())
  }
}
