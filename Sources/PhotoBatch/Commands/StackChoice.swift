import PhotoLibrary

/// The stack that `adjust` or `revert` changes: the named stack, else the main stack, else the only
/// stack.
enum StackChoice {
  /// A stack, named by its variant; nil for the main stack.
  ///
  /// `newest` is the index in the sidecar of the last adjustment of the stack that fits the
  /// command.
  case stack(String?, newest: Int)
  /// No stack can be chosen; the text lists the photo's stacks, and the hint is nil if there are
  /// none.
  case none(String, hint: String?)

  /// Chooses among the stacks that have an adjustment for which `isFit` returns true.
  init(_ variant: String?, in sidecar: Sidecar, _ isFit: (Adjustment) -> Bool = { _ in true }) {
    let fitting = sidecar.variants.compactMap { variant in
      sidecar.stack(variant).last { isFit($0.adjustment) }.map { (variant, $0.index) }
    }
    let stacks = fitting.map(\.0)
    let only = variant == nil && fitting.count == 1 ? fitting.first : nil
    if let (variant, newest) = fitting.first(where: { $0.0 == variant }) ?? only {
      self = .stack(variant, newest: newest)
    } else if stacks.isEmpty {
      self = .none("the photo has no edits", hint: nil)
    } else {
      let missing = variant.map { "variant '\($0)'" } ?? "main stack"
      let list = stacks.map { Self.name($0, in: sidecar) }.joined(separator: ", ")
      self = .none(
        "the \(missing) has no edits; stacks with edits: \(list)",
        hint: "name a stack with --variant")
    }
  }

  /// The name of a stack and of its edits for messages: `variant 'web' (org.example.web 1.0.0)`.
  private static func name(_ variant: String?, in sidecar: Sidecar) -> String {
    let edits = sidecar.stack(variant).map {
      "\($0.adjustment.formatIdentifier) \($0.adjustment.formatVersion)"
    }
    return (variant.map { "variant '\($0)'" } ?? "the main stack")
      + " (\(edits.joined(separator: ", ")))"
  }
}

extension Sidecar {
  /// The variant of each stack; nil means the main stack.
  var variants: [String?] {
    var variants: [String?] = []
    for adjustment in adjustments where !variants.contains(adjustment.variant) {
      variants.append(adjustment.variant)
    }
    return variants
  }
}
