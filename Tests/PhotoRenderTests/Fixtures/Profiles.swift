import Foundation
import PhotoRender
import TestSupport
import Vips

/// ICC profiles for tests, made from phbatch's own profiles.
enum Profiles {
  static let named: [(name: String, profile: StandardProfile)] = [
    ("srgb", .srgb), ("display-p3", .displayP3), ("adobe-rgb", .adobeRGB), ("prophoto", .proPhoto),
  ]

  /// The sRGB profile with renamed colorants: red is named green, green is named blue, and blue is
  /// named red.
  static var swapped: [UInt8] {
    let new = ["rXYZ": "gXYZ", "gXYZ": "bXYZ", "bXYZ": "rXYZ"]
    var bytes = StandardProfile.srgb.bytes
    for entry in stride(from: 132, to: 132 + 12 * Int(bytes[131]), by: 12) {
      let name = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
      if let other = new[name] { bytes.replaceSubrange(entry..<entry + 4, with: Array(other.utf8)) }
    }
    return bytes
  }

  /// A grey profile with one gamma value, version 2.
  static func grey(gamma: Double) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    func fixed(_ value: Double) -> [UInt8] { word(Int((value * 65_536).rounded())) }
    let d50 = fixed(0.9642) + fixed(1) + fixed(0.8249)
    let description = Array("desc".utf8) + word(0) + word(5) + Array("grey\0".utf8)
    let tags: [(String, [UInt8])] = [
      ("desc", description + [UInt8](repeating: 0, count: 95 - description.count)),
      ("cprt", Array("text".utf8) + word(0) + Array("none\0".utf8)),
      ("wtpt", Array("XYZ ".utf8) + word(0) + d50),
      (
        "kTRC",
        Array("curv".utf8) + word(0) + word(1) + [UInt8(gamma), UInt8(Int(gamma * 256) & 255)]
      ),
    ]
    var table = word(tags.count)
    var data: [UInt8] = []
    for (name, content) in tags {
      table += Array(name.utf8) + word(128 + 4 + 12 * tags.count + data.count) + word(content.count)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = word(128 + table.count + data.count) + Array("lcms".utf8) + word(0x0240_0000)
    header += Array("mntrGRAYXYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + d50
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }

  /// The picture converted to 16-bit sRGB by Little CMS, relative colorimetric.
  static func littleCMS(_ file: [UInt8]) throws -> Samples {
    let image = try Image.load(from: Source(bytes: file))
    let profile = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).icc")
    try Data(StandardProfile.srgb.bytes).write(to: profile)
    defer { try? FileManager.default.removeItem(at: profile) }
    return try Samples(
      image.applying(
        "icc_transform",
        [
          "output-profile": .text(profile.path), "embedded": .flag(true),
          "intent": .choice("relative"),
          "black-point-compensation": .flag(true), "depth": .integer(16),
        ]))
  }
}
