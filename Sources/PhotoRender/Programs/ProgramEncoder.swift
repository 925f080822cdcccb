import PhotoRecipes
import Vips

/// Encodes a point program as the words that the kernel `phbatch_point` reads.
///
/// Functions of one channel become tables. At the start of the program, a table has an exact value
/// for each possible sample; later tables are finely sampled. `phbatch_program.h` describes the
/// layout.
struct ProgramEncoder {
  private static let magic: UInt32 = 0x3150_4850
  private var words = KernelWords()
  private var count = 0
  /// The time of the instructions on one core, in nanoseconds per pixel.
  private var cost = 0.0
  private let size: Size
  let precision: SampledCurve.Precision
  /// The numbers of saved pixels and of computed coverages that later instructions have not used
  /// yet.
  private var slots = 0
  private var covers = 0

  /// The encoded program for samples of `input` on an image of `size`, which is needed for
  /// instructions that depend on a pixel's position.
  static func bytes(
    _ program: PointProgram, input: SampleFormat, size: Size, _ end: ProgramEnd = .fine
  ) -> [UInt8] {
    let encoder = ProgramEncoder(program, input, size, end)
    var words = KernelWords()
    words.append(magic)
    words.append(UInt32(encoder.count))
    words.append(encoder.words)
    return words.bytes
  }

  /// The time of a program for samples of `input` on one core, in nanoseconds per pixel.
  static func nanoseconds(
    _ program: PointProgram, input: SampleFormat, _ end: ProgramEnd
  ) -> Double {
    ProgramEncoder(program, input, Size(1, 1), end).cost
  }

  private init(
    _ program: PointProgram, _ input: SampleFormat, _ size: Size, _ end: ProgramEnd
  ) {
    self.size = size
    precision = end.precision
    let (instructions, linear) = Self.encodingLast(program)
    let last = instructions.lastIndex { if case .dither = $0 { false } else { true } } ?? 0
    let closing =
      end == .shown && !instructions.isEmpty ? ClosingCurve.known(for: instructions[last]) : nil
    for (index, instruction) in instructions.enumerated() {
      if index == 0, input != .float, case .channels(let red, let green, let blue) = instruction {
        addTable(input, red, green, blue)
      } else if index == last, let closing {
        add(.close, closing.words)
      } else if closing != nil, instruction == .curve(.decode), index + 1 < last,
        instructions[(index + 1)..<last].allSatisfy(\.isSteady)
      {
        // Only matrices and shoulders follow before the closing curve, so the fast decoding is
        // exact enough. Other curves between them would enlarge its error.
        add(.decodeNearly)
      } else if index == linear, case .colour(.rolloff(let rolloff)) = instruction {
        add(.rolloff, [0] + rolloff.payload)
      } else {
        add(instruction)
      }
    }
  }

  /// Returns the instructions with the encoding last, and the index of a shoulder that then works
  /// in linear light.
  ///
  /// A shoulder between the encoding and the end is moved before the encoding, where it gives the
  /// same result.
  private static func encodingLast(
    _ program: PointProgram
  ) -> (instructions: [PointProgram.Instruction], linear: Int?) {
    var instructions = program.instructions
    let last = instructions.lastIndex { if case .dither = $0 { false } else { true } } ?? 0
    guard last > 1, case .colour(.rolloff) = instructions[last],
      instructions[last - 1] == .curve(.encode)
    else { return (instructions, nil) }
    instructions.swapAt(last - 1, last)
    return (instructions, last - 1)
  }

  /// Adds an instruction that takes `cost` nanoseconds per pixel; nil for the usual time of its
  /// opcode.
  mutating func add(
    _ opcode: Opcode, _ payload: [Double] = [], _ more: [Float] = [], cost: Double? = nil
  ) {
    words.append(opcode.rawValue)
    words.append(UInt32(payload.count + more.count))
    words.append(payload)
    words.append(more)
    count += 1
    self.cost += cost ?? opcode.nanoseconds
  }

