import Foundation
import Glibc
import PhotoLibrary
import SystemPackage
import Testing

/// Watches real folders with the kernel's events.
@Suite struct WatchedTreeTests {
  let library: TemporaryLibrary
  let events: Inotify

  init() throws {
    library = try TemporaryLibrary()
    events = try Inotify()
  }

  private func tree(_ events: (any FolderEvents)? = nil) -> WatchedTree {
    var tree = WatchedTree(events ?? self.events)
    tree.refresh("", deeply: true, in: library.files) { _ in }
    return tree
  }

  /// The paths of the folders for which the kernel has reported events.
  private func folders(_ tree: WatchedTree) -> Set<FilePath> {
    Set(events.take().folders.compactMap { tree.path(ofWatch: $0) })
  }

  /// Scans the folders for which the kernel has reported events; returns the folders that were
  /// listed and those that no longer exist.
  private func refresh(_ tree: inout WatchedTree) -> (listed: [String], gone: [String]) {
    var (listed, gone): ([String], [String]) = ([], [])
    let changes = events.take()
    for path in changes.folders.compactMap({ tree.path(ofWatch: $0) }) {
      tree.refresh(path, in: library.files) { sighting in
        switch sighting {
        case .listed(let folder): listed.append(folder.path.string)
        case .gone(let path): gone.append(path.string)
        case .failed(let path, let error): Issue.record("\(path): \(error)")
        }
      }
    }
    return (listed.sorted(), gone.sorted())
  }

  @Test func everyKindOfChangeInAWatchedFolderIsReported() throws {
    try library.write("a/one.jpg", "photo")
    let tree = tree()
    #expect(tree.folderCount == 2)
    #expect(tree.unwatched.isEmpty)
    _ = events.take()
    let changes: [() throws -> Void] = [
      { try library.write("a/two.jpg", "photo") },
      { try library.files.rename("a/two.jpg", to: "a/three.jpg", .replacing) },
      { try library.files.link("a/one.jpg", to: "a/four.jpg") },
      { try library.files.remove("a/four.jpg") },
      { try Data("x".utf8).write(to: URL(filePath: library.absolute("a/one.jpg").string)) },
      { _ = utimes(library.absolute("a/one.jpg").string, nil) },
      { _ = chmod(library.absolute("a/one.jpg").string, 0o600) },
    ]
    for change in changes {
      #expect(events.take().isEmpty)
      try change()
      #expect(folders(tree) == ["a"])
    }
  }

  /// New folders are found with everything in them.
  ///
  /// `mkdir -p` causes an event only for the first folder, because those below it exist before it
  /// is watched.
  @Test func newFoldersAreFoundWithEverythingInThem() throws {
    var tree = tree()
    try library.write("a/b/c/one.jpg", "photo")
    #expect(refresh(&tree).listed == ["", "a", "a/b", "a/b/c"])
    try library.write("a/b/c/two.jpg", "photo")
    #expect(folders(tree) == ["a/b/c"])
  }

  @Test func aMovedFolderIsWatchedUnderTheNewPath() throws {
    try library.write("a/b/one.jpg", "photo")
    try library.write("c/two.jpg", "photo")
    var tree = tree()
    try library.files.rename("a/b", to: "c/d", .keeping)
    let seen = refresh(&tree)
    #expect(seen.listed == ["a", "c", "c/d"])
    #expect(seen.gone == ["a/b"])
    _ = events.take()
    try library.write("c/d/three.jpg", "photo")
    #expect(folders(tree) == ["c/d"])
    #expect(tree.unwatched.isEmpty)
  }

  @Test func aFolderThatTakesTheNameOfAnotherIsWatched() throws {
    try library.write("a/one.jpg", "photo")
    var tree = tree()
    try library.files.rename("a", to: ".hidden", .keeping)
    try library.write("a/two.jpg", "photo")
    let changes = events.take()
    #expect(changes.subfolders.values.contains { $0.contains(FileName("a")) })
    for (number, names) in changes.subfolders {
      for name in names {
        tree.replace(name, in: tree.path(ofWatch: number) ?? "?", in: library.files) { _ in }
      }
    }
    _ = events.take()
    try library.write("a/three.jpg", "photo")
    #expect(folders(tree) == ["a"])
    try library.write(".hidden/four.jpg", "photo")
    #expect(folders(tree) == [])
  }

  @Test func aRemovedFolderIsNoLongerWatched() throws {
    try library.write("a/b/one.jpg", "photo")
    var tree = tree()
    try library.files.remove("a/b/one.jpg")
    try library.files.removeFolder("a/b")
    try library.files.removeFolder("a")
    var gone: Set<FilePath> = []
    tree.refresh("", in: library.files) { if case .gone(let path) = $0 { gone.insert(path) } }
    #expect(gone == ["a", "a/b"])
    #expect(tree.folderCount == 1)
    #expect(tree.unwatched.isEmpty)
  }

