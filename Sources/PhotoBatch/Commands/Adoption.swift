import Notation
import PhotoLibrary
import PhotoRecipes

extension StackState {
  /// Returns the sidecar after each rendition that a user changed by hand has become a separate
  /// edit, on top of the adjustment that rendered it; nil if no rendition was changed.
  ///
  /// - Throws: The error of `check`, which tests whether an edit can start from the file.
  func adopting(
    date: String, _ root: OutputRoot, check: (OpenFile) throws(PhotoFailure) -> Void
  ) throws(PhotoFailure) -> Sidecar? {
    guard var sidecar else { return nil }
    var adjustments: [Adjustment] = []
    var isChanged = false
    for var adjustment in sidecar.adjustments {
      guard adjustment.variant == variant, !adjustment.isForeign else {
        adjustments.append(adjustment)
        continue
      }
      var adopted: [Adjustment] = []
      for rendition in adjustment.renditions {
        // A file that several renditions share becomes one edit.
        let isAdopted = adopted.contains { $0.foreign?.file == rendition.file }
        guard !isAdopted,
          case .others(let path) = root.disk(rendition, adjustment, original, sidecar),
          let file = try? root.files.open(path), let digest = try? Digest(of: file, in: root.files)
        else { continue }
        do throws(PhotoFailure) { try check(file) } catch {
          if error.isCancelled { throw error }
          throw PhotoFailure(
            .modified,
            "'\(path.displayed)' cannot be adopted: \(error.detail ?? error.reason.rawValue)",
            hint: "restore the file, or render it again with --on-modified overwrite")
        }
        let isCurrent = rendition.file == adjustment.current?.file
        let entry = adjustment.adopted(rendition, digest, date: date)
        adopted.insert(entry, at: isCurrent ? adopted.endIndex : adopted.startIndex)
      }
      adjustment.renditions.removeAll { rendition in
        adopted.contains { $0.foreign?.file == rendition.file }
      }
      adjustments += [adjustment] + adopted
      isChanged = isChanged || !adopted.isEmpty
    }
    sidecar.adjustments = adjustments
    return isChanged ? sidecar : nil
  }
}

extension Adjustment {
  /// The edit that records a rendition changed by hand.
  ///
  /// The edit keeps the rendition's original record, so that later scans do not treat the file as a
  /// photo.
  fileprivate func adopted(
    _ rendition: RenditionRecord, _ digest: Digest, date: String
  ) -> Adjustment {
    let current = ForeignRecord.Current(
      file: rendition.file, sha256: "\(digest)", bytes: Int(digest.count))
    let record = ForeignRecord(
      kind: ForeignRecord.adopted, file: rendition.file, sha256: "\(digest)", current: current)
    var entry = Adjustment(
      foreign: record, formatIdentifier: formatIdentifier, formatVersion: formatVersion,
      variant: variant, date: date)
    entry.recipe = .object(["outputs": recipe["outputs"] ?? .array([])])
    entry.renditions = [rendition]
    return entry
  }
}

extension Sidecar {
  /// Returns the sidecar without the newest edit of a stack, if this edit is an adopted rendition:
  /// one that a user changed by hand and that phbatch then recorded as an edit.
  ///
  /// The adjustment that rendered the file lists it again, as a changed rendition. Nil if the
  /// newest edit is something else.
  func withoutAdoption(_ variant: String?) -> Sidecar? {
    guard let (index, entry) = stack(variant).last,
      entry.foreign?.kind == ForeignRecord.adopted
    else { return nil }
    var sidecar = self
    sidecar.adjustments.remove(at: index)
    let maker = sidecar.stack(variant).last {
      !$0.adjustment.isForeign && $0.adjustment.formatIdentifier == entry.formatIdentifier
    }
    guard let maker else {
      sidecar.kept += entry.renditions.map { KeptRendition($0, of: entry) }
      return sidecar
    }
    let outputs = maker.adjustment.recipe["outputs"]?.array?.map { $0["name"]?.string } ?? []
    let renditions = maker.adjustment.renditions + entry.renditions
    sidecar.adjustments[maker.index].renditions = renditions.sorted { first, second in
      outputs.firstIndex(of: first.output) ?? 0 < outputs.firstIndex(of: second.output) ?? 0
    }
    return sidecar
  }
}
