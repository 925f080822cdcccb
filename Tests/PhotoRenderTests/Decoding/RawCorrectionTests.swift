import Foundation
import PhotoRecipes
import TestRandom
import TestSupport
import Testing
import Vips

@testable import PhotoRender

/// Opcode lists of DNG files, compared with the formulas of the specification in double precision.
@Suite struct RawCorrectionTests {
  private static let frame = Size(64, 48)
  private static let whole = OpcodeList.numbers(0, 0, 48, 64, 0, 1, 1, 1)

  private static let names = [
    "WarpRectilinear", "WarpFisheye", "FixVignetteRadial", "MapTable", "MapPolynomial", "GainMap",
    "DeltaPerRow", "ScalePerColumn",
  ]

  /// The number and the parameters of an opcode in the table of `raw-tables.py`.
  private static func opcode(_ name: String) -> (number: Int, parameters: [UInt8]) {
    var bytes: [UInt8] = []
    switch name {
    case "GainMap":
      bytes = OpcodeList.numbers(4, 6, 44, 60, 0, 1, 2, 3, 4, 5)
      bytes += OpcodeList.doubles([0.3, 0.2, 0.05, 0.1])
      bytes += OpcodeList.number(1)
      for r in 0..<4 {
        for c in 0..<5 {
          let gain = 1 + 0.05 * Double(r * c) + 0.02 * Double(r)
          bytes += OpcodeList.floats([gain])
        }
      }
      return (9, bytes)
    case "MapPolynomial":
      bytes = whole + OpcodeList.number(3)
      bytes += OpcodeList.doubles([0.01, 0.8, 0.3, -0.1])
      return (8, bytes)
    case "MapTable":
      bytes = whole + OpcodeList.number(50_000)
      for index in 0..<50_000 { bytes += OpcodeList.number(index + index / 10)[2...] }
      return (7, bytes)
    case "DeltaPerRow":
      bytes = OpcodeList.numbers(10, 0, 40, 64, 0, 1, 2, 1, 15)
      for row in 0..<15 { bytes += OpcodeList.floats([Double(row * 100 - 500)]) }
      return (10, bytes)
    case "ScalePerColumn":
      bytes = OpcodeList.numbers(0, 5, 48, 61, 0, 1, 1, 4, 14)
      for column in 0..<14 { bytes += OpcodeList.floats([1 + 0.03 * Double(column)]) }
      return (13, bytes)
    case "FixVignetteRadial":
      return (3, OpcodeList.doubles([0.3, -0.1, 0.05, 0.02, -0.01, 0.45, 0.55]))
    case "WarpRectilinear":
      bytes = OpcodeList.number(3)
      bytes += OpcodeList.doubles([1.02, -0.05, 0.01, 0.002, 0.001, -0.002])
      bytes += OpcodeList.doubles([1.01, -0.04, 0, 0.003, 0, 0])
      bytes += OpcodeList.doubles([0.99, 0.03, -0.02, 0, -0.001, 0.001])
      bytes += OpcodeList.doubles([0.48, 0.53])
      return (1, bytes)
    default:
      bytes = OpcodeList.number(1)
      bytes += OpcodeList.doubles([1.03, 0.1, -0.05, 0.01, 0.48, 0.53])
      return (2, bytes)
    }
  }

  private static func list(_ name: String) -> DNGOpcodeList {
    var list = OpcodeList()
    let opcode = opcode(name)
    list.add(opcode.number, opcode.parameters)
    return DNGOpcodeList(list.bytes)
  }

  private static func corrections(
    _ lists: [DNGOpcodeList], _ size: Size, _ kind: RawFacts.Kind = .mosaic
  ) -> RawCorrections {
    RawCorrections(
      lists, frame: size, visible: Rectangle(left: 0, top: 0, size: size), kind)
  }

