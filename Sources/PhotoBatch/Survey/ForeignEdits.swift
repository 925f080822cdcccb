import PhotoImport
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The edits by other programs that lie beside a photo, as the entries that they would have.
struct ForeignEdits {
  /// Oldest first: those with an image, which the next edit starts from, come last.
  private(set) var edits: [Adjustment] = []
  /// What could not be read.
  private(set) var warnings: [String] = []
  /// The files that could not be read: nobody knows what became of the edits in them.
  private var unreadable: Set<RecordedName> = []

  /// Reads what lies beside a photo; `date` is that of the entries.
  ///
  /// - Throws: What keeps the image of an edit from being read.
  init(
    of asset: Asset, in contents: LibraryContents, _ library: RealFileSystem,
    _ digests: KnownDigests, date: String
  ) throws(PhotoFailure) {
    for file in contents.foreignFiles(of: asset, library) {
      switch file {
      case .companion: break
      case .unreadable(let path, let error):
        unreadable.insert(RecordedName(path, besides: asset.path))
        warnings.append("'\(path.displayed)' was passed over: \(error.message)")
      case .unreadableAdjustment(let path, let error, let current):
        throw PhotoFailure(
          .unreadable,
          "'\(path.displayed)', whose image is '\(current.displayed)': \(error.message)",
          hint: "mend it, or move one of the two away")
      case .edit(let edit):
        if let flaw = edit.flaw {
          let name = edit.file.displayed
          warnings.append("the settings in '\(name)' are illegible: \(flaw.message)")
        }
        let current = try PhotoFailure.attempt {
          try edit.current.map { try digests.digest(at: $0, .library, in: library) }
        }
        edits.append(edit.adjustment(besides: asset.path, current: current, date: date))
      }
    }
    edits = edits.filter { $0.currentBase == nil } + edits.filter { $0.currentBase != nil }
  }

  /// Those that no entry of a stack records as they are.
  func unrecorded(in stack: [Adjustment]) -> [Adjustment] {
    edits.filter { found in
      guard let foreign = found.foreign, let last = stack.entry(of: foreign) else { return true }
      return !last.isSame(as: foreign)
    }
  }

  /// What became of the file that an entry of a stack names.
  func state(of entry: Adjustment, in stack: [Adjustment]) -> ForeignFileState {
    guard let foreign = entry.foreign, foreign.kind != ForeignRecord.adopted,
      !unreadable.contains(foreign.file), stack.entry(of: foreign) == foreign
    else { return .recorded }
    guard let found = edits.compactMap(\.foreign).first(where: { $0.file == foreign.file }) else {
      return .gone
    }
    return foreign.isSame(as: found) ? .recorded : .changed
  }
}

/// What became of the file of another program's edit since it was recorded.
enum ForeignFileState: Sendable, Hashable {
  case recorded
  /// It, or the image beside it, has other bytes: it is found anew.
  case changed
  case gone
}

extension [Adjustment] {
  /// The newest record of the file that an edit by another program is in.
  fileprivate func entry(of foreign: ForeignRecord) -> ForeignRecord? {
    last { $0.foreign?.file == foreign.file }?.foreign
  }
}

extension ForeignRecord {
  /// Whether the settings and the image are the same.
  fileprivate func isSame(as other: ForeignRecord) -> Bool {
    let hasSameSettings = settingsSHA256 != nil && settingsSHA256 == other.settingsSHA256
    return (sha256 == other.sha256 || hasSameSettings) && current?.file == other.current?.file
      && current?.sha256 == other.current?.sha256
  }
}
