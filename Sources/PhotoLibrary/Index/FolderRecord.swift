public import SystemPackage

/// The two trees of an output root; every path belongs to one of them.
public enum LibraryTree: UInt8, Sendable, Hashable {
  /// The tree of the originals. Without a mirror, the sidecars and renditions are also in this
  /// tree.
  case library
  /// The tree that mirrors the library and contains the sidecars and renditions.
  case mirror
}

public struct FolderKey: Sendable, Hashable {
  public var tree: LibraryTree
  /// The path from the root of its tree.
  public var path: FilePath

  public init(_ tree: LibraryTree, _ path: FilePath) {
    self.tree = tree
    self.path = path
  }
}

/// The results of earlier runs for one folder.
public struct FolderRecord: Sendable, Hashable {
  public var key: FolderKey
  /// The folder's fingerprint; see `ListedFolder.fingerprint`.
  public var fingerprint: [UInt8]
  /// The folders that contain renditions of this folder's photos, or photos whose renditions are in
  /// this folder.
  ///
  /// The record is valid only while these folders are unchanged, too.
  public var links: Set<FolderKey> = []
  /// The findings of earlier runs, the latest first.
  public var findings: [Finding] = []
  public var files: [KnownFile] = []

  public init(key: FolderKey, fingerprint: [UInt8]) {
    self.key = key
    self.fingerprint = fingerprint
  }

  /// A file whose bytes an earlier run has hashed.
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

  /// The decisions of an earlier run about the folder's photos, for one recipe.
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

  /// The part of a finding that most runs need.
  public struct Summary: Sendable, Hashable {
    /// A digest of the recipe and of the options that affect the decision.
    public var recipe: [UInt8]
    /// True if a run can skip the photos of the folder: each has a recorded reason, and none has to
    /// be checked again or reported.
    public var isQuiet: Bool
    public var counts: [Count]
  }

  public struct Count: Sendable, Hashable {
    public var reason: String
    public var photos: Int
  }

  public struct Photo: Sendable, Hashable {
    public var name: FileName
    /// The reason for the decision about the photo; empty if every run has to check the photo.
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
