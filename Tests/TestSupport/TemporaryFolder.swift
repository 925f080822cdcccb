import Foundation
import Glibc
public import SystemPackage

/// A temporary folder that is removed when the object is released.
public final class TemporaryFolder: Sendable {
  public let path: FilePath

  public init() throws {
    let place = Self.parent.appending(path: "phbatch-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    path = FilePath(place.path)
  }

  /// `TMPDIR`, or `/tmp` if only root may enter `TMPDIR`, because root runs some tests as another
  /// user.
  private static let parent: URL = {
    let named = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    let folders = sequence(first: named) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
    let isOpen = folders.allSatisfy { folder in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path)
      return (attributes?[.posixPermissions] as? Int ?? 0) & 1 != 0
    }
    return geteuid() != 0 || isOpen ? named : URL(filePath: "/tmp")
  }()

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  /// The path of a file or folder in this folder.
  public subscript(_ name: String) -> FilePath { path.appending(name) }

  public func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(filePath: self[name].string)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  public func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a program that can be run at once.
  ///
  /// Another process writes the file. If this one did, a process that another test starts at the
  /// same time could hold the file open for writing, and such a file cannot be run (`ETXTBSY`).
  public func writeProgram(_ text: String, to name: String) throws {
    try write(text, to: name + ".text")
    let path = self[name].string
    try Shell.run("install -m 755 '\(path).text' '\(path)' && rm '\(path).text'")
  }

  public func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: self[name].string)))
  }

  /// The paths of all files below the folder, including hidden ones, relative to the folder and
  /// sorted.
  public func files() throws -> [String] {
    let found = FileManager.default.enumerator(atPath: path.string)
    var names: [String] = []
    while let name = found?.nextObject() as? String {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: self[name].string, isDirectory: &isFolder)
      if !isFolder.boolValue { names.append(name) }
    }
    return names.sorted()
  }
}
