import Notation
import PhotoLibrary
import PhotoRecipes

extension FuzzTarget {
  /// A sidecar; if it can be read, it is written again.
  static let sidecar = FuzzTarget("sidecar") { bytes in
    do throws(SidecarError) {
      _ = try Sidecar(SourceText(name: "a.jpg.phbatch.json", bytes: bytes)).text()
    } catch {
      _ = error.message
    }
  }
}
