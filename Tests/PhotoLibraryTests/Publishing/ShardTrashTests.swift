import Glibc
import SystemPackage
import Testing

@testable import PhotoLibrary

/// The place of a plan's run among the runs in the library's trash.
@Suite struct ShardTrashTests {
  let library: TemporaryLibrary
  let root: OutputRoot
  let shard = CommitState.shard(0, of: "0123456789abcdef", key: [UInt8](repeating: 7, count: 32))

  init() throws {
    library = try TemporaryLibrary()
    root = try OutputRoot.create(library: library.path)
  }

  /// Writes a sidecar, or removes it if `text` is nil, in a run of its own.
  private func publish(
    _ text: String?, to path: FilePath = "p.jpg.phbatch.json", _ state: CommitState = .library
  ) throws {
    let publisher = Publisher(root.files, state: state)
    var staged: StagedFile<OpenFile>?
    if let text {
      let file = try publisher.stage(in: "")
      try root.files.write(Array(text.utf8), to: file.file)
      staged = file
    }
    let expected = try root.files.status(at: path).map { ExpectedFile.identity($0.identity) }
    try publisher.publish(
      PublicationGroup(
        renditions: [], sidecar: Publication(path, staged, expected: expected ?? .absent)))
  }

  /// The number of the run in which a merge puts the shard.
  private func mergedRun() throws -> Int {
    try ShardTrash(root, command: "run web.json", begun: nil, of: [shard]).run
  }

  @Test(arguments: ["edited", nil])
  func runsThatReplacedOrRemovedTheSidecarOfAShardAreLater(_ text: String?) throws {
    try publish("rendered", shard)
    try publish(text)
    #expect(try mergedRun() == 1)
    #expect(try Trash.lastRuns(1, in: root.files).first?.number == 2)
  }

  /// A shard restored a sidecar that an earlier run had replaced.
  @Test func runsThatEndedBeforeTheShardsAreNotLater() throws {
    for text in ["first", "second", "third"] { try publish(text) }
    let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
    for run in 1...3 {
      let folder = library.absolute(Trash.folder(of: run)).string
      #expect(utimensat(AT_FDCWD, folder, [time, time], 0) == 0)
    }
    try publish("first", shard)
    #expect(try mergedRun() == 4)
  }

  /// An interrupted merge continues with the run whose number it has recorded.
  @Test func runsKeepTheirNumbersWhileAnotherMergeIsUnfinished() throws {
    let other = "fedcba9876543210"
    try publish("other", to: "q.jpg.phbatch.json", .shard(0, of: other, key: nil))
    try publish("rendered", shard)
    try publish("edited")
    try library.write(ShardFolders.mergeRecord(of: other), "{}")
    #expect(try mergedRun() == 2)
    try root.files.remove(ShardFolders.mergeRecord(of: other))
    #expect(try mergedRun() == 1)
  }
}
