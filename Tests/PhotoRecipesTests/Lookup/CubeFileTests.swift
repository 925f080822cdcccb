import Notation
import TestRandom
import Testing

@testable import PhotoRecipes

@Suite struct CubeFileTests {
  private static func read(_ text: String) throws -> CubeFile {
    try CubeFile(SourceText(name: "a.cube", text: text))
  }

  private static func rows(_ count: Int) -> String {
    (0..<count).map { "\($0) 0.5 -1e-2\n" }.joined()
  }

  @Test func aThreeDimensionalTableIsRead() throws {
    let file = try Self.read("TITLE \"film look\"\nLUT_3D_SIZE 2\n" + Self.rows(8))
    let cube = try #require(file.table.cube)
    #expect(file.title == "film look")
    #expect(file.table.curves == nil)
    #expect(cube.edge == 2 && cube.low == .zero && cube.high == .one)
    #expect(cube.values.prefix(6) == [0, 0.5, -0.01, 1, 0.5, -0.01])
    #expect(cube(.init(1, 0, 0)).x == 1 && cube(.init(0, 1, 0)).x == 2)
    #expect(cube(.init(0, 0, 1)).x == 4 && cube(.init(2, 2, .nan)).x == 3)
  }

  /// The files have the spacing of exported and of hand-edited `.cube` files: comments, blank
  /// lines, tabs, CRLF, a byte order mark.
  @Test(arguments: ["\n", "\r\n", " \t\r\n\n# note\n\t\n"])
  func spacingAndCommentsOfACubeFileAreIgnored(_ end: String) throws {
    let lines =
      ["\u{FEFF}# made by hand", "LUT_3D_SIZE\t2"] + Array(repeating: "  0 .5\t1. ", count: 8)
    let cube = try #require(try Self.read(lines.joined(separator: end)).table.cube)
    #expect(cube.values == (0..<8).flatMap { _ in [0, 0.5, 1] as [Float] })
  }

  @Test func oneDimensionalCurvesWithADomainAreRead() throws {
    let text = "LUT_1D_SIZE 3\nDOMAIN_MIN -1 0 0\nDOMAIN_MAX 1 2 4\n0 0 0\n.5 .25 1\n1 1 3\n"
    let program = PointProgram(try Self.read(text).table.instructions)
    for (input, expected) in [
      ([-1, 0, 0], [0, 0, 0]), ([0, 1, 2], [0.5, 0.25, 1]), ([0.5, 1.5, 3], [0.75, 0.625, 2]),
      ([-9, -9, -9], [0, 0, 0]), ([9, 9, 9], [1, 1, 3]),
    ] as [([Double], [Double])] {
      let result = try #require(program(.init(input[0], input[1], input[2])))
      for c in 0..<3 { #expect(abs(result[c] - expected[c]) < 1e-12, "\(input)") }
    }
  }

  @Test func oneDimensionalCurvesBeforeACubeAreRead() throws {
    let text =
      "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n"
      + "0 0 0\n1 1 1\n" + Self.rows(8)
    let table = try Self.read(text).table
    #expect(table.curves?.high == .init(2, 2, 2) && table.cube?.edge == 2)
    let result = try #require(PointProgram(table.instructions)(.init(1, 0, 0)))
    #expect(abs(result.x - 0.5) < 1e-12)
  }

  /// The arguments are an invalid file, the line of the error, and a word of the message.
  @Test(arguments: [
    ("", 1, "empty"), ("\n# only a comment\n", 3, "neither LUT_1D_SIZE"),
    ("0 0 0\nLUT_3D_SIZE 2\n", 1, "neither LUT_1D_SIZE"),
    ("LUT_3D_SIZE 300\n", 1, "from 2 to 256"), ("LUT_3D_SIZE 257\n", 1, "out of range"),
    ("LUT_3D_SIZE 1\n", 1, "out of range"),
    ("LUT_3D_SIZE 2.5\n", 1, "out of range"), ("LUT_1D_SIZE 65537\n", 1, "out of range"),
    ("LUT_3D_SIZE\n", 1, "has 0 numbers"), ("LUT_3D_SIZE 2 2\n", 1, "has 2 numbers"),
    ("LUT_3D_SIZE 2\nLUT_3D_SIZE 2\n", 2, "twice"),
    ("LUT_3D_SIZE 2\n0 0 0\n", 3, "1 of 8 rows"),
    ("LUT_3D_SIZE 2\n" + rows(9), 10, "more than 8 rows"),
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n" + rows(8), 11, "8 of 10 rows"),
    ("LUT_3D_SIZE 2\n0 0\n", 2, "this one has 2"), ("LUT_3D_SIZE 2\n0 0 0 0\n", 2, "has 4"),
    ("LUT_3D_SIZE 2\n0 nan 0\n", 2, "'nan'"), ("LUT_3D_SIZE 2\nNaN 0 0\n", 2, "'NaN'"),
    ("LUT_3D_SIZE 2\n0 inf 0\n", 2, "'inf'"), ("LUT_3D_SIZE 2\n0 1e99 0\n", 2, "'1e99'"),
    ("LUT_3D_SIZE 2\n0 0x1 0\n", 2, "'0x1'"), ("LUT_3D_SIZE 2\n0 1,5 0\n", 2, "'1,5'"),
    ("LUT_3D_SIZE 2\n0 - 0\n", 2, "'-'"),
    ("LUT_3D_SIZES 2\n", 1, "not a keyword"), ("GIF89a\u{0}\u{1}", 1, "not a keyword"),
    ("\u{0}\u{1}\u{2}", 1, "neither LUT_1D_SIZE"),
    ("LUT_3D_SIZE 2\n0 0 0\nTITLE \"late\"\n", 3, "after the first row"),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 1 0 0\nDOMAIN_MAX 1 1 1\n" + rows(8), 3, "the end of the domain"),
    ("LUT_3D_SIZE 2\nDOMAIN_MAX 1e-300 1 1\n" + rows(8), 2, "narrower"),
    ("LUT_3D_INPUT_RANGE 1 0\nLUT_3D_SIZE 2\n" + rows(8), 1, "the end of the domain"),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0\n", 2, "has 2 numbers, not 3"),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0\n", 2, "has 1 number, not 3"),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nLUT_3D_INPUT_RANGE 0 1\n" + rows(8), 3, "both a DOMAIN"),
    ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\nDOMAIN_MAX 1 1 1\n" + rows(10), 3, "cannot have a DOMAIN"),
    ("LUT_3D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\n" + rows(8), 2, "the size that belongs to"),
  ])
  func errorsInACubeFileStateTheirLine(_ text: String, _ line: Int, _ message: String) throws {
    let error = try #require(throws: InvalidDocument.self) { try Self.read(text) }
    let diagnostic = try #require(error.diagnostics.first)
    let location = try #require(diagnostic.location)
    #expect(error.diagnostics.count == 1)
    #expect(location.source.position(of: location.offset).line == line, "\(diagnostic)")
    #expect("\(diagnostic)".contains(message), "\(diagnostic)")
  }

