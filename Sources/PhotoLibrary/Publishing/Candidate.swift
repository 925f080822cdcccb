import SystemPackage

/// One group of files during its publication.
struct Candidate<Files: FileSystem> {
  let publications: [Publication<Files.File>]
  let original: Digest?
  let checkSource: @Sendable () throws(PublishingError) -> Void
  var changes: [Change] = []
  var failure: PublishingError?
  /// True if the journal lists the group; if this run fails, a recovery completes the group.
  var isCommitted = false
  /// The identities of the group's files.
  var identities: [FileIdentity?]

  init(_ group: PublicationGroup<Files.File>) {
    publications = group.inOrder
    original = group.original
    checkSource = group.checkSource
    identities = publications.map { _ in nil }
  }

  var unit: Journal.Unit { Journal.Unit(entries: changes.map(\.entry)) }

  /// The records of the group's renditions for the ledger.
  ///
  /// Empty if the group does not state the photo, because a user may have made the files.
  var renditions: [PublishedRendition] {
    guard let original else { return [] }
    return changes.map(\.entry).filter { !Sidecar.isPath($0.path) }.compactMap(\.new)
      .map { PublishedRendition($0, original: original) }
  }

  /// The folders of the group's temporary files.
  var stagingFolders: [FilePath] {
    publications.compactMap { $0.new?.path.removingLastComponent() }
  }

  var isDue: Bool { failure == nil && !changes.isEmpty }
}

/// A publication that changes a file.
struct Change {
  let entry: Journal.Entry
  /// The index of the publication in its group.
  let place: Int
  /// The identity of the displaced file, as it was before the commit.
  let displaced: FileIdentity?
}
