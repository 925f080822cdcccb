import Foundation

/// A perceptual description of a colour: CIELAB under D65.
public struct Lab: Sendable {
  public var l: Double
  public var a: Double
  public var b: Double

  /// The colour of sRGB samples, 0…255.
  ///
  /// - Source: IEC 61966-2-1; CIE 15:2004, 8.2.1.
  public init(red: Int, green: Int, blue: Int) {
    func light(_ sample: Int) -> Double {
      let value = Double(sample) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let (r, g, b) = (light(red), light(green), light(blue))
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    let y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    func root(_ t: Double) -> Double {
      t > 216.0 / 24_389 ? cbrt(t) : (24_389.0 / 27 * t + 16) / 116
    }
    self.init(l: 116 * root(y) - 16, a: 500 * (root(x) - root(y)), b: 200 * (root(y) - root(z)))
  }

  public init(l: Double, a: Double, b: Double) {
    (self.l, self.a, self.b) = (l, a, b)
  }

  /// The CIEDE2000 difference.
  ///
  /// - Source: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula", Color
  ///   Research & Application 30 (2005), equations 2 to 22.
  public func difference(from other: Lab) -> Double {
    let meanChroma = (hypot(a, b) + hypot(other.a, other.b)) / 2
    let g = 0.5 * (1 - sqrt(pow(meanChroma, 7) / (pow(meanChroma, 7) + pow(25, 7))))
    let (a1, a2) = ((1 + g) * a, (1 + g) * other.a)
    let (c1, c2) = (hypot(a1, b), hypot(a2, other.b))
    func hue(_ a: Double, _ b: Double) -> Double {
      if a == 0 && b == 0 { return 0 }
      let angle = atan2(b, a) * 180 / .pi
      return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (hue(a1, b), hue(a2, other.b))
    var turn = h2 - h1
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    if c1 * c2 == 0 { turn = 0 }
    let lightness = other.l - l
    let chroma = c2 - c1
    let hueDifference = 2 * sqrt(c1 * c2) * sin(turn / 2 * .pi / 180)
    let (l0, c0) = ((l + other.l) / 2, (c1 + c2) / 2)
    var h0 = h1 + h2
    if c1 * c2 != 0 {
      if abs(h1 - h2) <= 180 { h0 /= 2 } else { h0 = (h0 < 360 ? h0 + 360 : h0 - 360) / 2 }
    }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let t =
      1 - 0.17 * cosine(h0 - 30) + 0.24 * cosine(2 * h0) + 0.32 * cosine(3 * h0 + 6)
      - 0.2 * cosine(4 * h0 - 63)
    let bend = 30 * exp(-pow((h0 - 275) / 25, 2))
    let rotation =
      -2 * sqrt(pow(c0, 7) / (pow(c0, 7) + pow(25, 7))) * sin(2 * bend * .pi / 180)
    let square = (l0 - 50) * (l0 - 50)
    let sl = 1 + 0.015 * square / sqrt(20 + square)
    let (sc, sh) = (1 + 0.045 * c0, 1 + 0.015 * c0 * t)
    let (dl, dc, dh) = (lightness / sl, chroma / sc, hueDifference / sh)
    return sqrt(dl * dl + dc * dc + dh * dh + rotation * dc * dh)
  }
}
