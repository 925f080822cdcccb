/// Removes a plain border: all background pixels from each edge inwards.
///
/// A large photo is measured in a reduced view, so up to one pixel of that view can be cut off the
/// subject. With `"rendering": "exact"`, and in photos up to 1024 pixels, the subject loses
/// nothing.
public struct Trim: MeasuringFilter {
  public static let name = "trim"
  public static let summary = "Cuts a plain border off the photo."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let viewEdge = 1024
  public static let seesEverythingIfExact = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...1),
      "How far a channel may be from the border's colour, display-encoded."),
    Setting("colour", \.colour, .colour, "The border's colour; that of the corners if left out."),
    Setting(
      "evenAcross", \.isEvenAcross, .flag,
      "Whether as much is cut off on the left as on the right: the lesser of both."),
    Setting(
      "evenDown", \.isEvenDown, .flag,
      "Whether as much is cut off at the top as at the bottom: the lesser of both."),
  ]

  public var threshold = 0.1
  public var colour: Colour?
  public var isEvenAcross = false
  public var isEvenDown = false

  public init() {}

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID {
    let subject = Subject(
      in: view, background: colour?.components, threshold: Float(threshold))
    // Keeps a photo that consists only of background.
    guard let subject else { return input }
    return graph.append(.crop(.pixels(evened(subject.box, in: view.full))), input)
  }

  /// The box widened so that opposite sides have equal room, if the settings request it.
  private func evened(_ box: Rectangle, in frame: Size) -> Rectangle {
    var box = box
    if isEvenAcross {
      box.left = min(box.left, frame.width - box.left - box.size.width)
      box.size.width = frame.width - 2 * box.left
    }
    if isEvenDown {
      box.top = min(box.top, frame.height - box.top - box.size.height)
      box.size.height = frame.height - 2 * box.top
    }
    return box
  }
}
