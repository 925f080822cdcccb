import Foundation
import PhotoLibrary
import PhotoRecipes
public import SystemPackage

/// What `doctor` says of this machine, or of one file.
public enum Diagnosis {
  public static func lines(of path: FilePath?) async throws -> [String] {
    if let path { return try await lines(of: path) }
    let lane = Lane(executable: "/proc/self/exe")
    let libvips = await lane.run {
      do throws(WorkerProcess.Failure) { return try lane.worker.libvips() } catch {
        return "none: \(UnreadablePhoto(error).message)"
      }
    }
    return [
      "phbatch \(Engine.version), rendering revision \(Engine.revision)", "libvips \(libvips)",
      "\(ProcessInfo.processInfo.activeProcessorCount) cores",
      "formats written: \(FormatCatalog.formats.map { $0.name }.joined(separator: ", "))",
      "limits: 268 megapixels decoded whole, 2200 streamed; 120 s a photo; 1 page",
    ]
  }

  private static func lines(of path: FilePath) async throws -> [String] {
    let one = OneFile(path)
    let file = try one.open()
    let (kind, size) = try one.kind(of: file)
    var lines = ["\(path.displayed): \(kind.words), \(size) bytes"]
    guard case .photo = kind else { return lines }
    let reply = await Lane(executable: "/proc/self/exe").askAll([.probe], [file])
    if case .probed(let photo)? = try reply.first?.get() {
      lines.append("\(photo.size) pixels upright")
      lines += photo.captureDate.map { ["taken \($0)"] } ?? []
    }
    return lines
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
  fileprivate var words: String {
    switch self {
    case .photo(let format): format.rawValue
    case .unsupported(let format): "\(format.rawValue), not supported"
    case .unreadable(let claimed): "named as \(claimed.rawValue), but its bytes are not"
    case .notPhoto: "not a photo"
    }
  }
}
