import PhotoRecipes
import Synchronization
import Vips

/// A point program approximated as a lookup cube of colours, if the cube is faster and accurate
/// enough.
///
/// A cube takes about as long as one curve, regardless of the program. The program must depend only
/// on the colour, and its input must be within 0…1.
struct Bake: Sendable {
  let cube: ColourCube
  /// The largest error found, display-encoded; 1 is full light.
  let error: Double

  /// The edges of cubes that are tried, the smallest first.
  private static let edges = [33, 65]
  /// The time in nanoseconds for creating a cube and measuring its error.
  private static let price = 40e6

  /// Returns the program that replaces `program` on a photo of `pixels` pixels; nil to keep
  /// `program`.
  ///
  /// `input` is the format of the program's samples; `bound` is the maximum error allowed,
  /// display-encoded.
  static func replacement(
    for program: PointProgram, input: SampleFormat, bound: Double, pixels: Int
  ) -> PointProgram? {
    var body = program.instructions
    var end: [PointProgram.Instruction] = []
    if case .dither = body.last { end = [body.removeLast()] }
    let inner = PointProgram(body)
    // The time saved on this one photo must exceed the time for creating the cube, because the
    // decision must not depend on how many photos are rendered.
    let cost = ProgramEncoder.nanoseconds(inner, input: input, .display)
    func pays(_ edge: Int) -> Bool {
      (cost - ProgramCost.cube(edge: edge)) * Double(pixels) > price
    }
    guard let first = edges.first, pays(first), inner(.zero) != nil,
      let baked = BakedPrograms.shared.cube(of: inner, bound: bound), pays(baked.cube.edge)
    else { return nil }
    return PointProgram([.colour(.cube(baked.cube))] + end)
  }

  /// The smallest cube with an error within the bound; nil if there is none.
  static func smallest(_ program: PointProgram, bound: Double) -> Bake? {
    for edge in edges {
      guard let values = try? values(of: program, edge: edge),
        let plain = ColourCube(edge: edge, values: values)
      else { return nil }
      let error = error(of: plain, program)
      if error > bound { continue }
      let note =
        "baked from \(program.instructions.count) instructions, off by at most"
        + " \((error * 255).hundredths) of 255: \(program)"
      return ColourCube(edge: edge, values: values, note: note).map { Bake(cube: $0, error: error) }
    }
    return nil
  }

  /// The program's colours at the grid points of a cube, computed by the kernel that would run the
  /// program.
  private static func values(of program: PointProgram, edge: Int) throws(VipsError) -> [Float] {
    let steps = (0..<edge).map { Float($0) / Float(edge - 1) }
    var points: [Float] = []
    points.reserveCapacity(3 * edge * edge * edge)
    for blue in steps { for green in steps { for red in steps { points += [red, green, blue] } } }
    let size = Size(edge * edge, edge)
    let bytes = ProgramEncoder.bytes(program, input: .float, size: size)
    return try Image(samples: points, width: size.width, height: size.height, bands: 3)
      .applying(.point, ["program": .blob(bytes), "format": .choice("float")])
      .samples(as: Float.self)
  }

  /// The largest difference between the cube and the program in double precision, both clipped to
  /// 0…1.
  private static func error(of cube: ColourCube, _ program: PointProgram) -> Double {
    var largest = 0.0
    for colour in samples {
      guard let exact = program(colour) else { return .infinity }
      let unit = (ColourMatrix.Vector.zero, ColourMatrix.Vector.one)
      let difference =
        exact.clamped(lowerBound: unit.0, upperBound: unit.1)
        - cube(colour).clamped(lowerBound: unit.0, upperBound: unit.1)
      largest = max(largest, abs(difference.x), abs(difference.y), abs(difference.z))
    }
    return largest.isFinite ? largest : .infinity
  }

  /// The colours at which the error is measured: all 8-bit greys, the edges of the colour cube that
  /// start at black or white, and colours in between.
  ///
  /// - Source: M. Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018 (R3).
  private static let samples: [ColourMatrix.Vector] = {
    typealias Vector = ColourMatrix.Vector
    let levels = (0...255).map { Double($0) / 255 }
    var samples = levels.map { Vector(repeating: $0) }
    for mask in 1...6 {
      let axes = Vector(Double(mask & 1), Double(mask >> 1 & 1), Double(mask >> 2 & 1))
      samples += levels.map { $0 * axes }
      samples += levels.map { axes + $0 * (.one - axes) }
    }
    let step = Vector(0.8191725134, 0.6710436067, 0.5497004779)
    samples += (1...4096).map { index in
      let place = Double(index) * step
      return place - place.rounded(.down)
    }
    return samples
  }()
}

/// A cache of the cubes that this process has created, so that each is created once, not for every
/// photo.
final class BakedPrograms: Sendable {
  static let shared = BakedPrograms()

  private struct Key: Hashable {
    let program: PointProgram
    let bound: Double
  }

  private static let longest = 8
  /// The cubes by program and bound; nil if no cube is accurate enough.
  private let made = Mutex<[Key: Bake?]>([:])

  func cube(of program: PointProgram, bound: Double) -> Bake? {
    let key = Key(program: program, bound: bound)
    if let known = made.withLock({ $0[key] }) { return known }
    let bake = Bake.smallest(program, bound: bound)
    made.withLock { made in
      if made.count >= Self.longest { made = [:] }
      made[key] = .some(bake)
    }
    return bake
  }
}

extension Double {
  fileprivate var hundredths: String {
    let whole = Int((self * 100).rounded(.up))
    return "\(whole / 100).\(whole / 10 % 10)\(whole % 10)"
  }
}
