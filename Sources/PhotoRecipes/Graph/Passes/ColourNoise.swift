/// The removal of the colour noise of a raw photo, before the photo's look is applied.
///
/// The sensor's noise is stated in the file or measured on the photo. The strength follows from
/// this noise after white balance, the camera's matrix and the gains of the steps before the look.
/// A photo with little noise stays as it is.
public struct ColourNoise: MeasuringOperation {
  public static let viewEdge = 1
  public static let seesEverythingIfExact = false

  /// The white balance multipliers of red, green and blue, of which the least is 1.
  let multipliers: ColourMatrix.Vector
  /// The matrix from balanced camera colours to linear light, with the photo's baseline exposure.
  let matrix: ColourMatrix
  /// The noise that the file states; nil if it states none.
  public let stated: SensorNoise?
  /// The factor by which the steps before the look multiply the light.
  var gain = 1.0

  public init(
    multipliers: ColourMatrix.Vector, matrix: ColourMatrix, stated: SensorNoise?
  ) {
    self.multipliers = multipliers
    self.matrix = matrix
    self.stated = stated
  }

  public var label: String { "colour noise" }

  public func append(to graph: inout Graph, continuing input: Graph.ID) -> Graph.ID? { nil }

  public func append(
    to graph: inout Graph, after input: Graph.ID, seeing view: PhotoView
  ) -> Graph.ID { input }

  /// The strength below which noise is hardly visible, and the strength from which it is removed
  /// fully.
  ///
  /// Between them the removal grows from 0, so that a small change of the exposure changes a picture
  /// little.
  private static let (leastStrength, fullStrength) = (0.2, 0.3)
  /// The linear light whose noise is removed, and the slope of sRGB's encoding there.
  private static let tone = (light: 0.1, slope: 1.684)

  /// The reduction of `noise`; nil if it is hardly visible.
  func reduction(of noise: SensorNoise) -> AreaOperation? {
    let strength = strength(of: noise)
    guard strength.isFinite, strength > Self.leastStrength else { return nil }
    let part = min(1, (strength - Self.leastStrength) / (Self.fullStrength - Self.leastStrength))
    var operation = AreaOperation(
      .denoise,
      ["luma": .number(0), "chroma": .number(min(1, part * strength)), "detail": .number(0.5)],
      margin: 80)
    operation.isOfSensor = true
    return operation
  }

  /// The strength for the filter `denoise`: ten times the standard deviation of the noise on the
  /// opponent axes of display-encoded colours.
  ///
  /// A cell of 2 × 2 pixels has one sample of red, one of blue and two of green, so that its mean
  /// has the noise of four pixels with twice the standard deviation of a sample.
  func strength(of noise: SensorNoise) -> Double {
    let exposure = gain * matrix(.one).sum() / 3
    let light = Self.tone.light / max(exposure, 1e-6)
    let m = multipliers
    let variance = noise.slope * light * m + noise.floor * m * m
    let ofCell = variance * ColourMatrix.Vector(1, 0.5, 1)
    func ofAxis(_ axis: ColourMatrix.Vector) -> Double {
      let row = axis.x * matrix.rows[0] + axis.y * matrix.rows[1] + axis.z * matrix.rows[2]
      return (row * row * ofCell).sum()
    }
    let chroma =
      (ofAxis(.init(1, 0, -1)) / 2 + ofAxis(.init(1, -2, 1)) / 6) / 2
    return 10 * 2 * gain * Self.tone.slope * chroma.squareRoot()
  }
}

extension AreaOperation {
  /// The strength of `denoise` below which its effect on colours is invisible.
  private static let leastStrength = 0.05

  /// True if the removal of a sensor's noise has a visible effect.
  var isVisible: Bool {
    guard case .number(let strength) = arguments["chroma"] else { return false }
    return strength >= Self.leastStrength
  }
}

extension Graph {
  /// The same graph with a node of colour noise replaced by its reduction.
  ///
  /// A photo with unknown noise stays as it is.
  public func replacing(_ node: ID, reducing noise: SensorNoise?) -> Graph {
    rebuilt { old, id, inputs, graph in
      guard id == node, case .measured(let step) = old.operation else {
        return graph.append(Node(operation: old.operation, inputs: inputs))
      }
      let reduction = (step.operation as? ColourNoise)
        .flatMap { step in noise.flatMap(step.reduction) }
      return reduction.map { graph.append(.area($0), inputs[0]) } ?? inputs[0]
    }
  }
}