  private mutating func addTable(
    _ input: SampleFormat, _ red: [Curve], _ green: [Curve], _ blue: [Curve]
  ) {
    let levels = Int(input.maximum)
    func column(_ curves: [Curve]) -> [Double] {
      curves.values(count: levels + 1) { Double($0) / Double(levels) }
    }
    let first = column(red)
    add(
      .table,
      first + (green == red ? first : column(green)) + (blue == red ? first : column(blue)))
  }

  private mutating func add(_ instruction: PointProgram.Instruction) {
    switch instruction {
    case .channels(let red, let green, let blue): addChannels([red, green, blue])
    case .tone(let curves): addTone(curves)
    case .matrix(let matrix):
      add(
        .matrix,
        zip(matrix.rows, [matrix.offset.x, matrix.offset.y, matrix.offset.z]).flatMap {
          [$0.x, $0.y, $0.z, $1]
        })
    case .colour(let function): add(function)
    case .hold:
      slots -= 1
      add(.hold, [Double(slots)])
    case .radial(let gain): add(.radial, payload(gain))
    case .falloff(let falloff): add(.falloff, payload(falloff))
    case .lookup: break
    case .grain(let grain): add(.grain, payload(grain))
    case .dither(let dither): add(.dither, [Double(dither.levels), Double(dither.seed)])
    case .save:
      add(.save, [Double(slots)])
      slots += 1
    case .layer(let image): add(.layer, [Double(image)])
    case .blend(let mode):
      if let number = mode.number { add(.blend, [Double(slots - 1), Double(number)]) }
    case .multiply:
      slots -= 1
      add(.multiply, [Double(slots)])
    case .mix(let opacity, let isMasked): add(.mix, mixing(opacity, isMasked))
    case .compose(let mode, let opacity, let isMasked):
      let parts = mixing(opacity, isMasked)
      if let number = mode.number { add(.compose, parts + [Double(number)]) }
    case .cover(let cover):
      let (opcode, payload) = cover.encoded(on: size)
      add(opcode, [Double(covers)] + payload)
      covers += 1
    case .combine(let combination):
      covers -= 1
      add(.combine, [Double(covers - 1), Double(covers), Double(combination.number)])
    case .fade(let gain, let offset): add(.fade, [Double(covers - 1), gain, offset])
    case .local(let tone):
      add(
        .local,
        [Double(tone.map)] + tone.placement.rows(on: size) + [Double(tone.samples.count - 1)]
          + tone.samples.flatMap { [$0.tone, $0.darker, $0.brighter, 0] })
    case .dehaze(let haze):
      add(
        .dehaze,
        [Double(haze.map)] + haze.placement.rows(on: size)
          + [
            haze.air.x, haze.air.y, haze.air.z, haze.strength, haze.floor,
            haze.richness,
          ])
    case .key(let key):
      let (colour, way) = (key.colour, key.direction)
      add(
        .key,
        [
          colour.x, colour.y, colour.z, key.lightness, key.tolerance, max(key.softness, 0.0001),
          way.x, way.y, key.spill,
        ])
    case .tiles(let curves):
      add(.tiles, [Double(curves.map)] + curves.placement.rows(on: size))
    }
  }

