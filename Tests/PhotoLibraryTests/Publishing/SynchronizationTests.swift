import PhotoLibrary
import Synchronization
import SystemPackage
import Testing

/// Checks the number and order of the calls with which a commit waits for the disk.
///
/// - Source: the method of Git, whose tests count the flushes of a command (t0610).
@Suite struct SynchronizationTests {
  let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  /// The calls of one commit, after the run has created its folders.
  ///
  /// In the returned lines, `T1` is the first temporary file and `J` the journal's number.
  private func calls(_ durability: Durability, again: Bool) throws -> [String] {
    let calls = Mutex<[ObservedFileSystem.Call]>([])
    let observed = ObservedFileSystem(library.files) { call in
      calls.withLock { $0.append(call) }
      return nil
    }
    let publisher = Publisher(observed, durability: durability)
    func group(_ number: Int, _ text: String) throws -> PublicationGroup<OpenFile> {
      let paths = [FilePath("\(number).web.jpg"), FilePath("\(number).jpg.phbatch.json")]
      let publications = try paths.map { path in
        let staged = try publisher.stage(in: "")
        try observed.write(Array("\(text)".utf8), to: staged.file)
        let found = try observed.status(at: path)
        return Publication(
          path, staged, expected: found.map { ExpectedFile.identity($0.identity) } ?? .absent)
      }
      var group = PublicationGroup(renditions: [publications[0]], sidecar: publications[1])
      group.original = Digest(of: "the original".utf8)
      return group
    }
    try publisher.publish(try group(0, "folders"))
    if again { try publisher.publish(try group(1, "old")) }
    let next = try group(1, "new")
    calls.withLock { $0 = [] }
    try publisher.publish(next)
    return Self.lines(calls.withLock { $0 })
  }

  private static func lines(_ calls: [ObservedFileSystem.Call]) -> [String] {
    var temporaries: [String] = []
    func name(_ path: FilePath) -> String {
      let name = path.lastComponent?.string ?? "."
      if path.starts(with: ".phbatch/trash"), path.length > 20, path.extension == nil {
        return "kept"
      }
      if name.hasPrefix(".phbatch-") {
        if !temporaries.contains(name) { temporaries.append(name) }
        return "T\((temporaries.firstIndex(of: name) ?? 0) + 1)"
      }
      return name.hasPrefix("0000") ? "J.\(path.extension ?? "")" : name
    }
    return calls.compactMap { call in
      switch call {
      case .synchronize(let path): "save \(name(path))"
      case .synchronizeFolder(let path): "save folder \(name(path))"
      case .rename(let from, let path, .exchanging): "exchange \(name(from)) \(name(path))"
      case .rename(let from, let path, _): "rename \(name(from)) \(name(path))"
      case .remove(let path): "remove \(name(path))"
      default: nil
      }
    }
  }

  private static let begin = [
    "save T1", "save T2", "save folder .", "save published", "save J.tmp", "rename J.tmp J.commit",
    "save folder txn",
  ]

  @Test func theCommitOfANewRenditionSynchronizesSevenTimes() throws {
    let expected =
      Self.begin + [
        "rename T1 1.web.jpg", "rename T2 1.jpg.phbatch.json", "save folder .",
        "rename J.commit J.json",
      ]
    #expect(try calls(.batch, again: false) == expected)
    #expect(expected.count { $0.hasPrefix("save") } == 7)
  }

  @Test func theCommitOfAReplacedRenditionSynchronizesTenTimes() throws {
    let expected =
      Self.begin + [
        "exchange T1 1.web.jpg", "exchange T2 1.jpg.phbatch.json", "save folder .",
        "rename J.commit J.done", "save folder txn", "remove T1", "rename T2 kept", "save folder .",
        "save folder 1", "rename J.done J.json",
      ]
    #expect(try calls(.batch, again: true) == expected)
    #expect(expected.count { $0.hasPrefix("save") } == 10)
  }

  @Test(arguments: [false, true])
  func theDurabilityDoesNotChangeTheOrderOfTheCalls(again: Bool) throws {
    let batch = try calls(.batch, again: again)
    let full = try callsElsewhere(.full, again: again)
    let none = try callsElsewhere(.none, again: again)
    #expect(full.filter { !$0.hasPrefix("save") } == batch.filter { !$0.hasPrefix("save") })
    #expect(none == batch.filter { !$0.hasPrefix("save") })
    #expect(full.count { $0.hasPrefix("save") } == batch.count { $0.hasPrefix("save") } + 2)
  }

  /// Returns the calls of the same commit in a separate library.
  private func callsElsewhere(_ durability: Durability, again: Bool) throws -> [String] {
    try SynchronizationTests().calls(durability, again: again)
  }
}
