import SystemPackage

/// One group on its way to be published.
struct Candidate<Files: FileSystem> {
  let publications: [Publication<Files.File>]
  let checkSource: @Sendable () throws(PublishingError) -> Void
  var changes: [Change] = []
  var failure: PublishingError?
  /// True if a journal records it; recovery then takes care of its files.
  var isCommitted = false
  /// The identities of its files.
  var identities: [FileIdentity?]

  init(_ group: PublicationGroup<Files.File>) {
    publications = group.inOrder
    checkSource = group.checkSource
    identities = publications.map { _ in nil }
  }

  var unit: Journal.Unit { Journal.Unit(entries: changes.map(\.entry)) }

  /// Where its temporary names are.
  var stagingFolders: [FilePath] {
    publications.compactMap { $0.new?.path.removingLastComponent() }
  }

  var isDue: Bool { failure == nil && !changes.isEmpty }
}

/// A publication that changes something.
struct Change {
  let entry: Journal.Entry
  /// The place of the publication in its group.
  let place: Int
  /// The file that it displaces; its time of change is the one before the commit.
  let displaced: FileIdentity?
}
