/// An image, a text or rounded corners, drawn over a photo; the frame keeps its size.
public enum Drawing: Sendable, Hashable {
  case image(Overlay)
  case text(Caption)
  case corners(RoundedCorners)

  var name: String {
    switch self {
    case .image: "overlay"
    case .text: "text"
    case .corners: "corners"
    }
  }

  /// The mode in which the drawing is blended with the photo below it.
  public var mode: BlendMode {
    switch self {
    case .image(let overlay): overlay.mode
    case .text(let caption): caption.mode
    case .corners: .normal
    }
  }

  /// The files that the drawing needs: an image or a font.
  var files: [NamedFile] {
    switch self {
    case .image(let overlay): [overlay.file]
    case .text(let caption): caption.fontFile.map { [$0] } ?? []
    case .corners: []
    }
  }
}

extension Drawing: CustomStringConvertible {
  public var description: String {
    switch self {
    case .image(let overlay): "\(overlay)"
    case .text(let caption): "\(caption)"
    case .corners(let corners): "\(corners)"
    }
  }
}
