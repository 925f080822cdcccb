public import Notation

/// Keeps the largest rectangle of a given aspect ratio at the most interesting part of the photo.
///
/// - attention: the part with most edges, skin and strong colours;
/// - entropy: the part that is left after the plainer end is cut off repeatedly;
/// - focal: the part around a point: `focus`, or else the photo's own focal point, or else the
///   point found by attention; this is also the default without a strategy.
///
/// Without a point, faces are kept whole: all faces if they fit, with the hair above them where there
/// is room; otherwise the largest face, and others that fit with it. The strategy decides between the
/// crops that do so.
public struct SmartCrop: MeasuringFilter {
  public static let name = "smartCrop"
  public static let summary =
    "Crops the photo to an aspect ratio, around its most interesting part."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let revision = 5
  public static let settings: [Setting<Self>] = [
    Setting("aspect", \.aspect, .ratio, "The aspect ratio; required."),
    Setting(
      "strategy", \.strategy, Strategy.kind,
      "attention looks for edges, skin and strong colours, entropy removes plain margins, focal"
        + " keeps a point: focus, or else the photo's own focal point. If left out, the photo's"
        + " own focal point is used, or attention if it has none. Without a point, faces are kept"
        + " whole."
    ),
    Setting(
      "focus", \.focus, .position,
      "The point that focal keeps as close to the centre as possible."),
  ]

  public enum Strategy: String, Choice {
    case attention, entropy, focal
  }

  public var aspect: Ratio?
  public var strategy: Strategy?
  public var focus: MaskPoint?

  public init() {}

  public static var example: Self { with { $0.aspect = Ratio(width: 1, height: 1) } }

  public var contradiction: Problem? {
    if aspect == nil { return .missingKey("aspect", in: "'smartCrop'") }
    if strategy != .focal && focus != nil {
      return .contradiction(
        "'focus' of 'smartCrop' does not work with the strategy"
          + " '\((strategy ?? .attention).rawValue)'",
        remedy: "add \"strategy\": \"focal\"")
    }
    return nil
  }

  /// True if the crop uses the photo's own focal point.
  public var usesFocalPoint: Bool { (strategy ?? .focal) == .focal && focus == nil }

  public var seesFaces: Bool { focus == nil }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    guard let aspect else { return input }
    let view = view.withoutHiddenColours
    let kept = Crop.ratio(aspect, .center).rectangle(in: view.full)
    let place = Self.start(
      of: kept.size.width, in: view.full.width, of: view.size.width
    ) { start(of: $0, in: view, isAcross: true) }
    let down = Self.start(
      of: kept.size.height, in: view.full.height, of: view.size.height
    ) { start(of: $0, in: view, isAcross: false) }
    return graph.append(
      .crop(.pixels(Rectangle(left: place, top: down, size: kept.size))), input)
  }

  /// The start of a window of `length` along one edge of the full photo.
  ///
  /// `find` returns the start of the corresponding window in the reduced view.
  private static func start(
    of length: Int, in full: Int, of edge: Int, _ find: (Int) -> Double
  ) -> Int {
    if length >= full { return 0 }
    let scale = Double(full) / Double(edge)
    let window = min(edge, max(1, Int((Double(length) / scale).rounded())))
    return min(max(0, Int((find(window) * scale).rounded())), full - length)
  }

  private func start(of window: Int, in view: PhotoView, isAcross: Bool) -> Double {
    let (width, height) = (view.size.width, view.size.height)
    let lines = isAcross ? width : height
    func line(_ i: Int) -> [Int] {
      isAcross ? (0..<height).map { $0 * width + i } : (0..<width).map { i * width + $0 }
    }
    if let point = focus?.point ?? (usesFocalPoint ? view.focal : nil) {
      return (isAcross ? point.x : point.y) * Double(lines) - Double(window) / 2
    }
    let all = Double(lines)
    let starts = FaceWindow.starts(
      keeping: view.faces, length: Double(window) / all, isAcross: isAcross)
    let allowed = starts.map { $0.lowerBound * all...$0.upperBound * all }
    switch strategy {
    case .attention, .focal, nil:
      let interest = Saliency.attention(view)
      let sums = (0..<lines).map { line($0).reduce(0) { $0 + interest[$1] } }
      return Saliency.bestStart(of: window, in: sums, among: allowed)
    case .entropy:
      let levels = (0..<lines).map { i in
        line(i).map { Int(min(max(Saliency.luma(view.pixels[$0]), 0), 0.9999) * 64) }
      }
      let start = Double(Saliency.start(of: window, cutting: levels))
      return allowed.map { min(max($0.lowerBound, start), $0.upperBound) } ?? start
    }
  }
}
