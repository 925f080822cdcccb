import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Moves the sidecar and the renditions of one photo to the photo's new location.
struct PhotoRelink {
  let context: EditContext
  let asset: Asset
  /// The original's previous path.
  let old: FilePath
  /// True if the user moved the photo's sidecar together with the photo.
  var isCarried = false
  /// The moves of all photos of this command.
  let moves: RelinkMoves

  /// The results collected while files are moved.
  private struct Moving {
    var publications: [Publication<OpenFile>] = []
    var staged: [StagedFile<OpenFile>] = []
    /// The new names of renditions and of other programs' images, by their old names.
    var names: [RecordedName: RecordedName] = [:]
    var warnings: [String] = []
    /// The renditions that recipes made at the new paths after the photo moved; they are replaced.
    var obsolete: [FilePath: FileIdentity] = [:]
  }

  func prepare() throws(PhotoFailure) -> PreparedEdit {
    var moving = Moving()
    do throws(PhotoFailure) { return try prepare(&moving) } catch {
      context.discard(moving.staged)
      throw error
    }
  }

  private func prepare(_ moving: inout Moving) throws(PhotoFailure) -> PreparedEdit {
    let place = isCarried ? asset.path : old
    guard case .usable(let before, let identity)? = context.contents.sidecars[place] else {
      throw PhotoFailure(.corruptSidecar, "the sidecar of '\(old.displayed)' cannot be used")
    }
    var sidecar = before
    sidecar.original.file = RecordedName(bytes: Array(asset.file.name.bytes))
    let present = try context.contents.usableSidecar(of: asset)
    moving.obsolete = moves.obsolete[asset.path] ?? [:]
    let foreign = foreignEdits
    for (index, adjustment) in before.adjustments.enumerated() {
      sidecar.adjustments[index] =
        switch adjustment.foreign?.kind {
        case nil: try moved(adjustment, before, &moving)
        case ForeignRecord.adopted?: try movedByHand(adjustment, before, &moving)
        case .some: renamed(adjustment, foreign, &moving)
        }
    }
    for (index, kept) in before.kept.enumerated() {
      guard
        let path = context.root.disk(kept.rendition, kept.adjustment, old, before).pathOfOtherBytes,
        let record = try moveChanged(
          kept.rendition, kept.adjustment, before, from: path, &moving)
      else { continue }
      sidecar.kept[index].rendition = record
    }
    // Adjustments record their base by name. They get the new names after all files have moved,
    // because an adjustment may precede the adjustment from whose rendition it starts.
    for (index, adjustment) in before.adjustments.enumerated() {
      if case .rendition(let name, let sha256) = adjustment.base, let new = moving.names[name] {
        sidecar.adjustments[index].base = .rendition(new, sha256: sha256)
      }
    }
    for (path, identity) in moving.obsolete {
      moving.publications.append(
        Publication(path, nil, expected: .identity(identity), keepsDisplaced: true))
    }
    if !isCarried && !moves.targets.contains(Sidecar.path(of: old)) {
      moving.publications.append(
        Publication(Sidecar.path(of: old), nil, expected: .identity(identity)))
    }
    var outcome = AssetOutcome(
      asset.path, .upToDate,
      "now has the edits of '\(old.displayed)', which is"
        + " \(moves.reoccupied.contains(old) ? "another photo" : "missing")"
    )
    outcome.warnings = moving.warnings
    let commit = SidecarCommit(context: context, original: asset.path)
    let publication = try commit.publication(
      of: sidecar, replacing: present?.1, &outcome.warnings)
    return PreparedEdit(
      group: PublicationGroup(renditions: moving.publications, sidecar: publication),
      outcome: outcome)
  }

  /// Moves the renditions of an adjustment that phbatch made, and returns the adjustment with their
  /// new names.
  ///
  /// Missing renditions get new names too; the next run renders them.
  private func moved(
    _ adjustment: Adjustment, _ sidecar: Sidecar, _ moving: inout Moving
  ) throws(PhotoFailure) -> Adjustment {
    var moved = adjustment
    moved.renditions = []
    for rendition in adjustment.renditions {
      // A file that several renditions share moves once.
      if let place = place(of: rendition, adjustment, sidecar),
        moving.names[rendition.file] == RecordedName(place, besides: asset.path)
      {
        moved.renditions.append(rendition.renamed(place, asset))
        continue
      }
      switch context.root.disk(rendition, adjustment, old, sidecar) {
      case .absent:
        // The rendition is recorded at its new path although its file is missing; the next run
        // renders it.
        moved.renditions.append(rendition.renamed(place(of: rendition, adjustment, sidecar), asset))
      case .superseded(let path, _), .others(let path):
        let record = try moveChanged(rendition, adjustment, sidecar, from: path, &moving)
        moved.renditions.append(
          record ?? rendition.renamed(place(of: rendition, adjustment, sidecar), asset))
      case .ours(let path, let identity):
        if let record = try move(rendition, adjustment, sidecar, from: path, identity, &moving) {
          moved.renditions.append(record)
        }
      }
    }
    return moved
  }

