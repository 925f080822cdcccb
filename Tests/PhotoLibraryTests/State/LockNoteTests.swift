import Foundation
import Glibc
import SystemPackage
import Testing

@testable import PhotoLibrary

@Suite struct LockNoteTests {
  /// After a restart of the system, another process may have the ID that a note states.
  @Test func aNoteIsThatOfOneStartOfAProcess() throws {
    let library = try TemporaryLibrary()
    let text = String(decoding: try LockNote(command: "run").json(), as: UTF8.self)
    try library.write("run.json", text)
    #expect(LockNote.read("run.json", in: library.files)?.isOfThisProcess == true)
    let start = try #require(Machine.start(of: getpid()))
    try library.write("run.json", text.replacingOccurrences(of: start, with: "before 1"))
    #expect(LockNote.read("run.json", in: library.files) == nil)
  }

  /// Notes of earlier versions do not state the start of their process.
  @Test func aNoteWithoutAStartIsRead() throws {
    let library = try TemporaryLibrary()
    let note = """
      {"command": "run", "host": "\(Machine.hostName)", "process": \(getpid()),
       "started": "2026-01-01T00:00:00Z"}
      """
    try library.write("run.json", note)
    #expect(LockNote.read("run.json", in: library.files)?.command == "run")
  }
}
