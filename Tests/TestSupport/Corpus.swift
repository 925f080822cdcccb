import Foundation

/// Real photos beside the project; a test that needs them skips, and says so, where they are absent.
public enum Corpus {
  /// The folder, or nil.
  public static var folder: String? {
    let beside = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../shared/corpus").standardizedFileURL.path
    let place = ProcessInfo.processInfo.environment["PHBATCH_CORPUS"] ?? beside
    return FileManager.default.fileExists(atPath: place) ? place : nil
  }

  public static var isHere: Bool {
    if folder != nil { return true }
    print("SKIPPED: there is no corpus of real photos; set PHBATCH_CORPUS to its folder")
    return false
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
