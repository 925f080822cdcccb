import Foundation

/// A tone that rises, so that each moment differs from all others.
public enum RisingTone {
  /// The tone as a source of ffmpeg.
  public static let source = "aevalsrc=0.4*sin(2*PI*(300*t+3000*t*t)):s=48000:d=2"

  /// The shift in seconds, up to 20 ms, at which the first 50 ms of a sound are most like the tone
  /// from `start` on; the sound has 48,000 samples per second.
  public static func shift(of sound: [Double], from start: Double) -> Double? {
    func difference(_ shift: Double) -> Double {
      var sum = 0.0
      for number in 0..<2400 {
        let time = start + shift + Double(number) / 48000
        sum += abs(sound[number] - 0.4 * sin(2 * .pi * (300 * time + 3000 * time * time)))
      }
      return sum
    }
    let shifts = (-400...400).map { shift in
      let seconds = 0.000_05 * Double(shift)
      return (seconds, difference: difference(seconds))
    }
    return shifts.min { $0.difference < $1.difference }?.0
  }
}
