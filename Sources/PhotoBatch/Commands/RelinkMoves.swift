import PhotoLibrary
import SystemPackage

/// The files that move with moved photos: their old and new paths.
///
/// If two photos exchanged names, a path is both a source and a target.
struct RelinkMoves: Sendable {
  let sources: Set<FilePath>
  let targets: Set<FilePath>
  /// For each photo, the renditions that recipes made of it in the meantime; they are replaced.
  let obsolete: [FilePath: [FilePath: FileIdentity]]

  /// Finds the moves; `lost` maps each photo to the path that it had when its edits were made.
  init(_ lost: [FilePath: FilePath], _ session: LibrarySession) {
    let root = session.root
    func isThere(_ path: FilePath) -> Bool { (try? root.files.status(at: path)) != nil }
    func sidecar(_ photo: FilePath) -> Sidecar? { session.contents.sidecars[photo]?.sidecar }

    let moving = Set(lost.values)
    var obsolete: [FilePath: [FilePath: FileIdentity]] = [:]
    var moves: [FilePath: FilePath] = [:]
    for (photo, old) in lost {
      // Renditions of a sidecar that moves as well move with it.
      obsolete[photo] = moving.contains(photo) ? [:] : root.renditions(of: sidecar(photo), photo)
      guard let sidecar = sidecar(old) else { continue }
      moves[Sidecar.path(of: old)] = Sidecar.path(of: photo)
      for (rendition, adjustment) in sidecar.recordedRenditions {
        let adopted = adjustment.foreign?.current?.file.path(besides: old)
        guard
          let path = adopted ?? adjustment.path(of: rendition, original: old, sidecar.original),
          isThere(path),
          let place = adjustment.templatePath(of: rendition, original: photo, sidecar.original)
        else { continue }
        moves[path] = place
      }
    }
    let givesWay = Set(obsolete.values.flatMap(\.keys))
    // A file whose target stays occupied cannot move, and blocks others in turn.
    while let blocked = moves.first(where: { path, place in
      path != place && moves[place] == nil && !givesWay.contains(place)
        && Sidecar.original(of: place) == nil
        && isThere(place)
    }) {
      moves[blocked.key] = nil
    }
    sources = Set(moves.keys)
    targets = Set(moves.values)
    self.obsolete = obsolete
  }
}

extension OutputRoot {
  /// The recorded renditions that are unchanged since they were written.
  fileprivate func renditions(
    of sidecar: Sidecar?, _ original: FilePath
  ) -> [FilePath: FileIdentity] {
    var renditions: [FilePath: FileIdentity] = [:]
    for adjustment in sidecar?.adjustments ?? [] {
      for rendition in adjustment.renditions {
        guard case .ours(let path, let identity) = disk(rendition, adjustment, original, sidecar)
        else { continue }
        renditions[path] = identity
      }
    }
    return renditions
  }
}

extension Sidecar {
  /// All renditions of the adjustments, and the kept ones.
  fileprivate var recordedRenditions: [(RenditionRecord, Adjustment)] {
    adjustments.flatMap { adjustment in adjustment.renditions.map { ($0, adjustment) } }
      + kept.map { ($0.rendition, $0.adjustment) }
  }
}