  private mutating func add(_ function: ColourFunction) {
    switch function {
    case .vibrance(let amount, let gamut): add(.vibrance, [amount] + Self.payload(gamut))
    case .saturate(let amount, let gamut): add(.saturate, [amount] + Self.payload(gamut))
    case .hues(let map):
      let table = HueTable(map, steps: precision == .fine ? 16_384 : 2048)
      add(.hues, table.payload + Self.payload(map.gamut))
    case .grade(let grade):
      let weights = [grade.weights.x, grade.weights.y, grade.weights.z]
      add(
        .grade,
        weights + [Double(grade.samples.count - 1)]
          + grade.samples.flatMap { [$0.gain.x, $0.gain.y, $0.gain.z, 0] }
          + grade.samples.flatMap { [$0.offset.x, $0.offset.y, $0.offset.z, 0] })
    case .steps(let count): add(.steps, [Double(count)])
    case .cube(let cube): add(.lut, Self.head(cube), cube.values + [0])
    case .rolloff(let rolloff): add(.rolloff, [1] + rolloff.payload)
    case .gamut(let map):
      add(
        .gamut,
        [map.isEncoded ? 1 : 0]
          + (map.lmsFromRGB.rows + map.rgbFromLMS.rows).flatMap { [$0.x, $0.y, $0.z] }
          + [map.blue.x, map.blue.y])
    case .adapt(let adaptation):
      add(
        .adapt,
        adaptation.matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
          + [LightAdaptation.clippedFrom, LightAdaptation.clippedTo])
    }
  }

  /// For each channel of a gamut, the multiples of the L and the S cone response.
  private static func payload(_ gamut: Gamut) -> [Double] {
    gamut.rgbFromLMS.rows.flatMap { [$0.x, $0.z] }
  }

  /// The payload of a mix, which consumes the last saved pixel and, if masked, the last coverage.
  private mutating func mixing(_ opacity: Double, _ isMasked: Bool) -> [Double] {
    slots -= 1
    if isMasked { covers -= 1 }
    return [Double(slots), opacity, isMasked ? Double(covers) : -1]
  }

  private func payload(_ gain: RadialGain) -> [Double] {
    let corner = 2.0.squareRoot()
    return field(gain.placement, centre: [0.5, 0.5], reach: [corner, corner])
      + [gain.inner, gain.outer, gain.strength]
  }

  private func payload(_ falloff: LensFalloff) -> [Double] {
    field(falloff.placement, centre: falloff.centre, reach: falloff.reach)
      + [falloff.factors.x, falloff.factors.y, falloff.factors.z, 1 / LensFalloff.mostGain]
  }

  /// The position of a centre in the image, in pixels, and the distance from one pixel to the next;
  /// `reach` is the distance from one edge of the frame to the opposite one.
  private func field(
    _ place: Placement, centre: Placement.Point, reach: Placement.Point
  ) -> [Double] {
    // If the image is turned by 90 degrees, the frame's y axis is along the image's x axis, so the
    // coordinates are swapped.
    let isTurned = place.across.x == 0
    let (start, right, down) =
      isTurned
      ? (place.origin.turned, place.across.y, place.down.x)
      : (place.origin, place.across.x, place.down.y)
    let (middle, far) = isTurned ? (centre.turned, reach.turned) : (centre, reach)
    let (width, height) = (Double(size.width), Double(size.height))
    return [
      (middle.x - start.x) / right * width, (middle.y - start.y) / down * height,
      abs(right) / width * far.x, abs(down) / height * far.y,
    ]
  }

  /// The payload that precedes a cube's points.
  private static func head(_ cube: ColourCube) -> [Double] {
    let gain = 1 / (cube.high - cube.low)
    let offset = -cube.low * gain
    return [Double(cube.edge), gain.x, gain.y, gain.z, offset.x, offset.y, offset.z]
  }

  /// The payload of grain.
  ///
  /// Grain is fixed to the pixels of the full-size frame: each pixel of a reduced image has the
  /// noise of one position in that frame.
  private func payload(_ grain: Grain) -> [Double] {
    let (place, frame) = (grain.placement, grain.frame)
    let unit = Placement.Point(Double(frame.width), Double(frame.height))
    let across = place.across / Double(size.width) * unit
    let down = place.down / Double(size.height) * unit
    var first = (place.origin * unit + 0.5 * (across + down)).rounded(.down)
    var (right, below) = (across.rounded(.toNearestOrEven), down.rounded(.toNearestOrEven))
    if let sample = grain.sample {
      first = place.origin * unit + sample.x * across + sample.y * down - 0.5
      (right, below) = (across, down)
    }
    // The lattice is rotated by the angle of the 3-4-5 triangle, with cosine 0.8 and sine 0.6.
    return [
      first.x, right.x, below.x, first.y, right.y, below.y, 0.8 / grain.pixels, 0.6 / grain.pixels,
      grain.level, Double(grain.seed),
    ]
  }
}

