import Foundation
import Notation
import TestRandom
import Testing

@Suite struct Base64Tests {
  @Test func bytesComeBackFromTextsWithWhiteSpace() {
    var random = SeededGenerator(seed: 4)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.encode(bytes) == text && Base64.decode(text) == bytes)
      #expect([UInt8](base64: text.map { "\($0)\n " }.joined()) == bytes)
    }
    for damaged in ["QUJ*", "Q", "QQ==QQ=="] { #expect([UInt8](base64: damaged) == nil) }
  }
}