  @Test func aTooLargeCubeFileIsRefused() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: CubeFile.longest + 1)
    let error = try #require(throws: InvalidDocument.self) {
      try CubeFile(SourceText(name: "a.cube", bytes: bytes))
    }
    #expect("\(error.diagnostics[0].problem.message)".contains("640 MB"))
  }

  private static let whole =
    "TITLE \"x\"\r\nLUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\nLUT_3D_SIZE 2\n# c\n" + rows(10)

  /// A file that is cut off before its last row is never a valid table.
  @Test func everyTruncatedCubeFileThrows() throws {
    let bytes = Array(Self.whole.utf8)
    let lastRow = bytes.count - "9 0.5 -1e-2\n".utf8.count
    for length in 0...lastRow {
      let source = SourceText(name: "a.cube", bytes: Array(bytes[..<length]))
      #expect(throws: InvalidDocument.self, "\(length) bytes") { try CubeFile(source) }
    }
    _ = try Self.read(Self.whole)
  }

  @Test func damagedCubeFilesAreReadOrRefusedWithoutACrash() throws {
    var generator = SeededGenerator(seed: 5)
    let bytes = Array(Self.whole.utf8)
    var read = 0
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: place)
        default:
          damaged.insert(Array("0 .e-\nLN#".utf8).randomElement(using: &generator) ?? 0, at: place)
        }
      }
      guard let file = try? CubeFile(SourceText(name: "a.cube", bytes: damaged)) else { continue }
      read += 1
      let result = PointProgram(file.table.instructions)(.init(0.3, 0.6, 0.9))
      #expect(result.map { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite } == true)
    }
    #expect((1000..<19_000).contains(read))
  }

  @Test func onlyAPNGWithTheSizeOfALevelIsAHaldCLUT() throws {
    func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
      let numbers = [width, height].flatMap { n in [24, 16, 8, 0].map { UInt8(n >> $0 & 255) } }
      return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + numbers
    }
    for edge: UInt32 in [8, 512, 1728, 4096] {
      try LookupFile(name: "a.png", bytes: png(edge, edge)).check()
    }
    for bytes in [
      [], png(512, 511), png(4913, 4913), png(500, 500), png(1, 1), Array(png(512, 512).dropLast()),
    ] {
      #expect(throws: InvalidDocument.self) { try LookupFile(name: "a.png", bytes: bytes).check() }
    }
  }
}
