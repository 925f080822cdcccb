public import Notation
public import PhotoRecipes

extension ColourDecision {
  /// The kinds of documents by their file extensions.
  public enum Document: String, Sendable {
    /// One correction.
    case correction = "cc"
    /// A collection of corrections.
    case collection = "ccc"
    /// A list of decisions, which relate corrections to media.
    case list = "cdl"
  }

  /// The colour decision of a recipe's `cdl` step, with the recipe's identifier.
  ///
  /// - Throws: `ColourDecisionExportError` if the shared chain does not have exactly one enabled
  ///   `cdl` step, or if that step has a mask, a blend mode or an opacity.
  public init(of recipe: Recipe) throws(ColourDecisionExportError) {
    let steps = recipe.steps.filter { $0.isEnabled && $0.filter is CDL }
    guard steps.count == 1, let step = steps.first, let cdl = step.filter as? CDL else {
      throw .steps(steps.count)
    }
    if step.opacity != 1 || step.blend != .normal || step.mask != nil { throw .partial(step.id) }
    self.init(
      id: recipe.identifier, input: cdl.decisionSpace.rawValue, slope: cdl.slope,
      offset: cdl.offset, power: cdl.power, saturation: cdl.saturation)
  }

  /// The text of a document that contains only this decision.
  public func text(as document: Document) -> String {
    func numbers(_ vector: SIMD3<Double>) -> String { "\(vector.x) \(vector.y) \(vector.z)" }
    let identifier = id.map { " id=\"\($0)\"" } ?? ""
    let description = input.map { "  <InputDescription>\($0)</InputDescription>\n" } ?? ""
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    let space = " xmlns=\"urn:ASC:CDL:v1.2\""
    let own = document == .correction ? space : ""
    let correction = """
      <ColorCorrection\(own)\(identifier)>
      \(description)  <SOPNode>
          <Slope>\(numbers(slope ?? .one))</Slope>
          <Offset>\(numbers(offset ?? .zero))</Offset>
          <Power>\(numbers(power ?? .one))</Power>
        </SOPNode>
        <SatNode>
          <Saturation>\(saturation ?? 1)</Saturation>
        </SatNode>
      </ColorCorrection>

      """
    return switch document {
    case .correction: start + correction
    case .collection:
      start + "<ColorCorrectionCollection\(space)>\n\(correction)</ColorCorrectionCollection>\n"
    case .list:
      start + "<ColorDecisionList\(space)>\n<ColorDecision>\n\(correction)</ColorDecision>\n"
        + "</ColorDecisionList>\n"
    }
  }
}

/// The reason why a recipe cannot be written as a colour decision.
public enum ColourDecisionExportError: UserError, Hashable {
  /// The shared chain has this number of enabled `cdl` steps, instead of one.
  case steps(Int)
  /// The step with this id has a mask, a blend mode or an opacity, which a colour decision cannot
  /// express.
  case partial(String)
  /// The file has this extension, instead of `cc`, `ccc` or `cdl`.
  case unknownKind(String)

  public var message: String {
    switch self {
    case .steps(let count): "the recipe has \(count) enabled 'cdl' steps in its shared chain"
    case .partial(let id): "step '\(id)' has a mask, a blend mode or an opacity"
    case .unknownKind(let ending): "'.\(ending)' is not the extension of an ASC CDL file"
    }
  }

  public var hint: String {
    switch self {
    case .steps: "a colour decision is one 'cdl' step; disable the others, or add one"
    case .partial: "a colour decision acts on the whole photo; remove these keys"
    case .unknownKind: "give a file that ends with .cc, .ccc or .cdl"
    }
  }
}
