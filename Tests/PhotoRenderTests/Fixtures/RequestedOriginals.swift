import Foundation
import PhotoRecipes
import TestSupport
import Vips

@testable import PhotoRender

/// One picture in each format that is read on request.
enum RequestedOriginals {
  static let formats = ["svg", "pdf", "exr", "hdr", "ppm", "fits"]

  /// The picture as a file, as far as the format can store it.
  ///
  /// `picture` has 16-bit samples with alpha in Display P3; `plain` is the same picture in 8-bit
  /// sRGB.
  static func file(_ format: String, _ picture: Samples, plain: Samples) throws -> [UInt8] {
    let (width, height) = (plain.width, plain.height)
    switch format {
    case "svg":
      let image = Data(try plain.file()).base64EncodedString()
      return Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)">
        <image width="\(width)" height="\(height)" href="data:image/png;base64,\(image)"/></svg>
        """.utf8)
    case "pdf": return pdf(plain)
    case "exr":
      return ScienceFiles.exr(
        width, height, chromaticities: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
        hasAlpha: true
      ) { x, y in
        let pixel = picture[x, y].map { Double($0) / Double(picture.maximum) }
        // OpenEXR stores colours premultiplied by alpha.
        return pixel.prefix(3).map { Float(Curve.decode($0) * pixel[3]) } + [Float(pixel[3])]
      }
    case "hdr":
      let light = try opaque(plain).applying("colourspace", ["space": .choice("scrgb")])
      return try SyntheticPhoto.bytes(light, "radsave_target")
    case "ppm":
      let wide = try opaque(plain).applying("colourspace", ["space": .choice("rgb16")])
      return try SyntheticPhoto.bytes(wide, "ppmsave_target")
    default: return ScienceFiles.fits(width, height, 3) { UInt8(plain[$0, $1][$2]) }
    }
  }

  /// True if the format can store more than 8 bits a channel.
  static func hasDepth(_ format: String) -> Bool { ["exr", "hdr", "ppm"].contains(format) }

  static func hasAlpha(_ format: String) -> Bool { ["svg", "exr"].contains(format) }

  private static func opaque(_ picture: Samples) throws -> Image {
    try picture.image().applying("extract_band", ["band": .integer(0), "n": .integer(3)])
  }

  /// A PDF page of the picture's size at 72 pixels an inch, with the picture uncompressed on the
  /// page.
  ///
  /// - Source: ISO 32000-1:2008, 7.5 and 8.9.5.
  private static func pdf(_ picture: Samples) -> [UInt8] {
    let (width, height) = (picture.width, picture.height)
    let samples = (0..<width * height).flatMap { picture[$0 % width, $0 / width].prefix(3) }
    let drawing = "\(width) 0 0 \(height) 0 0 cm /P Do"
    let objects: [[UInt8]] = [
      Array("<< /Type /Catalog /Pages 2 0 R >>".utf8),
      Array("<< /Type /Pages /Kids [3 0 R] /Count 1 >>".utf8),
      Array(
        """
        << /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Contents 4 0 R \
        /Resources << /XObject << /P 5 0 R >> >> >>
        """.utf8),
      Array("<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)\nendstream".utf8),
      Array(
        """
        << /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8 \
        /ColorSpace /DeviceRGB /Length \(samples.count) >>
        stream\n
        """.utf8) + samples.map { UInt8($0) } + Array("\nendstream".utf8),
    ]
    var file = Array("%PDF-1.4\n".utf8)
    var places: [Int] = []
    for (number, object) in objects.enumerated() {
      places.append(file.count)
      file += Array("\(number + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    let start = file.count
    let table = places.map { String(format: "%010d 00000 n \n", $0) }.joined()
    let count = objects.count + 1
    return file
      + Array(
        """
        xref
        0 \(count)
        0000000000 65535 f \n\(table)trailer
        << /Size \(count) /Root 1 0 R >>
        startxref
        \(start)
        %%EOF

        """.utf8)
  }
}
