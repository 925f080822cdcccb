import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Survey {
  /// Saves the results of this run for later runs: the outcomes that stay valid until files change,
  /// by folder, and the digests.
  func save(_ outcomes: [FilePath: [FolderRecord.Photo]], _ digests: KnownDigests) {
    guard let records = records(outcomes, digests, lost: unlisted) else { return }
    let kept = seen.keys.filter { read[$0] == nil && !unlisted.contains($0) }
      .sorted(by: Self.precedes)
    // Errors are ignored, because no run depends on the index.
    _ = try? LibraryIndex.write(in: root, old: index, keeping: kept, records)
  }

  /// The records of the folders that were read, each made when it is needed; nil if the times of
  /// files cannot be judged.
  ///
  /// `lost` are folders that were not read although they changed; their records are stale.
  fileprivate func records(
    _ outcomes: [FilePath: [FolderRecord.Photo]], _ digests: KnownDigests,
    lost: Set<FolderKey> = []
  ) -> (some Collection<FolderRecord>)? {
    let clocks = clocks
    let links = contents.touchedFolders(root).symmetric
    let assets = Dictionary(grouping: contents.assets.indices) {
      contents.assets[$0].path.removingLastComponent()
    }
    let keys = read.keys.filter { clocks?[$0.tree] != nil && seen[$0] != nil } + lost
    let records = keys.sorted(by: Self.precedes).lazy.map { key -> FolderRecord in
      guard let folder = read[key], let seen = seen[key], let clock = clocks?[key.tree] else {
        return staleRecord(of: key)
      }
      return record(of: folder, seen, clock, links, digests) { key in
        let photos = (assets[key.path] ?? []).map { contents.assets[$0] }
        return view.map { findings(key, photos, outcomes[key.path] ?? [], $0) } ?? []
      }
    }
    return view == nil || clocks == nil ? nil : records
  }

  /// The record of a folder that this run should have read and did not; the next run reads it and all
  /// folders that are linked to it.
  ///
  /// The record stays even if the folder disappears: its renditions were recorded in other folders.
  fileprivate func staleRecord(of key: FolderKey) -> FolderRecord {
    let none = FolderRecord(key: key, fingerprint: [])
    var record = index?.record(of: key) ?? none
    // No folder has a fingerprint of zeros.
    record.fingerprint = [UInt8](repeating: 0, count: 32)
    record.findings = []
    return record
  }

  private var clocks: [LibraryTree: FileClock]? {
    var clocks: [LibraryTree: FileClock] = [:]
    for tree in root.isMirror ? [LibraryTree.library, .mirror] : [.library] {
      guard let clock = FileClock(of: tree, in: root) else { return nil }
      clocks[tree] = clock
    }
    return clocks
  }

  private func record(
    of folder: ScannedFolder, _ seen: SeenFolder, _ clock: FileClock,
    _ links: [FolderKey: Set<FolderKey>], _ digests: KnownDigests,
    findings: (FolderKey) -> [FolderRecord.Finding]
  ) -> FolderRecord {
    let key = seen.key
    let isOld = clock.trusts(newest: seen.newest)
    var record = FolderRecord(
      key: key, fingerprint: isOld ? seen.fingerprint : [UInt8](repeating: 0, count: 32))
    record.files = digests.files(of: folder, key.tree, clock)
    record.links = links[key] ?? []
    record.links.formUnion(
      (index?.links(of: key) ?? []).filter { self.seen[$0] != nil && read[$0] == nil })
    if root.isMirror {
      record.links.insert(FolderKey(key.tree == .library ? .mirror : .library, key.path))
    }
    if key.tree == .library && isOld { record.findings = findings(key) }
    return record
  }

  /// The maximum number of recipes whose results are kept for a folder.
  private static let mostFindings = 8

  private func findings(
    _ key: FolderKey, _ assets: [Asset], _ outcomes: [FolderRecord.Photo], _ view: RecipeView
  ) -> [FolderRecord.Finding] {
    let reported = Dictionary(outcomes.map { ($0.name, $0) }) { $1 }
    let found = assets.map { asset in
      reported[asset.file.name] ?? decided[asset.path]?.record
        ?? FolderRecord.Photo(name: asset.file.name, reason: "")
    }
    let others = [Reason.originalMissing, .orphan].map(\.rawValue)
    let missing = reported.values.filter { others.contains($0.reason) }
    let photos = (found + missing).sorted { $0.name < $1.name }
    let isQuiet =
      missing.isEmpty
      && found.allSatisfy {
        Reason(rawValue: $0.reason)?.isQuiet == true && $0.warnings.isEmpty
      }
    let finding = FolderRecord.Finding(recipe: view.key, isQuiet: isQuiet, photos: photos)
    // Results for other recipes stay valid if the folder is unchanged.
    var findings = changedFolders.contains(key) ? [] : index?.record(of: key)?.findings ?? []
    if let place = findings.firstIndex(where: { $0.summary.recipe == view.key }) {
      findings[place] = finding
    } else {
      findings = Array(([finding] + findings).prefix(Self.mostFindings))
    }
    return findings
  }
}

extension [FolderKey: Set<FolderKey>] {
  /// The links, each also in the opposite direction.
  fileprivate var symmetric: Self {
    var all = self
    for (key, others) in self {
      for other in others { all[other, default: []].insert(key) }
    }
    return all
  }
}

/// The index of a run that reads a library in parts.
///
/// Errors are ignored, because no run depends on the index.
struct IndexInParts {
  private let writer: LibraryIndexWriter?
  private var written: Set<FolderKey> = []
  private var isWhole = true

  init(_ survey: Survey) {
    writer = (try? LibraryIndexWriter(in: survey.root, .library, survey.index)) ?? nil
  }

  /// Adds the results for the part of the library that was read last.
  mutating func add(
    _ survey: Survey, _ outcomes: [FilePath: [FolderRecord.Photo]], _ digests: KnownDigests
  ) {
    guard let writer, isWhole else { return }
    isWhole = false
    guard let records = survey.records(outcomes, digests) else { return }
    for record in records {
      guard (try? writer.add(record)) != nil else { return }
      written.insert(record.key)
    }
    isWhole = true
  }

  /// Adds what the old index has about the other folders, and replaces it.
  ///
  /// After a run that was stopped, these include changed folders and folders that are linked to them;
  /// what the old index found about these is no longer valid.
  func finish(_ survey: Survey) {
    guard let writer, isWhole else { return }
    let known = survey.seen.keys.filter { !written.contains($0) && survey.index?.has($0) ?? false }
    do {
      for key in known.sorted(by: Survey.precedes) {
        if survey.changedFolders.contains(key) || survey.unlisted.contains(key) {
          try writer.add(survey.staleRecord(of: key))
        } else {
          try writer.keep(key)
        }
      }
      try writer.finish()
    } catch {}
  }
}
