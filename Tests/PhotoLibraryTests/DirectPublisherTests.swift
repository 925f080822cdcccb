import PhotoLibrary
import Synchronization
import SystemPackage
import Testing

@Suite struct DirectPublisherTests {
  let library: TemporaryLibrary
  var files: RealFileSystem { library.files }

  init() throws { library = try TemporaryLibrary() }

  private func staged<Files: FileSystem>(
    _ publisher: DirectPublisher<Files>, _ files: Files, _ text: String, in folder: FilePath = ""
  ) throws -> StagedFile<Files.File> {
    let staged = try publisher.stage(in: folder)
    try files.write(Array(text.utf8), to: staged.file)
    return staged
  }

  private func identity(_ path: FilePath) throws -> FileIdentity? {
    try files.status(at: path)?.identity
  }

  @Test func groupAppearsUnderItsNames() throws {
    let publisher = DirectPublisher(files, permissions: [.ownerReadWrite, .groupRead])
    let rendition = try staged(publisher, files, "pixels", in: "a")
    let sidecar = try staged(publisher, files, "{}", in: "a")
    #expect(try library.names(in: "a").allSatisfy { $0.hasPrefix(".phbatch-") })
    let identities = try publisher.publish(
      PublicationGroup(
        renditions: [Publication("a/web/1.jpg", rendition, expected: .absent)],
        sidecar: Publication("a/1.jpg.phbatch.json", sidecar, expected: .absent)))
    #expect(try library.names(in: "a") == ["1.jpg.phbatch.json", "web"])
    #expect(try library.text("a/web/1.jpg") == "pixels")
    #expect(try files.status(at: "a/web/1.jpg")?.permissions == [.ownerReadWrite, .groupRead])
    #expect(
      try identities == [identity("a/web/1.jpg"), identity("a/1.jpg.phbatch.json")])
  }

  @Test func ownFilesAreReplacedAndRemoved() throws {
    try library.write("1.jpg", "old")
    try library.write("2.jpg", "old 2")
    let publisher = DirectPublisher(files)
    let digest = Digest(of: Array("old 2".utf8))
    let identities = try publisher.publish(
      PublicationGroup(renditions: [
        Publication(
          "1.jpg", try staged(publisher, files, "new"),
          expected: .identity(try #require(try identity("1.jpg")))),
        Publication("2.jpg", nil, expected: .digest(digest)),
        Publication("none/3.jpg", nil, expected: .absent),
      ]))
    #expect(try library.names() == ["1.jpg"])
    #expect(try library.text("1.jpg") == "new")
    #expect(try identities == [identity("1.jpg"), nil, nil])
  }

  @Test(arguments: [true, false])
  func filesOfOthersStay(_ isLast: Bool) throws {
    try library.write("theirs.jpg", "theirs")
    let publisher = DirectPublisher(files)
    let mine = Publication("mine.jpg", try staged(publisher, files, "mine"), expected: .absent)
    for expected in [
      ExpectedFile.absent, .digest(Digest(of: [])),
      .identity(FileIdentity(inode: 1, size: 6, modified: 0, changed: 0)),
    ] {
      let theirs = Publication(
        "theirs.jpg", try staged(publisher, files, "new"), expected: expected)
      #expect(throws: PublishingError.conflict("theirs.jpg", published: [])) {
        try publisher.publish(
          PublicationGroup(renditions: isLast ? [mine, theirs] : [theirs, mine]))
      }
    }
    #expect(try library.names() == ["theirs.jpg"], "nothing published, nothing left")
    #expect(try library.text("theirs.jpg") == "theirs")
  }

  @Test func fileThatAppearsAtTheLastMomentStays() throws {
    let publisher = DirectPublisher(
      ObservedFileSystem(files) { call in
        if case .rename(_, "1.jpg", _) = call { try? library.write("1.jpg", "theirs") }
        return nil
      })
    let observed = ObservedFileSystem(files) { _ in nil }
    let staged = try staged(publisher, observed, "mine")
    #expect(throws: PublishingError.conflict("1.jpg", published: [])) {
      try publisher.publish(
        PublicationGroup(renditions: [Publication("1.jpg", staged, expected: .absent)]))
    }
    #expect(try library.names() == ["1.jpg"])
    #expect(try library.text("1.jpg") == "theirs")
  }

  @Test func fileThatChangesAfterTheCheckStays() throws {
    try library.write("2.jpg", "old")
    let before = try #require(try identity("2.jpg"))
    let observed = ObservedFileSystem(files) { call in
      if case .rename(_, "1.jpg", _) = call { try? library.write("2.jpg", "theirs") }
      return nil
    }
    let publisher = DirectPublisher(observed)
    let group = PublicationGroup(renditions: [
      Publication("1.jpg", try staged(publisher, observed, "1"), expected: .absent),
      Publication("2.jpg", try staged(publisher, observed, "2"), expected: .identity(before)),
    ])
    #expect(throws: PublishingError.conflict("2.jpg", published: ["1.jpg"])) {
      try publisher.publish(group)
    }
    #expect(try library.names() == ["1.jpg", "2.jpg"])
    #expect(try library.text("2.jpg") == "theirs")
  }

  /// Files before names, names before the sidecar's, folders last.
  @Test func callsComeInTheOrderThatSurvivesACrash() throws {
    let calls = Mutex<[ObservedFileSystem.Call]>([])
    let observed = ObservedFileSystem(files) { call in
      calls.withLock { $0.append(call) }
      return nil
    }
    try library.write("s.json", "old")
    let publisher = DirectPublisher(observed)
    let first = try staged(publisher, observed, "1")
    let second = try staged(publisher, observed, "2")
    calls.withLock { $0 = [] }
    try publisher.publish(
      PublicationGroup(
        renditions: [Publication("1.jpg", first, expected: .absent)],
        sidecar: Publication(
          "s.json", second, expected: .identity(try #require(try identity("s.json"))))))
    #expect(
      calls.withLock { $0 } == [
        .setPermissions(first.path), .synchronize(first.path), .setPermissions(second.path),
        .synchronize(second.path), .rename(first.path, "1.jpg", .keeping),
        .rename(second.path, "s.json", .replacing), .synchronizeFolder(""),
      ])
  }

  /// Fails each call in turn: old or new, never a part, and no temporary file.
  @Test(arguments: [Errno.noSpace, .ioError])
  func anyFailureLeavesWholeFiles(_ failure: Errno) throws {
    var outcomes: Set<String> = []
    for number in 1...20 {
      try library.write("1.jpg", "old")
      try library.write("2.jpg", "old")
      let count = Mutex(0)
      let observed = ObservedFileSystem(files) { call in
        if case .remove = call { return nil }
        return count.withLock { count in
          count += 1
          return count == number ? failure : nil
        }
      }
      let publisher = DirectPublisher(observed)
      do {
        let group = PublicationGroup(
          renditions: [
            Publication(
              "1.jpg", try staged(publisher, observed, "new"),
              expected: .identity(try #require(try identity("1.jpg"))))
          ],
          sidecar: Publication(
            "2.jpg", try publisher.stage(in: ""), expected: .digest(Digest(of: Array("old".utf8)))))
        try publisher.publish(group)
        outcomes.insert("published")
      } catch {
        outcomes.insert("failed")
      }
      let names = try library.names()
      #expect(["old", "new"].contains(try library.text("1.jpg")))
      #expect(["old", ""].contains(try library.text("2.jpg")))
      if try library.text("1.jpg") == "old" { #expect(try library.text("2.jpg") == "old") }
      // What failed before the group was handed over is the caller's to discard.
      try publisher.removeLeftovers(names.map { FileName($0) }, in: "")
    }
    #expect(outcomes == ["published", "failed"])
  }

  @Test func leftoversOfOthersGoAndOwnStay() throws {
    try library.write(".phbatch-1-00ff.tmp", "stale")
    try library.write("a.jpg")
    let publisher = DirectPublisher(files)
    let mine = try publisher.stage(in: "")
    let scanned = try #require(Array(Scan(files)).first).get()
    #expect(scanned.leftovers.count == 2)
    #expect(try publisher.removeLeftovers(scanned.leftovers, in: "") == 1)
    #expect(try library.names().count == 2)
    try publisher.discard(mine)
    #expect(try library.names() == ["a.jpg"])
    let others = [FileName("a.jpg"), FileName(".phbatch-gone.tmp")]
    #expect(try publisher.removeLeftovers(others, in: "") == 0)
  }

  @Test func temporaryNamesAreTold() {
    #expect(TemporaryName.describes(FileName(TemporaryName().component)))
    #expect(TemporaryName().component.bytes.count <= 40)
    for name in [".phbatch-.jpg", "a.tmp", ".phbatch.tmp", ".phbatchignore"] {
      #expect(!TemporaryName.describes(FileName(name)))
    }
  }
}
