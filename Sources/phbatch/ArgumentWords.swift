/// Rewrites arguments that ArgumentParser would misread.
///
/// ArgumentParser 1.8 loses the value in `--wait=60 --quiet`, where an option with an optional
/// value is followed by another option. The parser keeps the value if the option and its value are
/// separate words: `--wait 60`.
enum ArgumentWords {
  private static let options = ["--wait", "--poll"]

  /// Returns the arguments after the name of the program, rewritten where needed.
  static func normalized(_ words: [String]) -> [String] {
    var isOver = false
    return words.dropFirst().flatMap { word in
      if word == "--" { isOver = true }
      let option = isOver ? nil : options.first { word.hasPrefix($0 + "=") }
      guard let option else { return [word] }
      let value = String(word.dropFirst(option.count + 1))
      // As a separate word, a value that begins with a dash would be read as an option.
      return value.hasPrefix("-") ? [word] : [option, value]
    }
  }
}
