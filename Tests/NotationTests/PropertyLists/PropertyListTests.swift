import Foundation
import Testing

@testable import Notation

@Suite struct PropertyListTests {
  private func xml(_ body: String) throws -> PropertyList {
    try PropertyList(Array("<plist version=\"1.0\">\(body)</plist>".utf8))
  }

  private func error(_ body: String) -> PropertyListError? {
    do {
      _ = try xml(body)
      return nil
    } catch {
      return error as? PropertyListError
    }
  }

  @Test func valuesOfXMLPropertyListsAreRead() throws {
    let list = try xml(
      """
      <dict><key>a</key><integer>-7</integer><key>b</key><real>1.5</real><key>c</key><true/>
      <key>d</key><array><false/><string>x &amp; y</string></array>
      <key>e</key><data> AQ
      IDBA== </data><key>f</key><date>2019-06-09T10:59:22Z</date></dict>
      """)
    #expect(
      list
        == .dictionary([
          "a": .integer(-7), "b": .real(1.5), "c": .bool(true),
          "d": .array([.bool(false), .string("x & y")]), "e": .data([1, 2, 3, 4]),
          "f": .date("2019-06-09T10:59:22Z"),
        ]))
  }

  @Test func theErrorNamesTheMistakeInAnXMLPropertyList() {
    #expect(error("<dict><key>a</key></dict>") == .keyWithoutValue("a"))
    #expect(
      error("<dict><key>a</key><true/><key>a</key><true/></dict>") == .duplicateKey("a"))
    #expect(error("<dict><string>a</string></dict>") == .unknown("string"))
    #expect(error("<integer>9999999999999999999</integer>") == .badValue("9999999999999999999"))
    #expect(error("<real>nan</real>") == .badValue("nan"))
    #expect(error("<data>AQ=I</data>") == .badValue("AQ=I"))
    #expect(error("<data>A</data>") == .badValue("A"))
    #expect(error("<what/>") == .unknown("what"))
    #expect(error("") == .notPropertyList)
  }

  /// Reads lists that Foundation wrote.
  ///
  /// Foundation's reader is unsafe for damaged lists, but its writer is reliable.
  @Test func binaryPropertyListsOfFoundationAreRead() throws {
    let long = String(repeating: "word ", count: 100)
    let value: [String: Any] = [
      "text": "plain", "wide": "größer 😀", "long": long, "whole": 123_456_789_012 as Int64,
      "small": 5, "negative": -3, "real": 0.125, "yes": true, "no": false,
      "data": Data([0, 1, 2]), "many": Array(0..<300), "inner": ["a": ["b": ["c"]]],
    ]
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: value, format: .binary, options: 0)
    let list = try PropertyList(Array(bytes))
    #expect(list["text"] == .string("plain"))
    #expect(list["wide"] == .string("größer 😀"))
    #expect(list["long"] == .string(long))
    #expect(list["whole"] == .integer(123_456_789_012))
    #expect(list["small"] == .integer(5))
    #expect(list["negative"] == .integer(-3))
    #expect(list["real"] == .real(0.125))
    #expect(list["yes"] == .bool(true))
    #expect(list["no"] == .bool(false))
    #expect(list["data"] == .data([0, 1, 2]))
    #expect(list["many"] == .array((0..<300).map { .integer($0) }))
    #expect(list["inner"]?["a"]?["b"] == .array([.string("c")]))
  }

  /// A binary list of objects with one-byte references to one another.
  private func binary(_ objects: [[UInt8]], root: UInt8 = 0) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(objects.count), root, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }

  private func binaryError(_ bytes: [UInt8]) -> PropertyListError? {
    do throws(PropertyListError) {
      _ = try BinaryPropertyList.parse(bytes)
      return nil
    } catch { return error }
  }

  @Test func circularOrMultiplyingReferencesAreRefused() {
    #expect(binaryError(binary([[0xA1, 0]])) == .tooDeep(limit: BinaryPropertyList.depthLimit))
    // Each of 20 arrays refers ten times to the next one, which gives 10^20 values.
    let layers = (1...20).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) }
    #expect(
      binaryError(binary(layers + [[0x09]])) == .tooLarge(limit: BinaryPropertyList.countLimit))
  }

  /// Data counts towards the limit of bytes each time that it is referred to.
  ///
  /// Five levels of arrays with nine references each give 59,049 copies of the same 150 bytes.
  @Test func eachReferenceToDataCountsTowardsTheByteLimit() {
    let layers = (1...5).map { [0xA9] + [UInt8](repeating: UInt8($0), count: 9) }
    let data = [0x4F, 0x10, 150] + [UInt8](repeating: 7, count: 150)
    #expect(
      binaryError(binary(layers + [data])) == .tooLong(limit: BinaryPropertyList.bytesLimit))
  }

  @Test func theErrorNamesAnInvalidReference() {
    #expect(binaryError(binary([[0xA1, 9]])) == .badReference)
    #expect(binaryError(binary([[0x09]], root: 3)) == .badReference)
    #expect(binaryError(binary([[0x77]])) == .truncated)
    #expect(
      binaryError(binary([[0x5F, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]])) == .truncated)
    #expect(binaryError(binary([[0xF0]])) == .unknown("marker 0xf0"))
    #expect(
      binaryError(binary([[0xD1, 1, 1], [0x09]])) == .badValue("a key that is not a string"))
    #expect(
      binaryError(binary([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]])) == .duplicateKey("a"))
  }

  @Test func everyTruncationOfABinaryListIsRefused() throws {
    let bytes = binary([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 3], [0x10, 7]])
    #expect(try PropertyList(bytes) == .dictionary(["a": .array([.integer(7)])]))
    for count in bytes.indices {
      #expect(throws: (any Error).self) { try PropertyList(Array(bytes[..<count])) }
    }
  }
}
