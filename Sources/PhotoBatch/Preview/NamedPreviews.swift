import PhotoLibrary
public import PhotoRecipes
public import SystemPackage

/// Renders previews of the photos and folders that the user named, inside or outside of libraries.
public struct NamedPreviews: Sendable {
  private let batches: [(batch: Batch, named: [FilePath])]
  private let edge: Int

  /// Finds the library of each path: the nearest enclosing folder that contains `.phbatch`.
  ///
  /// If there is none, the named folder, or the folder of the named photo, is used as the library.
  ///
  /// - Throws: `MissingInput` for a path that does not exist; `InvalidDocument` for an invalid
  ///   recipe.
  public init(
    _ document: RecipeDocument, _ paths: [FilePath], edge: Int, options: BatchOptions
  ) throws {
    var options = options
    var roots: [(root: OutputRoot, named: [FilePath])] = []
    for path in paths {
      let (root, places) = try Self.places(of: path)
      if let index = roots.firstIndex(where: { $0.root.files.path == root.files.path }) {
        roots[index].named += places
      } else {
        roots.append((root, places))
      }
    }
    batches = try roots.map { root, named in
      options.output = root.isMirror ? root.files.path : nil
      return (try Batch(document, library: root.library.path, options: options), named)
    }
    self.edge = edge
  }

  /// Renders the previews: at most `PreviewReport.most` per library.
  ///
  /// - Throws: `MissingInput` for a path without a photo; the error that ended the command before
  ///   its first photo; `CancellationError`.
  public func report() async throws -> PreviewReport {
    var report = PreviewReport()
    for (batch, named) in batches {
      var unseen = Set(named)
      let part = try await batch.preview(edge: edge) { photo in
        let places = named.filter { photo.starts(with: $0) }
        unseen.subtract(places)
        return !places.isEmpty
      }
      if let path = unseen.min(by: { $0.string < $1.string }) {
        throw MissingInput(
          "there is no photo at '\(path.isEmpty ? batch.library.displayed : path.displayed)'",
          hint: "name an original or a folder of originals; renditions cannot be previewed")
      }
      report.photos += part.photos
      report.more += part.more
    }
    return report
  }

  /// Returns the library that contains a path, and the path relative to the library's root; two paths
  /// for the name of a raw photo and its JPEG.
  private static func places(of path: FilePath) throws -> (OutputRoot, [FilePath]) {
    let place: FilePath
    do throws(FileSystemError) { place = try path.canonical() } catch {
      guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else {
        throw error
      }
      let folder = path.removingLastComponent()
      let new = { try? PhotoPaths([path], library: folder.isEmpty ? "." : folder) }
      if let pair = (try? PhotoPaths([path])) ?? new(), pair.paths.count > 1 {
        return (pair.root, pair.paths)
      }
      throw MissingInput("there is no '\(path.displayed)'", hint: "check the path")
    }
    if let known = try? PhotoPaths([path]) { return (known.root, known.paths) }
    if (try? RealFileSystem(root: place)) != nil {
      return (try OutputRoot(library: place), [FilePath()])
    }
    let name = place.lastComponent.map { FilePath(root: nil, [$0]) } ?? FilePath()
    return (try OutputRoot(library: place.removingLastComponent()), [name])
  }
}
