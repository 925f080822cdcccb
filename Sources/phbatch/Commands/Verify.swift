import ArgumentParser
import Notation
import PhotoBatch
import PhotoLibrary
import PhotoReports
import SystemPackage

struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare originals and renditions with the records in the sidecars.",
    discussion: """
      Reads every file that a sidecar records, and writes nothing. Exit codes: 0 all files are as \
      recorded, 2 the next run will clean up or render something again, 3 a rendition is missing or \
      a file unreadable, 4 a file was changed and needs your decision, 70 a journal is damaged.
      """)

  @Argument(
    help: "The folder of photos, or the output folder that mirrors it.", completion: .directory)
  var library: String

  @Option(help: "The format of the results: text, or json with one finding per line.")
  var format = OutputFormatOption.text

  func run() async throws {
    let verification = try await Verification.read(FilePath(library))
    if format == .json {
      EventWriter(Message.result).note(verification)
    } else {
      for finding in verification.findings { Message.result(finding.line) }
      Message.result(verification.sentence)
    }
    if verification.exitCode != .success { throw verification.exitCode }
  }
}

extension Finding {
  fileprivate var line: String {
    let place = path.isEmpty ? "." : path.displayed
    return "\(place): \(kind.rawValue)\(detail.map { " (\($0))" } ?? "")"
  }
}

extension Verification {
  /// The result as a sentence, such as `12 sidecars, 12 originals and 24 renditions: all as
  /// recorded`.
  fileprivate var sentence: String {
    let found = findings.isEmpty ? "all as recorded" : findings.count.counting("finding")
    return "checked \(sidecars.counting("sidecar")), \(originals.counting("original"))"
      + " and \(renditions.counting("rendition")): \(found)"
  }
}
