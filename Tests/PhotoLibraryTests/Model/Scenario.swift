import PhotoLibrary
import SystemPackage

/// A commit over a small library, and the conditions that must hold after any crash.
struct Scenario: Sendable {
  /// The change of one file; the texts are its old and new bytes.
  struct Change: Sendable {
    let path: FilePath
    let old: String?
    let new: String?
    var isKept = false

    init(_ path: FilePath, _ old: String?, _ new: String?, isKept: Bool = false) {
      self.path = path
      self.old = old
      self.new = new
      self.isKept = isKept || path.string.hasSuffix(".phbatch.json")
    }
  }

  let name: String
  /// The changes of each photo; the last one is that of its sidecar.
  var photos: [[Change]]
  var isAtomic = false
  var durability = Durability.batch
  /// Files of another program that exist before the commit.
  var foreign: [FilePath: String] = [:]
  var edit: ModelFileSystem.Edit?
  var weakening = ModelFileSystem.Weakening()
  /// True for a deliberate mistake: temporary files are removed before the recovery instead of
  /// after it.
  var sweepsFirst = false

  private static let original: FilePath = "1.jpg"

  var disk: Disk {
    var files = foreign
    files[Self.original] = "the original"
    for change in photos.joined() where foreign[change.path] == nil {
      files[change.path] = change.old
    }
    return Disk(files)
  }

  /// Publishes the photos; returns for each photo whether the publisher reported success.
  func publish(_ files: ModelFileSystem) throws -> [Bool] {
    let publisher = Publisher(files, durability: durability)
    let groups = try photos.map { changes in
      var group = PublicationGroup<ModelFileSystem.File>(
        renditions: try changes.map { change in
          var staged: StagedFile<ModelFileSystem.File>?
          if let text = change.new {
            let file = try publisher.stage(in: change.path.removingLastComponent())
            try files.write(Array(text.utf8), to: file.file)
            staged = file
          }
          let expected: ExpectedFile =
            change.old.map { .digest(Digest(of: Array($0.utf8))) } ?? .absent
          return Publication(
            change.path, staged, expected: expected, keepsDisplaced: change.isKept)
        })
      group.original = Digest(of: "the original".utf8)
      // In an atomic commit, the files of a photo are closed while the photo waits for the others,
      // as in a real run.
      return try isAtomic ? publisher.saved(group) : group
    }
    return publisher.publish(groups, isAtomic: isAtomic).map { result in
      if case .success = result { true } else { false }
    }
  }

  /// Recovers, as the next run does first.
  func recover(_ files: ModelFileSystem) throws {
    let publisher = Publisher(files, durability: durability)
    if sweepsFirst { try sweep(files, publisher) }
    try publisher.recover()
    if !sweepsFirst { try sweep(files, publisher) }
  }

  private func sweep(_ files: ModelFileSystem, _ publisher: Publisher<ModelFileSystem>) throws {
    try publisher.removeLeftovers(try files.names(in: ""), in: "")
  }

  /// Returns the defects of a library after a recovery; `published` states which photos were
  /// reported as published before the crash.
  func violations(_ disk: Disk, published: [Bool], isEdited: Bool) -> [String] {
    var found: [String] = []
    if disk.text(Self.original) != "the original" { found.append("the original changed") }
    for (path, text) in foreign where disk.text(path) != text {
      found.append("\(path) of somebody else is gone")
    }
    let parked = disk.files(below: ".phbatch/conflicts").compactMap { disk.text($0.path) }
    if let edit, isEdited, disk.text(edit.path) != edit.text, !parked.contains(edit.text) {
      found.append("what another program wrote is gone")
    }
    let states = photos.map { state(of: $0, disk, isEdited: isEdited) }
    for (state, isPublished) in zip(states, published) {
      if state == nil { found.append("a photo is neither old nor new") }
      if isPublished && state == false { found.append("what was published is old again") }
    }
    if isAtomic, Set(states).count > 1 { found.append("the photos are not all of one kind") }
    for (changes, state) in zip(photos, states) where state == true {
      found += missingInTrash(changes, disk)
      found += missingInLedger(changes, disk)
    }
    let leftovers = disk.files(below: "").filter {
      $0.folder == nil && $0.path.string.hasPrefix(".phbatch-")
    }
    if !leftovers.isEmpty {
      found.append("temporary files are left: \(leftovers.map { $0.path })")
    }
    if !disk.files(below: ".phbatch/txn").isEmpty { found.append("a journal is left") }
    return found
  }

