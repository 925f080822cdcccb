/// The bytes of a point program, as the kernel reads them.
package struct PointProgram {
  /// The opcodes; their values are part of the program's format.
  package enum Opcode: UInt32 {
    case table = 1
    case gain
    case matrix
    case decode
    case encode
    case curve
    case cbrt
    case cube
    case vibrance
    case radial
    case save
    case mix
    case hues
    case grade
    case steps
    case layer
    case blend
    case coverLinear
    case coverRadial
    case coverPolygon
    case coverRange
    case coverDisc
    case coverMap
    case combine
    case fade
    case lut = 26
    case grain
    case dither
    case local = 40
    case dehaze
    case tiles
    case saturate
    case decodeNearly
    case close
    case key
    case compose
    case hold
    case rolloff
    case gamut
    case falloff
    case multiply
    case tone
    case adapt
  }

  package struct Instruction {
    package var opcode: UInt32
    package var payload: [Float]

    package init(_ opcode: Opcode, _ payload: [Float] = []) {
      self.opcode = opcode.rawValue
      self.payload = payload
    }
  }

  package var instructions: [Instruction]

  package init(instructions: [Instruction]) { self.instructions = instructions }

  /// The instructions as words; each word is stored with its least significant byte first.
  package var words: [UInt32] {
    var words = [0x3150_4850, UInt32(instructions.count)]
    for instruction in instructions {
      words += [instruction.opcode, UInt32(instruction.payload.count)]
      words += instruction.payload.map(\.bitPattern)
    }
    return words
  }

  package var bytes: [UInt8] { Self.bytes(of: words) }

  package static func bytes(of words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }
}
