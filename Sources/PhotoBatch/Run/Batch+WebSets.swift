import PhotoLibrary
import PhotoRecipes
import SystemPackage

extension Batch {
  /// Brings the manifests of the recipe's web sets up to date, or says that they are not.
  func finishWebSets(in root: OutputRoot, _ recorder: Recorder) {
    if recipe.webSets.isEmpty { return }
    // Manifests of photos that are due are out of date, and no more than that.
    if options.isDryRun && recorder.summary.due > 0 { return }
    let contents = LibraryContents(scanning: root)
    for set in recipe.webSets {
      let manifest = WebSetManifest(set, of: recipe, contents, root)
      guard let outcome = outcome(of: manifest, in: root.files) else { continue }
      recorder.record(.started(outcome.path))
      recorder.record(.finished(outcome))
    }
  }

  /// What is worth telling of a manifest: it is due, or it cannot be written.
  private func outcome(of manifest: WebSetManifest, in files: RealFileSystem) -> AssetOutcome? {
    do throws(FileSystemError) {
      switch try manifest.state(in: files) {
      case .current: return nil
      case .outdated where options.isDryRun:
        var outcome = AssetOutcome(manifest.path, .rendered, "the manifest is not up to date")
        outcome.isDue = true
        return outcome
      case .outdated:
        try manifest.write(in: files)
        return nil
      case .occupied:
        return AssetOutcome(
          manifest.path, .occupied, "it is not the manifest of this recipe; it was kept",
          hint: "give the web set another \"manifest\", or move that file away")
      }
    } catch { return AssetOutcome(manifest.path, PhotoFailure(error)) }
  }
}
