import Notation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// Waits until the running watches of a library have processed all changes made before.
public struct WatchSync: Sendable {
  private let files: RealFileSystem

  /// Opens the folder that a watch watches: a library, or the output folder of a library.
  public init(_ library: FilePath) throws {
    do throws(FileSystemError) { files = try RealFileSystem(root: library) } catch {
      guard [.noSuchFileOrDirectory, .notDirectory].contains(error.errno) else { throw error }
      throw MissingInput(
        "there is no library '\(library.displayed)'",
        hint: "give the folder that 'phbatch watch' watches")
    }
  }

  /// Sends a request to every watch of the library, and returns when all have answered.
  ///
  /// With `waitsForWatch`, first waits for a watch to start; `time` limits both waits together.
  ///
  /// - Throws: `MissingInput` if no watch is running; `NotSettled` if `time` ends first;
  ///   `WatchEnded` if a watch ends before it answers.
  public func run(atMost time: Duration, waitsForWatch: Bool = false) async throws {
    let end = ContinuousClock.now + time
    var watches = try SyncFolder.running(in: files)
    while watches.isEmpty && waitsForWatch && .now < end {
      try await Task.sleep(for: .milliseconds(20))
      watches = try SyncFolder.running(in: files)
    }
    if watches.isEmpty {
      throw MissingInput(
        "no watch is running for '\(files.path.displayed)'",
        hint:
          "start 'phbatch watch RECIPE LIBRARY'; if it runs with --output, give that folder here")
    }
    var questions: [FilePath: SyncFolder] = [:]
    for watch in watches { questions[try watch.ask(in: files)] = watch }
    defer { for question in questions.keys { try? files.remove(question) } }
    while true {
      for (question, watch) in questions where try files.status(at: question) == nil {
        guard watch.isRunning(in: files) else { throw WatchEnded() }
        questions[question] = nil
      }
      if questions.isEmpty { return }
      for watch in questions.values where !watch.isRunning(in: files) { throw WatchEnded() }
      if .now >= end { throw NotSettled(time: time) }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

/// The error that a watch did not process all changes within the given time.
public struct NotSettled: CommandError, Hashable {
  public let time: Duration
  public var code: ExitCode { .locked }

  public var message: String {
    "the watch was still busy after \(time.components.seconds) seconds"
  }

  public var hint: String {
    "a file may be open for writing, or the library unmounted; wait longer with --wait"
  }
}

/// The error that a watch ended before it answered.
public struct WatchEnded: CommandError, Hashable {
  public var code: ExitCode { .locked }
  public var message: String { "the watch ended before all photos were done" }
  public var hint: String { "start it again, or use 'phbatch run'" }
}
