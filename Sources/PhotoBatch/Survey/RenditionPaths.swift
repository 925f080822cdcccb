import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Computes the paths of a recipe's renditions from the path templates of its outputs.
///
/// The templates are parsed once. This type creates every path that a recipe gives to a rendition.
struct RenditionPaths: Sendable {
  private struct Place {
    let output: Output
    let template: PathTemplate
    /// True if the path depends on neither the finished rendition nor the photo's header.
    let isKnownBefore: Bool
    let keepsFilm: Bool
  }

  private let recipe: String
  private let variant: String?
  /// The path templates, in the order of the recipe's outputs.
  private let places: [Result<Place, PathTemplateError>]
  /// The index of each output in `places`, by its name.
  private let indices: [String: Int]

  init(of recipe: Recipe) {
    self.recipe = recipe.shortName
    variant = recipe.variant
    places = recipe.outputs.map { output in
      do throws(PathTemplateError) {
        let template = try PathTemplate(output.path)
        let isKnown = template.isStatic && !template.usesDate
        return .success(
          Place(
            output: output, template: template, isKnownBefore: isKnown,
            keepsFilm: recipe.keepsFilm(output)))
      } catch { return .failure(error) }
    }
    indices = Dictionary(recipe.outputs.indices.map { (recipe.outputs[$0].name, $0) }) {
      first, _ in first
    }
  }

  /// The paths of an original's renditions that are known before rendering, relative to the output
  /// root.
  ///
  /// With `certain`, outputs that are left out for small photos are not included. Invalid paths are
  /// not included either; the run reports them when it renders the photo.
  func known(of original: FilePath, certain: Bool = false) -> [FilePath] {
    places.compactMap { place in
      guard let place = try? place.get(), place.isKnownBefore,
        !certain || place.output.minWidth == nil
      else { return nil }
      return try? place.template.path(values(place.output, original, CivilTime(nanoseconds: 0)))
    }
  }

  /// The paths of the films that the renditions of a Live Photo may get, if they are known before
  /// rendering.
  ///
  /// With `certain`, outputs that are left out for small photos are not included.
  func films(of original: FilePath, certain: Bool = false) -> [FilePath] {
    places.compactMap { place in
      guard let place = try? place.get(), place.isKnownBefore, place.keepsFilm,
        !certain || place.output.minWidth == nil
      else { return nil }
      var values = values(place.output, original, CivilTime(nanoseconds: 0))
      values.isFilm = true
      return try? place.template.path(values)
    }
  }

  /// A rendition to be written.
  struct Planned {
    /// The name of the output, or of the film that belongs to it.
    let name: String
    let output: Output
    /// The path below the output root; nil if it depends on the finished rendition, or on the
    /// capture date if that is not known.
    let path: FilePath?
  }

  /// Each output, followed by its film if `hasFilm` is true and the output keeps it; `date` is the
  /// capture date, nil if it is not known.
  func planned(of original: FilePath, date: CivilTime?, hasFilm: Bool) -> [Planned] {
    places.compactMap { try? $0.get() }.flatMap { place -> [Planned] in
      let isKnown = place.isKnownBefore || (place.template.isStatic && date != nil)
      var values = values(place.output, original, date ?? CivilTime(nanoseconds: 0))
      func planned(_ name: String) -> Planned {
        Planned(
          name: name, output: place.output, path: isKnown ? try? place.template.path(values) : nil)
      }
      let photo = planned(place.output.name)
      guard hasFilm && place.keepsFilm else { return [photo] }
      values.isFilm = true
      return [photo, planned(PairedFilm.name(of: place.output.name))]
    }
  }

  /// The path, below the output root, of a finished rendition, or of the film that belongs to it.
  ///
  /// `size` and `digest` are those of the rendition of the photo; `date` is the capture date.
  func path(
    of output: Output, _ original: FilePath, size: Size, _ digest: Digest, date: CivilTime,
    isFilm: Bool = false
  ) throws(PhotoFailure) -> FilePath {
    do throws(PathTemplateError) {
      var values = values(output, original, date)
      (values.width, values.height, values.digest) = (size.width, size.height, digest)
      values.isFilm = isFilm
      guard let index = indices[output.name] else {
        preconditionFailure("the recipe has no output '\(output.name)'")
      }
      return try places[index].get().template.path(values)
    } catch {
      let reason = if case .nameTooLong = error { Reason.nameTooLong } else { Reason.collision }
      throw PhotoFailure(reason, error.message, hint: error.hint)
    }
  }

  /// True if the paths of an output's renditions contain a digest of the rendition.
  func areNamedByContent(_ output: Output) -> Bool {
    indices[output.name].map { (try? places[$0].get())?.template.usesDigest ?? false } ?? false
  }

  /// The folders, other than the originals' own, into which renditions of these originals are
  /// written; their paths are relative to the output root.
  ///
  /// Nil if these folders are not known before rendering, or if renditions of photos in different
  /// folders may have the same path.
  func otherFolders(of originals: [FilePath]) -> Set<FilePath>? {
    let leaving = places.compactMap { try? $0.get() }.filter { !$0.template.staysInFolder }
    guard let place = leaving.first else { return [] }
    guard leaving.count == 1, !place.template.startsAtRoot || place.template.usesFolder,
      place.isKnownBefore
    else { return nil }
    let paths = originals.compactMap { original in
      try? place.template.path(values(place.output, original, CivilTime(nanoseconds: 0)))
    }
    return Set(paths.map { $0.removingLastComponent() })
  }

  /// True if renditions of photos in different folders may have the same path, or may be in a folder
  /// that is not known before rendering.
  var mayMeet: Bool { otherFolders(of: []) == nil }

  /// True if all renditions are in the folders of their photos.
  var stayInFolder: Bool { leaving.isEmpty }

  /// True if the folders of all renditions are known before rendering: they do not depend on the
  /// finished rendition or the photo's header.
  var knowsFolders: Bool {
    let original = FilePath("folder/photo.jpg")
    return leaving.allSatisfy { place in
      let folders = [1, 2].map { number in
        folder(place, original) { values in
          values.date = CivilTime(
            year: 2000 + number, month: number, day: number, hour: number, minute: number,
            second: number)
          (values.width, values.height) = (number, number)
          values.digest = Digest(of: [UInt8(number)])
        }
      }
      return folders[0] != nil && folders[0] == folders[1]
    }
  }

  /// The folders of an original's renditions, and of their films, that are not in the folder of each
  /// original.
  ///
  /// Only for a recipe whose folders are known before rendering.
  func folders(of original: FilePath) -> Set<FilePath> {
    Set(
      leaving.flatMap { place in
        (place.keepsFilm ? [false, true] : [false]).compactMap { isFilm in
          folder(place, original) { $0.isFilm = isFilm }
        }
      })
  }

  /// The folder of a rendition with values that `change` sets; nil if its path is invalid.
  private func folder(
    _ place: Place, _ original: FilePath, _ change: (inout PathValues) -> Void
  ) -> FilePath? {
    var values = values(place.output, original, CivilTime(nanoseconds: 0))
    (values.width, values.height, values.digest) = (1, 1, Digest(of: []))
    change(&values)
    return (try? place.template.path(values))?.removingLastComponent()
  }

  private var leaving: [Place] {
    places.compactMap { try? $0.get() }.filter { !$0.template.staysInFolder }
  }

  private func values(_ output: Output, _ original: FilePath, _ date: CivilTime) -> PathValues {
    PathValues(
      original: original, extension: type(of: output.format).fileExtension, output: output.name,
      recipe: recipe, variant: variant, date: date)
  }
}
