import ArgumentParser

/// Checks the arguments of a command; a failed check ends the command as wrong usage.
enum Usage {
  static func check(
    _ isRight: Bool, _ message: @autoclosure () -> String
  ) throws(ValidationError) {
    if !isRight { throw ValidationError(message()) }
  }

  /// Checks a number that is not given, or is at least `least`.
  static func check<Number: Comparable>(
    _ option: String, _ number: Number?, isAtLeast least: Number
  ) throws(ValidationError) {
    try check(number.map { $0 >= least } ?? true, "\(option) must be at least \(least)")
  }
}
