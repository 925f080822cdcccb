import Foundation
import Glibc
import Notation
import PhotoLibrary
import PhotoRecipes
import PhotoRender
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch

/// The library and the recipe that `Benchmarks/suites/decide` names.
private enum DecideOrder {
  static let library = ProcessInfo.processInfo.environment["PHBATCH_DECIDE_LIBRARY"]
  static let recipe = ProcessInfo.processInfo.environment["PHBATCH_DECIDE_RECIPE"]
}

/// Measures how long a run takes to decide whether photos are up to date.
///
/// `Benchmarks/suites/decide` names a library and a recipe for which all photos are up to date.
@Suite(.enabled(if: DecideOrder.library != nil)) struct DecideBenchmark {
  /// A sidecar, and the path of its original.
  private struct Text {
    let original: FilePath
    let name: String
    let bytes: [UInt8]
  }

  @Test func theTimeToDecideThatPhotosAreUpToDateIsMeasured() throws {
    let root = try OutputRoot(recognizing: FilePath(#require(DecideOrder.library)))
    let document = try RecipeDocument(contentsOf: FilePath(#require(DecideOrder.recipe)))
    let recipe = try document.recipe().recipe
    var session = LibrarySession(reading: root, BatchOptions(), nil)
    session.contents = LibraryContents(root)
    let edit = session.context(
      BatchOptions(), originals: [], registry: FileRegistry(of: root))
    let context = BatchContext(
      edit: edit, document: document, recipe: recipe,
      files: try NamedFiles(
        recipe, document, BatchOptions(), asking: WorkerProcess(executable: Worker.executable)))
    let settings = context.settingsDigest(of: recipe, isPersonal: false, focal: nil)
    let texts = try Self.texts(root)
    let identity = FileIdentity(inode: 1, size: 1, modified: 1, changed: 1)

    var fastest = Double.infinity
    for _ in 0..<5 {
      var upToDate = 0
      let began = Self.processorSeconds
      for text in texts {
        let sidecar = try Sidecar(SourceText(name: text.name, bytes: text.bytes))
        guard let digest = Digest(hexadecimal: sidecar.original.sha256, count: 0) else { continue }
        let state = StackState(text.original, (sidecar, identity), recipe, edit)
        // All renditions whose paths the sidecar may record are treated as present, so that the
        // disk is not read.
        var facts = state.facts(original: digest) { rendition, adjustment in
          let path = adjustment.path(of: rendition, original: text.original, sidecar.original)
          return path == nil ? .missing : .present
        }
        facts.settings = settings
        if case .nothing(.upToDate, _) = EditDecision(facts) { upToDate += 1 }
      }
      fastest = min(fastest, Self.processorSeconds - began)
      #expect(upToDate == texts.count)
    }
    let mean = texts.reduce(0) { $0 + $1.bytes.count } / max(1, texts.count)
    print(
      """
      decide: {"sidecars": \(texts.count), "bytes": \(mean), \
      "seconds": \(fastest / Double(texts.count) * 100_000)}
      """)
  }

  private static func texts(_ root: OutputRoot) throws -> [Text] {
    var texts: [Text] = []
    for folder in Scan(root.files).walk({ $0.scanned() }).folders {
      for file in folder.sidecars {
        guard let path = file.name.path(in: folder.path),
          let original = Sidecar.original(of: path)
        else { continue }
        let bytes = try root.files.read(path, limit: Sidecar.sizeLimit)
        texts.append(Text(original: original, name: path.displayed, bytes: bytes))
      }
    }
    return texts
  }

  /// The processor time of this thread.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
