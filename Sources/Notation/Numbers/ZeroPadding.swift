extension FixedWidthInteger {
  /// The digits of a number that is not negative, with zeros before them up to a length of `count`:
  /// `7.digits(3)` is `007`.
  public func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
    let digits = String(self, radix: radix, uppercase: uppercase)
    return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
  }
}
