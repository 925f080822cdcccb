import FoundationEssentials
import Glibc
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemCalls
public import SystemPackage

/// The output of `doctor`, for this machine or for one file.
public enum Diagnosis {
  public static func lines(of path: FilePath?) async throws -> [String] {
    if let path { return try await lines(of: path) }
    return [
      "phbatch \(Engine.version), rendering revision \(Engine.revision)"
    ] + (await workerLines()) + writingLines + [
      faceLine,
      "processor: \(ProcessInfo.processInfo.activeProcessorCount) cores, "
        + (phbatch_has_wide_vectors() == 1
          ? "with AVX2" : "without AVX2, so phbatch uses its slower code"),
      "memory: a run takes at most \(MemoryBudget.standard.megabytes), half of the free memory;"
        + " --memory changes it",
      scratchLine,
      limitsLine,
    ]
  }

  /// The standard limits of a photo.
  private static var limitsLine: String {
    let limits = RenderLimits.standard
    return "limits: \(limits.wholePixels / 1_000_000) megapixels decoded whole,"
      + " \(limits.streamedPixels / 1_000_000) streamed; \(limits.frames) frames of an animation;"
      + " \(BatchOptions().timeout.components.seconds) s per photo"
  }

  /// The formats that can be written, and the packages to install for the other formats.
  private static var writingLines: [String] {
    let missing = MissingEncoder.all
    let names = FormatCatalog.formats.map { $0.name }.filter { name in
      !missing.contains { $0.format == name }
    }
    return ["formats written: \(names.joined(separator: ", "))"]
      + missing.map { "\($0.message): \($0.hint)" }
  }

  /// The library that detects faces, or the package to install.
  private static var faceLine: String {
    MissingFaceDetector.current.map { "\($0.message): \($0.hint)" }
      ?? "faces detected by \(FaceDetector.library ?? "")"
  }

  /// The libvips version, formats and sandbox of a worker.
  private static func workerLines() async -> [String] {
    let thread = WorkerThread(executable: Worker.executable)
    let facts = await thread.run {
      Result { () throws(WorkerProcess.Failure) in
        (try thread.worker.libvips(), try thread.worker.sandbox())
      }
    }
    switch facts {
    case .failure(let failure): return ["no worker: \(UnreadablePhoto(failure).message)"]
    case .success(let (libvips, sandbox)):
      let formats = InputCatalog.formats.filter { $0.isReadable }
      return [
        "libvips \(libvips)",
        "formats read: "
          + (formats.filter(\.isPhoto) + formats.filter { $0.family == .raw }).map(\.name)
          .joined(separator: ", "),
        "read only if a recipe lists them in \"inputs\": "
          + formats.filter { !$0.isPhoto && $0.family != .raw }.map(\.name).joined(separator: ", "),
        "sandbox: \(sandbox.summary)",
      ]
    }
  }

  /// The folder of temporary files, and its free space.
  private static var scratchLine: String {
    let place = ScratchFolder.parent
    var system = statvfs()
    guard unsafe statvfs(place, &system) == 0 else {
      return "temporary files: no space in '\(place)'; set TMPDIR to another folder"
    }
    return
      "temporary files: \(place), \((Int(system.f_bavail) * Int(system.f_frsize)).megabytes) free"
  }

  private static func lines(of path: FilePath) async throws -> [String] {
    let one = OneFile(path)
    let file = try one.open()
    let (kind, size) = try one.kind(of: file)
    let lines = ["\(path.displayed): \(kind.summary), \(size) bytes"]
    if kind == .notPhoto { return lines }
    var inputs = InputSettings()
    inputs.formats = InputCatalog.requests
    let thread = WorkerThread(executable: Worker.executable, needsFonts: true)
    guard
      case .described(let more)? = try await thread.askAll([.describe(inputs)], [file]).first?.get()
    else { return lines }
    return lines + more.dropFirst()
  }
}

extension Sandbox {
  /// The active and the missing restrictions of the sandbox.
  fileprivate var summary: String {
    let parts = [
      landlock > 0 ? "file access restricted by Landlock \(landlock)" : nil,
      filtersCalls ? "system calls filtered" : nil, limitsResources ? "resources limited" : nil,
      refusesPrivileges ? "no new privileges" : nil,
    ]
    let missing = lacking.map { "no \($0)" }
    return (parts.compactMap(\.self) + missing).joined(separator: ", ")
  }
}

extension OneFile {
  fileprivate func kind(of file: OpenFile) throws -> (FileKind, Int64) {
    let files = try RealFileSystem(root: ".")
    let name = file.path.lastComponent.map { FileName($0) } ?? FileName("photo")
    return (
      try FileKind(of: file, named: name, in: files), try files.status(of: file).identity.size
    )
  }
}

extension FileKind {
  fileprivate var summary: String {
    switch self {
    case .photo(let format): format.title
    case .unsupported(let format) where InputSettings().allows(format): format.title
    case .unsupported(let format): "\(format.title), not read: \(format.remedy)"
    case .unreadable(let claimed, let found):
      "named like \(claimed.title), but contains \(found?.title ?? "an unknown file format")"
    case .notPhoto: "not a photo"
    }
  }
}
