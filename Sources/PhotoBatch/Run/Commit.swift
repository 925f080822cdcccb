import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// Gives the renditions of one photo their names, and records them in the sidecar.
struct Commit {
  let context: BatchContext
  let asset: Asset
  let job: RenderJob
  let summary: PhotoSummary
  let sizes: [RenditionSize]
  let staged: [StagedFile<OpenFile>]
  let libvips: String

  /// Why nothing was published.
  struct Refusal: Error {
    var reason: Reason
    var detail: String
    var hint: String
  }

  private typealias Files = RealFileSystem

  /// A finished rendition with the name it is to have.
  private struct Finished {
    let record: RenditionRecord
    let path: FilePath
    let digest: Digest
    let staged: StagedFile<OpenFile>
  }

  /// Publishes renditions first, then the sidecar; what would not change is not rewritten.
  func publish() throws -> AssetOutcome {
    let finished = try finishedRenditions()
    var group = PublicationGroup<OpenFile>(renditions: [])
    var kept: [String] = []
    let known = recordedFiles()
    for rendition in finished {
      if let publication = try publication(of: rendition, known[rendition.path]) {
        group.renditions.append(publication)
      } else {
        try context.publisher.discard(rendition.staged)
      }
    }
    let newPaths = Set(finished.map(\.path))
    for (path, state) in known where !newPaths.contains(path) {
      switch state {
      case .ours(_, let identity):
        group.renditions.append(Publication(path, nil, expected: .identity(identity)))
      case .others:
        kept.append("'\(path.displayed)' is no longer made but was changed: it was kept")
      case .absent: break
      }
    }
    try addSidecar(to: &group, finished.map(\.record))
    if !group.renditions.isEmpty || group.sidecar != nil { try context.publisher.publish(group) }
    var outcome = AssetOutcome(asset.path, .rendered)
    outcome.warnings = kept
    outcome.renditions = zip(finished, sizes).map { rendition, size in
      AssetOutcome.Rendition(
        output: rendition.record.output, path: rendition.path, size: size.size,
        bytes: rendition.record.bytes)
    }
    return outcome
  }

  private func finishedRenditions() throws -> [Finished] {
    var finished: [Finished] = []
    for ((output, size), staged) in zip(zip(job.recipe.outputs, sizes), staged) {
      let digest = try Digest(of: staged.file, in: context.root.files)
      let path = try path(of: output, size.size, digest)
      if finished.contains(where: { $0.path == path }) {
        throw Refusal(
          reason: .collision, detail: "two outputs would be written to '\(path.displayed)'",
          hint: "put {output} into their paths")
      }
      try claim(path)
      let record = RenditionRecord(
        output: output.name, file: RecordedName(path, besides: asset.path),
        bytes: Int(digest.count),
        sha256: "\(digest)", width: size.size.width, height: size.size.height,
        isCurrent: output.isCurrent)
      finished.append(Finished(record: record, path: path, digest: digest, staged: staged))
    }
    return finished
  }

  private func path(of output: Output, _ size: Size, _ digest: Digest) throws -> FilePath {
    var values = context.pathValues(of: output, job.recipe, asset, date: captureDate)
    values.width = size.width
    values.height = size.height
    values.digest = digest
    do throws(PathTemplateError) {
      return try PathTemplate(output.path).path(values)
    } catch {
      throw Refusal(reason: error.reason, detail: error.message, hint: error.hint)
    }
  }

  private func claim(_ path: FilePath) throws {
    do throws(PathLedger.Refusal) { try context.ledger.claim(path, for: asset.path) } catch {
      let hint =
        "put {name} into the output's path, list the other recipe under 'handles', or use --previous replace"
      switch error {
      case .original:
        throw Refusal(
          reason: .collision, detail: "'\(path.displayed)' is an original",
          hint: "put {name} or {recipe} into the output's path, or move that file away")
      case .owned(let owner):
        throw Refusal(
          reason: .collision,
          detail: "'\(path.displayed)' belongs to '\(owner.displayed)'", hint: hint)
      case .wanted(let other):
        throw Refusal(
          reason: .collision,
          detail: "'\(path.displayed)' would be a rendition of '\(other.displayed)' as well",
          hint: "put {name} into the output's path")
      }
    }
    let owner = job.state.sidecar.flatMap { sidecar in
      sidecar.adjustments.enumerated().first { index, adjustment in
        !replaced.contains(index)
          && adjustment.renditions.contains { $0.file.path(besides: asset.path) == path }
      }
    }
    if let owner {
      throw Refusal(
        reason: .collision,
        detail: "'\(path.displayed)' belongs to the edit by \(owner.element.formatIdentifier)",
        hint: "put {recipe} or {output} into the output's path")
    }
  }

  /// The places in the sidecar of the adjustments that this one takes the place of.
  private var replaced: [Int] {
    switch job.effect {
    case .added: []
    case .resumed(let depth): [job.state.stack[depth].index]
    case .replacedStack: job.state.stack.map(\.index)
    }
  }

