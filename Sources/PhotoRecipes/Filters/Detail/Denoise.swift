/// Removes luminance noise and colour noise, each with a separate strength.
///
/// The filter denoises overlapping patches of 8 × 8 samples by the cosine transform, at two
/// resolutions; see the kernel `phbatch_denoise`. A strength is ten times the noise's standard
/// deviation: 0.2 is noise of 5 levels of 255.
public struct Denoise: Filter {
  public static let name = "denoise"
  public static let summary = "Removes brightness noise and colour noise."
  public static let category = FilterCategory.detail
  public static let space = WorkingSpace.encoded
  public static let settings: [Setting<Self>] = [
    Setting(
      "luma", \.luma, .number(.fraction, 0...1), identity: 0,
      "The strength on brightness noise (grain)."),
    Setting(
      "chroma", \.chroma, .number(.fraction, 0...1), identity: 0,
      "The strength on colour noise (speckles and blotches)."),
    Setting(
      "detail", \.detail, .number(.fraction, 0...1),
      "How much fine detail is kept; higher also keeps more noise."),
  ]

  public var luma = 0.2
  public var chroma = 0.3
  public var detail = 0.5

  public init() {}

  public func append(to graph: inout Graph, after input: Graph.ID) -> Graph.ID {
    let operation = AreaOperation(
      .denoise, ["luma": .number(luma), "chroma": .number(chroma), "detail": .number(detail)],
      margin: 80)
    return graph.append(.area(operation), input)
  }
}