extension ProgramEncoder {
  /// The operations of the kernel `phbatch_point`, with the numbers of `phbatch_program.h`.
  enum Opcode: UInt32 {
    case table = 1
    case gain, matrix, decode, encode, curve, cubeRoot, cube, vibrance, radial, save, mix, hues
    case grade, steps, layer, blend, coverLinear, coverRadial, coverPolygon, coverRange, coverDisc
    case coverMap, combine, fade, lut, grain, dither
    case local = 40
    case dehaze, tiles, saturate, decodeNearly, close, key, compose, hold, rolloff, gamut, falloff
    case multiply, tone, adapt

    /// The time on one core, in nanoseconds per pixel; see `ProgramCost`.
    var nanoseconds: Double {
      switch self {
      case .table, .gain, .save, .combine, .fade, .coverLinear, .coverRange: 0.1
      case .matrix, .cube, .layer, .multiply, .steps: 0.2
      case .decode: 1.7
      case .encode: 2
      case .decodeNearly: 0.7
      case .close: 0.8
      case .curve, .tone: 3 * ProgramCost.curve(.root)
      case .cubeRoot: 1.2
      case .vibrance: 0.9
      case .adapt: 1.3
      case .saturate, .key: 0.8
      case .hold: 2.5
      case .mix, .coverRadial, .coverDisc: 0.3
      case .radial, .compose: 0.4
      case .rolloff: 0.5
      case .falloff: 0.4
      // The time for photos with all colours inside the output's space; colours outside take much
      // longer.
      case .gamut: 0.2
      case .hues: 2.5
      case .grade: 1.9
      case .lut: 2.4
      case .grain: 2.5
      case .dither: 0.7
      case .blend: 0.8
      case .coverPolygon: 2.2
      case .coverMap: 4.1
      case .local: 3.8
      case .dehaze: 1.2
      case .tiles: 7.6
      }
    }
  }
}

extension PointProgram.Instruction {
  /// True for instructions that, in linear light, change their result by no more than their input
  /// changes.
  fileprivate var isSteady: Bool {
    switch self {
    case .matrix, .colour(.rolloff): true
    default: false
    }
  }
}

extension Placement.Point {
  fileprivate var turned: Self { Self(y, x) }
}

extension Cover.Combination {
  fileprivate var number: Int {
    switch self {
    case .add: 0
    case .subtract: 1
    case .intersect: 2
    }
  }
}

extension BlendMode {
  /// The kernel's code of the mode, counted separately for Porter-Duff compositions and for other
  /// modes; nil for `normal`, which needs no instruction.
  fileprivate var number: Int? {
    switch self {
    case .normal: nil
    case .multiply: 1
    case .screen: 2
    case .overlay: 3
    case .darken: 4
    case .lighten: 5
    case .colourDodge: 6
    case .colourBurn: 7
    case .hardLight: 8
    case .softLight: 9
    case .difference: 10
    case .exclusion: 11
    case .add: 12
    case .subtract: 13
    case .hue: 14
    case .saturation: 15
    case .colour: 16
    case .luminosity: 17
    case .clear: 1
    case .source: 2
    case .over: 3
    case .inside: 4
    case .out: 5
    case .atop: 6
    case .dest: 7
    case .destOver: 8
    case .destIn: 9
    case .destOut: 10
    case .destAtop: 11
    case .xor: 12
    case .saturate: 13
    }
  }
}
