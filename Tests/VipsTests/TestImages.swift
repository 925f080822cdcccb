import Glibc
import Testing

@testable import Vips

extension Image {
  /// An sRGB image in which every pixel differs from its neighbours.
  static func ramp(width: Int = 64, height: Int = 48, bands: Int = 3) throws -> Image {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands {
          samples.append(UInt8(truncatingIfNeeded: x * 3 + y * 2 + band * 40))
        }
      }
    }
    return try Image(samples: samples, width: width, height: height, bands: bands)
      .applying("copy", ["interpretation": .choice(bands < 3 ? "b-w" : "srgb")])
  }

  /// An image that takes seconds to render, but needs little memory.
  static func slow(side: Int = 12_000) throws -> Image {
    try Image.calling("black", ["width": .integer(side), "height": .integer(side)]).image()
      .applying("linear", ["a": .numbers([1, 1, 1]), "b": .numbers([10, 20, 30])])
      .applying("gaussblur", ["sigma": .number(8)])
      .applying("cast", ["format": .choice("uchar")])
      .applying("copy", ["interpretation": .choice("srgb")])
  }

  /// The mean over all bands.
  func mean() throws -> Double { try Image.calling("avg", ["in": .image(self)]).number() }

  /// Saves this image with an operation and returns the bytes of the file.
  func encoded(as operation: String, _ arguments: [String: Argument] = [:]) throws -> [UInt8] {
    let target = Target()
    try save(to: target, as: operation, arguments)
    return target.bytes()
  }
}

/// An open, unnamed file for reading and writing.
final class ScratchFile {
  let descriptor: Int32

  init(_ bytes: [UInt8] = []) throws {
    var template = Array("/tmp/phbatch-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    unlink(template)
    if !bytes.isEmpty { #expect(write(descriptor, bytes, bytes.count) == bytes.count) }
  }

  deinit { close(descriptor) }

  var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : -1
  }
}
