public import SystemPackage

/// Which of the two trees of an output root a path belongs to.
public enum LibraryTree: UInt8, Sendable, Hashable {
  /// The originals; the only one where sidecars and renditions stand beside them.
  case library
  /// The folder that mirrors them.
  case mirror
}

public struct FolderKey: Sendable, Hashable {
  public var tree: LibraryTree
  /// From the root of its tree.
  public var path: FilePath

  public init(_ tree: LibraryTree, _ path: FilePath) {
    self.tree = tree
    self.path = path
  }
}

/// The results of earlier runs for one folder.
public struct FolderRecord: Sendable, Hashable {
  public var key: FolderKey
  /// See `ListedFolder.fingerprint`.
  public var fingerprint: [UInt8]
  /// The folders that hold renditions of its photos, or whose photos have renditions in it: what was
  /// found of this one holds as long as they are the same too.
  public var links: Set<FolderKey> = []
  /// By the runs that found it, the latest first.
  public var findings: [Finding] = []
  public var files: [KnownFile] = []

  public init(key: FolderKey, fingerprint: [UInt8]) {
    self.key = key
    self.fingerprint = fingerprint
  }

  /// A file whose bytes were read.
  public struct KnownFile: Sendable, Hashable {
    public var name: FileName
    public var identity: FileIdentity
    public var digest: Digest

    public init(name: FileName, identity: FileIdentity, digest: Digest) {
      self.name = name
      self.identity = identity
      self.digest = digest
    }
  }

  /// The result of one recipe for the folder.
  public struct Finding: Sendable, Hashable {
    public var summary: Summary
    /// Every photo, sorted by name.
    public var photos: [Photo]

    public init(recipe: [UInt8], isQuiet: Bool, photos: [Photo]) {
      var counts: [String: Int] = [:]
      for photo in photos { counts[photo.reason, default: 0] += 1 }
      summary = Summary(
        recipe: recipe, isQuiet: isQuiet,
        counts: counts.sorted { $0.key < $1.key }.map {
          Count(reason: $0.key, photos: $0.value)
        })
      self.photos = photos
    }

    init(summary: Summary, photos: [Photo]) {
      self.summary = summary
      self.photos = photos
    }
  }

  /// As much of a finding as most runs need.
  public struct Summary: Sendable, Hashable {
    /// A digest of the recipe, and of the options that decide with it.
    public var recipe: [UInt8]
    /// True if every photo has a reason, and none needs to be reported.
    public var isQuiet: Bool
    public var counts: [Count]
  }

  public struct Count: Sendable, Hashable {
    public var reason: String
    public var photos: Int
  }

  public struct Photo: Sendable, Hashable {
    public var name: FileName
    /// Empty for a photo that every run has to look at.
    public var reason: String
    public var detail: String?
    public var hint: String?
    public var warnings: [String]

    public init(
      name: FileName, reason: String, detail: String? = nil, hint: String? = nil,
      warnings: [String] = []
    ) {
      self.name = name
      self.reason = reason
      self.detail = detail
      self.hint = hint
      self.warnings = warnings
    }
  }
}
