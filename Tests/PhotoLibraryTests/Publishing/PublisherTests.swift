import PhotoLibrary
import Synchronization
import SystemPackage
import Testing

@Suite struct PublisherTests {
  let library: TemporaryLibrary
  var files: RealFileSystem { library.files }

  init() throws { library = try TemporaryLibrary() }

  private func staged<Files: FileSystem>(
    _ publisher: Publisher<Files>, _ files: Files, _ text: String, in folder: FilePath = ""
  ) throws -> StagedFile<Files.File> {
    let staged = try publisher.stage(in: folder)
    try files.write(Array(text.utf8), to: staged.file)
    return staged
  }

  private func identity(_ path: FilePath) throws -> FileIdentity? {
    try files.status(at: path)?.identity
  }

  private func expected(_ path: FilePath) throws -> ExpectedFile {
    .identity(try #require(try identity(path)))
  }

  /// The names in the library, except the state folder.
  private func names() throws -> [String] { try library.names().filter { $0 != ".phbatch" } }

  private func conflicts() throws -> [String] {
    try files.status(at: ".phbatch/conflicts") == nil ? [] : library.names(in: ".phbatch/conflicts")
  }

  /// The names in the folder of journals.
  private func journals() throws -> [String] { try library.names(in: ".phbatch/txn") }

  @Test func stagedFilesOfAGroupArePublishedUnderTheirFinalNames() throws {
    let publisher = Publisher(files, permissions: [.ownerReadWrite, .groupRead])
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
    #expect(try journals() == [])
  }

  @Test func aCommitReplacesAndRemovesFilesThatPhbatchWrote() throws {
    try library.write("1.jpg", "old")
    try library.write("2.jpg", "old 2")
    let publisher = Publisher(files)
    let identities = try publisher.publish(
      PublicationGroup(renditions: [
        Publication("1.jpg", try staged(publisher, files, "new"), expected: try expected("1.jpg")),
        Publication("2.jpg", nil, expected: .digest(Digest(of: Array("old 2".utf8)))),
        Publication("none/3.jpg", nil, expected: .absent),
      ]))
    #expect(try names() == ["1.jpg"])
    #expect(try library.text("1.jpg") == "new")
    #expect(try identities == [identity("1.jpg"), nil, nil])
    #expect(try journals() == [])
  }

  @Test func aFileThatAlreadyHasTheNewBytesIsNotReplaced() throws {
    try library.write("1.jpg", "same")
    let before = try identity("1.jpg")
    let publisher = Publisher(files)
    let group = PublicationGroup(renditions: [
      Publication("1.jpg", try staged(publisher, files, "same"), expected: try expected("1.jpg"))
    ])
    #expect(try publisher.publish(group) == [before])
    #expect(try identity("1.jpg") == before)
    #expect(try names() == ["1.jpg"])
  }

  @Test(arguments: [true, false])
  func aCommitKeepsFilesThatOtherProgramsWrote(_ isLast: Bool) throws {
    try library.write("theirs.jpg", "theirs")
    let publisher = Publisher(files)
    for wrong in [
      ExpectedFile.absent, .digest(Digest(of: [])),
      .identity(FileIdentity(inode: 1, size: 6, modified: 0, changed: 0)),
    ] {
      let mine = Publication("mine.jpg", try staged(publisher, files, "mine"), expected: .absent)
      let theirs = Publication("theirs.jpg", try staged(publisher, files, "new"), expected: wrong)
      #expect(throws: PublishingError.conflict("theirs.jpg")) {
        try publisher.publish(
          PublicationGroup(renditions: isLast ? [mine, theirs] : [theirs, mine]))
      }
    }
    #expect(try names() == ["theirs.jpg"], "nothing published, nothing left")
    #expect(try library.text("theirs.jpg") == "theirs")
  }

  /// The photo of the first group has changed since it was read; the second group is published
  /// nevertheless.
  @Test func renditionsOfAChangedPhotoAreNotPublished() throws {
    try library.write("old.jpg", "old")
    let publisher = Publisher(files)
    var changed = PublicationGroup(renditions: [
      Publication(
        "old.jpg", try staged(publisher, files, "new"), expected: try expected("old.jpg")),
      Publication("a.jpg", try staged(publisher, files, "a"), expected: .absent),
    ])
    changed.checkSource = { () throws(PublishingError) in throw .sourceChanged("photo.jpg") }
    let same = PublicationGroup(renditions: [
      Publication("b.jpg", try staged(publisher, files, "b"), expected: .absent)
    ])
    let results = publisher.publish([changed, same])
    #expect(throws: PublishingError.sourceChanged("photo.jpg")) { try results[0].get() }
    #expect(try results[1].get() == [identity("b.jpg")])
    #expect(try names() == ["b.jpg", "old.jpg"])
    #expect(try library.text("old.jpg") == "old")
  }

