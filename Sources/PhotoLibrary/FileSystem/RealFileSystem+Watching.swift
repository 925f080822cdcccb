import SystemCalls
public import SystemPackage

extension RealFileSystem {
  /// True if a process has the file open for writing; nil if that is unknown, for example for
  /// writers on another machine or another user's file.
  public func isBeingWritten(_ path: FilePath) -> Bool? {
    guard let file = try? open(path) else { return nil }
    switch file.withDescriptor({ phbatch_has_writer($0.rawValue) }) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }
}
