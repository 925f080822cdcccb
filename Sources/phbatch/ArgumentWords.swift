/// The words of a command as ArgumentParser reads them right.
///
/// ArgumentParser 1.8 loses the value of `--wait=60 --quiet`: of an option that may stand without
/// one, before another option. As two words it is kept.
enum ArgumentWords {
  private static let options = ["--wait", "--poll"]

  /// The words after the name of the program.
  static func normalized(_ words: [String]) -> [String] {
    var isOver = false
    return words.dropFirst().flatMap { word in
      if word == "--" { isOver = true }
      let option = isOver ? nil : options.first { word.hasPrefix($0 + "=") }
      guard let option else { return [word] }
      let value = String(word.dropFirst(option.count + 1))
      // Two words of which the second begins with a dash are two options.
      return value.hasPrefix("-") ? [word] : [option, value]
    }
  }
}
