import SystemCalls
public import SystemPackage

extension RealFileSystem {
  /// Whether somebody has a file open for writing; nil where that cannot be told: on another machine,
  /// or of a file of somebody else.
  public func isBeingWritten(_ path: FilePath) -> Bool? {
    guard let file = try? open(path) else { return nil }
    switch file.withDescriptor({ phbatch_has_writer($0.rawValue) }) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }
}
