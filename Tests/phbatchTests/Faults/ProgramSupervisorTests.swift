import Foundation
import Glibc
import TestSupport
import Testing

/// The programs of a recipe end with the run, regardless of how the run ends.
@Suite struct ProgramSupervisorTests {
  @Test func externalProgramsEndWhenTheirRunIsKilled() throws {
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
    #expect(eventually { !command.isRunning || Processes.numbers(in: numbers).count == 2 })
    let programs = Processes.numbers(in: numbers)
    #expect(programs.count == 2 && Processes.areRunning(programs))
    command.send(SIGKILL)
    #expect(try command.result().code == 128 + SIGKILL)
    #expect(Processes.haveEnded(programs))
  }
}
