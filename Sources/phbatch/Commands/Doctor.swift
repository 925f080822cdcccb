import ArgumentParser
import PhotoBatch
import PhotoRecipes
import SystemPackage

struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check this machine, or describe a file.")

  @Argument(help: "A photo.", completion: .file())
  var file: String?

  func run() async throws {
    for line in try await Diagnosis.lines(of: file.map { FilePath($0) }) { Message.result(line) }
  }
}
