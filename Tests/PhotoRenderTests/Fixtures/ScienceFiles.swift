import Foundation
import PhotoRender
import TestSupport
import Testing

/// FITS and OpenEXR files, written byte by byte.
enum ScienceFiles {
  /// An 8-bit FITS cube; each plane has one value.
  ///
  /// - Source: FITS Standard 4.0, 3.3 and 4.4.1.
  static func fits(_ planes: [UInt8], width: Int, height: Int) -> [UInt8] {
    fits(width, height, planes.count) { _, _, plane in planes[plane] }
  }

  static func fits(
    _ width: Int, _ height: Int, _ planes: Int, _ value: (Int, Int, Int) -> UInt8
  ) -> [UInt8] {
    let block = 2880
    func card(_ name: String, _ value: String) -> String {
      let start = name.padding(toLength: 8, withPad: " ", startingAt: 0) + "= "
      let space = String(repeating: " ", count: 20 - value.count)
      return (start + space + value).padding(toLength: 80, withPad: " ", startingAt: 0)
    }
    let cards =
      [
        card("SIMPLE", "T"), card("BITPIX", "8"), card("NAXIS", planes == 1 ? "2" : "3"),
        card("NAXIS1", "\(width)"), card("NAXIS2", "\(height)"),
      ] + (planes == 1 ? [] : [card("NAXIS3", "\(planes)")])
      + ["END".padding(toLength: 80, withPad: " ", startingAt: 0)]
    let head = Array(cards.joined().utf8)
    // FITS rows begin at the bottom.
    let data = (0..<planes).flatMap { plane in
      (0..<height).reversed().flatMap { y in (0..<width).map { value($0, y, plane) } }
    }
    func padded(_ bytes: [UInt8], by filler: UInt8) -> [UInt8] {
      bytes + [UInt8](repeating: filler, count: (block - bytes.count % block) % block)
    }
    return padded(head, by: 32) + padded(data, by: 0)
  }

  /// An uncompressed OpenEXR file of 32-bit floats; `value` is R, G, B and alpha of a pixel.
  ///
  /// - Source: "OpenEXR File Layout", 2020.
  static func exr(
    _ width: Int, _ height: Int, chromaticities: [Float]? = nil, hasAlpha: Bool = false,
    _ value: (Int, Int) -> [Float]
  ) -> [UInt8] {
    func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    func float(_ number: Float) -> [UInt8] { word(Int(number.bitPattern)) }
    func attribute(_ name: String, _ type: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [0] + Array(type.utf8) + [0] + word(bytes.count) + bytes
    }
    let window = word(0) + word(0) + word(width - 1) + word(height - 1)
    // Channels are sorted by their names.
    let channels = (hasAlpha ? [("A", 3)] : []) + [("B", 2), ("G", 1), ("R", 0)]
    var list: [UInt8] = []
    for (name, _) in channels {
      list += Array(name.utf8) + [0] + word(2) + [0, 0, 0, 0] + word(1) + word(1)
    }
    list.append(0)
    var head: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
    head += attribute("channels", "chlist", list)
    if let chromaticities {
      let numbers: [UInt8] = chromaticities.flatMap { float($0) }
      head += attribute("chromaticities", "chromaticities", numbers)
    }
    head += attribute("compression", "compression", [0])
    head += attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    head += attribute("lineOrder", "lineOrder", [0])
    head += attribute("pixelAspectRatio", "float", float(1))
    head += attribute("screenWindowCenter", "v2f", float(0) + float(0))
    head += attribute("screenWindowWidth", "float", float(1)) + [0]
    let lineBytes = 8 + width * channels.count * 4
    let start = head.count + 8 * height
    var (table, lines): ([UInt8], [UInt8]) = ([], [])
    for y in 0..<height {
      table += word(start + y * lineBytes) + word(0)
      lines += word(y) + word(lineBytes - 8)
      for (_, channel) in channels {
        for x in 0..<width { lines += float(value(x, y)[channel]) }
      }
    }
    return head + table + lines
  }

  /// Renders a photo as PNG by a recipe with these `inputs`.
  static func render(
    _ photo: [UInt8], _ inputs: String
  ) throws -> (picture: Samples, report: Rendering) {
    let recipe = try Studio.recipe(
      text: """
        {"identifier": "org.example.test", "version": "1.0.0", "inputs": \(inputs),
         "outputs": [{"name": "out", "format": "png"}]}
        """)
    let (files, report) = try Studio.render(photo, recipe)
    return (try Samples(file: #require(files["out"])), report)
  }
}
