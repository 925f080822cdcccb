import Notation
import Testing

@Suite struct ZeroPaddingTests {
  @Test func numbersArePaddedWithZerosToTheLength() {
    #expect(7.digits(3) == "007" && 0.digits(2) == "00" && 0.digits(0) == "0")
    #expect(1_234.digits(3) == "1234" && 123.digits(3) == "123")
    #expect(UInt32(0x1F).digits(4, radix: 16) == "001f")
    #expect(UInt64.max.digits(16, radix: 16, uppercase: true) == "FFFFFFFFFFFFFFFF")
  }
}