  /// If another program writes `2.jpg` at the last moment, after all checks and before the rename,
  /// its file stays, and all changes of the group are taken back.
  @Test(arguments: [true, false])
  func aFileWrittenRightBeforeTheRenameStaysAndTheGroupIsRolledBack(_ isNew: Bool) throws {
    if !isNew { try library.write("2.jpg", "old") }
    try library.write("1.jpg", "old")
    let isWritten = Mutex(false)
    let observed = ObservedFileSystem(files) { call in
      if case .rename(_, "2.jpg", _) = call, !isWritten.withLock({ $0 }) {
        isWritten.withLock { $0 = true }
        try? library.write("2.jpg", "theirs")
      }
      return nil
    }
    let publisher = Publisher(observed)
    let other = PublicationGroup(renditions: [
      Publication("3.jpg", try staged(publisher, observed, "3"), expected: .absent)
    ])
    let group = PublicationGroup(renditions: [
      Publication("0.jpg", try staged(publisher, observed, "new"), expected: .absent),
      Publication("1.jpg", try staged(publisher, observed, "new"), expected: try expected("1.jpg")),
      Publication(
        "2.jpg", try staged(publisher, observed, "mine"),
        expected: isNew ? .absent : try expected("2.jpg")),
    ])
    let results = publisher.publish([group, other])
    #expect(throws: PublishingError.conflict("2.jpg")) { try results[0].get() }
    #expect(try results[1].get() == [identity("3.jpg")])
    #expect(try names() == ["1.jpg", "2.jpg", "3.jpg"])
    #expect(try library.text("1.jpg") == "old")
    #expect(try library.text("2.jpg") == "theirs")
    #expect(try conflicts() == ["2.jpg"])
    #expect(try library.text(".phbatch/conflicts/2.jpg") == "mine")
    #expect(try journals() == [])
  }

  @Test func aFileRemovedRightBeforeTheRenameIsAConflict() throws {
    try library.write("1.jpg", "old")
    let observed = ObservedFileSystem(files) { call in
      if case .rename(_, let path, .replacing) = call, path.extension == "commit" {
        try? library.files.remove("1.jpg")
      }
      return nil
    }
    let publisher = Publisher(observed)
    let group = PublicationGroup(renditions: [
      Publication("1.jpg", try staged(publisher, observed, "new"), expected: try expected("1.jpg"))
    ])
    #expect(throws: PublishingError.conflict("1.jpg")) { try publisher.publish(group) }
    #expect(try names() == [])
  }

  @Test func atomicGroupsArePublishedTogetherOrNotAtAll() throws {
    let publisher = Publisher(files)
    func groups(_ names: [FilePath]) throws -> [PublicationGroup<OpenFile>] {
      try names.map { name in
        PublicationGroup(renditions: [
          Publication(name, try staged(publisher, files, "mine"), expected: .absent)
        ])
      }
    }
    try library.write("2.jpg", "theirs")
    var results = publisher.publish(try groups(["1.jpg", "2.jpg", "3.jpg"]), isAtomic: true)
    #expect(throws: PublishingError.withdrawn(with: "2.jpg")) { try results[0].get() }
    #expect(throws: PublishingError.conflict("2.jpg")) { try results[1].get() }
    #expect(throws: PublishingError.withdrawn(with: "2.jpg")) { try results[2].get() }
    #expect(try names() == ["2.jpg"])
    results = publisher.publish(try groups(["1.jpg", "3.jpg"]), isAtomic: true)
    for result in results { _ = try result.get() }
    #expect(try names() == ["1.jpg", "2.jpg", "3.jpg"])
  }

