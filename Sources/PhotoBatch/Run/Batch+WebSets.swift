import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Writes the manifests of the recipe's web sets that are not up to date.
  func writeWebSets(in root: OutputRoot, _ recorder: Recorder) {
    eachWebSet(in: root, recorder) { manifest, files throws(FileSystemError) in
      try manifest.write(in: files)
      return nil
    }
  }

  /// Reports the manifests of the recipe's web sets that are not up to date.
  func checkWebSets(in root: OutputRoot, _ recorder: Recorder) {
    // Photos that are due make the manifests outdated anyway, so the manifests are not reported
    // too.
    if recorder.summary.due > 0 { return }
    eachWebSet(in: root, recorder) { manifest, _ in
      var outcome = AssetOutcome(
        manifest.path, .rendered, "the manifest of the web set is not up to date")
      outcome.isDue = true
      return outcome
    }
  }

  private func eachWebSet(
    in root: OutputRoot, _ recorder: Recorder,
    outdated: (WebSetManifest, RealFileSystem) throws(FileSystemError) -> AssetOutcome?
  ) {
    if recipe.webSets.isEmpty { return }
    let contents = LibraryContents(scanning: root)
    for set in recipe.webSets {
      let manifest = WebSetManifest(set, of: recipe, contents, root)
      guard let outcome = outcome(of: manifest, in: root.files, outdated) else { continue }
      recorder.record(.started(outcome.path))
      recorder.record(.finished(outcome))
    }
  }

  /// The outcome of a manifest that is outdated or cannot be written; nil if it is up to date.
  private func outcome(
    of manifest: WebSetManifest, in files: RealFileSystem,
    _ outdated: (WebSetManifest, RealFileSystem) throws(FileSystemError) -> AssetOutcome?
  ) -> AssetOutcome? {
    do throws(FileSystemError) {
      switch try manifest.state(in: files) {
      case .current: return nil
      case .outdated: return try outdated(manifest, files)
      case .occupied:
        return AssetOutcome(
          manifest.path, .occupied,
          "the existing file is not the manifest of this recipe, and was kept",
          hint: "give the web set another \"manifest\", or move that file away")
      }
    } catch { return AssetOutcome(manifest.path, PhotoFailure(error)) }
  }
}
