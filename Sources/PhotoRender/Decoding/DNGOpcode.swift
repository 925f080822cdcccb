import FileStructure

/// One opcode of a DNG file: a correction that the maker of the camera prescribes.
///
/// - Source: Adobe Digital Negative Specification 1.7, 2023, chapter 7, "Opcode List Processing".
struct DNGOpcode: Sendable, Hashable {
  /// The rows and columns `top` ..< `bottom` and `left` ..< `right`.
  struct Bounds: Sendable, Hashable {
    var top: Int
    var left: Int
    var bottom: Int
    var right: Int
  }

  /// Every `rowPitch`-th row and `columnPitch`-th column of a rectangle, in some of its planes.
  struct Area: Sendable, Hashable {
    let bounds: Bounds
    let plane: Int
    let planes: Int
    let rowPitch: Int
    let columnPitch: Int
  }

  /// A position in the frame, 0…1 along both edges.
  struct Centre: Sendable, Hashable {
    let across: Double
    let down: Double
  }

  /// A map of gains; the numbers have the order of PH_OPCODE_GAIN, without the frame.
  struct GainMap: Sendable, Hashable {
    let rows: Int
    let columns: Int
    let planes: Int
    let spacing: SIMD2<Double>
    let origin: SIMD2<Double>
    let gains: [Double]
  }

  enum Line: Sendable, Hashable {
    case deltaRows, deltaColumns, scaleRows, scaleColumns
  }

  enum Change: Sendable, Hashable {
    /// For each plane k0, k1, k2, k3, and the tangential terms t0 and t1.
    case warp([[Double]], Centre, isFisheye: Bool)
    case vignette([Double], Centre)
    /// The value of samples that are defective.
    case defectiveValue(Int)
    case defects([Bounds])
    case trim(Bounds)
    case table(Area, [Double])
    case polynomial(Area, [Double])
    case gain(Area, GainMap)
    case lines(Line, Area, [Double])
  }

  let name: String
  let change: Change

  /// The names of opcodes, by number minus 1.
  private static let names = [
    "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "FixBadPixelsConstant",
    "FixBadPixelsList", "TrimBounds", "MapTable", "MapPolynomial", "GainMap", "DeltaPerRow",
    "DeltaPerColumn", "ScalePerRow", "ScalePerColumn", "WarpRectilinear2",
  ]

  static func name(_ number: Int) -> String {
    names.indices.contains(number - 1) ? names[number - 1] : "opcode \(number)"
  }
}

/// The opcodes of one of the three lists of a DNG file.
struct DNGOpcodeList: Sendable, Hashable {
  /// The opcodes that can be applied, in their order.
  private(set) var opcodes: [DNGOpcode] = []
  /// The names of opcodes that a reader must apply, but that are unknown or damaged.
  private(set) var missing: [String] = []
  /// True if the list ends within an opcode; none of its opcodes is applied then.
  private(set) var isDamaged = false

  /// Reads a list; an empty list if `bytes` is nil.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    // Opcode lists are big-endian, whatever the byte order of the file is.
    var cursor = ByteCursor(bytes)
    guard let count = cursor.number(4) else {
      isDamaged = true
      return
    }
    for _ in 0..<count {
      guard let number = cursor.number(4), cursor.number(4) != nil,
        let flags = cursor.number(4), let length = cursor.number(4),
        length <= bytes.count - cursor.offset
      else {
        (isDamaged, opcodes, missing) = (true, [], [])
        return
      }
      var reader = OpcodeReader(Array(bytes[cursor.offset..<(cursor.offset + length)]))
      cursor.offset += length
      let name = DNGOpcode.name(number)
      if let change = reader.change(number) {
        opcodes.append(DNGOpcode(name: name, change: change))
      } else if flags & 1 == 0 {
        missing.append(name)
      }
    }
    // Each gain map is often for one of four kinds of pixels; without one of them, the others would
    // make a pattern.
    if missing.contains(Self.gainMap) { opcodes.removeAll { $0.name == Self.gainMap } }
  }

  private static let gainMap = DNGOpcode.name(9)
}

/// Reads the parameters of one opcode.
private struct OpcodeReader {
  private var cursor: ByteCursor

  init(_ bytes: [UInt8]) { cursor = ByteCursor(bytes) }

  /// The change that the opcode `number` makes; nil if it is unknown or damaged.
  mutating func change(_ number: Int) -> DNGOpcode.Change? {
    switch number {
    case 1, 2: warp(isFisheye: number == 2)
    case 3:
      if let terms = doubles(5), let centre { .vignette(terms, centre) } else { nil }
    case 4: integer(most: 65_535).map { .defectiveValue($0) }
    case 5: defects
    case 6: bounds.map { .trim($0) }
    case 7: table
    case 8: polynomial
    case 9: gainMap
    case 10: lines(.deltaRows)
    case 11: lines(.deltaColumns)
    case 12: lines(.scaleRows)
    case 13: lines(.scaleColumns)
    default: nil
    }
  }

  /// The largest coordinate; all sensors are smaller.
  private static let largest = 1 << 20

  private mutating func integer(most: Int = Self.largest) -> Int? {
    cursor.number(4).flatMap { $0 <= most ? $0 : nil }
  }

