import PhotoRecipes

extension FuzzTarget {
  /// The detection of formats by brands, TIFF directories and the first element of XML.
  static let head = FuzzTarget("head") { bytes in
    let start = Array(bytes.prefix(FileHead.length))
    var head = FileHead(start)
    if let range = head.missing, range.lowerBound < bytes.count {
      let rest = Array(bytes[range.lowerBound...].prefix(range.count))
      head = FileHead(start, directory: (range.lowerBound, rest))
    }
    _ = InputCatalog.format(of: head, acceptsWeak: true)
    _ = InputCatalog.format(of: head, acceptsWeak: false)
  }
}
