import Notation

extension Filter {
  /// The default settings if they have an effect; otherwise each setting is a third of the way from
  /// its neutral value to the end of its range.
  public static var example: Self {
    var filter = Self()
    if !filter.isIdentity { return filter }
    for setting in settings {
      guard let identity = setting.identity else { continue }
      let value: JSON
      switch setting.kind {
      case .number(_, let range):
        let start = identity.number ?? range.lowerBound
        let end = start < range.upperBound ? range.upperBound : range.lowerBound
        value = .number(((start + (end - start) / 3) * 100).rounded() / 100)
      case .integer(_, let range):
        let start = identity.integer ?? range.lowerBound
        let end = start < range.upperBound ? range.upperBound : range.lowerBound
        value = .integer(start + (end - start) / 3)
      case .flag: value = .bool(identity.bool == false)
      default: continue
      }
      var diagnostics = Diagnostics()
      setting.read(Field(value), &filter, &diagnostics)
    }
    return filter
  }

  /// A filter with default settings, changed by `change`.
  static func with(_ change: (inout Self) -> Void) -> Self {
    var filter = Self()
    change(&filter)
    return filter
  }
}
