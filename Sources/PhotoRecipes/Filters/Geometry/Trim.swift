/// Removes a plain border: all rows and columns of background pixels at each edge.
///
/// A large photo is measured in a reduced view, so up to one pixel of that view can be cut off the
/// subject. With `"rendering": "exact"`, and in photos up to 1024 pixels, the subject loses
/// nothing.
public struct Trim: MeasuringFilter {
  public static let name = "trim"
  public static let summary = "Removes a plain border from the photo."
  public static let category = FilterCategory.geometry
  public static let space = WorkingSpace.none
  public static let viewEdge = 1024
  public static let seesEverythingIfExact = true
  public static let settings: [Setting<Self>] = [
    Setting(
      "threshold", \.threshold, .number(.fraction, 0...1),
      "The maximum difference of a channel from the border's colour, display-encoded."),
    Setting(
      "colour", \.colour, .colour, "The border's colour; the colour of the corners if left out."),
    Setting(
      "evenAcross", \.isEvenAcross, .flag,
      "Whether left and right are cropped equally, by the smaller of both widths."),
    Setting(
      "evenDown", \.isEvenDown, .flag,
      "Whether top and bottom are cropped equally, by the smaller of both heights."),
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
    // Does not crop a photo that consists only of background.
    guard let subject else { return input }
    return graph.append(.crop(.pixels(evened(subject.box, in: view.full))), input)
  }

  /// Widens the box of the subject, if the settings request it, so that opposite sides have equally
  /// wide borders.
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
