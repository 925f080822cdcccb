/// A rendition that a run will write, and the reasons.
public struct StaleOutput: Sendable, Hashable, CustomStringConvertible {
  /// The name of the output.
  public let output: String
  /// The identifier of the other recipe whose edit must be rendered again; nil for this recipe.
  public let edit: String?
  public let reasons: [Staleness]

  public var description: String { "\(name): \(sentence)" }

  /// The output, and the recipe if it is another one.
  var name: String { edit.map { "\(output) of \($0)" } ?? output }

  var sentence: String { reasons.map(\.description).joined(separator: "; ") }
}

extension [StaleOutput] {
  /// One line for all outputs of an edit that have the same reasons.
  var lines: [String] {
    var groups: [[StaleOutput]] = []
    for output in self {
      let index = groups.firstIndex { $0[0].edit == output.edit && $0[0].reasons == output.reasons }
      if let index { groups[index].append(output) } else { groups.append([output]) }
    }
    return groups.map { group in
      let names = group.dropLast().map(\.output) + group.suffix(1).map(\.name)
      return "\(names.joined(separator: ", ")): \(group[0].sentence)"
    }
  }
}
