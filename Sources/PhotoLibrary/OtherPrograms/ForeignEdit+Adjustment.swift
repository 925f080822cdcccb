public import SystemPackage

extension ForeignEdit {
  /// Creates the adjustment that represents this edit in a stack.
  ///
  /// - Parameters:
  ///   - original: The photo's path, from the library's root.
  ///   - digest: The digest of `current`; nil if there is no such file.
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
