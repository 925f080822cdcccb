import Foundation
import Glibc
import TestSupport
import Testing

/// Programs of a recipe end with the run, however that ends.
@Suite struct ProgramSupervisorTests {
  @Test func aKilledRunTakesItsProgramsWithIt() throws {
    let place = try Workplace(["a.png"])
    let numbers = place.path("numbers")
    let script = "sleep 300 & echo $! $$ > '\(numbers)'; sleep 300"
    let words = String(
      decoding: try JSONEncoder().encode(["sh", "-c", script]), as: UTF8.self)
    try place.folder.write(
      """
      {"identifier": "org.example.external", "version": "1.0.0", "variant": "web",
       "filters": [{"filter": "external", "command": \(words)}],
       "outputs": [{"name": "web", "format": "png"}]}
      """, to: "recipe.json")
    let command = try Command.start(
      ["run", place.path("recipe.json"), place.library, "--allow-external"])
    while command.isRunning, processes(in: numbers).count < 2 { usleep(10_000) }
    let programs = processes(in: numbers)
    #expect(programs.count == 2 && programs.allSatisfy(isRunning))
    command.send(SIGKILL)
    #expect(try command.result().code == 128 + SIGKILL)
    for _ in 0..<1000 where programs.contains(where: isRunning) { usleep(10_000) }
    #expect(!programs.contains(where: isRunning))
  }

  private func processes(in file: String) -> [Int32] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
  }

  /// A zombie, which waits for whoever inherited it, does not run.
  private func isRunning(_ process: Int32) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.hasPrefix(" Z") == false
  }
}
