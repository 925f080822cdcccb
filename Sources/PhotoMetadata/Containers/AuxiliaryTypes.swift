/// What the pictures are that a HEIC or AVIF file has beside its photo: mattes, depth, gain maps.
public enum AuxiliaryTypes {
  /// Their URNs, in the order of their items; nothing for other files.
  public static func all(in source: ByteSource) -> [String] {
    guard case .items = ContainerFormat(of: source), let file = ItemFile(source) else { return [] }
    return file.references.filter { $0.kind == "auxl" }
      .compactMap { file.auxiliaryType(of: $0.item) }
  }
}

extension ItemFile {
  /// The URN of an auxiliary picture; nil for any other item.
  fileprivate func auxiliaryType(of item: Int) -> String? {
    guard let box = properties(of: item).first(where: { $0.name == "auxC" }) else { return nil }
    var cursor = ByteCursor(
      source.bytes(at: box.content.lowerBound, min(256, box.content.count)), at: 4)
    return cursor.text()
  }
}