  @Test(arguments: [
    "GainMap", "MapPolynomial", "MapTable", "DeltaPerRow", "ScalePerColumn", "FixVignetteRadial",
  ])
  func opcodesChangeSamplesAsTheSpecificationStates(_ name: String) throws {
    let corrections = Self.corrections([.init(nil), Self.list(name)], Self.frame)
    #expect(corrections.missing.isEmpty)
    var samples: [Float] = []
    for y in 0..<48 {
      for x in 0..<64 { samples.append(Float(0.1 + 0.01 * Double(x) + 0.005 * Double(y))) }
    }
    let mosaic = try Image(samples: samples, width: 64, height: 48, bands: 1)
    let found = try corrections.samplesApplied(to: mosaic).samples(as: Float.self)
    let rows = try OracleFile.rows("raw.txt").filter { $0[0] == name }
    #expect(rows.count == 100)
    for row in rows {
      let numbers = row.compactMap { Double($0) }
      let value = Double(found[Int(numbers[1]) * 64 + Int(numbers[0])])
      #expect(abs(value - numbers[2]) < 2e-6, "\(row): \(value)")
    }
  }

  @Test(arguments: ["WarpRectilinear", "WarpFisheye"], [1, 2])
  func opcodesMovePixelsAsTheSpecificationStates(_ name: String, _ shrink: Int) throws {
    let size = Size(200, 150)
    let corrections = Self.corrections([.init(nil), .init(nil), Self.list(name)], size)
    let (width, height) = (200 / shrink, 150 / shrink)
    // A reduced pixel shows the mean of the positions that it covers.
    var samples: [Float] = []
    for y in 0..<height {
      for x in 0..<width {
        let u = (Float(x) + 0.5) * Float(shrink) - 0.5
        let v = (Float(y) + 0.5) * Float(shrink) - 0.5
        samples += [u, v, u + 2 * v]
      }
    }
    let picture = try Image(samples: samples, width: width, height: height, bands: 3)
    let area = Rectangle(left: 0, top: 0, size: size)
    let shown = Rectangle(left: 10, top: 6, size: Size(180, 140))
    let result = try corrections.pictureApplied(
      to: picture.applying("copy"), at: area, showing: shown, shrink: shrink)
    #expect(result.width == 180 / shrink && result.height == 140 / shrink)
    let found = try result.samples(as: Float.self)
    for row in try OracleFile.rows("raw.txt") where row[0] == name {
      let numbers = row.compactMap { Double($0) }
      let (x, y) = (Int(numbers[0]) - 10, Int(numbers[1]) - 6)
      // With a shrink of 2, a pixel at an odd position has no counterpart.
      guard x >= 0, y >= 0, x < 180, y < 140 else { continue }
      for channel in 0..<3 {
        func value(_ x: Int, _ y: Int) -> Double {
          Double(found[3 * (y * result.width + x) + channel])
        }
        if shrink == 1 {
          #expect(abs(value(x, y) - numbers[2 + channel]) < 0.002, "\(row): \(value(x, y))")
        } else if x > 0, y > 0 {
          let (left, top) = ((x - 1) / 2, (y - 1) / 2)
          let (h, v) = (Double((x - 1) % 2) / 2 + 0.25, Double((y - 1) % 2) / 2 + 0.25)
          let upper = value(left, top) * (1 - h) + value(left + 1, top) * h
          let lower = value(left, top + 1) * (1 - h) + value(left + 1, top + 1) * h
          let between = upper * (1 - v) + lower * v
          #expect(abs(between - numbers[2 + channel]) < 0.03, "\(row): \(between)")
        }
      }
    }
  }

  /// A warp is computed part by part; the picture does not depend on the size of these parts.
  @Test func aWarpDoesNotDependOnTheSizeOfTheComputedParts() throws {
    let size = Size(700, 500)
    let corrections = Self.corrections(
      [.init(nil), .init(nil), Self.list("WarpRectilinear")], size)
    var random = SeededGenerator(seed: 3)
    let picture = try Image(
      samples: (0..<(700 * 500 * 3)).map { _ in Float.random(in: 0...1, using: &random) },
      width: 700, height: 500, bands: 3)
    let area = Rectangle(left: 0, top: 0, size: size)
    func warped(_ image: Image) throws -> [Float] {
      try corrections.pictureApplied(to: image, at: area, showing: area, shrink: 1)
        .samples(as: Float.self)
    }
    #expect(try warped(picture) == warped(picture.applying("copy")))
  }