  @Test func ignoredFoldersAreNotWatched() throws {
    try library.write("drafts/one.jpg", "photo")
    try library.write(".phbatch/index", "")
    var tree = tree()
    #expect(tree.folderCount == 2)
    try library.write(".phbatchignore", "drafts/\n")
    #expect(refresh(&tree).gone == ["drafts"])
    try library.write(".phbatchignore", "\n")
    #expect(refresh(&tree).listed == ["", "drafts"])
  }

  @Test func foldersAboveTheLimitOfKernelWatchesArePolled() throws {
    for number in 0..<20 { try library.write(FilePath("\(number)/a.jpg"), "photo") }
    let events = try Inotify(limit: 5)
    let tree = tree(events)
    #expect(tree.folderCount == 21)
    #expect(tree.unwatched.count == 16)
    #expect(tree.obstacle == .noSpace)
    #expect(InotifyLimits.remedy(folders: 400_000).contains("fs.inotify.max_user_watches="))
  }

  /// The watch notices that events were lost.
  ///
  /// Each file causes two events, and the kernel's queue has room for about 16,000.
  @Test func lostFileEventsAreReportedByTheWatchedTree() throws {
    let tree = tree()
    _ = events.take()
    let limit = try String(
      contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = (Int(limit.prefix { $0.isNumber }) ?? 16_384) / 2 + 100
    guard count < 50_000 else { return }
    for number in 0..<count {
      let file = creat(library.absolute(FilePath("\(number)")).string, 0o600)
      close(file)
    }
    let changes = events.take()
    #expect(changes.isIncomplete)
    #expect(tree.folderCount == 1)
    #expect(!events.take().isIncomplete)
  }

  @Test func aWatchedTreeDoesNotFollowSymbolicLinks() throws {
    try library.write("a/one.jpg", "photo")
    try library.link("a/loop", to: "..")
    try library.link("b", to: "a")
    #expect(tree().folderCount == 2)
  }

  @Test func theRenamedRootOfAWatchedTreeIsReported() throws {
    try library.files.createFolder("root")
    let root = try RealFileSystem(root: library.absolute("root"))
    var tree = WatchedTree(events)
    tree.refresh("", deeply: true, in: root) { _ in }
    _ = events.take()
    try library.files.rename("root", to: "other", .keeping)
    let ended = events.take().ended
    #expect(ended.compactMap { tree.path(ofWatch: $0) } == [""])
    for number in ended { tree.end(ofWatch: number) }
    #expect(tree.unwatched == [""])
  }

  @Test func aFileThatIsOpenForWritingIsDetected() throws {
    try library.write("a.jpg", "photo")
    #expect(library.files.isBeingWritten("a.jpg") == false)
    let file = open(library.absolute("a.jpg").string, O_WRONLY)
    #expect(library.files.isBeingWritten("a.jpg") == true)
    close(file)
    #expect(library.files.isBeingWritten("a.jpg") == false)
    #expect(library.files.isBeingWritten("none.jpg") == nil)
  }

  @Test func wakingAWatchEndsItsWaitForEvents() throws {
    let waker = try Waker()
    waker.wake()
    waker.wake()
    // Without the earlier `wake`, this wait would take longer than the test may.
    waker.wait(for: nil, atMost: .seconds(3_600))
    waker.wait(for: nil, atMost: .zero)
    try library.write("a.jpg", "photo")
    let tree = tree()
    try library.write("b.jpg", "photo")
    waker.wait(for: events.descriptor, atMost: .seconds(3_600))
    #expect(folders(tree) == [""])
  }

  @Test func requestsForASyncAreAnsweredByTheRunningWatch() throws {
    let folder = try SyncFolder.create(in: library.files, command: "watch web.json")
    #expect(try SyncFolder.running(in: library.files) == [folder])
    let question = try folder.ask(in: library.files)
    #expect(folder.questions(in: library.files) == [question])
    SyncFolder.answer(question, in: library.files)
    #expect(folder.questions(in: library.files) == [])
    // A killed watch leaves its folder behind, with the process ID of a process that has ended.
    let dead = OutputRoot.stateFolder.appending("watches/1-dead")
    try library.files.createFolders(dead)
    let note = String(
      decoding: try library.files.read(folder.path.appending("watch.json"), limit: 1_000),
      as: UTF8.self
    ).replacingOccurrences(of: "\(getpid())", with: "999999999")
    try library.write(dead.appending("watch.json"), note)
    #expect(try SyncFolder.running(in: library.files) == [folder])
    let next = try SyncFolder.create(in: library.files, command: "watch web.json")
    #expect(try library.files.status(at: dead) == nil)
    folder.remove(in: library.files)
    #expect(try SyncFolder.running(in: library.files) == [next])
  }
}
