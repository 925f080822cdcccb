public import SystemPackage

extension ForeignEdit {
  /// The entry of a stack for this edit.
  ///
  /// - Parameters:
  ///   - original: The photo's path, from the library's root.
  ///   - digest: Of `current`, if there is one.
  ///   - date: ISO 8601, UTC.
  /// - Returns: An adjustment without settings, whose base is the original.
  public func adjustment(
    besides original: FilePath, current digest: Digest?, date: String
  ) -> Adjustment {
    var shown: ForeignRecord.Current?
    if let current, let digest {
      shown = ForeignRecord.Current(
        file: RecordedName(current, besides: original), sha256: "\(digest)",
        bytes: Int(digest.count))
    }
    let record = ForeignRecord(
      kind: kind.rawValue, file: RecordedName(file, besides: original),
      sha256: "\(self.digest)", settingsSHA256: settings.map { "\($0)" }, current: shown)
    return Adjustment(
      foreign: record, formatIdentifier: formatIdentifier, formatVersion: formatVersion,
      variant: nil, date: date)
  }
}
