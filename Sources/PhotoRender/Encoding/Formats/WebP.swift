import FileStructure
import PhotoRecipes

extension WebPFormat: EncodedFormat {
  /// The memory for the encoder's picture; if transparent pixels are filled, also for a copy of the
  /// picture and for the mean colours that fill them.
  func encodingBytes(_ end: Pipeline.Output, row: Int) -> Int {
    let hasAlpha = row >= 4 * end.size.width
    return end.size.pixels * (hasAlpha && keepsHiddenColours ? 18 : 8)
  }

  /// True for lossy compression.
  ///
  /// The lossy encoder itself fills only blocks of 8 × 8 pixels that are completely transparent,
  /// each block with one colour.
  var keepsHiddenColours: Bool { !lossless && !nearLossless }

  /// The seconds for one megapixel of lossy WebP, by effort.
  static let seconds = EffortTable([0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.4])

  func secondsPerMegapixel(isDeep: Bool) -> Double {
    lossless || nearLossless ? 1.5 : Self.seconds[effort]
  }

  static func isComplete(_ file: ByteSource) -> Bool {
    WebPFile(file).announcedLength == file.count
  }

  static func isFormat(of header: PhotoHeader) -> Bool { header.fileFormat == .webp }
}

extension WebPFormat {
  /// Sets the times of an animation's frames in its finished file, as far as libvips has replaced
  /// them; false if the file cannot be written.
  ///
  /// libvips 8.14 writes 100 ms instead of times of at most 10 ms. Times of 0 ms, which leave the
  /// time to the program that shows the animation, stay 100 ms. The encoder joins equal frames to
  /// one, which is shown for the sum of their times.
  static func restore(times: [Int], in target: FinishedFile) -> Bool {
    let written = times.map { $0 > 10 ? $0 : 100 }
    let file = ByteSource.descriptor(target.descriptor)
    let places = WebPFile(file).chunks.filter { $0.name == "ANMF" }.map { $0.data + 12 }
    let found = places.map { file.number(at: $0, 3, .little) ?? 0 }
    guard found.reduce(0, +) == written.reduce(0, +) else { return true }
    var number = 0
    for (place, found) in zip(places, found) {
      var (rest, time) = (found, 0)
      while rest > 0, number < times.count {
        rest -= written[number]
        time += times[number] > 0 ? times[number] : 100
        number += 1
      }
      guard time == found || target.patch(at: place, ByteOrder.little.bytes(time, 3)) else {
        return false
      }
    }
    return true
  }
}
