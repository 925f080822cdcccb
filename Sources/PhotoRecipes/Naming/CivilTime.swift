import Notation

/// A date and a time of day without a time zone, as cameras record them.
public struct CivilTime: Sendable, Hashable {
  public var year: Int
  /// The month, 1…12.
  public var month: Int
  /// The day of the month, 1…31.
  public var day: Int
  public var hour: Int
  public var minute: Int
  public var second: Int

  public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Parses `yyyy-MM-ddTHH:mm:ss`.
  public init?(_ text: String) {
    let numbers = text.split { "-T:".contains($0) }.compactMap { Int($0) }
    guard numbers.count == 6, text.utf8.count == 19 else { return nil }
    self.init(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5])
  }

  /// The number of days in a month, 1…12, of the Gregorian calendar.
  static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension CivilTime: CustomStringConvertible {
  /// The time as `yyyy-MM-ddTHH:mm:ss`.
  public var description: String {
    func two(_ number: Int) -> String { max(0, number).digits(2) }
    return "\(max(0, year).digits(4))-\(two(month))-\(two(day))"
      + "T\(two(hour)):\(two(minute)):\(two(second))"
  }
}
