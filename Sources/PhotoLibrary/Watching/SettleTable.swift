import SystemPackage

/// A table of the files that have been unchanged for long enough to be read.
///
/// A new or changed file is stable when it has stayed the same for the time `time`, by a monotonic
/// clock, and no process has it open for writing. The table keeps a 64-bit number for each stable
/// file: 100,000 photos with their files take about 5 MB.
public struct SettleTable: Sendable {
  public typealias Instant = ContinuousClock.Instant

  /// The time for which a file must stay the same.
  public let time: Duration
  /// The longest time for which photos wait for a file beside them.
  ///
  /// It is also the longest time for which an unchanged file waits while a process has it open or
  /// its name marks it as partial.
  public let longest: Duration

  private struct Waiting {
    var mark: FileMark
    /// The time since which the file has been the same.
    var since: Instant
    let first: Instant
  }

  private struct Folder {
    var known: Set<FileMark> = []
    var waiting: [FileName: Waiting] = [:]
  }

  private var folders: [FolderKey: Folder] = [:]
  /// The folders with waiting files.
  private var busy: Set<FolderKey> = []

  public init(time: Duration, longest: Duration = .seconds(60)) {
    self.time = time
    self.longest = max(longest, time)
  }

  /// The result of one scan of a folder.
  public struct News: Sendable {
    /// The files that have become stable.
    public var settled: [FileName] = []
    /// The files that are new or have changed.
    public var appeared: [FileName] = []
    /// True if a waiting or stable file is gone, or if a stable file has changed.
    public var hasLost = false

    public init(settled: [FileName] = [], appeared: [FileName] = [], hasLost: Bool = false) {
      self.settled = settled
      self.appeared = appeared
      self.hasLost = hasLost
    }

    public var isEmpty: Bool { settled.isEmpty && !hasLost }
  }

  /// Updates the table with the present state of a folder, and returns the differences.
  ///
  /// `isOld` returns true if a file that is scanned for the first time has already been unchanged
  /// for long enough. `isWritten` returns true if a process has the file open for writing.
  public mutating func see(
    _ folder: ScannedFolder, _ key: FolderKey, now: Instant, trustsInodes: Bool,
    isOld: (ScannedFile) -> Bool = { _ in false }, isWritten: (FileName) -> Bool
  ) -> News {
    let old = folders[key] ?? Folder()
    var new = Folder()
    var news = News()
    for file in folder.allFiles {
      let mark = FileMark(file, trustsInodes: trustsInodes)
      if old.known.contains(mark) {
        new.known.insert(mark)
      } else if isOld(file) {
        new.known.insert(mark)
        news.settled.append(file.name)
      } else if let entry = old.waiting[file.name], entry.mark == mark {
        if hasSettled(entry, file.name, now, isWritten) {
          new.known.insert(mark)
          news.settled.append(file.name)
        } else {
          new.waiting[file.name] = entry
        }
      } else {
        let first = old.waiting[file.name]?.first ?? now
        new.waiting[file.name] = Waiting(mark: mark, since: now, first: first)
        news.appeared.append(file.name)
      }
    }
    news.hasLost = !old.known.isSubset(of: new.known) || hasLost(old.waiting.keys, in: folder)
    keep(new, key)
    return news
  }

  /// True if a waiting file is gone; other files may have waited for it.
  private func hasLost(_ names: some Collection<FileName>, in folder: ScannedFolder) -> Bool {
    if names.isEmpty { return false }
    return !Set(names).isSubset(of: folder.allFiles.map(\.name))
  }

  private func hasSettled(
    _ entry: Waiting, _ name: FileName, _ now: Instant, _ isWritten: (FileName) -> Bool
  ) -> Bool {
    let age = entry.since.duration(to: now)
    if age >= longest { return true }
    return age >= time && !name.isPart && !isWritten(name)
  }

