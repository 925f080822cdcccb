package import Vips

/// Pixels as values with the nominal range 0...1, and their conversion to each sample format.
package struct Raster {
  package var width: Int
  package var height: Int
  package var bands: Int
  /// `width × height × bands` interleaved values.
  package var values: [Double]

  package init(width: Int, height: Int, bands: Int, values: [Double]) {
    self.width = width
    self.height = height
    self.bands = bands
    self.values = values
  }

  package init(
    _ width: Int, _ height: Int, bands: Int, _ value: (_ x: Int, _ y: Int, _ band: Int) -> Double
  ) {
    self.init(width: width, height: height, bands: bands, values: [])
    values.reserveCapacity(width * height * bands)
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands { values.append(value(x, y, band)) }
      }
    }
  }

  /// A picture of three bands; `pixel` computes the values of each pixel.
  package init(_ width: Int, _ height: Int, pixel: (_ x: Int, _ y: Int) -> SIMD3<Double>) {
    self.init(width: width, height: height, bands: 3, values: [])
    values.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = pixel(x, y)
        values += [pixel.x, pixel.y, pixel.z]
      }
    }
  }

  /// Random values in `range`, identical in each run.
  package static func noise(
    _ width: Int, _ height: Int, bands: Int, in range: ClosedRange<Double> = 0...1
  ) -> Self {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return Self(width, height, bands: bands) { _, _, _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let unit = Double(state >> 40) / Double(1 << 24)
      return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }
  }

  package func value(_ x: Int, _ y: Int, _ band: Int) -> Double {
    values[(y * width + x) * bands + band]
  }

  /// The values after the raster has been stored in `format`.
  package func stored(as format: SampleFormat) -> Self {
    var copy = self
    copy.values = Self.values(of: bytes(as: format), as: format)
    return copy
  }

  package func image(as format: SampleFormat) throws -> Image {
    let pixels = bytes(as: format)
    return switch format {
    case .uchar:
      try Image(pixels: pixels, width: width, height: height, bands: bands, format: .uchar)
    case .ushort:
      try Image(pixels: pixels, width: width, height: height, bands: bands, format: .ushort)
    case .float:
      try Image(pixels: pixels, width: width, height: height, bands: bands, format: .float)
    }
  }

  package func bytes(as format: SampleFormat) -> [UInt8] {
    switch format {
    case .uchar:
      values.map { UInt8((min(max($0, 0), 1) * 255 + 0.5).rounded(.down)) }
    case .ushort:
      values.map { UInt16((min(max($0, 0), 1) * 65535 + 0.5).rounded(.down)) }
        .withUnsafeBytes(Array.init)
    case .float:
      values.map { Float($0) }.withUnsafeBytes(Array.init)
    }
  }

  package static func values(of bytes: [UInt8], as format: SampleFormat) -> [Double] {
    bytes.withUnsafeBytes { raw in
      switch format {
      case .uchar: raw.map { Double($0) / 255 }
      case .ushort:
        (0..<raw.count / 2).map {
          Double(raw.load(fromByteOffset: 2 * $0, as: UInt16.self)) / 65535
        }
      case .float:
        (0..<raw.count / 4).map {
          Double(raw.load(fromByteOffset: 4 * $0, as: Float.self))
        }
      }
    }
  }

  /// The largest difference of `image` from this raster.
  ///
  /// For integers, the difference is in steps of `format`, minus the half step of rounding. For
  /// floats, the difference is relative to the value, or to 0.25 if the value is smaller.
  package func distance(to image: Image, as format: SampleFormat) throws -> Double {
    let found = Self.values(of: try image.pixels(), as: format)
    guard found.count == values.count else { return .infinity }
    var largest = 0.0
    for (expected, found) in zip(values, found) {
      let error =
        switch format {
        case .uchar: abs(min(max(expected, 0), 1) - found) * 255 - 0.5
        case .ushort: abs(min(max(expected, 0), 1) - found) * 65535 - 0.5
        case .float: abs(expected - found) / max(abs(expected), 0.25)
        }
      largest = error.isNaN ? .infinity : max(largest, error)
    }
    return largest
  }
}
