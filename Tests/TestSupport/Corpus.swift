import Foundation

/// Real photos, which are not part of the project.
///
/// A test that needs these photos is skipped with a message unless `PHBATCH_CORPUS` is the path of
/// their folder.
public enum Corpus {
  /// The folder of the corpus; nil if there is no corpus.
  public static var folder: String? {
    guard let place = ProcessInfo.processInfo.environment["PHBATCH_CORPUS"] else { return nil }
    return FileManager.default.fileExists(atPath: "\(place)/INDEX.tsv") ? place : nil
  }

  public static var isHere: Bool {
    if folder != nil { return true }
    print("SKIPPED: there is no corpus of real photos; set PHBATCH_CORPUS to its folder")
    return false
  }

  /// The rows of `INDEX.tsv`: path, bytes, source, licence, format, size, bands, the result of
  /// libvips 8.14.1, notes, digest.
  public static func index() throws -> [[String]] {
    guard let folder else { return [] }
    return try String(contentsOfFile: "\(folder)/INDEX.tsv", encoding: .utf8)
      .split(separator: "\n").dropFirst()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
  }

  /// The paths of all files below a folder of the corpus, sorted.
  public static func files(below name: String) -> [String] {
    guard let folder else { return [] }
    let names = FileManager.default.enumerator(atPath: "\(folder)/\(name)")?.allObjects ?? []
    return names.compactMap { $0 as? String }.map { "\(folder)/\(name)/\($0)" }.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }
}
