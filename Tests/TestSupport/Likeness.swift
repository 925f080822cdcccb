import Foundation

/// The structural similarity of the luma of two pictures, averaged over all Gaussian windows (σ
/// 1.5, 11 pixels wide) that are completely inside the pictures.
///
/// - Source: Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, "Image quality assessment: from
///   error visibility to structural similarity", IEEE Transactions on Image Processing 13, 2004.
public enum Likeness {
  private static let weights: [Double] = {
    let all = stride(from: -5.0, through: 5, by: 1).map { exp(-$0 * $0 / 4.5) }
    let sum = all.reduce(0, +)
    return all.map { $0 / sum }
  }()

  public static func mean(_ a: Samples, _ b: Samples) -> Double {
    guard a.width == b.width, a.height == b.height else { return 0 }
    let (x, y) = (luma(a), luma(b))
    let window = { filtered($0, a.width, a.height) }
    let (mx, my) = (window(x), window(y))
    let (xx, yy) = (window(zip(x, x).map(*)), window(zip(y, y).map(*)))
    let xy = window(zip(x, y).map(*))
    let (c1, c2) = (6.5025, 58.5225)
    var sum = 0.0
    for i in mx.indices {
      let (vx, vy) = (xx[i] - mx[i] * mx[i], yy[i] - my[i] * my[i])
      let covariance = xy[i] - mx[i] * my[i]
      let light = (2 * mx[i] * my[i] + c1) / (mx[i] * mx[i] + my[i] * my[i] + c1)
      sum += light * (2 * covariance + c2) / (vx + vy + c2)
    }
    return sum / Double(mx.count)
  }

  private static func luma(_ picture: Samples) -> [Double] {
    stride(from: 0, to: picture.values.count, by: picture.bands).map { i in
      guard picture.bands >= 3 else { return Double(picture.values[i]) }
      return 0.299 * Double(picture.values[i]) + 0.587 * Double(picture.values[i + 1])
        + 0.114 * Double(picture.values[i + 2])
    }
  }

  private static func filtered(_ plane: [Double], _ width: Int, _ height: Int) -> [Double] {
    let inner = width - 10
    var rows = [Double](repeating: 0, count: inner * height)
    for y in 0..<height {
      for x in 0..<inner {
        var sum = 0.0
        for k in 0...10 { sum += weights[k] * plane[y * width + x + k] }
        rows[y * inner + x] = sum
      }
    }
    var result = [Double](repeating: 0, count: inner * (height - 10))
    for y in 0..<height - 10 {
      for x in 0..<inner {
        var sum = 0.0
        for k in 0...10 { sum += weights[k] * rows[(y + k) * inner + x] }
        result[y * inner + x] = sum
      }
    }
    return result
  }
}
