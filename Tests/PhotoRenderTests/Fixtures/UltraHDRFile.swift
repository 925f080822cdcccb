import Foundation

/// JPEG photos with a gain map, assembled byte by byte.
enum UltraHDRFile {
  /// The two ways to describe the gain map.
  enum Dialect: CaseIterable {
    /// Adobe's XMP, in the map's file.
    case adobe
    /// The binary segment of ISO 21496-1, with one denominator for all numbers.
    case iso
  }

  /// A photo with a map whose gains are 2^−1…2^3, with offsets of 1/64, gamma 1 and headrooms of 0
  /// and 2.5 stops.
  ///
  /// The index of both pictures is little-endian, unlike in the files that phbatch writes.
  static func bytes(base: [UInt8], map: [UInt8], _ dialect: Dialect) -> [UInt8] {
    bytes(base: base, map: map, describedBy: dialect == .iso ? iso : adobe)
  }

  /// A photo with a gain map; the map's file contains a segment that describes the map.
  static func bytes(base: [UInt8], map: [UInt8], describedBy description: [UInt8]) -> [UInt8] {
    let described = inserting(description, into: map)
    let indexLength = 90
    let total = base.count + indexLength
    let place = 2 + 4 + 4
    let tiff =
      Array("II".utf8) + little(42, 2) + little(8, 4) + little(3, 2)
      + little(0xB000, 2) + little(7, 2) + little(4, 4) + Array("0100".utf8)
      + little(0xB001, 2) + little(4, 2) + little(1, 4) + little(2, 4)
      + little(0xB002, 2) + little(7, 2) + little(32, 4) + little(50, 4) + little(0, 4)
      + little(0x030000, 4) + little(total, 4) + little(0, 4) + little(0, 4)
      + little(0, 4) + little(described.count, 4) + little(total - place, 4) + little(0, 4)
    return inserting(segment(0xE2, Array("MPF\0".utf8) + tiff), into: base) + described
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  /// The file with a segment after its start marker.
  static func inserting(_ segment: [UInt8], into file: [UInt8]) -> [UInt8] {
    Array(file.prefix(2)) + segment + file.dropFirst(2)
  }

  private static let adobe = xmp(
    """
    xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" \
    hdrgm:GainMapMin="-1" hdrgm:GainMapMax="3" hdrgm:HDRCapacityMax="2.5"
    """)

  /// The description of a map in Apple's coding; nil if it states no headroom.
  static func apple(headroom: Double?) -> [UInt8] {
    let stated = headroom.map { #"HDRGainMap:HDRGainMapHeadroom="\#($0)""# }
    return xmp(
      """
      xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" \
      apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap" \
      xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" \
      HDRGainMap:HDRGainMapVersion="131072" \(stated ?? "")
      """)
  }

  /// The description of a map in JPEG files that Apple's Photos exports.
  static let toneMap = xmp(
    """
    xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" \
    apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap" \
    xmlns:HDRToneMap="http://ns.adobe.com/hdr-gain-map/1.0/" HDRToneMap:Version="1" \
    HDRToneMap:GainMapMin="0.000000" HDRToneMap:GainMapMax="1.676758" \
    HDRToneMap:Gamma="0.712891" HDRToneMap:OffsetSDR="0.000010" \
    HDRToneMap:OffsetHDR="0.000010" HDRToneMap:HDRCapacityMin="0.000000" \
    HDRToneMap:HDRCapacityMax="1.676758" HDRToneMap:BaseRenditionIsHDR="0"
    """)

  /// A segment with XMP that has these attributes.
  private static func xmp(_ attributes: String) -> [UInt8] {
    segment(
      0xE1,
      Array(
        """
        http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
        \(attributes)/></rdf:RDF></x:xmpmeta>
        """.utf8))
  }

  private static let iso: [UInt8] = {
    func big(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    let numbers = [64, 0, 160, -64, 192, 64, 1, 1].flatMap(big)
    // One channel, in the colour space of the base picture, with a common denominator.
    return segment(
      0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0, 0x48] + numbers)
  }()
}
