/// How a rendition misses its budget.
public enum BudgetMiss: Sendable, Hashable {
  /// More bytes than `maxBytes`, even at the lowest quality that may be tried, if there is one.
  case size(Int, limit: Int, quality: Int?)
  /// Fewer bytes saved than `minSaving` asks for.
  case saving(Int, original: Int, asked: Double)

  var message: String {
    switch self {
    case .size(let bytes, let limit, let quality):
      "has \(bytes) bytes\(quality.map { " at quality \($0)" } ?? ""), more than the"
        + " \(limit) that 'maxBytes' allows"
    case .saving(let bytes, let original, let asked):
      "has \(bytes) bytes of the original's \(original): that saves less than the"
        + " \(Int((asked * 100).rounded())) % that 'minSaving' asks for"
    }
  }

  var hint: String {
    switch self {
    case .size(_, _, let quality):
      quality == nil
        ? "make it smaller with a resize, use jpeg, webp or avif, or raise 'maxBytes'"
        : "make it smaller with a resize, lower 'minQuality', or raise 'maxBytes'"
    case .saving:
      "lower 'quality', or let \"keepIfSmaller\": true copy the original where nothing is saved"
    }
  }
}
