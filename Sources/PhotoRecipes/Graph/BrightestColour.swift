/// The brightest colours after a chain of operations, as display-encoded channels.
struct BrightestColour: Sendable, Hashable {
  /// The greatest channel value that the operations produce from a photo with values of 0…1; it may
  /// be below 1.
  var reach = 1.0
  /// The greatest channel value that the operations produce from greys of 0…1, which a later
  /// shoulder maps to white.
  ///
  /// The shoulder clips values between it and `reach`. So white stays white if a step, such as a
  /// turn of hues, pushes only vivid colours above white.
  var white = 1.0
  /// True if a filter that measures the photo may brighten colours.
  var isUnknown = false

  /// The least `reach` that counts as above white: one 8-bit level more than 1.
  static let least = 1 + 1.0 / 255

  /// True if steps pushed colours above white.
  var isAboveWhite: Bool { reach > Self.least }

  /// Replaces the brightest colours by the brightest colours after a program.
  ///
  /// A tone curve on display-encoded values defines which tone becomes white; a later shoulder
  /// therefore clips tones above white instead of compressing them.
  mutating func run(_ program: PointProgram) {
    reach = max(reach, program.brightestInput)
    let after = program.brightestGrey(upTo: white)
    let setsWhite =
      program.isToneCurve
      && (white > 1 ? program.brightestGrey(upTo: 1) : after) > Self.least
    white = setsWhite ? 1 : after
    reach = program.brightest(upTo: reach)
  }

  /// Assumes that an operation with unknown colours of its own brings white.
  mutating func addWhite() { (reach, white) = (max(1, reach), max(1, white)) }

  /// The brightest colours of an image that mixes two images pixel by pixel.
  func mixed(with other: BrightestColour) -> BrightestColour {
    BrightestColour(
      reach: max(reach, other.reach), white: max(white, other.white),
      isUnknown: isUnknown || other.isUnknown)
  }
}

extension PointProgram {
  /// The greatest channel value of the program's results for colours from black to `peak`;
  /// positions and masks are assumed to have the effect that brightens most.
  fileprivate func brightest(upTo peak: Double) -> Double {
    let levels = [0, 0.5, 1].map { $0 * peak }
    let colours = levels.flatMap { red in
      levels.flatMap { green in
        levels.map { blue in ColourMatrix.Vector(red, green, blue) }
      }
    }
    return brightened(colours).reduce(0) { max($0, $1.max()) }
  }

  /// The greatest channel value of the program's results for greys from black to `peak`.
  fileprivate func brightestGrey(upTo peak: Double) -> Double {
    let greys = (0...16).map { ColourMatrix.Vector(repeating: Double($0) / 16 * peak) }
    return brightened(greys).map { $0.max() }.max() ?? 0
  }

  /// True if the program only applies curves to the channels of display-encoded values.
  fileprivate var isToneCurve: Bool {
    instructions.allSatisfy { instruction in
      switch instruction {
      case .channels(let red, let green, let blue):
        ![red, green, blue].joined().contains(.decode)
      case .tone: true
      default: false
      }
    }
  }
}

extension Graph {
  /// The brightest colours after every node, in the order of the nodes; `known` contains the
  /// results for the first nodes, which are not computed again.
  func brightestColours(after known: [BrightestColour] = []) -> [BrightestColour] {
    var found = known
    for node in nodes.dropFirst(known.count) {
      var brightest = node.inputs.first.map { found[$0] } ?? BrightestColour()
      switch node.operation {
      case .program(let program): brightest.run(program)
      case .blend:
        brightest = node.inputs.dropFirst().reduce(brightest) { $0.mixed(with: found[$1]) }
      case .measured: brightest.isUnknown = true
      case .rolloff, .external: brightest = BrightestColour()
      default: brightest.addWhite()
      }
      found.append(brightest)
    }
    return found
  }

  /// The same graph in which each placeholder of a shoulder is replaced by a shoulder that is
  /// computed from the steps before it, or removed if these steps push no colours above white.
  var withShoulders: Graph {
    guard nodes.contains(where: \.operation.isRolloff) else { return self }
    let (brightest, decode) = (brightestColours(), Curve.decode)
    return rebuilt { node, _, inputs, graph in
      guard case .rolloff(let gamut) = node.operation, let before = node.inputs.first,
        let input = inputs.first
      else { return graph.append(Node(operation: node.operation, inputs: inputs)) }
      guard brightest[before].isAboveWhite else { return input }
      let shoulder = Rolloff(peak: decode(brightest[before].white), within: gamut)
      return graph.append(.program(PointProgram([.colour(.rolloff(shoulder))])), input)
    }
  }
}

extension Operation {
  fileprivate var isRolloff: Bool {
    if case .rolloff = self { true } else { false }
  }
}
