import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Adjustment {
  /// The entry for an edit that another program left beside a photo.
  ///
  /// Reads the image that shows it, if there is one.
  init(
    _ edit: ForeignEdit, of original: FilePath, date: String, _ library: RealFileSystem
  ) throws {
    var current: ForeignRecord.Current?
    if let path = edit.current {
      let digest = try Digest(of: library.open(path), in: library)
      current = ForeignRecord.Current(
        file: RecordedName(path, besides: original), sha256: "\(digest)",
        bytes: Int(digest.count))
    }
    let record = ForeignRecord(
      kind: edit.kind.rawValue, file: RecordedName(edit.file, besides: original),
      sha256: "\(edit.digest)", current: current)
    self.init(
      foreign: record, formatIdentifier: edit.formatIdentifier, formatVersion: edit.formatVersion,
      variant: nil, date: date)
  }
}