  private mutating func keep(_ folder: Folder, _ key: FolderKey) {
    folders[key] = folder.known.isEmpty && folder.waiting.isEmpty ? nil : folder
    if folder.waiting.isEmpty { busy.remove(key) } else { busy.insert(key) }
  }

  /// Removes a folder that is gone; true if the table had files of the folder.
  public mutating func forget(_ key: FolderKey) -> Bool {
    busy.remove(key)
    return folders.removeValue(forKey: key) != nil
  }

  /// Marks a file as stable, because this program has written it.
  public mutating func know(
    _ name: FileName, _ identity: FileIdentity, in key: FolderKey, trustsInodes: Bool
  ) {
    let mark = FileMark(name, identity, trustsInodes: trustsInodes)
    folders[key, default: Folder()].known.insert(mark)
    if folders[key]?.waiting[name]?.mark == mark {
      folders[key]?.waiting[name] = nil
      if folders[key]?.waiting.isEmpty ?? true { busy.remove(key) }
    }
  }

  /// True if the file is stable in its present state.
  public func holds(_ file: ScannedFile, in key: FolderKey, trustsInodes: Bool) -> Bool {
    holds(file.name, file.status.identity, in: key, trustsInodes: trustsInodes)
  }

  /// True if the file with this name is stable with this identity.
  public func holds(
    _ name: FileName, _ identity: FileIdentity, in key: FolderKey, trustsInodes: Bool
  ) -> Bool {
    let mark = FileMark(name, identity, trustsInodes: trustsInodes)
    return folders[key]?.known.contains(mark) ?? false
  }

  /// The names of the waiting files that delay photos of the folder, at most for the time
  /// `longest`.
  public func waitingNames(in key: FolderKey, now: Instant) -> GroupNames {
    var names = GroupNames()
    for (name, entry) in folders[key]?.waiting ?? [:]
    where entry.first.duration(to: now) < longest {
      names.insert(name)
    }
    return names
  }

  /// The number of waiting files.
  public var waitingCount: Int { busy.reduce(0) { $0 + (folders[$1]?.waiting.count ?? 0) } }

  /// True if a waiting file was first scanned at this time or before.
  public func isWaiting(since time: Instant) -> Bool {
    busy.contains { folders[$0]?.waiting.values.contains { $0.first <= time } ?? false }
  }

  /// The folders in which waiting files may be stable now.
  public func due(_ now: Instant) -> [FolderKey] {
    busy.filter { key in earliest(key).map { $0 <= now } ?? false }
  }

  /// The time of the next check; nil if no file waits.
  public func nextDue(after now: Instant) -> Instant? {
    // A file that stays open after its time is checked again at intervals.
    busy.lazy.compactMap(earliest).min().map { max($0, now + max(time / 4, .milliseconds(10))) }
  }

  private func earliest(_ key: FolderKey) -> Instant? {
    folders[key]?.waiting.values.lazy.map { $0.since + time }.min()
  }
}

/// A 64-bit hash that identifies one state of one file.
private struct FileMark: Hashable {
  private let value: Int

  init(_ file: ScannedFile, trustsInodes: Bool) {
    self.init(file.name, file.status.identity, trustsInodes: trustsInodes)
  }

  init(_ name: FileName, _ identity: FileIdentity, trustsInodes: Bool) {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(identity.indexed(trustsInodes: trustsInodes))
    value = hasher.finalize()
  }
}

extension ScannedFolder {
  /// All files of the folder that a run may read.
  public var allFiles: [ScannedFile] { files + sidecars + companions.map(\.file) }
}

extension FileName {
  /// True if the name is of a form that programs give to unfinished files.
  ///
  /// - Source: the habits of Chrome, Firefox, Safari, wget, aria2, FileZilla and WinSCP.
  fileprivate var isPart: Bool {
    let endings: [StaticString] = [
      ".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp", "~",
    ]
    return endings.contains { hasSuffix($0) }
  }
}
