import FoundationEssentials
import Glibc
import Notation
import PhotoLibrary
package import PhotoMetadata
package import PhotoRecipes
package import PhotoRender
import SystemCalls
package import SystemPackage

/// A worker that keeps photos open and renders pictures of them while their edits change.
///
/// All functions block the calling thread; one thread at a time uses the worker.
package final class LiveWorker: Sendable {
  private let worker: WorkerProcess
  private let options: BatchOptions
  private let threads: Int

  /// The image that an edit starts from, with all data that its live pictures need.
  package struct Subject: Sendable {
    /// The name by which requests refer to the photo that the worker keeps open.
    package let name: String
    let image: StartImage
    let files: [String: OpenFile]
    let values: [String: String]
    let focal: Sidecar.FocalPoint?
    /// The description of the photo from XMP files beside it; nil if there is none.
    package var description: XMP?
    /// True for a film; its pictures show one frame.
    package var isFilm = false
  }

  /// A photo outside of any library; used by measurements.
  package static func subject(_ path: FilePath) throws -> Subject {
    let whole = try path.canonical()
    let files = try RealFileSystem(root: whole.removingLastComponent())
    let name = whole.lastComponent.map { FilePath(root: nil, [$0]) } ?? FilePath()
    return Subject(
      name: path.string, image: StartImage(file: try files.open(name), origin: nil), files: [:],
      values: [:], focal: nil)
  }

  /// Creates a worker; a worker for background work has one thread.
  package init(_ options: BatchOptions, isIdle: Bool = false) {
    self.options = options
    threads = isIdle ? 1 : ProcessInfo.processInfo.activeProcessorCount
    // The worker is not replaced after a number of answers, because the user may be dragging a
    // slider. It is replaced only if it uses much more memory than its photos need.
    let service = WorkerProcess.Service(
      answers: .max, bytes: 3 << 30, interval: 256, watch: .milliseconds(250))
    worker = WorkerProcess(
      executable: options.workerExecutable, admission: Admission(options), service: service,
      filmProgram: FilmProgram.path(besides: options.workerExecutable))
  }

  /// Ends the worker; later calls fail.
  package func stop() { worker.stop() }

  /// Renders one picture as a file: PNG, or JPEG while a setting moves.
  ///
  /// If the worker does not have the photo open, opens it first. `threads` is the number of
  /// threads; nil for all.
  package func show(
    _ recipe: Recipe, on subject: Subject, _ picture: LivePicture, threads: Int? = nil
  ) throws(LivePictureFailure) -> (picture: ShownPicture, file: [UInt8]) {
    do throws(PhotoFailure) {
      return try rendered(recipe, subject, picture, threads ?? self.threads)
    } catch {
      throw LivePictureFailure(error)
    }
  }

  private func rendered(
    _ recipe: Recipe, _ subject: Subject, _ picture: LivePicture, _ threads: Int
  ) throws(PhotoFailure) -> (ShownPicture, [UInt8]) {
    var order = order(recipe, subject)
    order.targets = ["picture"]
    let request = WorkerRequest.show(
      order, ShowOrder(photo: heldName(recipe, subject), picture: picture, threads: threads))
    let target = try PictureFile()
    guard case .shown(let shown) = try ask(request, [target.descriptor], recipe, subject) else {
      throw PhotoFailure(.decoderCrash, "the worker returned no picture")
    }
    return (shown, target.bytes())
  }

  /// States the data that masks can need and that a photo does not have.
  ///
  /// - Parameters:
  ///   - recipe: The recipe of the photo's pictures.
  ///   - subject: The photo.
  ///   - searchesFaces: True to search the photo for faces, which takes about a second.
  /// - Returns: A sentence for each missing kind of data, by the names in `HeldPhoto.lacks`.
  /// - Throws: The reason why the photo cannot be opened or decoded.
  package func lacks(
    _ recipe: Recipe, on subject: Subject, searchesFaces: Bool
  ) throws(LivePictureFailure) -> [String: String] {
    do throws(PhotoFailure) {
      let request = WorkerRequest.lacks(photo: heldName(recipe, subject), faces: searchesFaces)
      guard case .lacking(let lacks) = try ask(request, [], recipe, subject) else {
        throw PhotoFailure(.decoderCrash, "the worker returned no facts")
      }
      return lacks
    } catch {
      throw LivePictureFailure(error)
    }
  }

  /// Sends a request about a photo that the worker keeps open; opens it first if the worker does
  /// not.
  private func ask(
    _ request: WorkerRequest, _ descriptors: [Int32], _ recipe: Recipe, _ subject: Subject
  ) throws(PhotoFailure) -> WorkerReply {
    let worker = try worker(for: subject)
    for _ in 0..<2 {
      let reply: WorkerReply
      do throws(WorkerProcess.Failure) {
        reply = try worker.ask(request, descriptors: descriptors, time: options.timeout)
      } catch { throw PhotoFailure(error) }
      guard case .notHeld = reply else { return reply }
      try open(recipe, subject, worker)
    }
    throw PhotoFailure(.decoderCrash, "the worker did not keep the photo open")
  }

  private func worker(for subject: Subject) throws(PhotoFailure) -> WorkerProcess {
    if !subject.isFilm { return worker }
    guard let films = worker.films else {
      throw PhotoFailure(
        .unsupportedFormat, "films are rendered by another program", hint: FilmProgram.hint)
    }
    return films
  }

  /// The name by which the worker keeps a photo open; each frame of a film has a name of its own.
  private func heldName(_ recipe: Recipe, _ subject: Subject) -> String {
    guard subject.isFilm, let output = recipe.outputs.first else { return subject.name }
    let moments = [output.frame, output.range.from, output.range.to].map { $0?.json ?? .null }
    return "\(subject.name) \(JSON.array(moments).compactText)"
  }

  private func open(
    _ recipe: Recipe, _ subject: Subject, _ worker: WorkerProcess
  ) throws(PhotoFailure) {
    var order = order(recipe, subject)
    let named = subject.files.sorted { $0.key < $1.key }
    order.files = named.map(\.key)
    // Workers that held one open file would move each other's position in it.
    var files: [OpenFile] = []
    do throws(FileSystemError) {
      let read =
        [subject.image.file] + named.map(\.value)
        + [subject.image.origin?.file].compactMap(\.self)
      for file in read { files.append(try file.reopened()) }
    } catch { throw PhotoFailure(.unreadable, error.message, hint: error.hint) }
    do throws(WorkerProcess.Failure) {
      _ = try OpenFile.withDescriptors(of: files) {
        descriptors throws(WorkerProcess.Failure) in
        try worker.ask(
          .hold(order, photo: heldName(recipe, subject)), descriptors: descriptors,
          time: options.timeout)
      }
    } catch { throw PhotoFailure(error) }
  }

  private func order(_ recipe: Recipe, _ subject: Subject) -> WorkOrder {
    var order = WorkOrder(recipe: recipe)
    order.values = subject.values
    (order.focal, order.frame) = (subject.focal, subject.image.origin?.frame)
    order.description = subject.description
    order.limits = options.limits
    order.allowsExternal = options.allowsExternal
    return order
  }
}

extension OpenFile {
  /// The same file, opened once more, with a position of its own.
  fileprivate func reopened() throws(FileSystemError) -> OpenFile {
    let opened = withDescriptor {
      unsafe open("/proc/self/fd/\($0.rawValue)", O_RDONLY | O_CLOEXEC)
    }
    guard opened >= 0 else { throw FileSystemError(.open, path, Errno(rawValue: errno)) }
    return OpenFile(FileDescriptor(rawValue: opened), path)
  }
}

/// A file in memory into which a worker writes a picture.
private final class PictureFile {
  let descriptor: Int32

  init() throws(PhotoFailure) {
    descriptor = phbatch_memory_file()
    if descriptor < 0 {
      throw PhotoFailure(.encodeFailed, "no file can be created in memory")
    }
  }

  deinit { close(descriptor) }

  func bytes() -> [UInt8] {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return unsafe [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, count in
      while count < size {
        guard let start = buffer.baseAddress else { break }
        let read = unsafe pread(descriptor, start + count, size - count, count)
        if read <= 0 { break }
        count += read
      }
    }
  }
}