  /// What lies at the paths of the adjustments that this one takes the place of.
  private func recordedFiles() -> [FilePath: RenditionOnDisk] {
    var files: [FilePath: RenditionOnDisk] = [:]
    for index in replaced {
      guard let adjustment = job.state.sidecar?.adjustments[index] else { continue }
      for rendition in adjustment.renditions {
        let state = context.root.disk(rendition, adjustment, asset.path, job.state.sidecar)
        switch state {
        case .ours(let path, _), .others(let path): files[path] = state
        case .absent: break
        }
      }
    }
    return files
  }

  /// What to do for one rendition; nil if its bytes are there already.
  private func publication(
    of rendition: Finished, _ known: RenditionOnDisk?
  ) throws -> Publication<OpenFile>? {
    let files = context.root.files
    guard let status = try files.status(at: rendition.path) else {
      return Publication(
        rendition.path, rendition.staged, expected: .absent, digest: rendition.digest)
    }
    let isSame =
      status.kind == .regular && status.identity.size == rendition.digest.count
      && (try? Digest(of: files.open(rendition.path), in: files)) == rendition.digest
    if isSame { return nil }
    switch known {
    case .ours(_, let identity):
      return Publication(
        rendition.path, rendition.staged, expected: .identity(identity), digest: rendition.digest)
    case .others where context.options.onModified == .overwrite:
      return Publication(
        rendition.path, rendition.staged, expected: .identity(status.identity),
        keepsDisplaced: true, digest: rendition.digest)
    case .others:
      throw Refusal(
        reason: .modified, detail: "'\(rendition.path.displayed)' was changed; it was kept",
        hint: "--on-modified overwrite writes it anew")
    case .absent, nil:
      throw Refusal(
        reason: .occupied,
        detail: "'\(rendition.path.displayed)' exists and no sidecar claims it; it was kept",
        hint: "move it away, or change the output's path")
    }
  }

  private func addSidecar(
    to group: inout PublicationGroup<OpenFile>, _ renditions: [RenditionRecord]
  ) throws {
    let record = OriginalRecord(
      file: RecordedName(bytes: Array(asset.file.name.bytes)), bytes: Int(job.digest.count),
      sha256: "\(job.digest)", width: upright.width, height: upright.height, date: captureDate)
    var sidecar = job.state.sidecar ?? Sidecar(original: record)
    sidecar.original = sidecar.original.updated(to: record)
    let adjustment = adjustment(renditions)
    let places = replaced
    if let last = places.last {
      sidecar.adjustments[last] = sidecar.adjustments[last].replaced(by: adjustment)
      for index in places.dropLast().reversed() { sidecar.adjustments.remove(at: index) }
    } else {
      sidecar.adjustments.append(adjustment)
    }
    let path = Sidecar.path(of: asset.path)
    let text: [UInt8]
    do throws(SidecarError) { text = try sidecar.text() } catch {
      throw Refusal(reason: .corruptSidecar, detail: error.message, hint: error.hint)
    }
    let staged = try context.publisher.stage(in: path.removingLastComponent())
    try context.root.files.write(text, to: staged.file)
    let expected = job.state.sidecarIdentity.map(ExpectedFile.identity) ?? .absent
    group.sidecar = Publication(path, staged, expected: expected)
  }

  /// The upright original: what the worker read if that was it, else as it was recorded.
  private var upright: Size {
    guard job.base != .original, let known = job.state.sidecar?.original else {
      return summary.size
    }
    return Size(known.width, known.height)
  }

  private var captureDate: String {
    let known = job.base == .original ? summary.captureDate : job.state.sidecar?.original.date
    return known ?? "\(CivilTime(nanoseconds: asset.file.status.identity.modified))"
  }

  private func adjustment(_ renditions: [RenditionRecord]) -> Adjustment {
    let handled =
      job.effect == .added ? nil : replaced.last.map { job.state.sidecar?.adjustments[$0] }
    return Adjustment(
      formatIdentifier: job.recipe.identifier, formatVersion: "\(job.recipe.version)",
      variant: job.recipe.variant, base: job.base, date: context.date,
      overrides: (job.effect == .replacedStack ? nil : handled??.overrides) ?? JSON.Object(),
      recipe: job.recipe.record, renditions: renditions, settings: job.settings,
      engine: .object([
        "libvips": .string(libvips), "phbatch": .string(Engine.version),
        "revision": .integer(Engine.revision),
      ]))
  }
}

extension BatchContext {
  /// What the placeholders of an output's path stand for, as far as it is known before rendering.
  func pathValues(of output: Output, _ recipe: Recipe, _ asset: Asset, date: String) -> PathValues {
    PathValues(
      original: asset.path, extension: type(of: output.format).fileExtension, output: output.name,
      recipe: recipe.shortName, variant: recipe.variant,
      date: CivilTime(date) ?? CivilTime(nanoseconds: asset.file.status.identity.modified))
  }
}

extension BatchContext {
  /// What the placeholders of texts stand for, as far as the photo's file says it.
  func textValues(of recipe: Recipe, _ asset: Asset) -> [String: String] {
    [
      "stem": String(decoding: asset.file.name.stem, as: UTF8.self),
      "name": "\(asset.file.name)",
      "date": "\(CivilTime(nanoseconds: asset.file.status.identity.modified))",
      "recipe": recipe.shortName, "variant": recipe.variant ?? "",
    ]
  }
}

extension PathTemplateError {
  var reason: Reason {
    if case .nameTooLong = self { .nameTooLong } else { .collision }
  }
}
