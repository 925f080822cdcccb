import Glibc
import PhotoRecipes
import Vips

/// The corrections that the opcode lists of a DNG file prescribe, arranged by the stage of the
/// development.
///
/// List 1 changes the stored samples of the whole frame, list 2 the samples of the visible area
/// between black and white, and list 3 the interpolated picture of the visible area.
struct RawCorrections: Sendable, Hashable {
  /// One operation on the interpolated picture.
  enum PictureStep: Sendable, Hashable {
    /// Opcodes in the form of `phbatch_opcodes`.
    case opcodes([Double])
    case warp(Warp)
  }

  /// A correction of distortion, in pixels of the visible area.
  struct Warp: Sendable, Hashable {
    /// Six terms for each of red, green and blue.
    let terms: [Double]
    let centre: SIMD2<Double>
    let radius: Double
    let isFisheye: Bool
  }

  /// The opcodes of list 1, in the form of `phbatch_opcodes`.
  private(set) var stored: [Double] = []
  /// The areas of defective samples in the whole frame: top, left, bottom and right of each.
  private(set) var defects: [Int] = []
  private(set) var defectiveValues: [Int] = []
  /// The opcodes of list 2, in the form of `phbatch_opcodes`.
  private(set) var samples: [Double] = []
  private(set) var picture: [PictureStep] = []
  /// The part of the visible area that remains; nil if all of it.
  private(set) var trimmed: Rectangle?
  /// True if the opcodes of list 3 give the same result on a reduced picture.
  private(set) var canShrink = true
  /// The names of the opcodes of each list, in their order.
  private(set) var names: [[String]] = []
  /// The names of opcodes that must be applied, but are not.
  private(set) var missing: [String] = []

  /// No corrections.
  init() {}

  /// Arranges the opcodes of a file.
  ///
  /// - Parameters:
  ///   - lists: The three lists.
  ///   - frame: The size of the whole frame, including masked pixels.
  ///   - visible: The visible area of the frame.
  ///   - kind: The kind of the picture. List 1 is applied to a mosaic only, list 2 to a mosaic and to
  ///     layers.
  init(
    _ lists: [DNGOpcodeList], frame: Size, visible: Rectangle, _ kind: RawFacts.Kind
  ) {
    names = lists.map { $0.opcodes.map(\.name) }
    for (index, list) in lists.enumerated() {
      if list.isDamaged { missing.append("list \(index + 1) is damaged") }
      missing += list.missing
      for opcode in list.opcodes {
        let isApplied =
          switch (index, kind) {
          case (0, .mosaic): addStored(opcode.change, frame, visible)
          case (0, _): false
          case (1, .mosaic): addSamples(opcode.change, visible)
          case (1, .layers): !opcode.change.isDefect && addSamples(opcode.change, visible)
          case (1, _): false
          default: addPicture(opcode.change, visible.size)
          }
        if !isApplied { missing.append(opcode.name) }
      }
    }
  }

  var warning: String? {
    missing.isEmpty
      ? nil : "opcodes of the DNG file are not applied: \(missing.joined(separator: ", "))"
  }

  var hasWarp: Bool { picture.contains { if case .warp = $0 { true } else { false } } }

  /// Adds an opcode of list 1; false if it cannot be applied to stored samples.
  private mutating func addStored(
    _ change: DNGOpcode.Change, _ frame: Size, _ visible: Rectangle
  ) -> Bool {
    switch change {
    case .defectiveValue(let value): defectiveValues.append(value)
    case .defects(let areas): add(areas, left: 0, top: 0)
    case .trim(let bounds): trim(bounds, visible, left: visible.left, top: visible.top)
    default:
      guard let numbers = change.numbers(in: frame, unit: 65_535, isStored: true) else {
        return false
      }
      stored += numbers
    }
    return true
  }

  /// Adds an opcode of list 2; false if it cannot be applied to samples.
  private mutating func addSamples(_ change: DNGOpcode.Change, _ visible: Rectangle) -> Bool {
    switch change {
    // Defective samples are mended before all other changes, which only scale them.
    case .defects(let areas): add(areas, left: visible.left, top: visible.top)
    case .trim(let bounds): trim(bounds, visible, left: 0, top: 0)
    default:
      guard let numbers = change.numbers(in: visible.size, unit: 1, isStored: false) else {
        return false
      }
      samples += numbers
    }
    return true
  }

