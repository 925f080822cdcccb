import ArgumentParser

/// Checks the arguments of a command; a failed check ends the command with a usage error.
enum Usage {
  static func check(
    _ isRight: Bool, _ message: @autoclosure () -> String
  ) throws(ValidationError) {
    if !isRight { throw ValidationError(message()) }
  }

  /// Throws if the option's number is smaller than `least`; nil, an option not given, is accepted.
  static func check<Number: Comparable>(
    _ option: String, _ number: Number?, isAtLeast least: Number
  ) throws(ValidationError) {
    try check(number.map { $0 >= least } ?? true, "\(option) must be at least \(least)")
  }
}