  /// True if all files of a photo have their new bytes, false if all have their old bytes; nil if
  /// they are mixed.
  ///
  /// A file that another program wrote is ignored.
  private func state(of changes: [Change], _ disk: Disk, isEdited: Bool) -> Bool? {
    let own = changes.filter { change in
      foreign[change.path] == nil && !(isEdited && change.path == edit?.path)
    }
    let isOld = own.allSatisfy { disk.text($0.path) == $0.old }
    let isNew = own.allSatisfy { disk.text($0.path) == $0.new }
    return isNew ? true : isOld ? false : nil
  }

  private func missingInLedger(_ changes: [Change], _ disk: Disk) -> [String] {
    let ledger = RenditionLedger(ModelFileSystem(disk))
    return changes.filter { $0.path.extension == "jpg" }.compactMap { change in
      guard let new = change.new else { return nil }
      let digest = Digest(of: Array(new.utf8))
      return ledger.records(of: [digest], sizes: []).isEmpty
        ? "\(change.path) is not in the ledger" : nil
    }
  }

  private func missingInTrash(_ changes: [Change], _ disk: Disk) -> [String] {
    let kept = disk.files(below: ".phbatch/trash").compactMap { disk.text($0.path) }
    return changes.filter { $0.isKept && $0.path != edit?.path }.compactMap { change in
      guard let old = change.old, !kept.contains(old) else { return nil }
      return "what \(change.path) displaced is not in the trash"
    }
  }
}

/// The result of a search through all crashes.
struct Exploration {
  /// The number of different states after a crash of the commit, or of a recovery.
  var states = 0
  var violations: [String: Int] = [:]

  static func + (a: Exploration, b: Exploration) -> Exploration {
    Exploration(
      states: a.states + b.states,
      violations: a.violations.merging(b.violations, uniquingKeysWith: +))
  }
}

extension Scenario {
  /// The state of a library after a crash, and which photos were reported as published.
  private struct Situation: Hashable {
    let crash: ModelFileSystem.Crash
    let published: [Bool]
  }

  /// Simulates a crash at each call of the commit, then at each call of each recovery, until there
  /// are no new states.
  func explore() throws -> Exploration {
    let files = ModelFileSystem(disk, weakening, edit: edit)
    let published = try publish(files)
    var waiting: [Situation] = []
    var seen: Set<Situation> = []
    func add(_ crash: ModelFileSystem.Crash, _ published: [Bool]) {
      let situation = Situation(crash: crash, published: published)
      if seen.insert(situation).inserted { waiting.append(situation) }
    }
    for crash in files.crashes() { add(crash, photos.map { _ in false }) }
    for crash in files.crashesNow() { add(crash, published) }
    var exploration = Exploration()
    while let situation = waiting.popLast() {
      let files = ModelFileSystem(situation.crash.disk, weakening)
      let isEdited = situation.crash.isEdited
      var found: [String]
      do {
        try recover(files)
        found = violations(files.disk, published: situation.published, isEdited: isEdited)
      } catch { found = ["the recovery failed: \(error)"] }
      for violation in found { exploration.violations[violation, default: 0] += 1 }
      for crash in files.crashes() {
        add(
          ModelFileSystem.Crash(disk: crash.disk, isEdited: isEdited), situation.published)
      }
    }
    exploration.states = seen.count
    return exploration
  }
}
