/// Counts of clipped pixels.
package enum TallyReference {
  /// The number of pixels with a colour outside `range`, or with one that is not a number.
  ///
  /// The last of two or four bands is alpha, which is not counted.
  package static func pixels(
    of samples: [Float], bands: Int, outside range: ClosedRange<Float>
  ) -> Int {
    let colours = bands - (bands.isMultiple(of: 2) ? 1 : 0)
    return stride(from: 0, to: samples.count, by: bands).count { start in
      (start..<start + colours).contains { !range.contains(samples[$0]) }
    }
  }
}
