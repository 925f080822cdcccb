import Glibc
import PhotoLibrary
import PhotoRecipes
import SystemPackage

/// The files in which a worker records what it has encoded of a film, so that the next run can
/// continue a film whose rendering was interrupted.
///
/// They are in the folder `.phbatch/films`, one for each output. The name of a file is a digest of all
/// that its content depends on. The files may be deleted; the films are then rendered from their
/// start.
struct FilmRecords {
  private static let folder = OutputRoot.stateFolder.appending("films")
  /// The seconds after which the record of a film that was not continued is removed: 30 days.
  private static let longest: Int64 = 30 * 24 * 3600

  /// The names of the outputs that are recorded, and their open files in the same order.
  private(set) var outputs: [String] = []
  private(set) var opened: [OpenFile] = []
  private var paths: [FilePath] = []
  private let files: RealFileSystem

  /// Opens the records of a recipe's films; none if `image` is no film.
  ///
  /// A record that cannot be opened, or that another process uses, is left out.
  ///
  /// - Parameters:
  ///   - image: The film.
  ///   - recipe: The recipe.
  ///   - files: The output root.
  ///   - key: The digest of the film, the digest of its settings, and the versions of the programs.
  init(of image: OpenFile, with recipe: Recipe, in files: RealFileSystem, key: [String]) {
    self.files = files
    let films = recipe.outputs.filter(\.isFilm)
    guard !films.isEmpty, OpenFile.withDescriptors(of: [image], { Film.isFilm($0[0]) }) else {
      return
    }
    for output in films {
      let name = Digest(of: (key + [output.name]).joined(separator: "\n").utf8)
      let path = Self.folder.appending("\(name)")
      guard (try? files.createFolders(Self.folder)) != nil,
        let file = try? files.openLock(path),
        OpenFile.withDescriptors(of: [file], { flock($0[0], LOCK_EX | LOCK_NB) }) == 0
      else { continue }
      outputs.append(output.name)
      opened.append(file)
      paths.append(path)
    }
  }

  /// Removes the files, and their folder if it is empty.
  ///
  /// A file that cannot be removed now is removed by a later run.
  func remove() {
    for path in paths { try? files.remove(path) }
    if !paths.isEmpty { try? files.removeFolder(Self.folder) }
  }

  /// Removes the records of films that no run has continued for a month.
  static func removeOld(in files: RealFileSystem) {
    let now = time(nil)
    for name in (try? files.names(in: folder)) ?? [] {
      guard let component = name.component else { continue }
      let path = folder.appending(component)
      guard let status = try? files.status(at: path),
        Int64(now) - status.identity.modified / 1_000_000_000 > longest
      else { continue }
      try? files.remove(path)
    }
  }
}

extension PhotoFailure {
  /// True if another attempt with the same settings can get further: the run was stopped, or the
  /// worker was killed or ran out of time or memory.
  var isInterruption: Bool {
    isCancelled || [.decoderCrash, .timeout, .outOfMemory].contains(reason)
  }
}
