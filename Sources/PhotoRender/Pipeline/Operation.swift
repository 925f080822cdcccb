extension Pipeline {
  /// The operation of a call.
  public enum Operation: Sendable, Hashable {
    /// Reads the photo, or the photo that a program gave back.
    case load
    /// Keeps an image's pixels.
    case hold
    /// Gives an image's rows to several readers at once.
    case tee
    /// Reduces or enlarges an image to a size by taking the nearest pixels.
    case pick
    /// Draws on the photo.
    case draw
    /// Adds the photo's shadow.
    case shadow
    /// Makes an image for programs to stretch over the frame.
    case map
    /// A program, which is run before the pipeline of the steps after it.
    case external
    /// Keeps one of three equal channels.
    case grey
    /// Brings the values of a device to a space, by the tables of a profile.
    case importByTables
    /// Brings colours to the values of a device, by the tables of a profile.
    case exportByTables
    case kernel(Kernel)
    case vips(VipsOperation)

    /// The name by which pipelines print it, and libvips knows it if it is one of libvips.
    public var name: String {
      switch self {
      case .load: "load"
      case .hold: "hold"
      case .tee: "tee"
      case .pick: "pick"
      case .draw: "draw"
      case .shadow: "shadow"
      case .map: "map"
      case .external: "external"
      case .grey: "grey"
      case .importByTables: "icc_transform"
      case .exportByTables: "export"
      case .kernel(let kernel): kernel.name
      case .vips(let operation): operation.rawValue
      }
    }

    /// The kernel that computes it, if it is one of ours.
    var kernel: Kernel? { if case .kernel(let kernel) = self { kernel } else { nil } }
  }
}

/// An operation of libvips, by its nickname.
public enum VipsOperation: String, Sendable, Hashable {
  case bandjoinConst = "bandjoin_const"
  case cast
  case colourspace
  case copy
  case embed
  case extractArea = "extract_area"
  case flatten
  case flip
  case linear
  case premultiply
  case rad2float
  case rot
  case round
  case unpremultiply
}