  /// Moves a rendition that a user changed by hand, with its changed bytes.
  ///
  /// Returns the record with the new name; nil if the rendition was not moved.
  private func moveChanged(
    _ rendition: RenditionRecord, _ adjustment: Adjustment, _ sidecar: Sidecar,
    from path: FilePath, _ moving: inout Moving
  ) throws(PhotoFailure) -> RenditionRecord? {
    let files = context.root.files
    guard let found = try PhotoFailure.attempt({ try files.status(at: path) }),
      found.kind == .regular
    else {
      moving.warnings.append("'\(path.displayed)' is no longer a file, and was not moved")
      return nil
    }
    return try move(rendition, adjustment, sidecar, from: path, found.identity, &moving)
  }

  /// Moves the file of an adopted rendition, and returns the adjustment with its new name.
  private func movedByHand(
    _ adjustment: Adjustment, _ sidecar: Sidecar, _ moving: inout Moving
  ) throws(PhotoFailure) -> Adjustment {
    let files = context.root.files
    guard let rendition = adjustment.renditions.first, let current = adjustment.foreign?.current,
      let path = current.file.path(besides: old),
      let digest = Digest(hexadecimal: current.sha256, count: Int64(current.bytes)),
      let found = try PhotoFailure.attempt({ try files.status(at: path) }), found.kind == .regular,
      try PhotoFailure.attempt({ try Digest(of: files.open(path), in: files) }) == digest,
      let record = try move(
        rendition, adjustment, sidecar, from: path, found.identity, &moving)
    else { return adjustment }
    var moved = adjustment
    moved.renditions = [record]
    moved.foreign?.file = record.file
    moved.foreign?.current?.file = record.file
    return moved
  }

  /// Returns another program's edit with the new names of its files.
  ///
  /// The file of settings is found beside the photo by its digest.
  private func renamed(
    _ adjustment: Adjustment, _ found: [ForeignEdit], _ moving: inout Moving
  ) -> Adjustment {
    guard let record = adjustment.foreign,
      let edit = found.first(where: { "\($0.digest)" == record.sha256 })
    else { return adjustment }
    var renamed = adjustment
    renamed.foreign?.file = RecordedName(edit.file, besides: asset.path)
    if let old = record.current?.file, let current = edit.current {
      let name = RecordedName(current, besides: asset.path)
      renamed.foreign?.current?.file = name
      moving.names[old] = name
    }
    return renamed
  }

  private var foreignEdits: [ForeignEdit] {
    context.contents.foreignFiles(of: asset, context.root.library).compactMap {
      if case .edit(let edit) = $0 { edit } else { nil }
    }
  }

  /// Moves a rendition's file to the path that the recorded template gives for the photo's new
  /// name.
  ///
  /// Returns nil if a file that does not move occupies that path.
  private func move(
    _ rendition: RenditionRecord, _ adjustment: Adjustment, _ sidecar: Sidecar,
    from path: FilePath, _ identity: FileIdentity, _ moving: inout Moving
  ) throws(PhotoFailure) -> RenditionRecord? {
    guard let place = place(of: rendition, adjustment, sidecar) else { return nil }
    let moved = rendition.renamed(place, asset)
    let files = context.root.files
    let obsolete = moving.obsolete.removeValue(forKey: place)
    if place != path {
      let present = try PhotoFailure.attempt { try files.status(at: place) }?.identity
      // A file of another moved photo may occupy the path. The same commit copies that file to its
      // own new path, so it can be replaced.
      let displaced = obsolete ?? (moves.sources.contains(place) ? present : nil)
      guard present == nil || displaced != nil else {
        moving.warnings.append("'\(path.displayed)' was not moved: '\(place.displayed)' exists")
        return nil
      }
      let copy = try PhotoFailure.attempt {
        try context.publisher.stage(in: place.removingLastComponent())
      }
      moving.staged.append(copy)
      try PhotoFailure.attempt { try files.copy(files.open(path), to: copy.file) }
      moving.publications.append(
        Publication(
          place, copy, expected: displaced.map(ExpectedFile.identity) ?? .absent,
          keepsDisplaced: displaced != nil))
      if !moves.targets.contains(path) {
        // If the displaced file has the same bytes, it stays and is no part of the change, so that
        // `undo` finds these bytes only in the trash.
        moving.publications.append(
          Publication(
            path, nil, expected: .identity(identity), keepsDisplaced: displaced != nil))
      }
    }
    moving.names[rendition.file] = moved.file
    return moved
  }

  private func place(
    of rendition: RenditionRecord, _ adjustment: Adjustment, _ sidecar: Sidecar
  ) -> FilePath? {
    adjustment.templatePath(of: rendition, original: asset.path, sidecar.original)
  }
}

extension RenditionRecord {
  /// The record with a new path; unchanged if `place` is nil.
  fileprivate func renamed(_ place: FilePath?, _ asset: Asset) -> RenditionRecord {
    var renamed = self
    if let place { renamed.file = RecordedName(place, besides: asset.path) }
    return renamed
  }
}
