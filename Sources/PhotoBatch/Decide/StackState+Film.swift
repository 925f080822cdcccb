import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension StackState {
  /// The image, made by no recipe, of which an edit that starts from `base` edits the film; nil if it
  /// is the film of the original.
  func image(under base: Adjustment.Base) -> ForeignRecord? {
    let recorded = [librarySidecar, sidecar].compactMap(\.self).flatMap(\.adjustments)
    return (recorded + foundForeign).image(under: base)
  }

  /// The image, made by no recipe, of which the layer at index `place` of an edit edits the film; nil
  /// if it is the film of the original.
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

  /// The film of a Live Photo: the one beside an image that no recipe made, or, if `image` is nil, the
  /// one of the original.
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

  /// The digest of the film that an edit of a Live Photo edits; nil if there is none, or if the
  /// recipe keeps no film.
  ///
  /// Where no program renders films, it is the digest that `old`, the recorded adjustment, has, so
  /// that renditions with a film stay up to date, and renditions without one are rendered again when
  /// there is such a program.
  ///
  /// - Throws: If the film is missing of which `old` has a rendition. That rendition would be lost.
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
  /// The newest record of the image, made by no recipe, from which an edit that starts from `base`
  /// was made, directly or over other edits; nil if it was made from the original.
  func image(under base: Adjustment.Base) -> ForeignRecord? {
    var base = base
    // The number of steps is limited, because edits of a damaged sidecar may start from each other.
    for _ in self {
      guard let name = base.file else { return nil }
      let maker = last { adjustment in
        if let foreign = adjustment.foreign { return foreign.current?.file == name }
        return adjustment.renditions.contains { $0.file == name }
      }
      guard let maker else { return nil }
      if let foreign = maker.foreign { return foreign }
      base = maker.base
    }
    return nil
  }
}

extension OutputRoot {
  /// The tree of an image that no recipe made; images of other programs are in the library.
  func tree(of image: ForeignRecord) -> LibraryTree {
    image.kind == ForeignRecord.adopted ? renditionTree : .library
  }

  /// The file system of an image that no recipe made.
  func files(of image: ForeignRecord) -> RealFileSystem {
    tree(of: image) == .library ? library : files
  }
}
