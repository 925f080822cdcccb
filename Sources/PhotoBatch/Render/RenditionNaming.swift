import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Gives rendered files the names that their outputs' templates say.
struct RenditionNaming {
  let context: EditContext
  let asset: Asset
  let recipe: Recipe
  /// `yyyy-MM-ddTHH:mm:ss`.
  let captureDate: String

  /// Names the files, whose paths become the photo's own.
  ///
  /// `taken` has the paths of what was rendered in the same transaction before.
  func finish(
    _ made: JobRenderer.Rendered, taken: inout Set<FilePath>
  ) throws(PhotoFailure) -> [FinishedRendition] {
    var finished: [FinishedRendition] = []
    for (output, facts, staged) in made.files {
      let digest = try PhotoFailure.attempt { try Digest(of: staged.file, in: context.root.files) }
      let path = try path(of: output, facts.size, digest)
      if !taken.insert(path).inserted {
        throw PhotoFailure(
          .collision, "two outputs would be written to '\(path.displayed)'",
          hint: "put {output} or {recipe} into their paths")
      }
      try claim(path)
      let record = RenditionRecord(
        output: output.name, file: RecordedName(path, besides: asset.path),
        bytes: Int(digest.count), sha256: "\(digest)", width: facts.size.width,
        height: facts.size.height, isCurrent: output.isCurrent)
      finished.append(
        FinishedRendition(
          record: record, path: path, digest: digest, staged: staged, facts: facts))
    }
    return finished
  }

  private func path(
    of output: Output, _ size: Size, _ digest: Digest
  ) throws(PhotoFailure) -> FilePath {
    var values = PathValues(
      original: asset.path, extension: type(of: output.format).fileExtension, output: output.name,
      recipe: recipe.shortName, variant: recipe.variant,
      date: CivilTime(captureDate)
        ?? CivilTime(nanoseconds: asset.file.status.identity.modified))
    values.width = size.width
    values.height = size.height
    values.digest = digest
    do throws(PathTemplateError) {
      return try PathTemplate(output.path).path(values)
    } catch {
      throw PhotoFailure(error.reason, error.message, hint: error.hint)
    }
  }

  /// Makes a path the photo's own.
  func claim(_ path: FilePath) throws(PhotoFailure) {
    do throws(PathLedger.Refusal) { try context.ledger.claim(path, for: asset.path) } catch {
      let hint =
        "put {name} into the output's path, list the other recipe under 'handles', or use --previous replace"
      switch error {
      case .original:
        throw PhotoFailure(
          .collision, "'\(path.displayed)' is an original",
          hint: "put {name} or {recipe} into the output's path, or move that file away")
      case .owned(let owner):
        throw PhotoFailure(
          .collision, "'\(path.displayed)' belongs to '\(owner.displayed)'", hint: hint)
      case .wanted(let other):
        throw PhotoFailure(
          .collision,
          "'\(path.displayed)' would be a rendition of '\(other.displayed)' as well",
          hint: "put {name} into the output's path")
      }
    }
  }
}

extension PathTemplateError {
  var reason: Reason {
    if case .nameTooLong = self { .nameTooLong } else { .collision }
  }
}