  /// Edges that are no multiples of the reduction stay where they are.
  @Test(arguments: [2, 4, 8], [Size(203, 157), Size(200, 150)])
  func aReducedPictureThatIsWarpedKeepsItsPlace(_ shrink: Int, _ size: Size) throws {
    var file = SyntheticDNG(width: size.width, height: size.height) { x, y, _ in
      0.1 + 0.6 * Double(x) / Double(size.width) + 0.2 * Double(y) / Double(size.height)
    }
    file.neutral = [1, 1, 1]
    func picture(_ file: SyntheticDNG) throws -> (Size, [Float]) {
      let photo = PhotoFile.bytes(file.bytes)
      let image = try RawDevelopment(photo, RawSettings()).image(photo, shrink: shrink)
      return (Size(image.width, image.height), try image.samples(as: Float.self))
    }
    let wanted = try picture(file)
    var list = OpcodeList()
    list.add(1, OpcodeList.number(1) + OpcodeList.doubles([1, -1e-6, 0, 0, 0, 0, 0.5, 0.5]))
    file.opcodeLists = [51_022: list.bytes]
    let found = try picture(file)
    #expect(found.0 == wanted.0)
    let worst = zip(found.1, wanted.1).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 5e-4, "\(worst)")
  }

  private static func developed(_ file: SyntheticDNG) throws -> (Image, RawDevelopment) {
    let photo = PhotoFile.bytes(file.bytes)
    let development = try RawDevelopment(photo, RawSettings())
    return (try development.image(photo, shrink: 1), development)
  }

  /// Positions in opcode list 1 are relative to the corner of the frame, positions in list 2 to the
  /// corner of the visible area.
  @Test func positionsInEachOpcodeListAreRelativeToItsOrigin() throws {
    var file = SyntheticDNG(width: 140, height: 100) { x, y, colour in
      [0.5, 1, 0.7][colour] * (x == 51 && y == 42 ? 0.9 : 0.4)
    }
    file.activeArea = [8, 10, 100, 140]
    var defects = OpcodeList()
    defects.add(5, OpcodeList.numbers(0, 1, 0, 42, 51))
    file.opcodeLists = [51_008: defects.bytes]
    let (mended, development) = try Self.developed(file)
    #expect(development.warnings.isEmpty)
    #expect(mended.width == 130 && mended.height == 92)
    let samples = try mended.samples(as: Float.self)
    #expect(samples.allSatisfy { abs($0 - 0.4) < 2e-4 })
    var gains = OpcodeList()
    // The half of the visible area from column 60 on gets twice the light.
    gains.add(
      13,
      OpcodeList.numbers(0, 60, 92, 130, 0, 1, 1, 1, 70)
        + OpcodeList.floats([Double](repeating: 2, count: 70)))
    file.opcodeLists = [51_008: defects.bytes, 51_009: gains.bytes]
    let brighter = try Self.developed(file).0.samples(as: Float.self)
    func green(_ x: Int, _ y: Int) -> Float { brighter[3 * (y * 130 + x) + 1] }
    #expect(abs(green(40, 50) - 0.4) < 1e-3 && abs(green(90, 50) - 0.8) < 1e-3)
  }

  /// Defective samples are replaced by the values of neighbours of the same colour, also beside
  /// other defects, at the frame's edge and on a brightness gradient.
  @Test(arguments: [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]])
  func defectiveSamplesAreReplacedByTheirNeighbours(_ pattern: [Int]) throws {
    func light(_ x: Int, _ y: Int, _ colour: Int) -> Double {
      [0.5, 1, 0.7][colour] * (0.3 + 0.002 * Double(x) + 0.001 * Double(y))
    }
    let sound = SyntheticDNG(width: 90, height: 70, pattern: pattern, level: light)
    let places = [(20, 20), (21, 20), (22, 20), (40, 31), (41, 31), (60, 50), (60, 52), (88, 30)]
    var broken = SyntheticDNG(width: 90, height: 70, pattern: pattern) { x, y, colour in
      places.contains { $0 == (x, y) } ? 0 : light(x, y, colour)
    }
    let wanted = try Self.developed(sound).0.samples(as: Float.self)
    var byList = OpcodeList()
    var parameters = OpcodeList.numbers(0, places.count, 0)
    for place in places { parameters += OpcodeList.numbers(place.1, place.0) }
    byList.add(5, parameters)
    var byValue = OpcodeList()
    byValue.add(4, OpcodeList.numbers(0, 0))
    for list in [byList, byValue] {
      broken.opcodeLists = [51_008: list.bytes]
      let found = try Self.developed(broken).0.samples(as: Float.self)
      let largest = zip(found, wanted).map { abs($0 - $1) }.max() ?? 1
      #expect(largest < 0.004, "\(largest)")
    }
  }

  @Test func aPhotoThatAnOpcodeWarpsKeepsItsCrop() throws {
    var file = SyntheticDNG(width: 320, height: 240) { x, y, colour in
      [0.5, 1, 0.7][colour] * 0.6
    }
    file.crop = [10, 12, 300, 210]
    var list = OpcodeList()
    list.add(
      1,
      OpcodeList.number(1) + OpcodeList.doubles([0.98, 0.03, 0, 0, 0, 0, 0.5, 0.5]))
    file.opcodeLists = [51_022: list.bytes]
    let (image, _) = try Self.developed(file)
    #expect(image.width == 300 && image.height == 210)
    #expect(try image.samples(as: Float.self).allSatisfy { abs($0 - 0.6) < 1e-3 })
    let recipe = try Studio.recipe(#"[{"filter": "resize", "longEdge": 80}]"#)
    #expect(try Studio.render(file.bytes, recipe).report.warnings == [])
  }

  /// If a required opcode is unknown, damaged or in the wrong list, the error names this opcode; an
  /// optional opcode is ignored.
  @Test func errorsNameUnknownOpcodesThatAreRequired() throws {
    var list = OpcodeList()
    list.add(14, [1, 2, 3])
    list.add(99, [])
    list.add(98, [], isOptional: true)
    list.add(9, OpcodeList.numbers(1, 2, 3))
    let read = DNGOpcodeList(list.bytes)
    #expect(read.missing == ["WarpRectilinear2", "opcode 99", "GainMap"])
    #expect(read.opcodes.isEmpty)
    let misplaced = Self.corrections([.init(nil), Self.list("WarpFisheye")], Self.frame)
    #expect(misplaced.missing == ["WarpFisheye"])
    var file = SyntheticDNG(width: 64, height: 64) { _, _, _ in 0.4 }
    file.opcodeLists = [51_022: list.bytes]
    let header = try Renderer.header(of: .bytes(file.bytes))
    #expect(
      header.warnings.contains(
        "opcodes of the DNG file are not applied: WarpRectilinear2, opcode 99, GainMap"))
  }

  /// Opcode lists with random bytes are read without a crash, and the pictures that these lists
  /// change are computed without a crash.
  @Test func damagedOpcodeListsDoNotCrash() {
    var random = SeededGenerator(seed: 5)
    for name in Self.names where name != "MapTable" {
      var list = OpcodeList()
      let opcode = Self.opcode(name)
      list.add(opcode.number, opcode.parameters)
      let bytes = list.bytes
      for _ in 0..<40 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          damaged[Int.random(in: 4..<damaged.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 1..<9, using: &random)) }
        var file = SyntheticDNG(width: 40, height: 30) { x, _, _ in Double(x) / 50 }
        let tags = [51_008, 51_009, 51_022]
        file.opcodeLists = [tags[Int.random(in: 0..<3, using: &random)]: damaged]
        let photo = PhotoFile.bytes(file.bytes)
        guard let development = try? RawDevelopment(photo, RawSettings()) else { continue }
        _ = try? development.image(photo, shrink: 1).samples(as: Float.self)
      }
    }
  }
}