  private mutating func double() -> Double? {
    guard let bytes = bytes(8) else { return nil }
    let value = Double(bitPattern: ByteOrder.big.number(bytes))
    return value.isFinite && abs(value) < 1e9 ? value : nil
  }

  private mutating func float() -> Double? {
    guard let bytes = bytes(4) else { return nil }
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: ByteOrder.big.number(bytes)))
    return value.isFinite && abs(value) < 1e9 ? Double(value) : nil
  }

  private mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= cursor.bytes.count - cursor.offset else { return nil }
    defer { cursor.offset += count }
    return cursor.bytes[cursor.offset..<(cursor.offset + count)]
  }

  private mutating func doubles(_ count: Int) -> [Double]? {
    list(count, of: 8) { $0.double() }
  }

  private mutating func floats(_ count: Int) -> [Double]? {
    list(count, of: 4) { $0.float() }
  }

  /// Reads `count` values of `width` bytes; nil if there are fewer, or one of them is not allowed.
  private mutating func list<Value>(
    _ count: Int, of width: Int, _ read: (inout Self) -> Value?
  ) -> [Value]? {
    guard count <= (cursor.bytes.count - cursor.offset) / width else { return nil }
    var values: [Value] = []
    for _ in 0..<count {
      guard let value = read(&self) else { return nil }
      values.append(value)
    }
    return values
  }

  private var bounds: DNGOpcode.Bounds? {
    mutating get {
      guard let top = integer(), let left = integer(), let bottom = integer(),
        let right = integer(), top < bottom, left < right
      else { return nil }
      return DNGOpcode.Bounds(top: top, left: left, bottom: bottom, right: right)
    }
  }

  private var area: DNGOpcode.Area? {
    mutating get {
      guard let bounds, let plane = integer(), let planes = integer(), let rowPitch = integer(),
        let columnPitch = integer(), planes > 0, rowPitch > 0, columnPitch > 0
      else { return nil }
      return DNGOpcode.Area(
        bounds: bounds, plane: plane, planes: planes, rowPitch: rowPitch, columnPitch: columnPitch)
    }
  }

  private var centre: DNGOpcode.Centre? {
    mutating get {
      guard let across = double(), let down = double(), (0...1).contains(across),
        (0...1).contains(down)
      else { return nil }
      return DNGOpcode.Centre(across: across, down: down)
    }
  }

  private mutating func warp(isFisheye: Bool) -> DNGOpcode.Change? {
    guard let planes = integer(most: 4), planes > 0 else { return nil }
    var terms: [[Double]] = []
    for _ in 0..<planes {
      guard let own = doubles(isFisheye ? 4 : 6) else { return nil }
      terms.append(isFisheye ? own + [0, 0] : own)
    }
    return centre.map { .warp(terms, $0, isFisheye: isFisheye) }
  }

  private var defects: DNGOpcode.Change? {
    mutating get {
      // The first number is the phase of the mosaic, which the file's other tags state too.
      guard integer() != nil, let points = integer(), let rectangles = integer(),
        let single = list(
          points, of: 8,
          { (reader: inout OpcodeReader) -> DNGOpcode.Bounds? in
            guard let row = reader.integer(), let column = reader.integer() else { return nil }
            return DNGOpcode.Bounds(top: row, left: column, bottom: row + 1, right: column + 1)
          }), let areas = list(rectangles, of: 16, { $0.bounds })
      else { return nil }
      return .defects(single + areas)
    }
  }

  private var table: DNGOpcode.Change? {
    mutating get {
      guard let area, let count = integer(most: 65_536), count > 0,
        let entries = list(count, of: 2, { $0.cursor.number(2) })
      else { return nil }
      return .table(area, entries.map(Double.init))
    }
  }

  private var polynomial: DNGOpcode.Change? {
    mutating get {
      guard let area, let degree = integer(most: 8), let terms = doubles(degree + 1) else {
        return nil
      }
      return .polynomial(area, terms)
    }
  }

  private var gainMap: DNGOpcode.Change? {
    mutating get {
      guard let area, let rows = integer(most: 4_096), let columns = integer(most: 4_096),
        let spacing = doubles(2), let origin = doubles(2), let planes = integer(most: 16),
        rows > 0, columns > 0, planes > 0,
        let gains = floats(rows * columns * planes)
      else { return nil }
      // A map of a single row or column has any spacing.
      let usable = SIMD2(
        spacing[0] > 0 || rows > 1 ? spacing[0] : 1, spacing[1] > 0 || columns > 1 ? spacing[1] : 1)
      guard usable.x > 0, usable.y > 0 else { return nil }
      return .gain(
        area,
        DNGOpcode.GainMap(
          rows: rows, columns: columns, planes: planes, spacing: usable,
          origin: SIMD2(origin[0], origin[1]), gains: gains))
    }
  }

  private mutating func lines(_ kind: DNGOpcode.Line) -> DNGOpcode.Change? {
    guard let area, let count = integer(), let numbers = floats(count) else { return nil }
    let bounds = area.bounds
    let isRow = kind == .deltaRows || kind == .scaleRows
    let lines =
      isRow
      ? (bounds.bottom - bounds.top + area.rowPitch - 1) / area.rowPitch
      : (bounds.right - bounds.left + area.columnPitch - 1) / area.columnPitch
    return count == lines ? .lines(kind, area, numbers) : nil
  }
}
