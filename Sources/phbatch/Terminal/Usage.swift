import ArgumentParser

extension ArgumentHelp {
  /// The help of `--quiet`, the same for all commands; programs that read JSON need all events.
  static let quiet: ArgumentHelp =
    "Print only photos that failed or need your decision; no effect with --format json."
}

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
