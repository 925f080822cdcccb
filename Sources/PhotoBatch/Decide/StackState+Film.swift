import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension StackState {
  /// The foreign or adopted image whose film an edit uses that starts from `base`; nil if the edit
  /// uses the film of the original.
  func image(under base: Adjustment.Base) -> ForeignRecord? {
    let recorded = [librarySidecar, sidecar].compactMap(\.self).flatMap(\.adjustments)
    return (recorded + foundForeign).image(under: base)
  }

  /// The foreign or adopted image whose film the layer at index `place` of an edit uses; nil if the
  /// layer uses the film of the original.
  func image(below place: Int, in edit: Edit) -> ForeignRecord? {
    for layer in edit.layers[..<place].reversed() {
      let base: Adjustment.Base?
      switch layer {
      case .kept(let depth): base = stack[depth].adjustment.currentBase
      case .refreshed(let depth): base = refreshed(stack[depth].adjustment).currentBase
      case .foreign(let index): base = newForeign[index].currentBase
      // A rendered layer edits the film of the layer below it.
      case .replayed, .recipe: continue
      }
      return image(under: base ?? .original)
    }
    return image(under: edit.start)
  }

  /// The film of a Live Photo: the film beside a foreign or adopted image, or, if `image` is nil, the
  /// film of the original.
  func film(of asset: Asset, beside image: ForeignRecord?) throws(PhotoFailure) -> PairedFilms.Found
  {
    guard let image, let path = image.current?.file.path(besides: original) else {
      return try context.film(of: asset)
    }
    return try PhotoFailure.attempt {
      try PairedFilms(in: context.root.files(of: image)).film(beside: path)
    }
  }

  /// The digest of a film that is beside `image`, or that belongs to the original.
  func digest(
    ofFilm path: FilePath, beside image: ForeignRecord?
  ) throws(PhotoFailure) -> String {
    let digest = try PhotoFailure.attempt {
      guard let image else {
        return try context.digests.digest(at: path, .library, in: context.root.library)
      }
      return try context.digests.digest(
        at: path, context.root.tree(of: image), in: context.root.files(of: image))
    }
    return "\(digest)"
  }

  /// The digest of the film that an edit of a Live Photo uses; nil if there is none, or if the
  /// recipe keeps no film.
  ///
  /// Where no program renders films, it is the digest that `old`, the recorded adjustment, has, so
  /// that renditions with a film stay up to date, and renditions without one are rendered again when
  /// there is such a program.
  ///
  /// - Throws: If `old` has a rendition of the film and the film is missing. The rendition would be
  ///   lost.
  func filmDigest(
    of asset: Asset, beside image: ForeignRecord?, for recipe: Recipe, after old: Adjustment?
  ) throws(PhotoFailure) -> String? {
    guard recipe.outputs.contains(where: recipe.keepsFilm) else { return nil }
    let recorded = old?.files[PairedFilm.source]
    // If the image is missing, the run reports this instead.
    if !context.rendersFilms || state(of: image) == .missing { return recorded }
    let found = try film(of: asset, beside: image)
    if let path = found.path { return try digest(ofFilm: path, beside: image) }
    // Another image may have no film; then the edit has none either.
    guard let old, recorded != nil, old.hasFilm,
      self.image(under: old.base)?.current?.file == image?.current?.file
    else { return nil }
    let fault =
      if case .other(let path) = found {
        "'\(path.displayed)' is damaged, or the film of another photo"
      } else {
        "the film of \(image?.current.map { "'\($0.file.displayed)'" } ?? "this Live Photo") is missing"
      }
    throw PhotoFailure(
      .baseMissing, "\(fault); its renditions were kept",
      hint: "put the film back, or use \"live\": \"still\" to give up its renditions")
  }
}

extension [Adjustment] {
  /// The newest record of the foreign or adopted image below an edit that starts from `base`,
  /// directly or below other edits; nil if the edit was made from the original.
  ///
  /// The record with the name and SHA-256 of `base` wins over records of other bytes: the library and
  /// an output folder may have different images of the same name.
  func image(under base: Adjustment.Base) -> ForeignRecord? {
    var base = base
    // The number of steps is limited, because edits of a damaged sidecar may start from each other.
    for _ in self {
      guard case .rendition(let name, let sha256) = base else { return nil }
      // Without such a record, the file has changed since the edit was made.
      let maker =
        last { $0.hasImage(name) { $0 == sha256 } } ?? last { $0.hasImage(name) { _ in true } }
      guard let maker else { return nil }
      if let foreign = maker.foreign { return foreign }
      base = maker.base
    }
    return nil
  }
}

extension Adjustment {
  /// True if the adjustment records an image with this name and with a SHA-256 for which `matches`
  /// returns true.
  fileprivate func hasImage(_ name: RecordedName, _ matches: (String) -> Bool) -> Bool {
    if let foreign {
      return foreign.current.map { $0.file == name && matches($0.sha256) } ?? false
    }
    return renditions.contains { $0.file == name && matches($0.sha256) }
  }
}

extension OutputRoot {
  /// The tree of a foreign or adopted image; images of other programs are in the library.
  func tree(of image: ForeignRecord) -> LibraryTree {
    image.kind == ForeignRecord.adopted ? renditionTree : .library
  }

  /// The file system of a foreign or adopted image.
  func files(of image: ForeignRecord) -> RealFileSystem {
    tree(of: image) == .library ? library : files
  }
}