  /// Adds an opcode of list 3; false if it cannot be applied to a picture.
  private mutating func addPicture(_ change: DNGOpcode.Change, _ size: Size) -> Bool {
    switch change {
    case .trim(let bounds):
      trim(bounds, Rectangle(left: 0, top: 0, size: size), left: 0, top: 0)
      return true
    case .warp(let terms, let centre, let isFisheye):
      picture.append(.warp(Warp(terms, centre, isFisheye: isFisheye, in: size)))
      return true
    default:
      guard let numbers = change.numbers(in: size, unit: 1, isStored: false) else { return false }
      canShrink = canShrink && change.isSmooth
      if case .opcodes(let before)? = picture.last {
        picture[picture.count - 1] = .opcodes(before + numbers)
      } else {
        picture.append(.opcodes(numbers))
      }
      return true
    }
  }

  private mutating func add(_ areas: [DNGOpcode.Bounds], left: Int, top: Int) {
    for area in areas {
      defects += [area.top + top, area.left + left, area.bottom + top, area.right + left]
    }
  }

  /// Limits the picture to bounds; the origin of their coordinates is at (−`left`, −`top`) of the
  /// visible area.
  private mutating func trim(
    _ bounds: DNGOpcode.Bounds, _ visible: Rectangle, left: Int, top: Int
  ) {
    let (x, y) = (max(0, bounds.left - left), max(0, bounds.top - top))
    let right = min(visible.size.width, bounds.right - left)
    let bottom = min(visible.size.height, bounds.bottom - top)
    guard right > x, bottom > y else { return }
    trimmed = Rectangle(left: x, top: y, size: Size(right - x, bottom - y))
  }
}

extension RawCorrections.Warp {
  fileprivate init(
    _ terms: [[Double]], _ centre: DNGOpcode.Centre, isFisheye: Bool, in size: Size
  ) {
    let (width, height) = (Double(size.width), Double(size.height))
    self.centre = SIMD2(centre.across * width, centre.down * height)
    // The radius is the distance of the centre from the farthest corner.
    radius = DNGOpcode.radius(centre, in: size)
    self.terms = (0..<3).flatMap { terms[min($0, terms.count - 1)] }
    self.isFisheye = isFisheye
  }

  /// The largest number of rows that a row of the result crosses, estimated from the radial terms.
  func rowSpan(height: Int) -> Int {
    let factors = stride(from: 0.0, through: 1, by: 0.125).flatMap { r in
      stride(from: 0, to: terms.count, by: 6).map { start in
        let k = terms[start..<(start + 4)].map(\.self)
        if !isFisheye { return k[0] + r * (k[1] + r * (k[2] + r * k[3])) }
        let (distance, angle) = (r.squareRoot(), atan(r.squareRoot()))
        let squared = angle * angle
        let bent = angle * (k[0] + squared * (k[1] + squared * (k[2] + squared * k[3])))
        return distance > 0 ? bent / distance : k[0]
      }
    }
    let spread = (factors.max() ?? 1) - (factors.min() ?? 1)
    return min(height, Int(spread * Double(height)) + 16)
  }
}

extension DNGOpcode {
  /// The distance, in pixels, of a centre from the farthest corner of a frame.
  fileprivate static func radius(_ centre: Centre, in size: Size) -> Double {
    let across = max(centre.across, 1 - centre.across) * Double(size.width)
    let down = max(centre.down, 1 - centre.down) * Double(size.height)
    return (across * across + down * down).squareRoot()
  }
}

extension DNGOpcode.Change {
  /// True if the change mends defective pixels of a mosaic.
  fileprivate var isDefect: Bool {
    switch self {
    case .defects, .defectiveValue: true
    default: false
    }
  }

  /// True if the change is nearly the same for neighbouring pixels, so that it can be applied to
  /// their mean.
  fileprivate var isSmooth: Bool {
    switch self {
    case .gain(let area, _): area.rowPitch == 1 && area.columnPitch == 1
    case .vignette: true
    default: false
    }
  }

  /// The opcode in the form of `phbatch_opcodes`; nil if the opcode is of another kind.
  ///
  /// - Parameters:
  ///   - frame: The size of the frame in which the opcode states its area.
  ///   - unit: The value of a full sample.
  ///   - isStored: True if the values are stored samples, false if they are 0 at black and 1 at
  ///     white; tables and differences are always in units of 1 ÷ 65535.
  /// - Returns: The kind, the area and the numbers.
  fileprivate func numbers(in frame: Size, unit: Double, isStored: Bool) -> [Double]? {
    let step = isStored ? 1 : 1 / 65_535.0
    switch self {
    case .table(let area, let entries):
      return area.opcode(1, [1 / step] + entries.map { $0 * step })
    case .polynomial(let area, let terms): return area.opcode(2, [unit] + terms)
    case .gain(let area, let map):
      let head = [
        Double(map.rows), Double(map.columns), Double(map.planes), map.spacing.x, map.spacing.y,
        map.origin.x, map.origin.y, Double(frame.height), Double(frame.width),
      ]
      return area.opcode(3, head + map.gains)
    case .lines(let line, let area, let values):
      return area.opcode(line.kind, line.isDelta ? values.map { $0 * step } : values)
    case .vignette(let terms, let centre):
      let whole = DNGOpcode.Area(
        bounds: .init(top: 0, left: 0, bottom: frame.height, right: frame.width), plane: 0,
        planes: 3, rowPitch: 1, columnPitch: 1)
      let place = [
        centre.across * Double(frame.width), centre.down * Double(frame.height),
        DNGOpcode.radius(centre, in: frame),
      ]
      return whole.opcode(8, place + terms)
    case .warp, .defectiveValue, .defects, .trim: return nil
    }
  }
}

