extension Pipeline {
  /// The operation of a call.
  public enum Operation: Sendable, Hashable {
    /// Reads the photo, or a photo that an external program returned.
    case load
    /// Materializes an image: stores its pixels in memory or in a temporary file.
    case hold
    /// Passes the rows of an image to several readers at the same time.
    case tee
    /// Resizes an image by nearest neighbour.
    case pick
    /// Draws on the photo.
    case draw
    /// Adds the photo's shadow.
    case shadow
    /// Creates a map: an image that a point program stretches over the frame.
    case map
    /// Creates the samples of the photo's gain map, in the resolution of the loaded photo.
    case gains
    /// Runs a step in an external program, before the pipeline of the later steps is built.
    case external
    /// Keeps the first of three equal channels.
    case grey
    /// Converts device values to colours of a space, by the tables of a profile.
    case importByTables
    /// Converts colours to device values, by the tables of a profile.
    case exportByTables
    case kernel(Kernel)
    case vips(VipsOperation)

    /// The name in printed pipelines; for an operation of libvips or a kernel, also its libvips
    /// nickname.
    public var name: String {
      switch self {
      case .load: "load"
      case .hold: "hold"
      case .tee: "tee"
      case .pick: "pick"
      case .draw: "draw"
      case .shadow: "shadow"
      case .map: "map"
      case .gains: "gains"
      case .external: "external"
      case .grey: "grey"
      case .importByTables: "icc_transform"
      case .exportByTables: "export"
      case .kernel(let kernel): kernel.name
      case .vips(let operation): operation.rawValue
      }
    }

    /// The kernel of phbatch that computes the operation; nil for other operations.
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