  @Test func theFilesOfAGroupThatWaitsForTheCommitAreClosed() throws {
    try library.write("1.jpg", "old")
    let publisher = Publisher(files)
    let group = try publisher.saved(
      PublicationGroup(
        renditions: [
          Publication(
            "1.jpg", try staged(publisher, files, "new"), expected: try expected("1.jpg")),
          Publication("2.jpg", try staged(publisher, files, "2"), expected: .absent),
        ]))
    #expect(group.inOrder.allSatisfy { $0.new?.open == nil })
    #expect(
      try publisher.publish(group) == [try identity("1.jpg"), try identity("2.jpg")])
    #expect(try library.text("1.jpg") == "new")
    #expect(try names() == ["1.jpg", "2.jpg"])
  }

  @Test func aSavedFileChangedByAnotherProgramIsNotPublished() throws {
    let publisher = Publisher(files)
    let group = try publisher.saved(
      PublicationGroup(
        renditions: [
          Publication("1.jpg", try staged(publisher, files, "new"), expected: .absent)
        ]))
    let temporary = try #require(try names().first)
    try library.write(FilePath(temporary), "forged")
    #expect(throws: PublishingError.self) { try publisher.publish(group) }
    #expect(try names() == [])
  }

  @Test func discardingAGroupRemovesItsStagedFiles() throws {
    let publisher = Publisher(files)
    let group = try publisher.saved(
      PublicationGroup(
        renditions: [
          Publication("1.jpg", try staged(publisher, files, "new"), expected: .absent)
        ]))
    publisher.discard(group)
    #expect(try names() == [])
  }

  @Test func aPathInTwoGroupsIsPublishedByTheFirstAndAConflictInTheSecond() throws {
    let publisher = Publisher(files)
    let groups = try ["a", "b"].map { text in
      PublicationGroup(renditions: [
        Publication("1.jpg", try staged(publisher, files, text), expected: .absent)
      ])
    }
    let results = publisher.publish(groups)
    _ = try results[0].get()
    #expect(throws: PublishingError.conflict("1.jpg")) { try results[1].get() }
    #expect(try library.text("1.jpg") == "a")
    #expect(try names() == ["1.jpg"])
  }

  /// Lets each call fail in turn.
  ///
  /// Every file is then old or new, never partial, and the next recovery completes the commit.
  @Test(arguments: [Errno.noSpace, .ioError])
  func afterAnyFailedCallEveryFileIsCompletelyOldOrCompletelyNew(_ failure: Errno) throws {
    var outcomes: Set<String> = []
    for number in 1...60 {
      try library.write("1.jpg", "old")
      try library.write("2.jpg", "old")
      let count = Mutex(0)
      let observed = ObservedFileSystem(files) { _ in
        count.withLock { count in
          count += 1
          return count == number ? failure : nil
        }
      }
      let publisher = Publisher(observed)
      do {
        let group = PublicationGroup(
          renditions: [
            Publication(
              "1.jpg", try staged(publisher, observed, "new"), expected: try expected("1.jpg"))
          ],
          sidecar: Publication(
            "2.jpg", try staged(publisher, observed, "new"),
            expected: .digest(Digest(of: Array("old".utf8)))))
        try publisher.publish(group)
        outcomes.insert("published")
      } catch PublishingError.unfinished {
        outcomes.insert("unfinished")
      } catch {
        outcomes.insert("failed")
        #expect(try library.text("1.jpg") == "old")
      }
      let next = Publisher(files)
      try next.recover()
      let text = try library.text("1.jpg")
      #expect(["old", "new"].contains(text))
      #expect(try library.text("2.jpg") == text)
      // A caller normally discards the staged files of a group that failed before `publish`; here
      // the test removes them.
      try next.removeLeftovers(library.names().map { FileName($0) }, in: "")
      #expect(try names() == ["1.jpg", "2.jpg"])
      #expect(try files.status(at: ".phbatch/txn") == nil || journals() == [])
    }
    #expect(outcomes == ["published", "unfinished", "failed"])
  }

  /// A run completes an unfinished commit before its next one.
  @Test func anUnfinishedCommitIsCompletedBeforeTheNextCommit() throws {
    let isBroken = Mutex(true)
    let observed = ObservedFileSystem(files) { call in
      if case .rename(_, let path, _) = call, path.starts(with: ".phbatch/trash") {
        return isBroken.withLock { $0 } ? .ioError : nil
      }
      return nil
    }
    let publisher = Publisher(observed)
    func group(_ path: FilePath) throws -> PublicationGroup<OpenFile> {
      let file = try staged(publisher, observed, "new")
      return PublicationGroup(renditions: [Publication(path, file, expected: .absent)])
    }
    #expect(throws: PublishingError.self) { try publisher.publish(try group("1.jpg")) }
    #expect(try journals().count == 1)
    isBroken.withLock { $0 = false }
    try publisher.publish(try group("2.jpg"))
    #expect(try journals() == [])
    #expect(try names() == ["1.jpg", "2.jpg"])
  }

  @Test func aRunRemovesTemporaryFilesOfEarlierRunsButNotItsOwn() throws {
    try library.write(".phbatch-1-00ff.tmp", "stale")
    try library.write("a.jpg")
    let publisher = Publisher(files)
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

  @Test func onlyNamesOfTemporaryFilesAreRecognizedAsTemporary() {
    #expect(TemporaryName.describes(FileName(TemporaryName().component)))
    #expect(TemporaryName().component.bytes.count <= 40)
    for name in [".phbatch-.jpg", "a.tmp", ".phbatch.tmp", ".phbatchignore"] {
      #expect(!TemporaryName.describes(FileName(name)))
    }
  }
}