extension DNGOpcode.Area {
  /// An opcode for this area, in the form of `phbatch_opcodes`.
  fileprivate func opcode(_ kind: Double, _ numbers: [Double]) -> [Double] {
    let fields = [
      bounds.top, bounds.left, bounds.bottom, bounds.right, plane, planes, rowPitch, columnPitch,
    ]
    return [kind, Double(numbers.count)] + fields.map(Double.init) + numbers
  }
}

extension DNGOpcode.Line {
  /// The number of the kind in `PhOpcodeKind`.
  fileprivate var kind: Double {
    switch self {
    case .deltaRows: 4
    case .deltaColumns: 5
    case .scaleRows: 6
    case .scaleColumns: 7
    }
  }

  fileprivate var isDelta: Bool { self == .deltaRows || self == .deltaColumns }
}

extension RawCorrections {
  /// The arguments of `phbatch_rawload` that change the stored samples.
  var loading: [String: Argument] {
    var arguments: [String: Argument] = [:]
    if !stored.isEmpty { arguments["opcodes"] = .numbers(stored) }
    if !defects.isEmpty { arguments["defects"] = .integers(defects) }
    if !defectiveValues.isEmpty { arguments["defect-values"] = .integers(defectiveValues) }
    return arguments
  }

  /// Applies list 2 to the samples of the visible area.
  func samplesApplied(to image: Image) throws(VipsError) -> Image {
    if samples.isEmpty { return image }
    return try image.applying("phbatch_opcodes", Self.arguments(samples, left: 0, top: 0, 1))
  }

  /// Applies list 3 to a picture in linear light.
  ///
  /// - Parameters:
  ///   - picture: The interpolated picture, reduced by `shrink`.
  ///   - area: The part of the visible area that `picture` covers: all of it if there is a warp.
  ///   - shown: The part of the visible area that the result covers.
  ///   - shrink: The factor by which the picture is reduced.
  /// - Returns: The corrected picture.
  /// - Throws: `VipsError` if an opcode does not suit the picture.
  func pictureApplied(
    to picture: Image, at area: Rectangle, showing shown: Rectangle, shrink: Int
  ) throws(VipsError) -> Image {
    var image = picture
    var area = area
    let lastWarp = self.picture.lastIndex { if case .warp = $0 { true } else { false } }
    for (index, step) in self.picture.enumerated() {
      switch step {
      case .opcodes(let numbers):
        image = try image.applying(
          "phbatch_opcodes", Self.arguments(numbers, left: area.left, top: area.top, shrink))
      case .warp(let warp):
        func pitch(_ size: Size, _ width: Int, _ height: Int) -> [Double] {
          [Double(size.width) / Double(width), Double(size.height) / Double(height)]
        }
        let before = pitch(area.size, image.width, image.height)
        // The last warp cuts out the visible part.
        if index == lastWarp { area = shown }
        let width = max(1, area.size.width / shrink)
        let height = max(1, area.size.height / shrink)
        image = try image.applying(
          "phbatch_lens_warp",
          [
            "terms": .numbers(warp.terms), "centre": .numbers([warp.centre.x, warp.centre.y]),
            "radius": .number(warp.radius), "fisheye": .flag(warp.isFisheye),
            "left": .integer(area.left), "top": .integer(area.top),
            "width": .integer(width), "height": .integer(height),
            "pitch": .numbers(before + pitch(area.size, width, height)),
            "format": .choice(SampleFormat.float.rawValue),
          ])
      }
    }
    return image
  }

  private static func arguments(
    _ opcodes: [Double], left: Int, top: Int, _ shrink: Int
  ) -> [String: Argument] {
    [
      "opcodes": .numbers(opcodes), "left": .integer(left), "top": .integer(top),
      "shrink": .integer(shrink), "format": .choice(SampleFormat.float.rawValue),
    ]
  }
}
