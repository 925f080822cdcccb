import PhotoImport
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The edits that other programs left beside a photo, as adjustments for the photo's sidecar.
struct ForeignEdits {
  /// The edits: first edits that have only settings, then edits that have an edited image; each
  /// group is sorted by file name.
  ///
  /// phbatch's next edit starts from the image of the last entry.
  private(set) var edits: [Adjustment] = []
  /// The warnings about unreadable files.
  private(set) var warnings: [String] = []
  /// The unreadable files, whose edits are in an unknown state.
  private var unreadable: Set<RecordedName> = []

  /// Reads the files that other programs left beside a photo; `date` becomes the date of the
  /// adjustments.
  ///
  /// - Throws: `PhotoFailure` if an edited image cannot be read, or if the file with the edit's
  ///   settings cannot be read although its edited image exists.
  init(
    of asset: Asset, in contents: LibraryContents, _ library: RealFileSystem,
    _ digests: KnownDigests, date: String
  ) throws(PhotoFailure) {
    for file in contents.foreignFiles(of: asset, library) {
      switch file {
      case .companion: break
      case .unreadable(let path, let error):
        unreadable.insert(RecordedName(path, besides: asset.path))
        warnings.append("'\(path.displayed)' was ignored: \(error.message)")
      case .unreadableAdjustment(let path, let error, let current):
        throw PhotoFailure(
          .unreadable,
          "'\(path.displayed)', whose image is '\(current.displayed)': \(error.message)",
          hint: "repair it, or move one of the two files away")
      case .edit(let edit):
        if let flaw = edit.flaw {
          let name = edit.file.displayed
          warnings.append("the settings in '\(name)' cannot be read: \(flaw.message)")
        }
        let current = try PhotoFailure.attempt {
          try edit.current.map { try digests.digest(at: $0, .library, in: library) }
        }
        edits.append(edit.adjustment(besides: asset.path, current: current, date: date))
      }
    }
    edits = edits.filter { $0.currentBase == nil } + edits.filter { $0.currentBase != nil }
  }

  /// The edits whose current state is not yet recorded in a stack.
  func unrecorded(in stack: [Adjustment]) -> [Adjustment] {
    edits.filter { found in
      guard let foreign = found.foreign, let last = stack.entry(of: foreign) else { return true }
      return !last.isSame(as: foreign)
    }
  }

  /// Compares the file of another program, which an adjustment of the stack records, with its
  /// record.
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

/// The state of another program's file, compared with its record.
enum ForeignFileState: Sendable, Hashable {
  case recorded
  /// The settings, or the edited image beside them, differ from the record; a run treats them as a
  /// new edit.
  case changed
  case gone
}

extension [Adjustment] {
  /// The newest record, in this stack, of the file that `foreign` names.
  fileprivate func entry(of foreign: ForeignRecord) -> ForeignRecord? {
    last { $0.foreign?.file == foreign.file }?.foreign
  }
}

extension ForeignRecord {
  /// True if the settings and the image are the same.
  fileprivate func isSame(as other: ForeignRecord) -> Bool {
    let hasSameSettings = settingsSHA256 != nil && settingsSHA256 == other.settingsSHA256
    return (sha256 == other.sha256 || hasSameSettings) && current?.file == other.current?.file
      && current?.sha256 == other.current?.sha256
  }
}
