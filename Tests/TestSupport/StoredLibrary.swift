import Foundation
import Glibc
public import SystemPackage

/// A copy of a library that an earlier version of phbatch wrote; see
/// Tests/PhotoLibraryTests/Stored.
public struct StoredLibrary: Sendable {
  /// The folder that contains `library`, the recipes and, in some cases, the output root `mirror`.
  public let folder: TemporaryFolder

  private static let place = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "PhotoLibraryTests/Stored")

  /// All stored libraries, as `version/name`.
  public static let all: [String] = {
    let manager = FileManager.default
    let versions = ((try? manager.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
    return versions.flatMap { version in
      let folder = place.appending(path: version).path
      return ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).sorted().map {
        "\(version)/\($0)"
      }
    }
  }()

  /// Copies a stored library; copies its state folder only if `withState` is true.
  public init(_ name: String, withState: Bool = false) throws {
    folder = try TemporaryFolder()
    let source = Self.place.appending(path: name)
    for file in FileManager.default.enumerator(atPath: source.path)?.allObjects ?? [] {
      guard let file = file as? String else { continue }
      let isState = file.split(separator: "/").contains("state")
      if isState && !withState { continue }
      let target = file.replacing("/state", with: "/.phbatch")
      var isFolder: ObjCBool = false
      let path = source.appending(path: file).path
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      if isFolder.boolValue {
        try FileManager.default.createDirectory(
          atPath: folder[target].string, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o755])
      } else {
        try folder.write(Array(Data(contentsOf: URL(filePath: path))), to: target)
        try restoreName(of: target)
      }
    }
  }

  /// The root folder of the originals.
  public var library: FilePath { folder["library"] }

  /// Restores a file name that is not UTF-8; the stored name has percent escapes, as in URLs.
  private func restoreName(of file: String) throws {
    guard file.contains("%E9") else { return }
    let stored = folder[file].string
    var name = Array(stored.utf8)
    while let start = name.firstRange(of: Array("%E9".utf8)) {
      name.replaceSubrange(start, with: [0xE9])
    }
    let result = name.map(CChar.init(bitPattern:)).withUnsafeBufferPointer { name in
      rename(stored, Array(name) + [0])
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
  }
}
