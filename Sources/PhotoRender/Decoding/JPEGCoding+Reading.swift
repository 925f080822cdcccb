import FileStructure
import Glibc
import PhotoMetadata
import PhotoRecipes

/// Finds the quality and the subsampling of a JPEG photo from its tables.
extension JPEGCoding {
  /// Finds the coding of a photo; nil if the file is not a JPEG file, or its tables are missing.
  init?(_ file: PhotoFile) {
    var tables: [Int: [Int]] = [:]
    guard JPEGFile.hasSignature(file.byteSource) else { return nil }
    let jpeg = JPEGFile(file.byteSource)
    for segment in jpeg.segments where segment.marker == JPEGFile.Marker.quantization {
      Self.add(jpeg.payload(of: segment), to: &tables)
    }
    let components = jpeg.frames.last?.components ?? []
    guard let first = components.first, let table = tables[first.table],
      let quality = Self.quality(of: table)
    else { return nil }
    self.init(
      quality: quality,
      subsampling: Self.subsampling(first.sampling, components.dropFirst().map(\.sampling)))
  }

  /// The named chroma subsampling with these sampling factors.
  ///
  /// If no name fits, the result is the next finer subsampling that has a name.
  private static func subsampling(
    _ first: JPEGFile.Frame.Sampling, _ others: [JPEGFile.Frame.Sampling]
  ) -> JPEGFormat.Subsampling {
    let across = others.map { first.across / max(1, $0.across) }.min() ?? 1
    let down = others.map { first.down / max(1, $0.down) }.min() ?? 1
    if across < 2 { return .full }
    return down < 2 ? .wide : .half
  }

  /// The quality at which libjpeg's luminance table is as coarse as this table: the exact quality
  /// for a table of libjpeg, the nearest for other tables.
  ///
  /// Tables are equally coarse if their steps have the same geometric mean. libjpeg scales the
  /// table of the standard by `5000 ÷ q` % for qualities below 50 and by `200 − 2 q` % from 50 on;
  /// it rounds the steps and limits them to 1…255.
  /// - Source: `jcparam.c` of the IJG's libjpeg 6b; ITU-T T.81, table K.1.
  static func quality(of table: [Int]) -> Int? {
    guard table.count == 64, table.allSatisfy({ $0 > 0 }) else { return nil }
    func coarseness(_ steps: [Int]) -> Double { steps.reduce(0) { $0 + log(Double($1)) } }
    let wanted = coarseness(table)
    // If several qualities have the same table, the highest is chosen.
    return (1...100).reversed().min { a, b in
      abs(coarseness(scaled(a)) - wanted) < abs(coarseness(scaled(b)) - wanted)
    }
  }

  private static func scaled(_ quality: Int) -> [Int] {
    let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
    return standard.map { min(max(($0 * percent + 50) / 100, 1), 255) }
  }

  /// The standard's luminance steps, row by row; their order has no effect, because only their mean
  /// is used.
  private static let standard = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]

  /// Adds the quantization tables of one segment.
  ///
  /// - Source: ITU-T T.81, B.2.4.1.
  private static func add(_ bytes: [UInt8], to tables: inout [Int: [Int]]) {
    var rest = bytes[...]
    while let head = rest.popFirst() {
      let width = head >> 4 == 0 ? 1 : 2
      guard rest.count >= 64 * width else { return }
      let values = Array(rest.prefix(64 * width))
      rest = rest.dropFirst(64 * width)
      tables[Int(head & 15)] = stride(from: 0, to: values.count, by: width).map { start in
        values[start..<start + width].reduce(0) { $0 << 8 | Int($1) }
      }
    }
  }
}
